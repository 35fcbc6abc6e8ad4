# All of Python's own library is read.
library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
find "$library" -name '*.py' ! -path '*/lib2to3/tests/*' ! -path '*/test/*bad*' >files
holds grep -q '/ast\.py$' files
xargs -n 50 "$KJIT" build --emit ast <files >trees 2>complaints
holds cmp /dev/null complaints
