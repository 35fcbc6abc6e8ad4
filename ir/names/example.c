/* What can be wrong with an @example before its values are looked at: a slip in a name would
** otherwise be a value that nothing reads, and a launch of another shape. */
#include "ir/names/operand.h"

static bool used_after(const AstExpr *example, int index)
{
    const char *name = example->call.keywords[index].name;
    bool used = false;
    for (int i = index + 1; i < example->call.keyword_count && !used; i++)
        used = ast_mentions(example->call.keywords[i].value, name);
    return used;
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
        if (text_is_among(keyword->name, names, count + ARRAY_COUNT(config)) ||
            used_after(example, i))
            continue;
        const char *near = diag_nearest(keyword->name, names, count + ARRAY_COUNT(config));
        diag_error(diags, keyword->span,
                   "%s has no parameter '%s', and no value after it uses it%s%s%s", kernel->name,
                   keyword->name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
}
