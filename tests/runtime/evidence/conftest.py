"""Stands here so that the folders below find what their tests share."""
