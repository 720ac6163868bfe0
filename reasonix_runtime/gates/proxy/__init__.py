"""What becomes of one call of `use_capability`: pure functions of the call and of a `World`.

`ids.py` and `names.py` say what an id means and what it is called, `world.py` what the host knows,
`arguments.py` what a call asks for, `resolution.py` where it leads, `roles.py`, `permission.py` and
`revalidation.py` who may go there, `answers.py` what is shown without going, `pages.py` how a
stored result is read. `course.py` puts them in the order in which a call meets them.
"""
