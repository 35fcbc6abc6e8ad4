version = "1.2.3"
version_info = tuple(int(x) for x in version.split("."))
