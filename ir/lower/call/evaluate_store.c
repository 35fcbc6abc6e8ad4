/* What statements that are run for a constant change in place. Arrays that the run has made are
** written to; lists and dictionaries are made anew, with the change, and given to the name, or the
** place, that held them, which therefore must be the only one. */
#include "ir/lower/call/evaluate.h"

/* ---- who else holds it ----------------------------------------------------------------------- */

typedef struct ObjectHolders {
    FnState *f;            /* the run that changes it */
    const Operand *object; /* a list or dictionary */
    const FnState **seen;
    int seen_count, seen_capacity;
    int count;
} ObjectHolders;

static void look_in_operand(void *context, const Operand *operand);

static void look_in_value(ObjectHolders *holders, const IrValue *value)
{
    if (holders->object->kind == OPD_VALUE && value == holders->object->value) {
        holders->count++;
        return;
    }
    for (int i = 0; value->op == OP_tuple && i < value->count; i++) {
        const Operand item = thing_operand(holders->f, operand_value(value->operands[i]));
        look_in_operand(holders, &item);
    }
}

/* What the names of a run hold. Those that it has from a run around count there. */
static void look_in_run(void *context, const FnState *run)
{
    ObjectHolders *holders = context;
    for (int i = 0; i < holders->seen_count; i++)
        if (holders->seen[i] == run)
            return;
    array_push(holders->f->arena, holders->seen, holders->seen_count, holders->seen_capacity) = run;
    for (size_t i = 0; i < run->names.capacity; i++) {
        const Name *name = run->names.slots[i].name ? run->names.slots[i].value : NULL;
        const Name *origin = name ? name_origin(name) : NULL;
        bool elsewhere = name != origin && table_get(&holders->f->names, name->name) == origin;
        if (origin && !elsewhere && origin->binding.kind == BIND_OPERAND)
            look_in_operand(holders, origin->binding.operand);
    }
}

/* Functions hold what they may read: their default values, and the names of the run that made
** them. */
static void look_in_function(ObjectHolders *holders, const Function *function)
{
    for (int i = 0; function->defaults && i < function->ast->params.count; i++)
        look_in_operand(holders, &function->defaults[i]);
    if (function->run)
        look_in_run(holders, function->run);
}

static void look_in_operand(void *context, const Operand *operand)
{
    ObjectHolders *holders = context;
    const Operand *object = holders->object;
    if (operand->kind == OPD_VALUE)
        look_in_value(holders, operand->value);
    else if (operand->kind == OPD_FUNCTION)
        look_in_function(holders, operand->function);
    else if (operand->kind == OPD_METHOD && operand->method.object)
        look_in_value(holders, operand->method.object);
    else if (operand->kind == OPD_BUNDLE && object->kind == OPD_BUNDLE &&
             operand->bundle == object->bundle)
        holders->count++;
    else if (operand->kind == OPD_BUNDLE)
        bundle_each_held(operand->bundle, look_in_operand, look_in_run, holders);
}

/* How often names of the run hold it, by what they hold, too. */
static int count_holders(FnState *f, const Operand *object)
{
    ObjectHolders holders = { .f = f, .object = object };
    look_in_run(&holders, f);
    return holders.count;
}

/* Whether a list or dictionary is what one name of the run alone holds; complains if not. */
static bool is_own(Evaluation *e, const AstExpr *place, const Operand *object)
{
    const AstExpr *root = place;
    while (root->kind == AST_INDEX)
        root = root->index.object;
    const AstFunction *ast = e->function ? e->function->ast : NULL;
    for (int i = 0; ast && root->kind == AST_NAME && i < ast->params.count; i++)
        if (strcmp(ast->params.items[i].name, root->name.name) == 0)
            return evaluate_fails(e, place->span, "this changes what it was given");
    const Name *own = root->kind == AST_NAME ? table_get(&e->f->names, root->name.name) : NULL;
    if (root->kind == AST_NAME && !(own && own->binding.kind == BIND_OPERAND))
        return evaluate_fails(e, place->span, "this changes a constant of the module");
    bool shared = own && e->function && e->f->lower->run_state &&
                  table_get(&e->f->lower->run_state->names, own->name) == own;
    if (own && (own->around || shared))
        return evaluate_fails(e, place->span, "this changes what a function around it holds");
    bool other = root->kind != AST_NAME || count_holders(e->f, object) > 1;
    return !other || evaluate_fails(e, place->span, "this changes what has several names");
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Whether the array is one that the run has made; complains if not. */
static bool is_made_here(Evaluation *e, const TableView *view, Span span)
{
    if (view->table->name)
        return evaluate_fails(e, span, "this changes a constant of the module");
    return !view->table->viewed ||
           evaluate_fails(e, span, "this changes what another array may look at");
}

static bool store_in_array(Evaluation *e, IrValue *array, const Operand *indices, int count,
                           Operand value, Span span);

/* array[picks] = value: the same, or a row of it, for each that is picked. */
static bool store_picked(Evaluation *e, IrValue *array, IrValue *picks, Operand value, Span span)
{
    int64_t *at;
    int rank = array->type->array.rank;
    bool all = picks->type->array.rank > 1 && picks->type->array.rank == rank &&
               array->op == OP_var; /* whose rows lie whole */
    if (all) {
        array = array_flat(e->f, array, span);
        picks = array_flat(e->f, lower_table_copy(e->f, picks), span);
        rank = 1;
    }
    int count = table_picks(e->f, array, picks, &at, span);
    bool each = value.kind == OPD_VALUE && type_is_array(value.value->type) &&
                value.value->type->array.rank == rank;
    if (count < 0 || (each && evaluate_count(e->f, &value) != count))
        return count < 0 ? false : evaluate_fails(e, span, "this cannot be assigned to then");
    for (int i = 0; i < count; i++) {
        const Operand index = operand_value(ir_integer(e->f->arena, type_int64, at[i], span));
        Operand one = each ? evaluate_item(e->f, &value, i, span) : value;
        if (!store_in_array(e, array, &index, 1, one, span))
            return false;
    }
    return true;
}

static bool store_in_array(Evaluation *e, IrValue *array, const Operand *indices, int count,
                           Operand value, Span span)
{
    FnState *f = e->f;
    TableView view;
    if (count == 1 && indices[0].kind == OPD_VALUE && type_is_array(indices[0].value->type) &&
        indices[0].value->type->array.rank > 0)
        return store_picked(e, array, indices[0].value, value, span);
    Operand part = lower_view(f, array, indices, count, span);
    if (part.kind != OPD_VALUE || is_poison(part.value))
        return false;
    if (value.kind != OPD_VALUE || !ir_table_view(part.value, &view))
        return evaluate_fails(e, span, "this cannot be assigned to then");
    return is_made_here(e, &view, span) && lower_table_assign(f, &view, part.value, value.value);
}

/* The list with its item number `at` replaced. */
static Operand with_item(Evaluation *e, IrValue *list, int64_t at, Operand value, Span span)
{
    FnState *f = e->f;
    int count = list->type->tuple.count;
    Operand *items = arena_array(f->arena, Operand, count + 1);
    for (int i = 0; i < count; i++)
        items[i] = thing_operand(f, operand_value(ir_item(f->arena, list, i, span)));
    items[at] = value;
    return tuple_of_operands(f, items, count, span);
}

bool evaluate_store(Evaluation *e, const AstExpr *target, Operand value)
{
    Operand object, *indices;
    const AstExpr *place = target->index.object;
    int count;
    const AstExpr *index = target->index.index;
    if (index->kind == AST_LIST || (index->kind == AST_COMPREHENSION &&
                                    index->comprehension->kind == AST_LIST)) { /* array[[0, 2]] */
        Operand list;
        if (!evaluate_expr(e, place, &object) || !evaluate_expr(e, target->index.index, &list) ||
            list.kind != OPD_VALUE)
            return false;
        IrValue *picks = lower_table_of(e->f, list.value);
        bool array = object.kind == OPD_VALUE && type_is_array(object.value->type);
        return picks &&
               (array ? store_picked(e, object.value, picks, value, target->span)
                      : evaluate_fails(e, target->span, "this cannot be assigned to then"));
    }
    if (!lower_subscript(e->f, target, &object, &indices, &count))
        return false;
    if (object.kind == OPD_VALUE && type_is_array(object.value->type))
        return store_in_array(e, object.value, indices, count, value, target->span);
    if (object.kind == OPD_BUNDLE)
        return is_own(e, place, &object) &&
               evaluate_assign(e, place, bundle_with(e->f, object.bundle, indices[0], value));
    bool known = object.kind == OPD_VALUE && type_is_tuple(object.value->type) && count == 1 &&
                 indices[0].kind == OPD_VALUE && ir_is_constant(indices[0].value) &&
                 type_is_integer(indices[0].value->type);
    int64_t at = known ? indices[0].value->constant.integer : 0;
    int items = known ? object.value->type->tuple.count : 0;
    at += at < 0 ? items : 0;
    if (at < 0 || at >= items)
        return evaluate_fails(e, target->span, "this cannot be assigned to then");
    return is_own(e, place, &object) &&
           evaluate_assign(e, place, with_item(e, object.value, at, value, target->span));
}

/* Whether an attribute of a function only describes it. */
static bool is_about_text(const char *name)
{
    static const char *const names[] = { "__name__", "__qualname__", "__doc__", "__module__" };
    return TEXT_IS_AMONG(name, names);
}

bool evaluate_set_attribute(Evaluation *e, const AstExpr *target, Operand value)
{
    const AstExpr *place = target->attribute.object;
    Operand object, with;
    if (!evaluate_expr(e, place, &object))
        return false;
    if (object.kind == OPD_FUNCTION && is_about_text(target->attribute.name))
        return true;
    if (object.kind != OPD_BUNDLE ||
        !bundle_with_attribute(e->f, object.bundle, target->attribute.name, value, &with))
        return evaluate_fails(e, target->span, "this cannot be assigned to then");
    return is_own(e, place, &object) && evaluate_assign(e, place, with);
}

/* ---- op= ------------------------------------------------------------------------------------- */

bool evaluate_augmented(Evaluation *e, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    AstExpr sum = { .kind = AST_BINARY, .span = stmt->span };
    Operand old, value;
    TableView view;
    sum.binary.op = stmt->aug_assign.op;
    sum.binary.op_span = stmt->span;
    sum.binary.left = stmt->aug_assign.target;
    sum.binary.right = stmt->aug_assign.value;
    if (!evaluate_expr(e, target, &old) || !evaluate_expr(e, &sum, &value))
        return false;
    bool list = old.kind == OPD_VALUE && type_is_tuple(old.value->type);
    if (list && !is_own(e, target, &old))
        return false;
    bool array =
        old.kind == OPD_VALUE && type_is_array(old.value->type) && ir_table_view(old.value, &view);
    if (!array)
        return evaluate_assign(e, target, value);
    return is_made_here(e, &view, stmt->span) &&
           lower_table_assign(e->f, &view, old.value, value.value);
}

/* ---- methods --------------------------------------------------------------------------------- */

/* The list with `count` more items, from number `at` on. */
static Operand with_more(Evaluation *e, IrValue *list, int64_t at, const Operand *more, int count,
                         Span span)
{
    FnState *f = e->f;
    int old = list->type->tuple.count;
    Operand *items = arena_array(f->arena, Operand, old + count + 1);
    for (int i = 0; i < old; i++)
        items[i < at ? i : i + count] =
            thing_operand(f, operand_value(ir_item(f->arena, list, i, span)));
    memcpy(items + at, more, (size_t)count * sizeof items[0]);
    f->lower->steps += old; /* it is copied */
    return tuple_of_operands(f, items, old + count, span);
}

/* list.append(x), list.extend(y), list.insert(i, x) */
static int change_list(Evaluation *e, const AstExpr *call, Operand list, const Operand *args)
{
    const char *name = call->call.function->attribute.name;
    const AstExpr *place = call->call.function->attribute.object;
    int64_t at = list.value->type->tuple.count, count = 1;
    const Operand *more = &args[0];
    int given = call->call.args.count;
    bool insert = strcmp(name, "insert") == 0, extend = strcmp(name, "extend") == 0;
    if ((!insert && !extend && strcmp(name, "append") != 0) || given != 1 + insert)
        return 0;
    if (insert) {
        if (args[0].kind != OPD_VALUE || !ir_is_constant(args[0].value))
            return evaluate_fails(e, call->span, "this cannot be inserted then") - 1;
        int64_t asked =
            args[0].value->constant.integer + (args[0].value->constant.integer < 0 ? at : 0);
        at = asked < 0 ? 0 : asked < at ? asked : at;
        more = &args[1];
    }
    if (extend) {
        count = evaluate_count(e->f, &args[0]);
        if (count < 0)
            return evaluate_fails(e, call->span, "this is no range or tuple that is known") - 1;
        Operand *items = arena_array(e->f->arena, Operand, (size_t)count + 1);
        for (int64_t i = 0; i < count; i++)
            items[i] = evaluate_item(e->f, &args[0], i, call->span);
        more = items;
    }
    if (!is_own(e, place, &list))
        return -1;
    Operand made = with_more(e, list.value, at, more, (int)count, call->span);
    return made.kind != OPD_ERROR && evaluate_assign(e, place, made) ? 1 : -1;
}

int evaluate_method(Evaluation *e, const AstExpr *call)
{
    const AstExpr *callee = call->call.function;
    if (callee->kind != AST_ATTRIBUTE || call->call.keyword_count)
        return 0;
    const AstExpr *root = callee->attribute.object;
    while (root->kind == AST_INDEX)
        root = root->index.object;
    const Symbol *symbol = root->kind == AST_NAME ? lower_lookup(e->f, root->name.name) : NULL;
    const Name *own = root->kind == AST_NAME ? table_get(&e->f->names, root->name.name) : NULL;
    bool value =
        own || (symbol && (symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_UNKNOWN ||
                           symbol->kind == SYMBOL_CHOICE));
    Operand object;
    if (!value)
        return 0;
    if (!evaluate_expr(e, callee->attribute.object, &object))
        return -1;
    Operand *args = arena_array(e->f->arena, Operand, call->call.args.count + 1);
    for (int i = 0; i < call->call.args.count; i++)
        if (!evaluate_expr(e, call->call.args.items[i], &args[i]))
            return -1;
    const char *name = callee->attribute.name;
    TableView view;
    if (object.kind == OPD_BUNDLE && strcmp(name, "update") == 0 && call->call.args.count == 1 &&
        args[0].kind == OPD_BUNDLE) {
        Operand both = bundle_joined(e->f, object.bundle, args[0].bundle, call->span);
        return is_own(e, callee->attribute.object, &object) &&
                       evaluate_assign(e, callee->attribute.object, both)
                   ? 1
                   : -1;
    }
    if (object.kind != OPD_VALUE)
        return 0;
    if (type_is_tuple(object.value->type))
        return change_list(e, call, object, args);
    if (strcmp(name, "fill") != 0 || call->call.args.count != 1 || args[0].kind != OPD_VALUE ||
        !ir_table_view(object.value, &view))
        return 0;
    return is_made_here(e, &view, call->span) &&
                   lower_table_assign(e->f, &view, object.value, args[0].value)
               ? 1
               : -1;
}
