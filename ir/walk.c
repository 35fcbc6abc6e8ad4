/* Walking over the IR: what belongs to a statement, and what a tree of values does when it is
** evaluated. */
#include "ir/ir.h"

int ir_own_effects(const IrValue *value)
{
    if (value->op == OP_intrinsic)
        return ir_intrinsics[value->intrinsic].effect;
    if (value->op == OP_call)
        return value->callee->effects;
    return ir_ops[value->op].effect;
}

/* Every other node is a leaf: walks call themselves for the others alone. */
int ir_value_effects(const IrValue *value)
{
    int effects = ir_own_effects(value);
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        effects |= operand->count ? ir_value_effects(operand) : ir_own_effects(operand);
    }
    return effects;
}

int ir_region_effects(const IrRegion *region)
{
    int effects = EFFECT_NONE;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        effects |= ir_stmt_effects(stmt);
    return effects;
}

int ir_kind_effects(IrStmtKind kind)
{
    switch (kind) {
    case IR_STORE:
        return EFFECT_WRITE;
    case IR_PRINT:
        return EFFECT_IO;
    case IR_FAULT:
        return EFFECT_IO | EFFECT_STOP;
    case IR_STOP:
        return EFFECT_STOP;
    case IR_SET:
    case IR_EVAL:
    case IR_IF:
    case IR_WHILE:
    case IR_FOR:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
        return EFFECT_NONE;
    }
    return EFFECT_NONE;
}

int ir_stmt_effects(const IrStmt *stmt)
{
    int effects = ir_kind_effects(stmt->kind);
    for_each_value (value, stmt)
        effects |= ir_value_effects(value);
    for_each_region (inner, stmt)
        effects |= ir_region_effects(inner);
    return effects;
}

/* The slot behind one of some printed items, the first after NULL. */
static IrValue **next_printed(const IrStmt *stmt, IrValue **slot)
{
    for (int i = 0, found = !slot; i < stmt->print.count; i++) {
        IrValue **at = &stmt->print.items[i].value;
        if (found && *at)
            return at;
        found |= at == slot;
    }
    return NULL;
}

/* The slot behind one of `count` in a row, of which NULL stands in front. */
static IrValue **next_in(IrValue **slots, int count, IrValue **slot)
{
    const ptrdiff_t next = slot ? slot + 1 - slots : 0;
    return next < count ? &slots[next] : NULL;
}

static IrValue **next_stored(IrStmt *stmt, IrValue **slot)
{
    IrValue **array = &stmt->store.array, **value = &stmt->store.value;
    if (!slot || slot == value)
        return slot ? NULL : array;
    IrValue **index = next_in(stmt->store.indices, stmt->store.count, slot == array ? NULL : slot);
    return index ? index : value;
}

static IrValue **next_of_for(IrStmt *loop, IrValue **slot)
{
    return !slot                       ? &loop->for_.start
           : slot == &loop->for_.start ? &loop->for_.stop
           : slot == &loop->for_.stop  ? &loop->for_.step
                                       : NULL;
}

static IrValue **next_of_several(IrStmt *stmt, IrValue **slot)
{
    switch (stmt->kind) {
    case IR_STORE:
        return next_stored(stmt, slot);
    case IR_FOR:
        return next_of_for(stmt, slot);
    case IR_RETURN:
        return slot || !stmt->return_.value ? NULL : &stmt->return_.value;
    case IR_PRINT:
        return next_printed(stmt, slot);
    case IR_FAULT:
        return next_in(stmt->fault.values, stmt->fault.count, slot);
    case IR_SET:
    case IR_EVAL:
    case IR_IF:
    case IR_WHILE:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_STOP:
        return NULL;
    }
    return NULL;
}

/* Where statements have the one slot that they ever have; most are of these kinds, and all that
** walks over the IR comes by here. */
static const unsigned char only_slot[IR_STOP + 1] = {
    [IR_SET] = offsetof(IrStmt, set.value),
    [IR_EVAL] = offsetof(IrStmt, eval.value),
    [IR_IF] = offsetof(IrStmt, if_.condition),
    [IR_WHILE] = offsetof(IrStmt, while_.condition),
};

IrValue **ir_next_slot(const IrStmt *of, IrValue **slot)
{
    size_t only = only_slot[of->kind];
    if (only)
        return slot ? NULL : (IrValue **)((char *)of + only);
    return next_of_several((IrStmt *)of, slot);
}

int ir_mentions(const IrValue *value, const IrVar *var)
{
    int mentions = ir_is_var(value, var);
    for (int i = 0; i < value->count; i++)
        mentions += ir_mentions(value->operands[i], var);
    return mentions;
}

int ir_own_mentions(const IrStmt *stmt, const IrVar *var)
{
    int mentions = 0;
    for_each_value (value, stmt)
        mentions += ir_mentions(value, var);
    return mentions;
}

IrValue *ir_stmt_value(const IrStmt *stmt)
{
    return stmt->kind == IR_SET ? stmt->set.value : stmt->kind == IR_EVAL ? stmt->eval.value : NULL;
}

int ir_node_count(const IrValue *value)
{
    int nodes = 1;
    for (int i = 0; i < value->count; i++)
        nodes += ir_node_count(value->operands[i]);
    return nodes;
}

int ir_regions(IrStmt *stmt, IrRegion *regions[2])
{
    switch (stmt->kind) {
    case IR_IF:
        regions[0] = &stmt->if_.then;
        regions[1] = &stmt->if_.otherwise;
        return 2;
    case IR_WHILE:
        regions[0] = &stmt->while_.body;
        return 1;
    case IR_FOR:
        regions[0] = &stmt->for_.body;
        return 1;
    case IR_SET:
    case IR_STORE:
    case IR_EVAL:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP:
        return 0;
    }
    return 0;
}

static bool has_regions(const IrStmt *stmt)
{
    return stmt->kind == IR_IF || LOOP_KINDS >> stmt->kind & 1;
}

IrRegion *ir_next_region(const IrStmt *stmt, const IrRegion *region)
{
    IrRegion *regions[2];
    if (!has_regions(stmt)) /* as most are */
        return NULL;
    int count = ir_regions((IrStmt *)stmt, regions);
    int next = !region ? 0 : region == regions[0] ? 1 : count;
    return next < count ? regions[next] : NULL;
}

static void each_below(const IrValue *value, IrValueVisitor *visit, void *context)
{
    for (int i = 0; i < value->count; i++) {
        IrValue *operand = value->operands[i];
        visit(context, operand);
        if (operand->count)
            each_below(operand, visit, context);
    }
}

void ir_each_node(IrValue *value, IrValueVisitor *visit, void *context)
{
    visit(context, value);
    each_below(value, visit, context);
}

void ir_each_own_node(const IrStmt *stmt, IrValueVisitor *visit, void *context)
{
    size_t only = only_slot[stmt->kind];
    if (only) {
        ir_each_node(*(IrValue **)((char *)stmt + only), visit, context);
        return;
    }
    for_each_value (value, stmt)
        ir_each_node(value, visit, context);
}

void ir_each_node_in(const IrRegion *region, IrValueVisitor *visit, void *context)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, visit, context);
}

static void count_node(void *context, IrValue *value)
{
    (void)value;
    ++*(int *)context;
}

int ir_node_count_in(const IrRegion *region)
{
    int nodes = 0;
    ir_each_node_in(region, count_node, &nodes);
    return nodes;
}

bool ir_has_node(const IrValue *value, IrValueTest *test)
{
    bool has = test(value);
    for (int i = 0; i < value->count && !has; i++)
        has = ir_has_node(value->operands[i], test);
    return has;
}

bool ir_region_has_node(const IrRegion *region, IrValueTest *test)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_value (value, stmt)
            if (ir_has_node(value, test))
                return true;
        for_each_region (inner, stmt)
            if (ir_region_has_node(inner, test))
                return true;
    }
    return false;
}

IrRegion *ir_only_way(IrStmt *branch)
{
    if (!branch->if_.otherwise.first)
        return &branch->if_.then;
    return branch->if_.then.first ? NULL : &branch->if_.otherwise;
}

void ir_each_stmt_of(const IrStmt *stmt, IrStmtVisitor *visit, void *context)
{
    visit(context, (IrStmt *)stmt);
    if (!has_regions(stmt))
        return;
    for_each_region (inner, stmt)
        ir_each_stmt(inner, visit, context);
}

void ir_each_stmt(const IrRegion *region, IrStmtVisitor *visit, void *context)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        ir_each_stmt_of(stmt, visit, context);
}

void ir_change_stmts(IrRegion *region, IrChangeVisitor *visit, void *context)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        IrRegion *regions[2];
        next = stmt->next;
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            ir_change_stmts(regions[i], visit, context);
        visit(context, region, stmt);
    }
}

static void count_read(void *context, IrValue *value)
{
    int *reads = context;
    if (value->op == OP_var)
        reads[value->var->id]++;
}

int *ir_reads(Arena *arena, const IrFunc *fn, const IrRegion *region)
{
    int *reads = arena_array(arena, int, fn->var_count + 1);
    ir_each_node_in(region, count_read, reads);
    return reads;
}

int ir_counts_access(const IrValue *node, const IrVar *array)
{
    if (node->op == OP_var)
        return node->var == array;
    bool shape = node->op == OP_extent || node->op == OP_stride;
    return shape && node->operands[0]->op == OP_var ? -(node->operands[0]->var == array) : 0;
}

bool ir_stmt_has(const IrStmt *stmt, unsigned kinds)
{
    IrRegion *regions[2];
    bool has = kinds >> stmt->kind & 1;
    for (int i = ir_regions((IrStmt *)stmt, regions); i-- > 0 && !has;)
        has = ir_region_has(regions[i], kinds);
    return has;
}

bool ir_region_has(const IrRegion *region, unsigned kinds)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (ir_stmt_has(stmt, kinds))
            return true;
    return false;
}

bool ir_region_holds(const IrRegion *region, const IrStmt *wanted)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool found = stmt == wanted;
        for (int i = ir_regions(stmt, regions); i-- > 0 && !found;)
            found = ir_region_holds(regions[i], wanted);
        if (found)
            return true;
    }
    return false;
}

bool ir_has_loop(const IrRegion *region)
{
    return ir_region_has(region, LOOP_KINDS);
}

void ir_each_certain(const IrValue *value, IrValueVisitor *visit, void *context)
{
    for (int i = 0; i < ir_certain_operands(value); i++)
        ir_each_certain(value->operands[i], visit, context);
    visit(context, (IrValue *)value);
}

void ir_each_node_of(const IrStmt *stmt, IrValueVisitor *visit, void *context)
{
    ir_each_own_node(stmt, visit, context);
    if (!has_regions(stmt))
        return;
    for_each_region (inner, stmt)
        ir_each_node_in(inner, visit, context);
}

void ir_each_slot_in(const IrRegion *region, IrSlotVisitor *visit, void *context)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_slot (slot, stmt)
            visit(context, slot);
        for_each_region (inner, stmt)
            ir_each_slot_in(inner, visit, context);
    }
}

void ir_replace(IrValue **slot, IrReplacement *replacement, void *context)
{
    IrValue *other = replacement(context, *slot);
    for (int i = 0; i < (*slot)->count && !other; i++)
        ir_replace(&(*slot)->operands[i], replacement, context);
    *slot = other ? other : *slot;
}

void ir_replace_in(const IrRegion *region, IrReplacement *replacement, void *context)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_slot (slot, stmt)
            ir_replace(slot, replacement, context);
        for_each_region (inner, stmt)
            ir_replace_in(inner, replacement, context);
    }
}

bool ir_has_kind(const IrFunc *fn, IrVarKind kind)
{
    for (int i = 0; i < fn->var_count; i++)
        if (fn->vars[i]->kind == kind)
            return true;
    return false;
}

int ir_function_number(const IrUnit *unit, const IrFunc *fn)
{
    int i = 0;

    while (i < unit->count && unit->functions[i] != fn)
        i++;
    return i;
}

bool ir_is_integer(const IrValue *value, int64_t number)
{
    return ir_is_constant(value) && type_is_integer(value->type) &&
           value->constant.integer == number;
}

bool ir_is_atomic(const IrValue *value)
{
    return value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC;
}

int ir_certain_operands(const IrValue *value)
{
    bool choice = value->op == OP_and_then || value->op == OP_or_else || value->op == OP_select;
    return choice ? 1 : value->count;
}

IrVar *ir_set_var(const IrStmt *stmt)
{
    return stmt->kind == IR_SET ? stmt->set.var : stmt->kind == IR_FOR ? stmt->for_.var : NULL;
}

static bool same_leaf(const IrValue *a, const IrValue *b)
{
    switch ((int)a->op) {
    case OP_constant:
        return memcmp(&a->constant, &b->constant, sizeof a->constant) == 0;
    case OP_var:
        return a->var == b->var;
    case OP_intrinsic:
        return a->intrinsic == b->intrinsic;
    case OP_call:
        return a->callee == b->callee;
    case OP_view:
        return strcmp(a->axes, b->axes) == 0;
    default:
        return true;
    }
}

bool ir_same_operation(const IrValue *a, const IrValue *b)
{
    return a->op == b->op && a->type == b->type && a->index == b->index && a->count == b->count &&
           same_leaf(a, b);
}

bool ir_same_value(const IrValue *a, const IrValue *b)
{
    if (!ir_same_operation(a, b))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!ir_same_value(a->operands[i], b->operands[i]))
            return false;
    return true;
}

const IrHidden *ir_hidden_of(const IrUnit *unit, const IrVar *var)
{
    int number = var->param - (unit->kernel->param_count - unit->hidden_count);
    return var->kind == VAR_PARAM && number >= 0 ? &unit->hidden[number] : NULL;
}

int ir_async_source(const IrValue *copy)
{
    return 1 + copy->operands[0]->type->array.rank;
}

bool ir_is_part(const IrValue *array)
{
    return array->op == OP_view || array->op == OP_transpose || array->op == OP_recast ||
           array->op == OP_field || (array->op == OP_cast && type_is_array(array->type));
}

IrVar *ir_array_base(const IrValue *array)
{
    while (ir_is_part(array))
        array = array->operands[0];
    return array->op == OP_var ? array->var : NULL;
}

bool ir_is_comparison(IrOp op)
{
    return op >= OP_eq && op <= OP_ge;
}

IrOp ir_opposite(IrOp comparison)
{
    static const IrOp opposites[] = {
        [OP_eq - OP_eq] = OP_ne, [OP_ne - OP_eq] = OP_eq, [OP_lt - OP_eq] = OP_ge,
        [OP_le - OP_eq] = OP_gt, [OP_gt - OP_eq] = OP_le, [OP_ge - OP_eq] = OP_lt,
    };
    return opposites[comparison - OP_eq];
}

int ir_view_rank(const char *axes, int rank)
{
    int taken = 0, left = 0;
    for (const char *kind = axes; *kind; kind++) {
        if (*kind != 'i' && *kind != 's' && *kind != 'n')
            return -1;
        taken += *kind != 'n';
        left += *kind != 'i';
    }
    return taken == rank && left <= RANK_MAX ? left : -1;
}

int ir_view_operands(const char *axes)
{
    int count = 0;
    for (const char *kind = axes; *kind; kind++)
        count += *kind == 's' ? 3 : *kind == 'i';
    return count;
}
