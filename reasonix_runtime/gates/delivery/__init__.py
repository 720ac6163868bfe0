"""May this turn end: three judges of one list, and the policy points that choose between them.

`turn_end.py` holds what the judges share: an item of what is open, and the verdict on all of them.
Each judge is a module, `by_...`, named after what it rests on.
"""
