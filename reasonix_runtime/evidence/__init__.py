"""What the host can prove: shell commands, paths, receipts, the ledger and the task list."""
