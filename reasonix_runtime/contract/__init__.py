"""What a model provider sees: entries, canonical schemas, surfaces and the contract document."""
