"""What stands in the place of numba beside cuda: its modules, and the names of its top level."""
