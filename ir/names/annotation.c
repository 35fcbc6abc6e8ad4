/* What annotations of parameters say. */
#include "ir/names/operand.h"

#include <string.h>

bool names_type(const AstExpr *annotation)
{
    static const char *const silent[] = { "int", "float", "bool", "complex", "ndarray", "tuple" };
    const AstExpr *base = annotation->kind == AST_INDEX ? annotation->index.object : annotation;
    const char *name = base->kind == AST_NAME        ? base->name.name
                       : base->kind == AST_ATTRIBUTE ? base->attribute.name
                                                     : NULL;
    for (size_t i = 0; name && i < ARRAY_COUNT(silent); i++)
        if (strcmp(name, silent[i]) == 0)
            return false;
    return name && type_by_name(name);
}
