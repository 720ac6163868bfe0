"""How long the page of a 50,000-event trace takes to open in headless Chromium."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from benchmarks import trace_data
from benchmarks.timing import Goal, Ratio
from reasonix_conformance.reports import html, json_report
from reasonix_conformance.traces.sessions import Options, results

EVENTS = 50_000
LIMIT = 3.0
"""Seconds in which it was promised to open: the base of the ratio."""


def run(rounds: int) -> list[Ratio]:
    """Return the time from asking for the page to its last script, as a ratio to the limit."""
    driver = _browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = trace_data.write(Path(folder) / "trace.jsonl", EVENTS)
            options = Options(rules="classic", receipts=True, timeline=True)
            found = json_report.document(results([path], options, []), receipts=True, timeline=True)
            page = Path(folder) / "page.html"
            page.write_text(html.render(found), encoding="utf-8")
            times = sorted(_open(driver, page) for _ in range(max(3, rounds // 4)))
    finally:
        driver.quit()
    return [
        Ratio(
            name=f"open the page of {EVENTS} events",
            base=f"{LIMIT:.0f} seconds",
            median=statistics.median(times) / LIMIT,
            low=times[0] / LIMIT,
            high=times[-1] / LIMIT,
            seconds=statistics.median(times),
            base_seconds=LIMIT,
            goal=Goal(limit=1.0),
        )
    ]


def _browser():  # type: ignore[no-untyped-def]  # noqa: ANN202  # selenium is for tests only
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def _open(driver, page: Path) -> float:  # type: ignore[no-untyped-def]  # noqa: ANN001
    driver.get("about:blank")
    driver.get(page.as_uri())
    return (
        driver.execute_script(
            "const [load] = performance.getEntriesByType('navigation'); return load.loadEventEnd"
        )
        / 1000
    )
