"""The capability proxy at work: servers that are started, and the front end of each agent.

What a call reaches and who may go there is decided in `gates/proxy/`; here it is done.
"""
