"""The task list and the sign-off of its items: the gates of `todo_write` and `complete_step`.

`claim.py` is what a sign-off says. What each kind of evidence has to show stands in a module of its
own (`..._evidence.py`), held against an `inquiry.py`; `review.py` says how the changes of a step
were reviewed. `told_list.py` holds the list that a host tells against the list that the gates keep.
"""
