/* The functions whose types are fixed: a row of a table says all (fixed.h). */
#include "ir/names/fixed.h"

#define FUNCTION(id)                                                                               \
    {                                                                                              \
        TARGET_FUNCTION, INTR_##id                                                                 \
    }
#define OPERATOR(op)                                                                               \
    {                                                                                              \
        TARGET_OPERATOR, OP_##op                                                                   \
    }
#define AS_IS                                                                                      \
    {                                                                                              \
        TARGET_AS_IS, 0                                                                            \
    }
#define FIXED(path, signature, ...) { path, signature, { __VA_ARGS__ } },
static const FixedFunction functions[] = {
#include "ir/names/fixed.inc"
};
#undef FIXED

const FixedFunction *fixed_all(size_t *count)
{
    *count = ARRAY_COUNT(functions);
    return functions;
}

static int compare_path(const void *path, const void *row)
{
    return strcmp(path, ((const FixedFunction *)row)->path);
}

const FixedFunction *fixed_find(const char *path)
{
    return bsearch(path, functions, ARRAY_COUNT(functions), sizeof functions[0], compare_path);
}
