/* Where imports look for their files. */
#pragma once

#include "runtime/tuning/tuned.h"

/* The file that the import of `name` in the file `importer` means: "a.b" is looked for beside it,
** around the packages it lies in, and in the folders of KJIT_PATH, as .k and as .py; dots in front
** say which folder, as in Python. A folder of modules is its __init__ file or, if there is none,
** the folder itself, with a slash at its end. NULL: there is none. */
const char *import_search(Arena *arena, const char *importer, const char *name);
/* Where that is looked for, for messages. */
const char *import_places(Arena *arena, const char *importer, const char *name);
