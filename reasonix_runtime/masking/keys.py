"""Keys that are known wherever they stand, by the marks that their makers begin them with.

A mark alone is no key: what follows is long and not made of words, so that `sk-learn-pipelines`
and `npm_config_ignore_scripts` stay readable. Every repetition that something has to follow is
bounded: whoever writes a trace writes what is searched.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import MASK

# Where a key may begin: behind what is no letter, or behind an escape that ends in one.
_LEFT = r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4}))"
# What follows: a run of letters and digits as no word is, or several of them with a digit.
_REST = r"(?=[\w-]{0,80}?(?:[A-Za-z0-9]{16}|[0-9]))[\w-]{16,}"
# Words that name what follows, as in `sk_live_`, `lin_api_` or `dckr_pat_`.
_TELLING = r"(?:sk|rk|pk|pat|tkn|secret|token|live|test|prod|api|auth|cli|svcacct)"
_MIXED = r"(?=[a-z]{0,80}[A-Z0-9])(?=[^\W_]{0,80}[G-Zg-z])[A-Za-z0-9]{20,}"

_MARKED = (
    r"(?:sk|pk|rk|csk)-(?=[\w-]{16})",  # model providers
    r"(?:gh[pousr]|github_pat)_",
    r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|ffct|oas)-",
    r"xox[a-z](?:\.xox[a-z])?-|xapp-[0-9]-",
    r"whsec_|shp(?:at|ss|ca|pa|sa)_|sq0[a-z]{3}-",
    r"(?:npm|hf|gsk|fw|nfp|figd|ntn|sbp|glsa|glc|aio|rubygems|pul|r8|fm[12])[_-](?=[A-Za-z0-9]{20})",
    r"pypi-|do[opr]_v1_|sntry[su]_|CCIPAT_|HRKU-|ATATT3|ATCTT3|NRAK-|NRII-|PMAK-|pplx-|xai-|dapi(?=[0-9a-f]{32})",
    r"tskey-[a-z]{2,12}-|AGE-SECRET-KEY-1|EZ[AT]K(?=\w{54})|GOCSPX-|EAACEdEose0cBA",
    r"AIza(?=[\w-]{30})",
)
_SHAPED = (
    r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    r"(?:hv[sbr]|dp\.(?:pt|st|ct|sa|scim|audit)|ya29)\.[\w.-]{20,}",
    r"SG\.[\w-]{16,32}\.[\w-]{30,64}",
    r"[\w]{14}\.atlasv1\.[\w-]{40,}",
    r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    r"key-[0-9a-f]{32}(?![\w-])",
    r"SK[0-9a-f]{32}(?![\w-])",
    r"[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])",
    r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])",
    r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}",  # JSON web token
    rf"(?:[a-z0-9]{{1,16}}[_-]){{0,3}}?{_TELLING}[_-]{_MIXED}",
    r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api(?:/v[0-9]+)?/webhooks)/[\w/-]{20,}",
)
_KEY: Final = re.compile(f"{_LEFT}(?:(?:{'|'.join(_MARKED)}){_REST}|{'|'.join(_SHAPED)})", re.ASCII)
_BLOCK: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)"
)
_LONG: Final = re.compile(r"[\w-]{16}|(?:AA|us[0-9])", re.ASCII)


def masked(text: str) -> str:
    """Return a text with the keys in it masked."""
    if _LONG.search(text) is None:
        return text
    if "PRIVATE KEY" in text:
        text = _BLOCK.sub(MASK, text)
    return _KEY.sub(MASK, text)
