"""What went to models and came back: one module an interface, and logs that repeat a history."""
