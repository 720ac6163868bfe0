"""One result model, several forms: text, JSON, JUnit, SARIF, GitHub, HTML."""
