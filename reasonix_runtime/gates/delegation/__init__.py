"""Delegation: may these children start, what is shown of their answers, who may read them later.

`world.py` says what the host knows, `items.py` what a call asks for, `claims.py` which paths a
writer holds, `launch.py` the checks before anything starts, `aggregate.py` what many answers come
to in one result, `stored.py` how a stored answer is read or carried on with.
"""
