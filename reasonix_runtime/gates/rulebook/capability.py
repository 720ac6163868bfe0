"""Rules of the capability proxy (CP)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="capability", points=("proxy_is_judged",))

RULES = (
    _rule(
        id="CP-01.args",
        sentence="The arguments of a call are a JSON object, and so are those for its target.",
        sentence_zh="调用的参数必须是 JSON 对象，传给目标的参数也是如此。",
        reasons=("proxy.args",),
    ),
    _rule(
        id="CP-01.action",
        sentence="The action is `list`, `inspect`, `call` or `decline`; blanks and case do not "
        "matter.",
        sentence_zh="动作只能是 `list`、`inspect`、`call` 或 `decline`；不计首尾空白与大小写。",
        reasons=("proxy.action",),
    ),
    _rule(
        id="CP-01.id",
        sentence="Every action but `list` names a capability.",
        sentence_zh="除 `list` 外，每个动作都要指明能力。",
        reasons=("proxy.id_missing",),
    ),
    _rule(
        id="CP-01.reason",
        sentence="A capability is declined with a reason.",
        sentence_zh="拒绝一项能力必须说明理由。",
        reasons=("proxy.reason_missing",),
    ),
    _rule(
        id="CP-01.require",
        sentence="A required capability cannot be declined.",
        sentence_zh="必需的能力不能拒绝。",
        reasons=("proxy.require",),
    ),
    _rule(
        id="CP-01.known",
        sentence="What is inspected stands in the catalogue.",
        sentence_zh="只能查看目录中存在的能力。",
        reasons=("proxy.id_unknown",),
    ),
    _rule(
        id="CP-01.form",
        sentence="What is called has an id of a known family, in its form.",
        sentence_zh="被调用能力的标识必须属于已知类别，并且格式正确。",
        reasons=("proxy.id_bad",),
    ),
    _rule(
        id="CP-01.self",
        sentence="The proxy is not called through itself.",
        sentence_zh="能力入口不能通过自身来调用。",
        reasons=("proxy.self",),
    ),
    _rule(
        id="CP-01.declined",
        sentence="What is not required may be declined with a reason; the ledger keeps that.",
        sentence_zh="非必需的能力可以说明理由后拒绝；账本会记录。",
        reasons=("proxy.declined",),
    ),
    _rule(
        id="CP-03.list",
        sentence="A list shows what is not provider-visible, and how each server stands; it starts "
        "nothing.",
        sentence_zh="列表显示不直接可见的能力以及每个服务器的状态；不启动任何东西。",
        reasons=("proxy.list",),
    ),
    _rule(
        id="CP-03.inspect",
        sentence="Inspecting shows live tools, cached ones or advice, of one tool that tool alone; "
        "it starts nothing.",
        sentence_zh="查看会显示在线工具、缓存工具或建议；查看单个工具时只显示该工具；不启动任何东西。",
        reasons=(
            "proxy.inspect_tool",
            "proxy.inspect_disabled",
            "proxy.inspect_live",
            "proxy.inspect_cache",
            "proxy.inspect_nocache",
        ),
    ),
    _rule(
        id="CP-04.enabled",
        sentence="A server is enabled in this session, when its capability is resolved and when it "
        "is called.",
        sentence_zh="服务器必须在本会话中启用：解析时如此，调用时也如此。",
        reasons=("proxy.off",),
    ),
    _rule(
        id="CP-04.authorized",
        sentence="A server was installed or approved by the user.",
        sentence_zh="服务器必须由用户安装或批准。",
        reasons=("proxy.unauth",),
    ),
    _rule(
        id="CP-04.identity",
        sentence="A connection is used only if it has exactly the current configuration.",
        sentence_zh="只有与当前配置完全一致的连接才会被使用。",
        reasons=("proxy.identity",),
    ),
    _rule(
        id="CP-04.tool",
        sentence="The tool is there: in the registry, or among those that the server reports.",
        sentence_zh="工具必须存在：在注册表中，或在服务器报告的工具之中。",
        reasons=("proxy.no_tool",),
    ),
    _rule(
        id="CP-04.directory",
        sentence="Calling a connected server answers with its tools, without calling any.",
        sentence_zh="调用已连接的服务器会返回其工具目录，而不调用其中任何一个。",
        reasons=("proxy.directory",),
    ),
    _rule(
        id="CP-05.phase",
        sentence="A tool that opted out of planning is not called while planning.",
        sentence_zh="声明不参与规划的工具在规划期间不得调用。",
        reasons=("proxy.plan_phase",),
    ),
    _rule(
        id="CP-05.plan",
        sentence="While an executor plans, it calls only readers of authorized servers.",
        sentence_zh="执行者规划期间，只能调用已授权服务器的只读工具。",
        reasons=("proxy.plan_mcp",),
    ),
    _rule(
        id="CP-05.trusted",
        sentence="What a server does needs its authorization at the moment of permission.",
        sentence_zh="服务器的操作在检查权限的那一刻必须仍有授权。",
        reasons=("proxy.unauth_gate",),
    ),
    _rule(
        id="CP-05.denied",
        sentence="No deny rule names what a server does, or its start, by its exact name.",
        sentence_zh="不得有以确切名称禁止该服务器操作或启动的规则。",
        reasons=("proxy.denied",),
    ),
    _rule(
        id="CP-05.gate",
        sentence="Everything else asks the ordinary gate, with its own name, arguments and flag.",
        sentence_zh="其他一切都以自己的名称、参数和标志询问普通权限门。",
        reasons=("proxy.gate",),
    ),
    _rule(
        id="CP-05.hook",
        sentence="No hook before the call blocks the real name.",
        sentence_zh="调用前的钩子不得阻止真实名称。",
        reasons=("proxy.hook",),
    ),
    _rule(
        id="CP-05.configured",
        sentence="A server is still configured when it is started or called.",
        sentence_zh="启动或调用服务器时，其配置必须仍然存在。",
        reasons=("proxy.no_server",),
    ),
    _rule(
        id="CP-05.changed",
        sentence="A server is started with the configuration that was resolved.",
        sentence_zh="服务器必须以解析时的配置启动。",
        reasons=("proxy.changed",),
    ),
    _rule(
        id="CP-05.start",
        sentence="A call waits for a start for a short while; a slow one goes on without it.",
        sentence_zh="调用只短暂等待启动；较慢的启动在后台继续。",
        reasons=("proxy.slow", "proxy.start_failed"),
    ),
    _rule(
        id="CP-05.connect",
        sentence="A server that was started answers with its tools.",
        sentence_zh="服务器启动后返回其工具目录。",
        reasons=("proxy.connect",),
    ),
    _rule(
        id="CP-05.live",
        sentence="A live tool is no more than the call was judged by: read-only if the cache said "
        "so, destructive only if it did.",
        sentence_zh="在线工具不得超出裁决所依据的范围：缓存称只读则必须只读，缓存未称破坏性则不得有破坏性。",
        reasons=("proxy.live_not_readonly", "proxy.live_destructive"),
    ),
    _rule(
        id="CP-05.live_planner",
        sentence="A planner's call ends where the live tool is destructive or not authorized.",
        sentence_zh="在线工具具有破坏性或未获授权时，规划者的调用到此为止。",
        reasons=("proxy.live_planner",),
    ),
    _rule(
        id="CP-05.call",
        sentence="What no check stops is called, once, under its real name.",
        sentence_zh="未被任何检查阻止的目标以真实名称调用一次。",
        reasons=("proxy.call",),
    ),
    _rule(
        id="CP-06.decline",
        sentence="An agent that only reads declines nothing.",
        sentence_zh="只读代理不得拒绝能力。",
        reasons=("proxy.ro_decline",),
    ),
    _rule(
        id="CP-06.connect",
        sentence="A strict read-only sub-agent starts no server by itself.",
        sentence_zh="严格只读的子代理不得自行启动服务器。",
        reasons=("proxy.ro_connect",),
    ),
    _rule(
        id="CP-06.unresolved",
        sentence="An agent that only reads calls nothing that leads nowhere, and a strict one no "
        "directory.",
        sentence_zh="只读代理不得调用无法解析的能力；严格只读的代理也不得调用工具目录。",
        reasons=("proxy.ro_unresolved",),
    ),
    _rule(
        id="CP-06.writer",
        sentence="An agent that only reads calls no writer; a missing hint is no hint to read.",
        sentence_zh="只读代理不得调用写入工具；缺少提示不等于只读。",
        reasons=("proxy.ro_writer",),
    ),
    _rule(
        id="CP-06.destructive",
        sentence="What is destructive is left to the executor.",
        sentence_zh="具有破坏性的操作留给执行者。",
        reasons=("proxy.ro_destructive", "proxy.planner_destructive"),
    ),
    _rule(
        id="CP-06.path_bound",
        sentence="A writer bound to paths reaches only what is known to read and to be harmless.",
        sentence_zh="受路径约束的写入者只能到达已知只读且无害的目标。",
        reasons=("proxy.path_bound",),
    ),
    _rule(
        id="CP-06.allowlist",
        sentence="A restricted proxy names only the ids it was given, and its own results.",
        sentence_zh="受限的能力入口只能使用获准的标识以及自己的结果。",
        reasons=("proxy.allowlist",),
    ),
    Rule(
        area="capability",
        id="CP-07.answer",
        sentence="An answer passes whose routes are settled; what is unavailable is reported with "
        "it, not taken for success.",
        sentence_zh="路由均已了结的回答可以通过；不可用的能力随之报告，不视为成功。",
        reasons=("proxy.gate_pass",),
    ),
)
