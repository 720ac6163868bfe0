"""The page in a browser: what people do with it, at the size that traces have."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from places import CLASSIC

from reasonix_conformance.reports import html, json_report
from reasonix_conformance.reports.levels import REPLAY, SUITE, About
from reasonix_conformance.traces.sessions import Options, results

pytestmark = pytest.mark.slow
webdriver = pytest.importorskip("selenium.webdriver")

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MOST_NODES = 600
"""How many nodes the page may hold, whatever the trace; a screen has some forty rows."""

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a browser without a window and without a network."""
    if CHROMIUM is None or DRIVER is None:
        pytest.fail("chromium and chromedriver are not installed: apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page for a replay document in a window of some size."""

    def show(
        document: dict[str, Any],
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        about: About = REPLAY,
    ) -> Any:
        page = tmp_path / "page.html"
        page.write_text(html.render(document, about=about), encoding="utf-8")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get(page.as_uri())
        return browser

    yield show
    assert [] == browser.get_log("browser")


def recorded(*scenarios: str) -> dict[str, Any]:
    options = Options(receipts=True, timeline=True)
    paths = [CLASSIC / name for name in scenarios]
    return json_report.document(results(paths, options, []), receipts=True, timeline=True)


def event(number: int, **more: Any) -> dict[str, Any]:
    return {"turn": 1, "event": number, "name": "bash", "text": f"make part-{number}", **more}


def verdict(number: int | None, decision: str, gate: str = "complete_step", **more: Any) -> Any:
    return {
        "turn": 1, "event": number, "gate": gate, "decision": decision, "reason": None,
        "rule": None, "message": "", "expected": None, "held": None, "host": None,
        "agreement": "unknown", "name": f"turn-1/{number}", **more,
    }  # fmt: skip


def trace(events: list[Any], verdicts: list[Any], path: str = "a.jsonl") -> dict[str, Any]:
    return {
        "path": path, "id": path, "format": "neutral/1", "rules": "contract",
        "timeline": events, "verdicts": verdicts, "diagnostics": [],
    }  # fmt: skip


def document(*traces: dict[str, Any]) -> dict[str, Any]:
    return {"schema": "reasonix-conformance/replay/1", "traces": list(traces), "summary": {}}


SMALL = document(
    trace(
        [event(number, where=f"a.jsonl:{number}") for number in range(40)],
        [
            verdict(5, "accept", "todo_write"),
            verdict(20, "reject", reason="step.missing", agreement="host_lenient"),
            verdict(
                35, "accept", receipts=[
                    {"turn": 1, "event": 3, "tool": "bash", "text": "make part-3", "outcome": "ok"}
                ],
            ),
        ],
    )
)  # fmt: skip


def press(page: Any, keys: str) -> None:
    page.switch_to.active_element.send_keys(keys)


def selected(page: Any) -> str:
    found: str = page.execute_script(
        "return document.querySelector('[aria-selected=true] .what')?.textContent ?? ''"
    )
    return found


def text_of(page: Any, selector: str) -> str:
    found: str = page.execute_script(
        "return document.querySelector(arguments[0]).innerText", selector
    )
    return found


def nodes(page: Any) -> int:
    found: int = page.execute_script("return document.getElementsByTagName('*').length")
    return found


def rows(page: Any) -> list[str]:
    found: list[str] = page.execute_script(
        "return [...document.querySelectorAll('#rows .row')].map(row => row.innerText)"
    )
    return found


def test_only_what_is_on_screen_is_in_the_tree(opened: Open) -> None:
    """At 50,000 events a browser can hold the data, and not the rows."""
    verdicts = [verdict(number, "accept") for number in range(0, 50_000, 25)]
    page = opened(document(trace([event(number) for number in range(50_000)], verdicts)))

    assert nodes(page) < MOST_NODES
    assert "50000 of 50000 events" == text_of(page, "#count")
    press(page, "\ue010")  # End
    assert "make part-49999" == selected(page)
    assert nodes(page) < MOST_NODES


def test_keys_move_through_events_verdicts_and_refusals(opened: Open) -> None:
    """An auditor's hands stay on the keyboard."""
    page = opened(SMALL)
    seen = []
    for keys in ("\ue011", "j", "n", "r", "k", "p", "\ue010", "\ue011"):
        press(page, keys)
        seen.append(selected(page).removeprefix("make part-"))

    assert ["0", "1", "5", "20", "19", "5", "39", "0"] == seen


def test_search_takes_letters_and_escape_leads_back(opened: Open) -> None:
    """Letters that are keys of the list are text in the search."""
    page = opened(SMALL)
    press(page, "/")
    press(page, "part-1")
    found = text_of(page, "#count")
    press(page, "\ue00c")  # Escape
    press(page, "j")

    assert "11 of 40 events" == found
    assert "make part-10" == selected(page)


def test_filters_leave_what_they_say(opened: Open) -> None:
    """One gate, one kind of verdict."""
    page = opened(SMALL)
    page.execute_script(
        "const gate = document.getElementById('gate'); gate.value = 'todo_write';"
        "gate.dispatchEvent(new Event('change'))"
    )
    by_gate = rows(page)
    page.execute_script(
        "document.getElementById('gate').value = '';"
        "for (const box of document.querySelectorAll('[name=decision]'))"
        " if (box.value !== 'reject' && box.checked) box.click()"
    )

    assert 1 == len(by_gate)
    assert "make part-5" in by_gate[0]
    assert 1 == len(rows(page))
    assert "host lenient" in rows(page)[0]


def test_a_receipt_is_one_click_away(opened: Open) -> None:
    """What a verdict rested on is shown where it happened, whatever is filtered."""
    page = opened(SMALL)
    press(page, "nnn")
    page.execute_script(
        "for (const box of document.querySelectorAll('[name=decision]'))"
        " if (box.value === '') box.click()"
    )
    page.find_element("css selector", "#detail button").click()

    assert "make part-3" == selected(page)
    assert "40 of 40 events" == text_of(page, "#count")
    press(page, "j")
    assert "make part-4" == selected(page)


def test_receipts_of_an_end_say_what_they_are(opened: Open) -> None:
    """A change, a look and a check are no list of calls; one of an earlier file has no row."""
    told = {"tool": "edit_file", "text": "a.py", "outcome": "ok", "role": "change"}
    receipts = [{"turn": 0, "event": None, **told}, {"turn": 1, "event": 0, **told}]
    end = verdict(None, "reject", "turn_end", receipts=receipts, more_receipts=7)
    page = opened(document(trace([event(0), {**event(0), "event": None}], [end])))
    press(page, "n")

    lines = [line for line in text_of(page, "#detail section").splitlines() if line]
    assert [
        "rests on",
        "earlier run · change: edit_file a.py (ok)",
        "↳ 1/0 change: edit_file a.py (ok)",
        "and 7 earlier",
    ] == lines[1:5]
    assert 1 == len(page.find_elements("css selector", "#detail button"))


def test_the_page_opens_where_there_is_something_to_look_at(opened: Open) -> None:
    """Of hundreds of traces, one accuses its host, and in it one of thousands of calls."""
    quiet = trace([event(0)], [verdict(0, "accept")], "quiet.jsonl")
    page = opened(document(quiet, {**SMALL["traces"][0], "path": "loud.jsonl"}))

    shown = page.execute_script("return document.getElementById('trace').selectedOptions[0].text")

    assert shown.startswith("loud.jsonl")
    assert shown.endswith("(1 to look at)")
    assert "make part-20" == selected(page)
    (row,) = [row for row in rows(page) if "part-20" in row]
    assert row.endswith("reject · host lenient · step.missing")


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_in_both_schemes(opened: Open, dark: bool) -> None:
    """4.5 to 1 is what people with weak eyes need."""
    page = opened(SMALL, dark=dark)
    press(page, "r")

    pairs = page.execute_script(
        """
        const light = (colour) => {
          const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
            .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (node) => {
          for (; node; node = node.parentElement) {
            const back = getComputedStyle(node).backgroundColor;
            if (back !== "rgba(0, 0, 0, 0)") return back;
          }
        };
        const texts = ".row span, #detail dd, #detail dt, label, h1, h3, kbd";
        return [...document.querySelectorAll(texts)]
          .filter((node) => node.textContent.trim())
          .map((node) => {
            const a = light(getComputedStyle(node).color), b = light(behind(node));
            return [node.textContent, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
          });
        """
    )

    assert pairs
    assert [] == [(text, ratio) for text, ratio in pairs if ratio < 4.5]
    back = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ("rgb(255, 255, 255)" == back) is not dark


@pytest.mark.parametrize("width", [360, 420, 800, 1600])
def test_nothing_sticks_out_of_the_window(opened: Open, width: int) -> None:
    """A page that has to be pushed sideways is not read."""
    page = opened(recorded("delivery-high-risk"), width=width)

    wide = page.execute_script("return document.documentElement.scrollWidth")

    assert wide <= width
    assert page.execute_script("return document.getElementById('list').clientHeight") >= 200


@pytest.mark.parametrize(("width", "height"), [(640, 360), (320, 256), (1280, 300)])
def test_a_window_too_small_for_two_panes_scrolls(opened: Open, width: int, height: int) -> None:
    """At 200 % and 400 % the list and the details are read one after the other, whole."""
    page = opened(recorded("delivery-high-risk"), width=width, height=height)
    press(page, "r")

    assert page.execute_script("return document.getElementById('list').clientHeight") >= 100
    hidden = page.execute_script(
        "const pane = document.getElementById('detail');"
        "return pane.scrollHeight - pane.clientHeight"
    )
    assert hidden <= 0
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_the_keys_that_scroll_stay_in_the_details(opened: Open) -> None:
    """A long message is read to its end; moving on would take it away."""
    told = verdict(20, "reject", message="one line\n" * 200)
    page = opened(document(trace([event(number) for number in range(40)], [told])))
    press(page, "\ue007")  # Enter
    press(page, "\ue00f")  # Page Down
    press(page, "\ue015")  # Arrow Down

    assert "make part-20" == selected(page)
    assert "detail" == page.execute_script("return document.activeElement.id")
    page.execute_script("document.getElementById('detail').scrollTop = 0")
    press(page, "j")
    assert "make part-21" == selected(page)


def test_the_details_say_what_is_wrong_before_any_code(opened: Open) -> None:
    """Who has to act on a refusal knows no rule ids; the rule is there in words as well."""
    told = verdict(
        20, "reject", message="run it again", agreement="host_lenient",
        rule="CS-07.failed", reason="verification.command_failed",
    )  # fmt: skip
    page = opened(document(trace([event(20)], [told])))

    lines = [line for line in text_of(page, "#detail section").splitlines() if line]
    assert ["complete_step: reject, but the host let it pass", "run it again"] == lines[:2]
    assert any("A command that ran and failed proves nothing" in line for line in lines)


def test_a_recorded_session_is_shown_with_its_verdicts(opened: Open) -> None:
    """From the recording to the pixels, nothing is made up for the test."""
    page = opened(recorded("step-missing-evidence"))
    press(page, "r")

    assert "reject" in text_of(page, "#detail h3")
    assert "trajectory.jsonl:" in text_of(page, "#detail") or "stream.jsonl:" in text_of(
        page, "#detail"
    )
    assert json.loads(json.dumps(rows(page)))


def several(number: int) -> dict[str, Any]:
    """Make many traces, one of them with a refusal, one with an expected one."""
    plain = [
        trace([event(0)], [verdict(0, "accept", "todo_write")], path=f"{at}.jsonl")
        for at in range(number)
    ]
    bad = trace([event(0)], [verdict(0, "reject"), verdict(0, "accept")], path="bad.jsonl")
    held = trace(
        [event(0)], [verdict(0, "reject", held=True, agreement="host_lenient")], "ok.jsonl"
    )
    return document(*plain, held, bad)


def test_several_traces_are_counted_and_listed_with_the_worst_first(opened: Open) -> None:
    """Of a folder of sessions a reader saw one, and of the others their names alone."""
    page = opened(several(3))
    cells = "return [...document.querySelectorAll(arguments[0])].map(row => row.innerText)"

    assert "5 traces, 1 with something to look at" == text_of(page, "#overview summary")
    assert ["gate\treject\tnot assessable\taccept", "all gates\t2\t\t4"] == page.execute_script(
        cells, "#gates tr"
    )[:2]
    listed = page.execute_script(cells, "#traces tr")
    assert "trace\tworst verdict\tto look at\treject\tnot assessable\taccept" == listed[0]
    assert ["bad.jsonl\treject\t1\t1\t\t1", "ok.jsonl\treject\t\t1\t\t"] == listed[1:3]
    assert "bad.jsonl" in text_of(page, "#traces tr[aria-current]")

    page.execute_script("document.querySelectorAll('#traces button')[1].click()")

    assert "ok.jsonl" in text_of(page, "#traces tr[aria-current]")
    assert "3" == page.execute_script("return document.getElementById('trace').value")


def test_the_list_of_very_many_traces_says_how_many_it_leaves_out(opened: Open) -> None:
    """The tree of the page does not grow with a folder."""
    page = opened(several(5_000))

    assert "and 4902 more in the list of traces above" in text_of(page, "#traces")


def test_items_of_a_suite_are_no_traces_and_their_requirements_stand_in_no_turn(
    opened: Open,
) -> None:
    """A page of tools and transcripts counted traces, with requirements at the end of turn 0."""
    requirement = verdict(0, "accept", "tool/description-present")
    required = {**requirement, "name": "tool/description-present", "turn": 0, "event": None}
    page = opened(document(*(trace([], [required], path) for path in ("a", "b"))), about=SUITE)

    assert "2 items, 0 with something to look at" == text_of(page, "#overview summary")
    assert "Item" == text_of(page, "#unit")
    assert "1 of 1 verdicts" == text_of(page, "#count")
    assert "tool/description-present" == text_of(page, ".row .name")
    assert "" == text_of(page, ".row .at")
    assert page.execute_script(
        "const name = document.querySelector('.row .name');"
        "return name.scrollWidth <= name.clientWidth"
    )


@pytest.mark.parametrize(("width", "most"), [(1280, 0.4), (390, 0.6)])
def test_the_overview_leaves_room_for_what_it_lists(opened: Open, width: int, most: float) -> None:
    """The list of gates pushed that of the traces out of sight and took 40 % of the height."""
    many = [verdict(0, "accept", f"gate-{at}") for at in range(60)]
    page = opened(
        document(*(trace([event(0)], many, f"{at}.jsonl") for at in range(60))), width=width
    )
    bottom = "return document.getElementById(arguments[0]).getBoundingClientRect()[arguments[1]]"

    assert page.execute_script(bottom, "filters", "top") <= most * 844
    assert 0 < page.execute_script(bottom, "traces", "top") < most * 844


def test_one_trace_has_no_overview(opened: Open) -> None:
    """There is nothing to choose from."""
    page = opened(SMALL)

    assert page.execute_script("return document.getElementById('overview').hidden")


def test_text_of_a_trace_is_never_markup(opened: Open) -> None:
    """What a model wrote must not run in the auditor's browser."""
    nasty = "</script><img src=x onerror=\"document.title='taken'\"><b>bold</b>"
    page = opened(document(trace([event(0, text=nasty)], [verdict(0, "reject", message=nasty)])))

    assert "Replay" == page.title
    assert nasty == selected(page)
    assert 0 == page.execute_script("return document.images.length")


def test_files_that_could_not_be_read_are_named_above_the_rest(opened: Open) -> None:
    """What they hold is not on the page; with a keyboard, too, one sees which they are."""
    document = {"traces": [], "unreadable": [{"path": "x.jsonl", "text": "x.jsonl: broken"}]}
    page = opened(document)
    box = page.find_element("id", "lost")
    said = box.find_element("css selector", "summary")

    assert "1 file could not be read" == box.text
    said.send_keys(" ")
    assert ["1 file could not be read", "x.jsonl: broken"] == box.text.splitlines()
    assert not opened({"traces": []}).find_element("id", "lost").is_displayed()
