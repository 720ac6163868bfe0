"""Stands here so that the folders below find the records that their tests share."""
