"""The task list and the sign-off of its items: the gates of `todo_write` and `complete_step`.

`claim.py` is what a sign-off says, `evidence.py` what each kind of evidence has to show, and
`review.py` what one by review rests on. `told_list.py` holds the list that a host tells against
the list that the gates keep.
"""
