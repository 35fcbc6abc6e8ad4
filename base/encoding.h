/* Sources that are not UTF-8. */
#pragma once

#include "base/base.h"

/* The text as UTF-8, if a comment of its first two lines names another encoding that is known, and
** its bytes are of that; else the text itself. */
const char *encoding_to_utf8(Arena *arena, const char *text, size_t *length);
