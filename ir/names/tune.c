/* What @tune says of a kernel: parameters and the values to try, conditions, and how a launch's
** shape follows. Here it is only taken apart; runtime/tuning/space.c evaluates it.
**
** Sizes and conditions may be written in quotes, as they must be in Python where they name what is
** not there yet. What stands in quotes is parsed as if the rest of the file were blank, so that
** complaints point into the file. */
#include "ir/ir.h"
#include "parser/parser.h"

static const char *const own_keywords[] = { "block",      "problem",    "grid_div_x",
                                            "grid_div_y", "grid_div_z", "restrict" };

const char *tune_keyword(size_t index)
{
    return index < ARRAY_COUNT(own_keywords) ? own_keywords[index] : NULL;
}

/* Whether the text between a string's quotes stands in the file just as it is. */
static bool is_plain(const AstExpr *string)
{
    const Source *source = string->span.source;
    size_t from = string->span.begin + 1;
    return source && from + string->string.length + 1 == string->span.end &&
           memcmp(source->text + from, string->string.text, string->string.length) == 0;
}

static AstExpr *parse_in_place(Arena *arena, Diags *diags, const AstExpr *string)
{
    const Source *source = string->span.source;
    size_t from = string->span.begin + 1, to = from + string->string.length;
    char *blank = arena_array(arena, char, to + 1);
    memset(blank, ' ', from);
    memcpy(blank + from, string->string.text, string->string.length);
    Source *part = source_new(arena, source->name, blank, to);
    size_t before = diags->count;
    AstExpr *expr = parse_expression(arena, diags, part);
    *part = *source;
    for (size_t i = before; i < diags->count; i++)
        if (diags->list[i].span.source == part)
            diags->list[i].span.source = source;
    return expr;
}

/* What an expression says, in quotes or not; NULL after a complaint. */
static AstExpr *unquote(Arena *arena, Diags *diags, AstExpr *expr)
{
    if (expr->kind != AST_STRING)
        return expr;
    if (!expr->string.text[strspn(expr->string.text, " \t\r\n")]) {
        diag_error(diags, expr->span, "there is no expression between these quotes");
        return NULL;
    }
    if (is_plain(expr))
        return parse_in_place(arena, diags, expr);
    return parse_expression(arena, diags,
                            source_new(arena, "@tune", expr->string.text, expr->string.length));
}

/* The items of a list or tuple, or the one expression that stands there. */
static bool take_items(Arena *arena, Diags *diags, AstExpr *value, AstExprs *items)
{
    bool several = value->kind == AST_LIST || value->kind == AST_TUPLE;
    AstExprs given = several ? value->list.items : (AstExprs){ &value, 1, 1 };
    AstExprs taken = { 0 };
    bool fine = true;
    for (int i = 0; i < given.count; i++) {
        if (given.items[i]->kind == AST_LAMBDA)
            return diag_error(
                diags, given.items[i]->span,
                "@tune takes no lambda: write the expression itself, in quotes, with the "
                "parameters' names: \"block_size_x * tile <= 128\"");
        AstExpr *expr = unquote(arena, diags, given.items[i]);
        array_push(arena, taken.items, taken.count, taken.capacity) = expr;
        fine = fine && expr;
    }
    if (fine)
        *items = taken;
    return fine;
}

static bool take_sizes(Arena *arena, Diags *diags, const AstKeyword *keyword, AstExprs *sizes)
{
    AstExprs taken;
    if (!take_items(arena, diags, keyword->value, &taken))
        return false;
    /* "(a, b)": the quotes stand around all of it */
    if (taken.count == 1 && taken.items[0]->kind == AST_TUPLE)
        taken = taken.items[0]->list.items;
    if (taken.count >= 1 && taken.count <= TUNE_AXES) {
        *sizes = taken;
        return true;
    }
    bool block = strcmp(keyword->name, "block") == 0;
    return diag_error(
        diags, keyword->value->span,
        "%s takes one to three sizes, for x, y and z: %s=(\"%s\", \"%s\")%s", keyword->name,
        keyword->name, block ? "block_size_x" : "x.shape[1]", block ? "block_size_y" : "x.shape[0]",
        block ? "; values to try are those of a parameter: block_size_x=[64, 128]" : "");
}

/* ---- parameters --------------------------------------------------------------------------- */

/* Whether a value may be written so: what is computed from constants alone. */
static bool is_value(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_NAME:
    case AST_INT:
    case AST_FLOAT:
    case AST_STRING:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
        return true;
    case AST_UNARY:
        return is_value(expr->unary.operand);
    case AST_BINARY:
        return is_value(expr->binary.left) && is_value(expr->binary.right);
    case AST_TUPLE:
        for (int i = 0; i < expr->list.items.count; i++)
            if (!is_value(expr->list.items.items[i]))
                return false;
        return true;
    default:
        return false;
    }
}

static bool check_values(Arena *arena, Diags *diags, const AstKeyword *keyword, AstExprs values)
{
    bool fine = true;
    const char **texts = arena_array(arena, const char *, values.count);
    for (int i = 0; i < values.count; i++) {
        const AstExpr *value = values.items[i];
        bool known = is_value(value), twice = false;
        texts[i] = ast_expr_text(arena, value);
        for (int k = 0; k < i; k++)
            twice = twice || strcmp(texts[k], texts[i]) == 0;
        if (!known)
            diag_error(diags, value->span,
                       "a value to try is a number, True, False, None, a string, a tuple, or "
                       "arithmetic on such and on constants of the module");
        else if (twice)
            diag_error(diags, value->span, "'%s' is to try %s already: leave one out",
                       keyword->name, texts[i]);
        fine = fine && known && !twice;
    }
    return fine;
}

static bool refuse_single(Arena *arena, Diags *diags, const AstKeyword *keyword)
{
    const char *near = diag_nearest(keyword->name, own_keywords, ARRAY_COUNT(own_keywords));
    bool number = keyword->value->kind == AST_INT;
    return diag_error(diags, keyword->value->span,
                      "'%s' takes the values to try as a list: %s=[%s]%s%s%s", keyword->name,
                      keyword->name, number ? ast_expr_text(arena, keyword->value) : "16, 32, 64",
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Sizes and conditions under a name that is almost that of a keyword. */
static bool is_misspelt(Diags *diags, const AstKeyword *keyword, AstExprs values)
{
    const char *near = diag_nearest(keyword->name, own_keywords, ARRAY_COUNT(own_keywords));
    for (int i = 0; i < values.count && near; i++)
        if (values.items[i]->kind != AST_STRING)
            return false;
    if (near)
        diag_error(diags, keyword->span,
                   "@tune has no '%s', and no constant is such an expression; did you mean '%s'?",
                   keyword->name, near);
    return near;
}

static TuneParam *find_param(TuneSpace *space, const char *name)
{
    for (int i = 0; i < space->param_count; i++)
        if (strcmp(space->params[i].name, name) == 0)
            return &space->params[i];
    return NULL;
}

static bool take_param(Arena *arena, Diags *diags, TuneSpace *space, const AstKeyword *keyword)
{
    const AstExpr *value = keyword->value;
    if (value->kind != AST_LIST && value->kind != AST_TUPLE)
        return refuse_single(arena, diags, keyword);
    if (!value->list.items.count)
        return diag_error(diags, value->span, "'%s' has no values to try: %s=[16, 32, 64]",
                          keyword->name, keyword->name);
    if (is_misspelt(diags, keyword, value->list.items) ||
        !check_values(arena, diags, keyword, value->list.items))
        return false;
    TuneParam *param = find_param(space, keyword->name);
    if (!param) {
        param = &array_push(arena, space->params, space->param_count, space->param_capacity);
        *param = (TuneParam){ 0 };
    }
    param->name = keyword->name;
    param->span = keyword->span;
    param->values = value->list.items;
    return true;
}

bool tune_take(Arena *arena, Diags *diags, TuneSpace *space, const AstKeyword *keyword)
{
    const char *name = keyword->name;
    if (strcmp(name, "block") == 0)
        return take_sizes(arena, diags, keyword, &space->block);
    if (strcmp(name, "problem") == 0)
        return take_sizes(arena, diags, keyword, &space->problem);
    if (strcmp(name, "restrict") == 0)
        return take_items(arena, diags, keyword->value, &space->restrictions);
    if (strncmp(name, "grid_div_", 9) == 0 && name[9] >= 'x' && name[9] <= 'z' && !name[10]) {
        int axis = name[9] - 'x';
        if (!take_items(arena, diags, keyword->value, &space->divide[axis]))
            return false;
        space->divides[axis] = true;
        return true;
    }
    if (strcmp(name, "problem_size") == 0 && keyword->value->kind != AST_LIST)
        return diag_error(diags, keyword->span,
                          "@tune has no 'problem_size'; did you mean 'problem'?");
    if (strcmp(name, "grid") == 0)
        return diag_error(diags, keyword->span,
                          "the grid follows from problem= and from what a block covers of it, "
                          "grid_div_x=[\"block_size_x\"]");
    return take_param(arena, diags, space, keyword);
}

/* ---- the decorator ------------------------------------------------------------------------ */

static bool is_parameter(const AstFunction *kernel, const char *name)
{
    for (int i = 0; i < kernel->params.count; i++)
        if (strcmp(kernel->params.items[i].name, name) == 0)
            return true;
    return false;
}

const TuneSpace *tune_read(Arena *arena, Diags *diags, const AstExpr *tune,
                           const AstFunction *kernel)
{
    TuneSpace *space = arena_new(arena, TuneSpace);
    if (tune->call.args.count)
        diag_error(diags, tune->call.args.items[0]->span,
                   "what @tune takes has names: block_size_x=[16, 32], problem=\"x.shape[0]\"");
    else if (!tune->call.keyword_count)
        diag_error(diags, tune->span,
                   "there is nothing to try: @tune(block_size_x=[16, 32, 64], ...)");
    for (int i = 0; i < tune->call.keyword_count; i++) {
        const AstKeyword *keyword = &tune->call.keywords[i];
        if (!keyword->name)
            diag_error(diags, keyword->span, "the parameters of @tune are written one by one");
        else if (is_parameter(kernel, keyword->name))
            diag_error(diags, keyword->span,
                       "'%s' is a parameter of %s, which gets its value at the launch: what is "
                       "tuned is a constant of the module",
                       keyword->name, kernel->name);
        else
            tune_take(arena, diags, space, keyword);
    }
    return space;
}
