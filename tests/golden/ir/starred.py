"""What star_import_in_order takes."""
first = 10
second = 20
third = 30
_hidden = 40
