"""The page that shows how training goes: a process of its own, which the `training` command tells."""
