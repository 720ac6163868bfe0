"""Fetch one web page as text."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="web_fetch",
    read_only=True,
    description=(
        "Fetch one http or https address with GET and return its text; HTML is reduced to "
        "headings, lists, tables, code and links. The first line gives the status, the media "
        "type and the size: any status, 404 included, is an answer and no error, so look at it. "
        "At most 1 MiB of the body is read, within 15 seconds. Addresses that are not "
        "public, the local host included, are refused unless the host allows their network."
    ),
    description_zh=(
        "用 GET 获取一个 http 或 https 地址并返回文本；HTML 会精简为标题、列表、表格、代码和链"
        "接。首行给出状态、媒体类型和大小：任何状态（包括 404）都是答复而非错误，请留意。最多读"
        "取 1 MiB 正文，限时 15 秒。拒绝非公网地址（包括本机），除非主机允许该网络。"
    ),
    arguments=s.record(
        {"url": s.string("The complete address, starting with http:// or https://.")},
        required=["url"],
    ),
)
