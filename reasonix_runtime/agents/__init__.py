"""The agent loop and the models behind it; nothing here decides, the gates do."""
