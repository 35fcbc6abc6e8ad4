/* Text from outside. */
#pragma once

#include <stdbool.h>

/* Whether it is UTF-8, which JSON has to be (RFC 3629: no overlong forms, no surrogates). */
bool text_is_utf8(const char *text);
/* Makes it UTF-8 where it lies: a question mark stands for each byte that is none. */
void text_make_utf8(char *text);
