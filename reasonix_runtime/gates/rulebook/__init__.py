"""The rules as data, one module an area; `gates/rules.py` collects them."""
