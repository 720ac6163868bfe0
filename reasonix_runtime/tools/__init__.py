"""The tools of the contract, one module a tool: its declaration and its behaviour."""
