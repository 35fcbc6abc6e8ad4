/* Objects of classes that only hold values: what is known of their attributes.
**
** No method is run. What __init__ assigns to an attribute counts where it does so once, in all
** cases, of values that are still what they were when it began, and where nothing else that runs
** while the object is made may set the attribute: another __init__, __post_init__, a method that
** the object is given to. Of dataclasses the arguments and the class tell. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/value/bundle.h"

/* A method that is written in a class or in one of its bases; NULL: there is none. */
static const AstFunction *method_of(const Module *class, const char *name)
{
    const Module *order[CLASS_ORDER_MAX];
    for (int i = 0, count = module_class_order(class, order); i < count; i++) {
        const AstClass *ast = module_class(order[i]);
        for (int k = ast ? ast->body.count : 0; k-- > 0;) {
            const AstStmt *stmt = ast->body.items[k];
            if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, name) == 0)
                return &stmt->def.function;
        }
    }
    return NULL;
}

static bool is_name(const AstExpr *expr, const char *name)
{
    return expr->kind == AST_NAME && strcmp(expr->name.name, name) == 0;
}

static const char *self_of(const AstFunction *method)
{
    return method->params.count ? method->params.items[0].name : "";
}

/* self.NAME, or self.anything if `name` is NULL. */
static bool is_attribute(const AstExpr *expr, const char *self, const char *name)
{
    return expr->kind == AST_ATTRIBUTE && is_name(expr->attribute.object, self) &&
           (!name || strcmp(expr->attribute.name, name) == 0);
}

/* What a method does with its object. */
typedef struct MethodUse {
    const char *self, *name;
    const Module *class; /* whose methods it may call; NULL: any call of one lets it escape */
    int depth;           /* of methods and functions inside, which may set no attribute */
    int assigned;        /* how many of its places assign the attribute of that name */
    bool escapes;        /* any attribute may be set: it is given away, or a method is called that
                            kjit does not see through */
} MethodUse;

enum { USE_DEPTH_MAX = 4 };

static void use_target(void *context, const AstExpr *target)
{
    MethodUse *use = context;
    ast_each_child(target, use_target, context);
    use->assigned += use->name && is_attribute(target, use->self, use->name);
    use->escapes |= use->depth > 0 && is_attribute(target, use->self, NULL);
}

/* super().__init__(a) or Base.__init__(self, a), whose class is looked at by itself. */
static bool is_init_of_base(const AstExpr *call)
{
    const AstExpr *callee = call->call.function;
    return callee->kind == AST_ATTRIBUTE && strcmp(callee->attribute.name, "__init__") == 0;
}

static bool is_call_of(const AstExpr *call, const char *self)
{
    const AstExpr *at = call->call.function;
    bool of_super = at->kind == AST_ATTRIBUTE && at->attribute.object->kind == AST_CALL &&
                    is_name(at->attribute.object->call.function, "super");
    while (at->kind == AST_ATTRIBUTE || at->kind == AST_INDEX)
        at = at->kind == AST_INDEX ? at->index.object : at->attribute.object;
    return of_super || is_name(at, self);
}

static void use_body(MethodUse *use, const AstBody *body);

/* self.method(...) of a method that sets nothing; false: it may, or it is none of the class's. */
static bool is_call_of_reader(const MethodUse *use, const AstExpr *call)
{
    const AstExpr *callee = call->call.function;
    const AstFunction *method = use->class && is_attribute(callee, use->self, NULL)
                                    ? method_of(use->class, callee->attribute.name)
                                    : NULL;
    if (!method || !method->params.count || use->depth == USE_DEPTH_MAX)
        return false;
    MethodUse inner = { .self = self_of(method), .class = use->class, .depth = use->depth + 1 };
    use_body(&inner, &method->body);
    return !inner.escapes;
}

static void use_value(void *context, const AstExpr *expr)
{
    MethodUse *use = context;
    if (expr->kind == AST_CALL && is_call_of_reader(use, expr)) {
        for (int i = 0; i < expr->call.args.count; i++)
            use_value(context, expr->call.args.items[i]);
        for (int i = 0; i < expr->call.keyword_count; i++)
            use_value(context, expr->call.keywords[i].value);
        return;
    }
    if (is_attribute(expr, use->self, NULL)) {
        use->escapes |= strncmp(expr->attribute.name, "__", 2) == 0;
        return;
    }
    if (expr->kind == AST_CALL && is_init_of_base(expr)) {
        for (int i = 0; i < expr->call.args.count; i++)
            if (!is_name(expr->call.args.items[i], use->self))
                use_value(context, expr->call.args.items[i]);
        return;
    }
    use->escapes |=
        is_name(expr, use->self) || (expr->kind == AST_CALL && is_call_of(expr, use->self));
    ast_each_child(expr, use_value, context);
}

/* A function inside a method, which may be called there: it may read attributes, and no more. */
static void use_inside(MethodUse *use, const AstFunction *function)
{
    use->depth++;
    for (int i = 0; i < function->decorators.count; i++)
        use_value(use, function->decorators.items[i]);
    for (int i = 0; i < function->params.count; i++)
        if (function->params.items[i].default_value)
            use_value(use, function->params.items[i].default_value);
    use_body(use, &function->body);
    use->depth--;
}

static void use_body(MethodUse *use, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        ast_each_target(stmt, use_target, use);
        ast_each_target(stmt, use_value, use);
        ast_each_value(stmt, use_value, use);
        use->escapes |= stmt->kind == AST_DEL;
        if (stmt->kind == AST_DEF)
            use_inside(use, &stmt->def.function);
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            use_body(use, inner);
    }
}

static MethodUse use_of(const AstFunction *method, const char *name)
{
    MethodUse use = { .self = self_of(method), .name = name };
    use_body(&use, &method->body);
    return use;
}

/* How often what runs while an object is made assigns an attribute. */
static int count_assigned(const Module *class, const char *name)
{
    static const char *const makers[] = { "__init__", "__post_init__" };
    const Module *order[CLASS_ORDER_MAX];
    int assigned = 0;
    for (int i = 0, count = module_class_order(class, order); i < count; i++) {
        const AstClass *ast = module_class(order[i]);
        for (int k = 0; ast && k < ast->body.count; k++)
            for (size_t m = 0; m < ARRAY_COUNT(makers); m++)
                if (ast->body.items[k]->kind == AST_DEF &&
                    strcmp(ast->body.items[k]->def.function.name, makers[m]) == 0)
                    assigned += use_of(&ast->body.items[k]->def.function, name).assigned;
    }
    return assigned;
}

/* A method that may give any attribute of an object another value; NULL: there is none. */
static const char *unknown_maker(const Module *class)
{
    static const char *const always[] = { "__new__", "__setattr__", "__getattribute__" };
    static const char *const makers[] = { "__init__", "__post_init__" };
    const Module *order[CLASS_ORDER_MAX];
    for (size_t i = 0; i < ARRAY_COUNT(always); i++)
        if (method_of(class, always[i]))
            return always[i];
    for (int i = 0, count = module_class_order(class, order); i < count; i++)
        for (size_t m = 0; m < ARRAY_COUNT(makers); m++) {
            const AstFunction *maker = method_of(order[i], makers[m]);
            MethodUse use = { .self = maker ? self_of(maker) : "", .class = class };
            if (maker)
                use_body(&use, &maker->body);
            if (use.escapes)
                return makers[m];
        }
    return NULL;
}

static int param_called(const AstFunction *init, const char *name)
{
    for (int i = 1; name && i < init->params.count; i++)
        if (!init->params.items[i].star && !init->params.items[i].double_star &&
            strcmp(init->params.items[i].name, name) == 0)
            return i;
    return -1;
}

/* What a call gives parameter number `at` of __init__; NULL: nothing. */
static const AstExpr *given_to(const AstFunction *init, int at, const AstExpr *call)
{
    const bool positional = at - 1 < call->call.args.count && !init->params.items[at].keyword_only;
    const AstExpr *given = positional ? call->call.args.items[at - 1] : NULL;
    for (int k = 0; k < call->call.keyword_count; k++)
        if (param_called(init, call->call.keywords[k].name) == at)
            given = call->call.keywords[k].value;
    return given;
}

/* *args, from argument number `first` on. */
static Operand rest_of_args(FnState *f, const AstExpr *call, int first)
{
    const int count = call->call.args.count > first ? call->call.args.count - first : 0;
    Operand *items = arena_array(f->arena, Operand, count + 1);
    for (int i = 0; i < count; i++)
        if ((items[i] = lower_expr(f, call->call.args.items[first + i])).kind == OPD_ERROR)
            return items[i];
    return tuple_of_operands(f, items, count, call->span);
}

/* **keywords: those that no parameter has the name of. */
static Operand rest_of_keywords(FnState *f, const AstFunction *init, const AstExpr *call)
{
    AstExpr rest = *call;
    rest.call.keywords = arena_array(f->arena, AstKeyword, call->call.keyword_count + 1);
    rest.call.keyword_count = 0;
    for (int i = 0; i < call->call.keyword_count; i++)
        if (param_called(init, call->call.keywords[i].name) < 0)
            rest.call.keywords[rest.call.keyword_count++] = call->call.keywords[i];
    return bundle_of_keywords(f, &rest, true);
}

/* The parameters of __init__, bound to the arguments; false if they do not fit. Default values see
** what stands before the class. */
static bool bind_init(FnState *f, FnState *inner, const AstFunction *init, const AstExpr *call,
                      const Symbol *class)
{
    FnState *defaults = constant_state(f, class->module);
    defaults->constant = class;
    for (int i = 1; i < init->params.count; i++) {
        const AstParam *param = &init->params.items[i];
        const bool rest = param->star || param->double_star;
        const AstExpr *given = rest ? NULL : given_to(init, i, call);
        if (!given && !rest && !param->default_value)
            continue; /* reported when it is read */
        Operand *value = arena_new(f->arena, Operand);
        *value = param->star          ? rest_of_args(f, call, i - 1)
                 : param->double_star ? rest_of_keywords(f, init, call)
                 : given              ? lower_expr(f, given)
                                      : lower_expr(defaults, param->default_value);
        if (value->kind == OPD_ERROR)
            return false;
        env_bind(inner, env_name(inner, param->name),
                 (Binding){ .kind = BIND_OPERAND, .span = param->span, .operand = value });
    }
    return true;
}

/* What statement number `i` of __init__ reads. */
typedef struct Read {
    const AstFunction *init;
    int statement;
    bool changes; /* something of it is not what it was when the object began */
} Read;

static bool assigns_attribute(const AstStmt *stmt, const char *self, const char *name)
{
    MethodUse use = { .self = self, .name = name };
    ast_each_target(stmt, use_target, &use);
    return use.assigned > 0;
}

static void find_changes(void *context, const AstExpr *expr)
{
    Read *read = context;
    const AstBody *body = &read->init->body;
    const char *self = self_of(read->init);
    if (expr->kind == AST_NAME)
        read->changes |= names_assigned(body, expr->name.name);
    for (int i = read->statement; is_attribute(expr, self, NULL) && i < body->count; i++)
        read->changes |= assigns_attribute(body->items[i], self, expr->attribute.name);
    ast_each_child(expr, find_changes, context);
}

static bool may_return(const AstStmt *stmt)
{
    const AstBody *inner;
    bool returns = stmt->kind == AST_RETURN;
    for (int k = 0; (inner = ast_body(stmt, k)); k++)
        for (int i = 0; i < inner->count; i++)
            returns |= may_return(inner->items[i]);
    return returns;
}

/* self.name = value, where __init__ says so in all cases, and once. */
static void add_assigned(FnState *inner, Bundle *bundle, const AstFunction *init)
{
    const char *self = self_of(init);
    for (int i = 0; i < init->body.count && !may_return(init->body.items[i]); i++) {
        const AstStmt *stmt = init->body.items[i];
        const AstExpr *value = stmt->kind == AST_ASSIGN       ? stmt->assign.value
                               : stmt->kind == AST_ANN_ASSIGN ? stmt->ann_assign.value
                                                              : NULL;
        AstExpr *const *targets =
            stmt->kind == AST_ASSIGN ? stmt->assign.targets.items : &stmt->ann_assign.target;
        int count = !value ? 0 : stmt->kind == AST_ASSIGN ? stmt->assign.targets.count : 1;
        Read read = { init, i, false };
        if (value)
            find_changes(&read, value);
        for (int k = 0; k < count && !read.changes; k++)
            if (is_attribute(targets[k], self, NULL) &&
                count_assigned(bundle->class->of, targets[k]->attribute.name) == 1)
                bundle_add(inner, bundle,
                           operand_text(inner->arena, targets[k]->attribute.name,
                                        strlen(targets[k]->attribute.name), targets[k]->span),
                           value);
    }
}

/* The fields that a class declares and its objects are made of, in the order of arguments. */
typedef struct ClassFields {
    const AstExpr **names;
    int count, capacity, positional;
} ClassFields;

static bool is_annotation(const AstExpr *annotation, const char *name)
{
    if (annotation->kind == AST_INDEX)
        annotation = annotation->index.object;
    return is_name(annotation, name) ||
           (annotation->kind == AST_ATTRIBUTE && strcmp(annotation->attribute.name, name) == 0);
}

/* x: int = field(init=False) */
static bool is_left_out(const AstExpr *value)
{
    const AstExpr *init =
        value && value->kind == AST_CALL ? ast_given_keyword(value, "init") : NULL;
    return init && init->kind == AST_FALSE;
}

static void find_fields(FnState *f, ClassFields *fields, const AstClass *class)
{
    bool keywords = false;
    for (int i = 0; class && i < class->body.count; i++) {
        const AstStmt *stmt = class->body.items[i];
        if (stmt->kind != AST_ANN_ASSIGN || stmt->ann_assign.target->kind != AST_NAME)
            continue;
        const AstExpr *name = stmt->ann_assign.target;
        bool known = is_annotation(stmt->ann_assign.annotation, "ClassVar") ||
                     is_left_out(stmt->ann_assign.value);
        keywords |= is_annotation(stmt->ann_assign.annotation, "KW_ONLY");
        for (int k = 0; k < fields->count; k++)
            known |= is_name(fields->names[k], name->name.name);
        if (!known && !keywords)
            array_push(f->arena, fields->names, fields->count, fields->capacity) = name;
    }
}

/* x: float = 1, those of the last base first: arguments go to them in their order. */
static void add_fields(FnState *f, Bundle *bundle, const Module *class, const AstExpr *call)
{
    const Module *order[CLASS_ORDER_MAX];
    ClassFields fields = { 0 };
    for (int i = module_class_order(class, order); i-- > 0;)
        find_fields(f, &fields, module_class(order[i]));
    for (int i = 0; i < fields.count && i < call->call.args.count; i++)
        bundle_add(f, bundle,
                   operand_text(f->arena, fields.names[i]->name.name,
                                strlen(fields.names[i]->name.name), fields.names[i]->span),
                   call->call.args.items[i]);
}

Operand bundle_of_class(FnState *f, const AstExpr *call, const Symbol *symbol)
{
    Bundle *bundle = arena_new(f->arena, Bundle);
    const AstFunction *init = method_of(symbol->of, "__init__");
    bundle->class = symbol;
    bundle->unknown = unknown_maker(symbol->of);
    if (init) {
        FnState *inner = constant_state(f, symbol->module);
        inner->of_init = init;
        inner->constant = f->constant;
        if (!bind_init(f, inner, init, call, symbol))
            return operand_error(call->span);
        if (init->params.count) {
            Operand *self = arena_new(f->arena, Operand);
            *self = bundle_operand(bundle, call->span);
            env_bind(inner, env_name(inner, init->params.items[0].name),
                     (Binding){ .kind = BIND_OPERAND, .span = call->span, .operand = self });
        }
        add_assigned(inner, bundle, init);
        return bundle_operand(bundle, call->span);
    }
    add_fields(f, bundle, symbol->of, call);
    return bundle_add_keywords(f, bundle, call) ? bundle_operand(bundle, call->span)
                                                : operand_error(call->span);
}

bool object_is_unknown(const Bundle *bundle, const char *name, const Entry *entry)
{
    const Module *class = bundle->class->of;
    const Symbol *member = module_symbol_in(class, name);
    int assigned = count_assigned(class, name), known = entry && method_of(class, "__init__");
    bool computed = entry && member && member->kind != SYMBOL_CONSTANT; /* a property */
    return bundle->unknown || assigned != known || computed;
}
