/* The methods of Python's texts but for format(), which constants and programs share. Texts are
** UTF-8; what knows letters knows those of ASCII and refuses others. */
#pragma once

#include "base/base.h"

typedef enum StringKind {
    STRING_NONE,
    STRING_TEXT,
    STRING_NUMBER,
    STRING_TRUTH,
    STRING_LIST,
    STRING_TUPLE,
    STRING_OTHER
} StringKind;

/* What a method is given, or gives. */
typedef struct StringValue {
    StringKind kind;
    const char *type; /* of what is given: Python's name for it */
    const char *text;
    size_t length;  /* of the text */
    int64_t number; /* or truth */
    struct StringValue *items;
    int count; /* of the items */
} StringValue;

enum { STRING_ARGS = 3, STRING_WIDTH_MOST = 1 << 28 };

typedef struct StringCall {
    Arena *arena; /* where what it gives lies */
    const char *method;
    StringValue self, args[STRING_ARGS]; /* NONE behind the last that is given */
    int count;
    const char *error, *message; /* the class of the exception that it raises, and its text */
} StringCall;

/* Name, the least and the most arguments, their names if these may be said, what computes it. */
/* clang-format off */
#define STRING_METHODS(METHOD)                          \
    METHOD("join", 1, 1, NULL, method_joined)           \
    METHOD("split", 0, 2, "sep maxsplit", method_split) \
    METHOD("splitlines", 0, 0, NULL, method_lines)      \
    METHOD("replace", 2, 3, NULL, method_replaced)      \
    METHOD("strip", 0, 1, NULL, method_stripped)        \
    METHOD("lstrip", 0, 1, NULL, method_stripped)       \
    METHOD("rstrip", 0, 1, NULL, method_stripped)       \
    METHOD("find", 1, 1, NULL, method_found)            \
    METHOD("index", 1, 1, NULL, method_found)           \
    METHOD("rfind", 1, 1, NULL, method_found)           \
    METHOD("rindex", 1, 1, NULL, method_found)          \
    METHOD("count", 1, 1, NULL, method_counted)         \
    METHOD("startswith", 1, 1, NULL, method_has_end)    \
    METHOD("endswith", 1, 1, NULL, method_has_end)      \
    METHOD("removeprefix", 1, 1, NULL, method_removed)  \
    METHOD("removesuffix", 1, 1, NULL, method_removed)  \
    METHOD("partition", 1, 1, NULL, method_parted)      \
    METHOD("rpartition", 1, 1, NULL, method_parted)     \
    METHOD("ljust", 1, 2, NULL, method_justified)       \
    METHOD("rjust", 1, 2, NULL, method_justified)       \
    METHOD("center", 1, 2, NULL, method_justified)      \
    METHOD("zfill", 1, 1, NULL, method_filled)          \
    METHOD("upper", 0, 0, NULL, method_cased)           \
    METHOD("lower", 0, 0, NULL, method_cased)           \
    METHOD("casefold", 0, 0, NULL, method_cased)        \
    METHOD("title", 0, 0, NULL, method_cased)           \
    METHOD("capitalize", 0, 0, NULL, method_cased)      \
    METHOD("swapcase", 0, 0, NULL, method_cased)        \
    METHOD("isdigit", 0, 0, NULL, method_consists)      \
    METHOD("isdecimal", 0, 0, NULL, method_consists)    \
    METHOD("isnumeric", 0, 0, NULL, method_consists)    \
    METHOD("isalpha", 0, 0, NULL, method_consists)      \
    METHOD("isalnum", 0, 0, NULL, method_consists)      \
    METHOD("isspace", 0, 0, NULL, method_consists)      \
    METHOD("islower", 0, 0, NULL, method_consists)      \
    METHOD("isupper", 0, 0, NULL, method_consists)
/* clang-format on */

/* One that takes so many arguments; its call fails with an exception. */
typedef struct StringMethod {
    const char *name;
    int least, most;
    bool (*compute)(StringCall *call, StringValue *out);
} StringMethod;

/* NULL: there is none of that name. */
const StringMethod *string_find(const char *name);
