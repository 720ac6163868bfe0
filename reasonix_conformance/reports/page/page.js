"use strict";
// The page holds one trace at a time; of its rows only those on screen are in the tree.
const ROW = 28;
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const view = { rows: [], shown: [], at: 0, unit: "" };

const make = (tag, text, kind) => {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const key = (turn, event) => `${turn}/${event === null ? "end" : event}`;
const worst = (verdicts) =>
  ["reject", "not_assessable", "accept"].find((d) => verdicts.some((v) => v.decision === d)) || "";

const hasTimeline = (trace) => Boolean(trace.timeline && trace.timeline.length);

// A row is one event of the timeline with the verdicts given on it. What has no timeline is no trace but
// an item with requirements, which stand in no turn.
function rowsOf(trace) {
  if (!hasTimeline(trace))
    return trace.verdicts.map((verdict) => ({
      event: { turn: verdict.turn || undefined, event: verdict.turn ? verdict.event : undefined, name: verdict.name, text: verdict.message, where: verdict.line ? `${trace.path}:${verdict.line}` : trace.path },
      verdicts: [verdict], decision: verdict.decision,
      words: [verdict.name, verdict.gate, verdict.reason, verdict.message].filter(Boolean).join("\n").toLowerCase(),
    }));
  const verdicts = new Map();
  for (const verdict of trace.verdicts) {
    const place = key(verdict.turn, verdict.event);
    if (!verdicts.has(place)) verdicts.set(place, []);
    verdicts.get(place).push(verdict);
  }
  return trace.timeline.map((event) => {
    const own = event.event === undefined ? [] : verdicts.get(key(event.turn, event.event)) || [];
    const words = [event.name, event.text, ...own.flatMap((v) => [v.gate, v.reason, v.message])];
    return { event, verdicts: own, decision: worst(own), words: words.filter(Boolean).join("\n").toLowerCase() };
  });
}

function openTrace(index) {
  const trace = data.traces[index];
  view.rows = rowsOf(trace);
  view.unit = hasTimeline(trace) ? "events" : "verdicts";
  const gates = [...new Set(trace.verdicts.map((v) => v.gate))].sort();
  $("gate").replaceChildren(new Option("all", ""), ...gates.map((g) => new Option(g, g)));
  const counts = { accept: 0, reject: 0, not_assessable: 0 };
  for (const verdict of trace.verdicts) counts[verdict.decision] += 1;
  const tell = (n, name, kind) => {
    const part = make("span");
    part.append(make("b", n, kind), ` ${name}`);
    return part;
  };
  const disputed = trace.verdicts.filter((v) => v.agreement.startsWith("host_")).length;
  const remarks = trace.diagnostics.length;
  $("summary").replaceChildren(
    make("span", hasTimeline(trace) ? `${trace.format}, rule set ${trace.rules}` : trace.format),
    ...Object.entries(counts).map(([name, n]) => tell(n, name.replace("_", " "), name)),
    ...(disputed ? [tell(disputed, "against the host", "reject")] : []),
    ...(remarks ? [tell(remarks, remarks === 1 ? "remark of the reader" : "remarks of the reader")] : []),
  );
  filter();
  select(Math.max(0, view.shown.findIndex((row) => row.verdicts.some(alarming))));
}

function filter() {
  const text = $("search").value.trim().toLowerCase();
  const gate = $("gate").value;
  const decisions = new Set([...document.querySelectorAll("[name=decision]:checked")].map((box) => box.value));
  const kept = view.shown[view.at];
  view.shown = view.rows.filter(
    (row) =>
      decisions.has(row.decision) &&
      (!gate || row.verdicts.some((v) => v.gate === gate)) &&
      (!text || row.words.includes(text)),
  );
  $("rows").style.height = `${view.shown.length * ROW}px`;
  $("count").textContent = `${view.shown.length} of ${view.rows.length} ${view.unit}`;
  select(Math.max(0, view.shown.indexOf(kept)));
}

function draw() {
  const list = $("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(view.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5);
  const nodes = [];
  for (let index = first; index < last; index += 1) nodes.push(drawRow(view.shown[index], index));
  $("rows").replaceChildren(...nodes);
  list.setAttribute("aria-activedescendant", view.shown.length ? `row-${view.at}` : "");
}

function drawRow(row, index) {
  const { event, verdicts } = row;
  const node = make("div", null, `row${event.event === null ? " end" : ""}${verdicts.length ? "" : " plain"}`);
  node.id = `row-${index}`;
  node.style.top = `${index * ROW}px`;
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", index === view.at);
  node.setAttribute("aria-posinset", index + 1);
  node.setAttribute("aria-setsize", view.shown.length);
  const place = event.event === undefined ? event.turn || "" : event.event === null ? `${event.turn} end` : `${event.turn}/${event.event}`;
  const verdict = verdicts.find((v) => v.decision === row.decision);
  node.append(make("span", place, "at"), make("span", event.name, event.text ? "name" : "name wide"));
  if (event.text) node.append(make("span", event.text, "what"));
  node.append(verdict
    ? make("span", said(verdict), row.decision)
    : make("span", event.outcome || "", "at"));
  node.addEventListener("click", () => { select(index); $("list").focus(); });
  return node;
}

const HOST = { host_lenient: ", but the host let it pass", host_strict: ", but the host refused it" };

const known = (verdict) => (verdict.known ? "known failure" : "");

// What a row tells of its verdict: the decision, whether the host thought otherwise, and the reason,
// which may be cut off.
function said(verdict) {
  const host = verdict.agreement.startsWith("host_") ? verdict.agreement.replace("_", " ") : "";
  return [verdict.decision.replace("_", " "), host, verdict.reason, known(verdict)].filter(Boolean).join(" · ");
}

function select(index) {
  view.at = Math.min(Math.max(0, index), Math.max(0, view.shown.length - 1));
  const list = $("list");
  // A few rows before and after the selected one stay in sight.
  const top = view.at * ROW;
  const margin = Math.min(3, Math.floor(list.clientHeight / ROW / 3)) * ROW;
  if (top - margin < list.scrollTop) list.scrollTop = top - margin;
  if (top + ROW + margin > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW + margin - list.clientHeight;
  draw();
  detail(view.shown[view.at]);
}

function facts(pairs) {
  const list = make("dl");
  for (const [name, value] of pairs) {
    if (value === undefined || value === null || value === "") continue;
    list.append(make("dt", name), make("dd", typeof value === "object" ? JSON.stringify(value) : String(value)));
  }
  return list;
}

function detail(row) {
  const pane = $("detail");
  if (!row) return pane.replaceChildren(make("p", "Nothing matches the filters."));
  const { event } = row;
  pane.replaceChildren(make("h2", event.name));
  if (event.text) pane.append(make("pre", event.text));
  for (const verdict of row.verdicts) pane.append(verdictPane(verdict));
  pane.append(facts([["turn", event.turn], ["event", event.event], ["outcome", event.outcome], ["recorded at", event.where]]));
  pane.scrollTop = 0;
}

// What is wrong and what to do comes first; codes are for those who look further.
function verdictPane(verdict) {
  const pane = make("section", null, verdict.decision);
  pane.append(make("h3", `${verdict.gate}: ${verdict.decision.replace("_", " ")}${HOST[verdict.agreement] || ""}${verdict.known ? ", a known failure" : ""}`));
  if (verdict.message) pane.append(make("pre", verdict.message));
  const receipts = verdict.receipts || [];
  if (receipts.length) pane.append(make("h4", "rests on"));
  for (const receipt of receipts) pane.append(receiptButton(receipt));
  if (verdict.more_receipts) pane.append(make("p", `and ${verdict.more_receipts} earlier`));
  const sentence = (data.rules || {})[verdict.rule];
  pane.append(facts([
    ["reason", verdict.reason], ["rule", sentence ? `${verdict.rule}: ${sentence}` : verdict.rule],
    ["host", verdict.host], ["agreement", verdict.agreement], ["expected", verdict.expected], ["held", verdict.held],
  ]));
  return pane;
}

// A receipt of an earlier file of the session stands in no row.
function receiptButton(receipt) {
  const role = receipt.role ? `${receipt.role.replace("_", "-")}: ` : "";
  const told = `${role}${receipt.tool} ${receipt.text} (${receipt.outcome})`;
  if (receipt.event === null) return make("p", `earlier run · ${told}`);
  const button = make("button", `↳ ${receipt.turn}/${receipt.event} ${told}`);
  button.addEventListener("click", () => jump(receipt.turn, receipt.event));
  return button;
}

function jump(turn, event) {
  const find = () => view.shown.findIndex((row) => row.event.turn === turn && row.event.event === event);
  if (find() < 0) { clearFilters(); filter(); }
  select(find());
  $("list").focus();
}

function clearFilters() {
  $("search").value = "";
  $("gate").value = "";
  for (const box of document.querySelectorAll("[name=decision]")) box.checked = true;
}

function seek(step, wanted) {
  for (let index = view.at + step; index >= 0 && index < view.shown.length; index += step)
    if (wanted(view.shown[index])) return select(index);
}

const page = () => Math.max(1, Math.floor($("list").clientHeight / ROW) - 1);
const keys = {
  ArrowDown: () => select(view.at + 1), j: () => select(view.at + 1),
  ArrowUp: () => select(view.at - 1), k: () => select(view.at - 1),
  PageDown: () => select(view.at + page()), PageUp: () => select(view.at - page()),
  Home: () => select(0), End: () => select(view.shown.length - 1),
  n: () => seek(1, (row) => row.verdicts.length), p: () => seek(-1, (row) => row.verdicts.length),
  r: () => seek(1, (row) => row.decision === "reject"),
  "/": () => $("search").focus(), Escape: () => $("list").focus(), Enter: () => $("detail").focus(),
};

const SCROLLING = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.metaKey || press.altKey) return;
  const typing = press.target.matches("input[type=search], select, button, summary");
  if (typing && press.key !== "Escape") return;
  // In the details the keys that scroll are the browser's.
  if (SCROLLING.has(press.key) && $("detail").contains(press.target)) return;
  const action = keys[press.key];
  if (!action) return;
  press.preventDefault();
  action();
});
$("list").addEventListener("scroll", draw, { passive: true });
window.addEventListener("resize", draw);
$("search").addEventListener("input", filter);
$("gate").addEventListener("change", filter);
for (const box of document.querySelectorAll("[name=decision]")) box.addEventListener("change", filter);
// A trace is named by what distinguishes it, with what there is to look at.
function title(trace) {
  const refused = trace.verdicts.filter(alarming).length;
  return refused ? `${named(trace)} (${refused} to look at)` : named(trace);
}
const named = (trace) => (trace.id && !trace.path.endsWith(trace.id) ? `${trace.path} · ${trace.id}` : trace.path);
// What is known to fail is no news. What a transcript expects decides alone; else what the host thought otherwise, or nobody refused.
const alarming = (v) => !v.known && (v.held === null ? v.agreement.startsWith("host_") || (v.decision === "reject" && v.agreement !== "agree") : !v.held);

// Of several traces: how many verdicts of each kind, and which traces to open, the worst ones first.
const MOST_TRACES = 100;
const KINDS = ["reject", "not_assessable", "accept"];
const words = (decision) => decision.replace("_", " ");

function table(node, heads, rows) {
  const head = make("tr");
  head.append(...heads.map(([text, kind]) => make("th", text, kind)));
  node.replaceChildren(head, ...rows);
}

function tally(verdicts) {
  return KINDS.map((kind) => {
    const n = verdicts.filter((v) => v.decision === kind).length;
    return make("td", n || "", n ? `n ${kind}` : "n");
  });
}

function overview() {
  const all = data.traces.flatMap((trace) => trace.verdicts);
  const looked = data.traces.map((trace, index) => ({ trace, index, alarms: trace.verdicts.filter(alarming).length }));
  const rank = ({ trace }) => [...KINDS, ""].indexOf(worst(trace.verdicts));
  looked.sort((a, b) => (b.alarms > 0) - (a.alarms > 0) || rank(a) - rank(b) || a.index - b.index);
  const toLook = looked.filter((one) => one.alarms).length;
  const box = $("overview");
  box.hidden = false;
  box.querySelector("summary").textContent = `${data.traces.length} ${data.unit}s, ${toLook} with something to look at`;
  const counted = KINDS.map((kind) => [words(kind), "n"]);
  const gates = [...new Set(all.map((v) => v.gate))].sort();
  table($("gates"), [["gate"], ...counted], [["all gates", all], ...gates.map((gate) => [gate, all.filter((v) => v.gate === gate)])].map(([name, verdicts]) => {
    const row = make("tr");
    row.append(make("td", name), ...tally(verdicts));
    return row;
  }));
  const rows = looked.slice(0, MOST_TRACES).map(({ trace, index, alarms }) => {
    const row = make("tr");
    const name = make("td");
    const link = make("button", named(trace));
    link.addEventListener("click", () => { $("trace").value = String(index); chosen(); $("list").focus(); });
    name.append(link);
    const decision = worst(trace.verdicts);
    row.dataset.index = index;
    row.append(name, make("td", words(decision) || "no verdict", decision), make("td", alarms || "", "n"), ...tally(trace.verdicts));
    return row;
  });
  if (looked.length > MOST_TRACES) rows.push(make("tr", `and ${looked.length - MOST_TRACES} more in the list of ${data.unit}s above`));
  table($("traces"), [[data.unit], ["worst verdict"], ["to look at", "n"], ...counted], rows);
}

function chosen() {
  const index = $("trace").value;
  for (const row of $("traces").rows) row.toggleAttribute("aria-current", row.dataset.index === index);
  view.at = 0;
  openTrace(Number(index));
}

$("unit").textContent = data.unit[0].toUpperCase() + data.unit.slice(1);
$("trace").append(...data.traces.map((trace, index) => new Option(title(trace), index)));
$("trace").addEventListener("change", chosen);
// Files that could not be read are no traces; what they hold is not on the page.
const lost = (data.unreadable || []).map((file) => file.text);
const problems = data.problems || [];
if (lost.length || problems.length) {
  const box = $("lost");
  const files = `${lost.length} ${lost.length === 1 ? "file" : "files"} could not be read`;
  const run = `${problems.length} ${problems.length === 1 ? "problem" : "problems"} of the run as a whole`;
  box.hidden = false;
  box.querySelector("summary").textContent = [lost.length && files, problems.length && run].filter(Boolean).join(", ");
  box.querySelector("ul").append(...[...lost, ...problems].map((text) => make("li", text)));
}
// The page opens where there is something to look at.
const firstOf = (wanted) => data.traces.findIndex((trace) => trace.verdicts.some(wanted));
const start = [alarming, () => true].map(firstOf).find((index) => index >= 0) ?? 0;
if (data.traces.length) {
  if (data.traces.length > 1) overview();
  $("trace").value = String(start);
  chosen();
}
// Where the whole page scrolls it begins with its heading.
$("list").focus({ preventScroll: true });
