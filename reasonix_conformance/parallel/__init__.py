"""Many traces by processes or by a cluster, in the order of their paths."""
