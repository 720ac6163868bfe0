"""The goal of a session: what moves it, what a report on it must say, how a turn of it ends.

`machine.py` is the one step that moves a goal; its table stands in `life.py` and `turn_rows.py`.
`report.py` judges the goal tool, `turn.py` the end of a turn, `ungated.py` the tools of the newest
line; `state.py` is the record that all of them are about.
"""
