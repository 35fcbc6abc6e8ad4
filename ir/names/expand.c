/* Signatures that a program puts together: what names, calls of its functions, comprehensions and
** formatted texts in one say is written into it, as a copy of the tree. Types are no values, so
** nothing is computed but text and lists. What cannot be written in stays as it is, and is
** complained of where the signature is read. */
#include "ir/names/scope.h"

enum { FAR = 30 };

/* A name and what stands for it, before those around it. */
typedef struct Bound {
    const char *name;
    AstExpr *value;
    const struct Bound *outer;
} Bound;

typedef struct Expander {
    Arena *arena;
    const Module *module;
    int depth;
} Expander;

static AstExpr *expand(Expander *x, const AstExpr *expr, const Bound *bound);

static AstExpr *same(const AstExpr *expr)
{
    return (AstExpr *)(uintptr_t)expr;
}

static AstExpr *copy_of(Expander *x, const AstExpr *expr)
{
    AstExpr *copy = arena_new(x->arena, AstExpr);
    *copy = *expr;
    return copy;
}

static bool is_list(const AstExpr *expr)
{
    return expr->kind == AST_LIST || expr->kind == AST_TUPLE;
}

static void list_add(Expander *x, AstExpr *list, AstExpr *item)
{
    array_push(x->arena, list->list.items.items, list->list.items.count,
               list->list.items.capacity) = item;
}

static const Bound *bind(Expander *x, const char *name, AstExpr *value, const Bound *outer)
{
    Bound *bound = arena_new(x->arena, Bound);
    *bound = (Bound){ name, value, outer };
    return bound;
}

/* ---- text ------------------------------------------------------------------------------------ */

AstExpr *expand_text(Arena *arena, const char *text, Span span)
{
    AstExpr *expr = ast_new(arena, AST_STRING, span);
    expr->string.text = text;
    expr->string.length = strlen(text);
    return expr;
}

/* What str() gives of it; NULL: that is not known. */
static const char *text_of(Expander *x, const AstExpr *expr)
{
    return expr->kind == AST_STRING      ? expr->string.text
           : expr->kind == AST_NAME      ? expr->name.name
           : expr->kind == AST_ATTRIBUTE ? expr->attribute.name
           : expr->kind == AST_INT
               ? arena_printf(x->arena, "%llu", (unsigned long long)expr->integer.value)
               : NULL;
}

/* `text` with each of the places that `open` begins and `close` ends filled by the next argument,
** or by the one whose number stands there; NULL: it cannot be. */
static const char *format(Expander *x, const char *text, const char *open, char close,
                          const AstExprs *args)
{
    int next = 0;
    Buf out = buf_in(x->arena);
    for (const char *at; (at = strstr(text, open)); text = at) {
        buf_printf(&out, "%.*s", (int)(at - text), text);
        at += strlen(open);
        int index = *at >= '0' && *at <= '9' ? *at++ - '0' : next++;
        const char *value = index < args->count ? text_of(x, args->items[index]) : NULL;
        if (!value || (close && *at++ != close))
            return NULL;
        buf_printf(&out, "%s", value);
    }
    buf_printf(&out, "%s", text);
    return buf_text(&out);
}

static AstExpr *expand_fstring(Expander *x, const AstExpr *expr, const Bound *bound)
{
    Buf out = buf_in(x->arena);
    for (int i = 0; i < expr->list.items.count; i++) {
        const AstExpr *part = expr->list.items.items[i];
        bool field = part->kind == AST_FIELD;
        const char *text = text_of(x, field ? expand(x, part->field.value, bound) : part);
        if (!text || (field && part->field.format))
            return same(expr);
        buf_printf(&out, "%s", text);
    }
    return expand_text(x->arena, buf_text(&out), expr->span);
}

static AstExpr *replaced(Expander *x, const char *text, const char *from, const char *to, Span span)
{
    Buf out = buf_in(x->arena);
    for (const char *at; *from && (at = strstr(text, from)); text = at + strlen(from))
        buf_printf(&out, "%.*s%s", (int)(at - text), text, to);
    buf_printf(&out, "%s", text);
    return expand_text(x->arena, buf_text(&out), span);
}

/* A method of a text, its arguments being expanded; NULL: none that is known. */
static AstExpr *text_method(Expander *x, const AstExpr *text, const AstExpr *call)
{
    const char *name = call->call.function->attribute.name;
    const AstExprs *args = &call->call.args;
    const AstExpr *only = args->count == 1 ? args->items[0] : NULL;
    if (strcmp(name, "format") == 0 && !call->call.keyword_count) {
        const char *made = format(x, text->string.text, "{", '}', args);
        return made ? expand_text(x->arena, made, call->span) : NULL;
    }
    if (strcmp(name, "replace") == 0 && args->count == 2) {
        const char *from = text_of(x, args->items[0]), *to = text_of(x, args->items[1]);
        return from && to ? replaced(x, text->string.text, from, to, call->span) : NULL;
    }
    if (strcmp(name, "join") != 0 || !only || !is_list(only))
        return NULL;
    Buf out = buf_in(x->arena);
    for (int i = 0; i < only->list.items.count; i++) {
        const char *part = text_of(x, only->list.items.items[i]);
        if (!part)
            return NULL;
        buf_printf(&out, "%s%s", i ? text->string.text : "", part);
    }
    return expand_text(x->arena, buf_text(&out), call->span);
}

/* ---- operators, items ------------------------------------------------------------------------ */

static AstExpr *expand_binary(Expander *x, const AstExpr *expr, const Bound *bound)
{
    const AstExpr *left = expand(x, expr->binary.left, bound);
    const AstExpr *right = expand(x, expr->binary.right, bound);
    bool texts = left->kind == AST_STRING && right->kind == AST_STRING;
    AstOp op = expr->binary.op;
    if (op == AST_ADD && texts)
        return expand_text(x->arena,
                           arena_printf(x->arena, "%s%s", left->string.text, right->string.text),
                           expr->span);
    if (op == AST_MOD && left->kind == AST_STRING) {
        AstExpr *one = ast_new(x->arena, AST_TUPLE, expr->span);
        list_add(x, one, same(right));
        const char *made = format(x, left->string.text, "%s", 0,
                                  right->kind == AST_TUPLE ? &right->list.items : &one->list.items);
        return made ? expand_text(x->arena, made, expr->span) : same(expr);
    }
    bool lists = is_list(left) && (op == AST_ADD ? is_list(right) : right->kind == AST_INT);
    if (!lists || (op != AST_ADD && op != AST_MUL))
        return same(expr);
    AstExpr *list = ast_new(x->arena, left->kind, expr->span);
    uint64_t times = op == AST_MUL ? right->integer.value : 1;
    for (uint64_t k = 0; k < times && k < FAR; k++)
        for (int i = 0; i < left->list.items.count; i++)
            list_add(x, list, left->list.items.items[i]);
    for (int i = 0; op == AST_ADD && i < right->list.items.count; i++)
        list_add(x, list, right->list.items.items[i]);
    return list;
}

static AstExpr *expand_index(Expander *x, const AstExpr *expr, const Bound *bound)
{
    AstExpr *index = copy_of(x, expr);
    const AstExpr *object = index->index.object = expand(x, expr->index.object, bound);
    const AstExpr *at = expr->index.index;
    if (at->kind != AST_SLICE && at->kind != AST_TUPLE)
        at = expand(x, at, bound);
    if (is_list(object) && at->kind == AST_INT &&
        at->integer.value < (uint64_t)object->list.items.count)
        return object->list.items.items[at->integer.value];
    const char *key = object->kind == AST_DICT ? text_of(x, at) : NULL;
    for (int i = 0; key && i < object->dict.keys.count; i++) {
        const char *other =
            object->dict.keys.items[i] ? text_of(x, object->dict.keys.items[i]) : NULL;
        if (other && strcmp(other, key) == 0)
            return expand(x, object->dict.values.items[i], bound);
    }
    return index;
}

static AstExpr *expand_list(Expander *x, const AstExpr *expr, const Bound *bound)
{
    AstExpr *list = ast_new(x->arena, expr->kind, expr->span);
    list->in_brackets = expr->in_brackets;
    for (int i = 0; i < expr->list.items.count; i++) {
        const AstExpr *item = expr->list.items.items[i];
        bool star = item->kind == AST_STARRED;
        AstExpr *made = expand(x, star ? item->starred.value : item, bound);
        if (star && !is_list(made))
            return same(expr);
        for (int k = 0; star && k < made->list.items.count; k++)
            list_add(x, list, made->list.items.items[k]);
        if (!star)
            list_add(x, list, made);
    }
    return list;
}

/* ---- comprehensions, functions --------------------------------------------------------------- */

/* Binds the names of a target to a value; NULL: it cannot be taken apart. */
static const Bound *bind_target(Expander *x, const AstExpr *target, AstExpr *value,
                                const Bound *bound)
{
    if (target->kind == AST_NAME)
        return bind(x, target->name.name, value, bound);
    if (!is_list(target) || !is_list(value) || target->list.items.count != value->list.items.count)
        return NULL;
    for (int i = 0; bound && i < target->list.items.count; i++)
        bound = bind_target(x, target->list.items.items[i], value->list.items.items[i], bound);
    return bound;
}

static bool collect(Expander *x, const AstComprehension *of, int clause, const Bound *bound,
                    AstExpr *list)
{
    if (clause == of->count) {
        list_add(x, list, expand(x, of->element, bound));
        return true;
    }
    const AstClause *now = &of->clauses[clause];
    const AstExpr *over = expand(x, now->iterable, bound);
    if (!is_list(over) || now->conditions.count)
        return false;
    for (int i = 0; i < over->list.items.count; i++) {
        const Bound *inner = bind_target(x, now->target, over->list.items.items[i], bound);
        if (!inner || !collect(x, of, clause + 1, inner, list))
            return false;
    }
    return true;
}

static AstExpr *expand_comprehension(Expander *x, const AstExpr *expr, const Bound *bound)
{
    static const Bound none = { "", NULL, NULL };
    AstExpr *list = ast_new(x->arena, AST_LIST, expr->span);
    bool listed = expr->comprehension->kind == AST_LIST || expr->comprehension->kind == AST_TUPLE;
    return listed && collect(x, expr->comprehension, 0, bound ? bound : &none, list) ? list
                                                                                     : same(expr);
}

/* What a function gives of what its parameters are bound to; NULL: it does more than assign names
** and return. */
static AstExpr *expand_body(Expander *x, const AstFunction *function, const Bound *bound)
{
    for (int i = 0; i < function->body.count; i++) {
        const AstStmt *stmt = function->body.items[i];
        if (stmt->kind == AST_RETURN)
            return stmt->return_.value ? expand(x, stmt->return_.value, bound) : NULL;
        if (stmt->kind == AST_ASSIGN && stmt->assign.targets.count == 1)
            bound = bind_target(x, stmt->assign.targets.items[0],
                                expand(x, stmt->assign.value, bound), bound);
        else if (stmt->kind != AST_EXPR_STMT || stmt->expr.value->kind != AST_STRING)
            return NULL;
        if (!bound)
            return NULL;
    }
    return NULL;
}

/* A call whose arguments are expanded, of a function that lies in `module`; NULL: it cannot be. */
static AstExpr *expand_function(Expander *x, const Module *module, const AstFunction *function,
                                const AstExpr *call)
{
    const Bound *bound = bind(x, "", NULL, NULL);
    Expander inner = { x->arena, module, x->depth };
    for (int i = 0; i < function->params.count; i++) {
        const AstParam *param = &function->params.items[i];
        AstExpr *given = ast_given_keyword(call, param->name);
        if (!given && i < call->call.args.count)
            given = call->call.args.items[i];
        if (param->star || param->double_star || (!given && !param->default_value))
            return NULL;
        bound =
            bind(x, param->name, given ? given : expand(&inner, param->default_value, NULL), bound);
    }
    return expand_body(&inner, function, bound);
}

static AstExpr *one_call(Expander *x, AstExpr *function, AstExpr *arg)
{
    AstExpr *call = ast_new(x->arena, AST_CALL, arg->span);
    call->call.function = function;
    array_push(x->arena, call->call.args.items, call->call.args.count, call->call.args.capacity) =
        arg;
    return expand(x, call, NULL);
}

/* list(x), tuple(x), map(f, x) of what is a list; NULL: another call. */
static AstExpr *expand_builtin(Expander *x, const AstExpr *call, const char *name)
{
    const AstExprs *args = &call->call.args;
    bool list = strcmp(name, "list") == 0 || strcmp(name, "tuple") == 0;
    if (list && args->count == 1 && is_list(args->items[0]))
        return args->items[0];
    if (strcmp(name, "map") != 0 || args->count != 2 || !is_list(args->items[1]))
        return NULL;
    AstExpr *made = ast_new(x->arena, AST_LIST, call->span);
    for (int i = 0; i < args->items[1]->list.items.count; i++)
        list_add(x, made, one_call(x, args->items[0], args->items[1]->list.items.items[i]));
    return made;
}

static AstExpr *expand_call(Expander *x, const AstExpr *expr, const Bound *bound)
{
    AstExpr *call = copy_of(x, expr);
    const AstExpr *callee = expand(x, expr->call.function, bound);
    call->call.function = same(callee);
    call->call.args = (AstExprs){ 0 };
    for (int i = 0; i < expr->call.args.count; i++) {
        const AstExpr *arg = expr->call.args.items[i];
        bool star = arg->kind == AST_STARRED;
        AstExpr *made = expand(x, star ? arg->starred.value : arg, bound);
        for (int k = 0; star && is_list(made) && k < made->list.items.count; k++)
            array_push(x->arena, call->call.args.items, call->call.args.count,
                       call->call.args.capacity) = made->list.items.items[k];
        if (!star)
            array_push(x->arena, call->call.args.items, call->call.args.count,
                       call->call.args.capacity) = made;
        else if (!is_list(made))
            return same(expr);
    }
    const Symbol *symbol = module_path_symbol(x->module, callee);
    AstExpr *made = NULL;
    if (symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->ast)
        made = expand_function(x, symbol->function->module, symbol->function->ast, call);
    else if (callee->kind == AST_LAMBDA)
        made = expand_function(x, x->module, ast_lambda_function(x->arena, callee), call);
    else if (callee->kind == AST_ATTRIBUTE && callee->attribute.object->kind == AST_STRING)
        made = text_method(x, callee->attribute.object, call);
    else if (callee->kind == AST_NAME && !symbol)
        made = expand_builtin(x, call, callee->name.name);
    return made ? made : call;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether a constant is a name for something that is read as types are, and no type by itself. */
static bool is_written_in(const AstExpr *value)
{
    static const AstExprKind kinds[] = { AST_INDEX,  AST_STRING,  AST_LIST,
                                         AST_TUPLE,  AST_FSTRING, AST_COMPREHENSION,
                                         AST_BINARY, AST_LAMBDA,  AST_DICT };
    static const char *const makers[] = { "dtype", "from_dtype", "record", "namedtuple", "packed" };
    const AstExpr *callee = value->kind == AST_CALL ? value->call.function : NULL;
    if (callee && TEXT_IS_AMONG(ast_last_name(callee), makers))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (value->kind == kinds[i])
            return true;
    return callee != NULL;
}

static AstExpr *expand_name(Expander *x, const AstExpr *expr, const Bound *bound)
{
    for (; bound && expr->kind == AST_NAME; bound = bound->outer)
        if (strcmp(bound->name, expr->name.name) == 0)
            return bound->value;
    const Symbol *symbol = module_path_symbol(x->module, expr);
    if (!symbol || symbol->kind != SYMBOL_CONSTANT || !is_written_in(symbol->constant.value))
        return same(expr);
    Expander inner = { x->arena, symbol->module, x->depth };
    AstExpr *value = expand(&inner, symbol->constant.value, NULL);
    int item = symbol->constant.item;
    if (item < 0)
        return value;
    return is_list(value) && item < value->list.items.count ? value->list.items.items[item]
                                                            : same(expr);
}

static AstExpr *expand(Expander *x, const AstExpr *expr, const Bound *bound)
{
    AstExpr *made = same(expr);
    if (x->depth == FAR)
        return made;
    x->depth++;
    switch (expr->kind) {
    case AST_NAME:
        made = expand_name(x, expr, bound);
        break;
    case AST_ATTRIBUTE:
        made = expand_name(x, expr, bound);
        if (made == expr) {
            made = copy_of(x, expr);
            made->attribute.object = expand(x, expr->attribute.object, bound);
        }
        break;
    case AST_INDEX:
        made = expand_index(x, expr, bound);
        break;
    case AST_LIST:
    case AST_TUPLE:
        made = expand_list(x, expr, bound);
        break;
    case AST_CALL:
        made = expand_call(x, expr, bound);
        break;
    case AST_COMPREHENSION:
        made = expand_comprehension(x, expr, bound);
        break;
    case AST_BINARY:
        made = expand_binary(x, expr, bound);
        break;
    case AST_FSTRING:
        made = expand_fstring(x, expr, bound);
        break;
    default:
        break;
    }
    x->depth--;
    return made;
}

AstExpr *signature_expand(Arena *arena, const Module *module, const AstExpr *expr)
{
    Expander x = { arena, module, 0 };
    return expand(&x, expr, NULL);
}

/* ---- annotations ----------------------------------------------------------------------------- */

bool names_type(const AstExpr *annotation)
{
    static const char *const silent[] = { "int", "float", "bool", "complex", "ndarray", "tuple" };
    const AstExpr *base = annotation->kind == AST_INDEX ? annotation->index.object : annotation;
    const char *name = ast_last_name(base);
    return !TEXT_IS_AMONG(name, silent) && type_by_name(name);
}
