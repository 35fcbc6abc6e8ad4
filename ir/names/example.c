/* What can be wrong with an @example before its values are looked at: a slip in a name would
** otherwise be a value that nothing reads, and a launch of another shape. */
#include "ir/names/operand.h"

#include <string.h>

typedef struct Search {
    const char *name;
    bool found;
} Search;

static void search(void *context, const AstExpr *expr)
{
    Search *wanted = context;
    if (expr->kind == AST_NAME && strcmp(expr->name.name, wanted->name) == 0)
        wanted->found = true;
    if (!wanted->found)
        ast_each_child(expr, search, context);
}

static bool used_after(const AstExpr *example, int index)
{
    Search wanted = { .name = example->call.keywords[index].name };
    for (int i = index + 1; i < example->call.keyword_count && !wanted.found; i++)
        search(&wanted, example->call.keywords[i].value);
    return wanted.found;
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void example_check(Arena *arena, Diags *diags, const AstExpr *example, const AstFunction *kernel)
{
    static const char *const config[] = { "grid", "block", "shared" };
    const size_t count = (size_t)kernel->params.count;
    const char **names = arena_array(arena, const char *, count + ARRAY_COUNT(config));
    for (size_t i = 0; i < count; i++)
        names[i] = kernel->params.items[i].name;
    memcpy(names + count, config, sizeof config);

    if (example->call.args.count)
        diag_error(diags, example->call.args.items[0]->span,
                   "the values of an @example have names: %s=VALUE", names[0]);
    for (int i = 0; i < example->call.keyword_count; i++) {
        const AstKeyword *keyword = &example->call.keywords[i];
        if (!keyword->name) {
            diag_error(diags, keyword->span, "the values of an @example are written one by one");
            continue;
        }
        if (is_one_of(keyword->name, names, count + ARRAY_COUNT(config)) || used_after(example, i))
            continue;
        const char *near = diag_nearest(keyword->name, names, count + ARRAY_COUNT(config));
        diag_error(diags, keyword->span,
                   "%s has no parameter '%s', and no value after it uses it%s%s%s", kernel->name,
                   keyword->name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
}
