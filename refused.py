print("before")
table = {1: 2}
