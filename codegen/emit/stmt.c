/* Statements. One is one line of C where that can be; bodies of one plain statement go without
** braces. */
#include "codegen/emit/emit.h"

/* ---- declarations ---------------------------------------------------------------------- */

/* Declares what must be before `stmt`. Whether there was something. */
static bool emit_declarations(Emitter *e, const IrStmt *stmt)
{
    bool any = false;

    for (const Declared *at = emit_declared_before(e, stmt); at->stmt == stmt; at++) {
        const IrVar *var = e->fn->vars[at->var];
        const VarInfo *info = &e->vars[at->var];
        if (info->declare != stmt || info->own || info->storage != STORAGE_PLAIN)
            continue;
        line(e, "%s%s;", declarator_text(e, var, info->name),
             info->init ? zero_initializer(var->type) : "");
        any = true;
    }
    return any;
}

static bool needs_declarations(const Emitter *e, const IrStmt *stmt)
{
    for (const Declared *at = emit_declared_before(e, stmt); at->stmt == stmt; at++)
        if (e->vars[at->var].declare == stmt && e->vars[at->var].storage == STORAGE_PLAIN)
            return true;
    return declares(e, stmt);
}

/* ---- bodies ---------------------------------------------------------------------------- */

/* Whether a body is one statement that is one line. */
static bool is_plain(const Emitter *e, const IrRegion *region)
{
    const IrStmt *stmt = region->first;

    if (!stmt || stmt->next || needs_declarations(e, stmt))
        return false;
    switch (stmt->kind) {
    case IR_SET:
        return !check_follows_set(e, stmt);
    case IR_STORE:
    case IR_EVAL:
    case IR_BREAK:
    case IR_CONTINUE:
        return true;
    case IR_RETURN:
        return !e->fn->kernel || (!e->leave && e->dialect != DIALECT_CHECK);
    default:
        return false;
    }
}

/* The body behind `head`: a block, or one statement on a line of its own. The block is left open
** if `open`. */
static void emit_body(Emitter *e, const char *head, const IrRegion *region, bool open)
{
    if (!open && is_plain(e, region) && emit_is_next_line(e, region->first->span)) {
        line(e, "%s", head);
        e->depth++;
        emit_region(e, region);
        e->depth--;
        return;
    }
    open_block(e, "%s", head);
    emit_region(e, region);
    if (!open)
        close_block(e, "");
}

static void emit_loop_body(Emitter *e, const char *head, const IrStmt *loop, const IrRegion *body)
{
    if (!check_counts_iterations(e, loop)) {
        emit_body(e, head, body, false);
        return;
    }
    open_block(e, "%s", head);
    check_loop(e, loop);
    emit_region(e, body);
    close_block(e, "");
}

/* The condition of a statement that branches. */
static const char *branch_text(Emitter *e, const IrValue *condition)
{
    const char *text = value_text(e, condition, PREC_ARGUMENT);

    if (e->dialect != DIALECT_CHECK || ir_uniform_value(condition))
        return text;
    return check_branch_text(e, condition->span, text);
}

/* `!condition`, for a branch that has only an else. */
static const char *negated_text(Emitter *e, IrValue *condition)
{
    IrValue negated = {
        .op = OP_not, .type = type_bool, .span = condition->span, .count = 1, .operands = &condition
    };

    return branch_text(e, &negated);
}

/* The if that is all of an else, and can be written `else if`. */
static const IrStmt *else_if(const Emitter *e, const IrStmt *stmt)
{
    const IrStmt *inner = stmt->if_.otherwise.first;

    return inner && !inner->next && inner->kind == IR_IF && inner->if_.then.first &&
                   !needs_declarations(e, inner)
               ? inner
               : NULL;
}

/* Whether no branch of a chain of ifs needs braces. */
static bool is_plain_chain(const Emitter *e, const IrStmt *stmt)
{
    const IrStmt *inner = else_if(e, stmt);

    if (!is_plain(e, &stmt->if_.then))
        return false;
    if (inner)
        return is_plain_chain(e, inner);
    return !stmt->if_.otherwise.first || is_plain(e, &stmt->if_.otherwise);
}

static void emit_if(Emitter *e, const IrStmt *stmt)
{
    bool braces = !is_plain_chain(e, stmt);
    const char *head;

    if (!stmt->if_.then.first && stmt->if_.otherwise.first) {
        head = arena_printf(e->arena, "if (%s)", negated_text(e, stmt->if_.condition));
        emit_body(e, head, &stmt->if_.otherwise, false);
        return;
    }
    head = arena_printf(e->arena, "if (%s)", branch_text(e, stmt->if_.condition));
    while (stmt->if_.otherwise.first) {
        const IrStmt *inner = else_if(e, stmt);
        emit_body(e, head, &stmt->if_.then, braces);
        if (braces)
            e->depth--;
        head = arena_printf(e->arena, "%selse%s%s%s", braces ? "} " : "", inner ? " if (" : "",
                            inner ? branch_text(e, inner->if_.condition) : "", inner ? ")" : "");
        if (!inner)
            break;
        stmt = inner;
    }
    emit_body(e, head, stmt->if_.otherwise.first ? &stmt->if_.otherwise : &stmt->if_.then, braces);
    if (braces)
        close_block(e, "");
}

static void emit_while(Emitter *e, const IrStmt *stmt)
{
    const char *condition = branch_text(e, stmt->while_.condition);

    emit_loop_body(e, arena_printf(e->arena, "while (%s)", condition), stmt, &stmt->while_.body);
}

/* ---- the ends of threads ---------------------------------------------------------------- */

/* Ends the thread from wherever it is. In C a device function that is still one calls itself (the
** others stand in their callers): it tells its caller (ir/simplify/ends.c). */
static void emit_leave(Emitter *e)
{
    if (e->fn->kernel && e->leave)
        e->leave(e);
    else if (e->fn->kernel)
        line(e, "return;");
    else if (e->dialect == DIALECT_CHECK)
        check_end(e);
    else if (e->dialect == DIALECT_CUDA)
        line(e, "asm volatile(\"exit;\" ::: \"memory\");");
    else
        line(e, "return (%s){ ._%d = true };", type_text(e, e->fn->result),
             e->fn->result->tuple.count - 1);
}

static void emit_return(Emitter *e, const IrStmt *stmt)
{
    if (stmt->return_.value)
        line(e, "return %s;", value_assigned(e, stmt->return_.value, PREC_ARGUMENT));
    else if (!e->fn->kernel)
        line(e, "return;");
    else if (e->leave || stmt != e->fn->body.last) {
        check_leave(e, stmt);
        emit_leave(e);
    }
}

/* The numbers of a report, which the thread that was first writes down. */
static void emit_fault_values(Emitter *e, const IrStmt *stmt)
{
    for (int i = 0; i < stmt->fault.count; i++) {
        const IrValue *value = stmt->fault.values[i];
        line(e, "%s->%s[%d] = %s;", e->fault_name,
             type_is_float(value->type) ? "floats" : "integers", i,
             value_text(e, value, PREC_ARGUMENT));
    }
}

static void emit_fault(Emitter *e, const IrStmt *stmt)
{
    EmitFault fault = { stmt->fault.message, stmt->span, !e->fn->kernel };

    if (e->dialect == DIALECT_CHECK) {
        check_fault(e, stmt);
    } else if (e->fault_name) {
        array_push(e->arena, e->faults, e->fault_count, e->fault_capacity) = fault;
        const char *report =
            arena_printf(e->arena, "%s(%s, %d, blockIdx, threadIdx)",
                         prelude(e, "report_fault", NULL), e->fault_name, e->fault_count);
        if (stmt->fault.count)
            open_block(e, "if (%s)", report);
        else
            line(e, "%s;", report);
        emit_fault_values(e, stmt);
        if (stmt->fault.count)
            close_block(e, "");
    }
    emit_leave(e);
}

/* ---- the walk -------------------------------------------------------------------------- */

static void emit_set(Emitter *e, const IrStmt *stmt)
{
    check_begin_set(e, stmt);
    if (declares(e, stmt))
        line(e, "%s = %s;", declarator_text(e, stmt->set.var, var_text(e, stmt->set.var)),
             value_assigned(e, stmt->set.value, PREC_ARGUMENT));
    else
        line(e, "%s;", assignment_text(e, stmt));
    check_end_set(e, stmt);
}

/* Whether the place of a statement in the text must be right, and not just near: what accesses
** memory can fail there. */
static bool needs_exact_line(const IrStmt *stmt)
{
    int effects = EFFECT_NONE;
    for_each_value (value, stmt)
        effects |= ir_value_effects(value);
    return effects != EFFECT_NONE || stmt->kind == IR_STORE || stmt->kind == IR_PRINT ||
           stmt->kind == IR_FAULT;
}

void emit_stmt(Emitter *e, const IrStmt *stmt)
{
    const char *head;
    bool by_branch;

    if (needs_exact_line(stmt))
        emit_location(e, stmt->span);
    else
        emit_place_near(e, stmt->span);
    if (emit_declarations(e, stmt))
        emit_place_near(e, stmt->span);
    switch (stmt->kind) {
    case IR_SET:
        emit_set(e, stmt);
        return;
    case IR_STORE:
        emit_store(e, stmt);
        return;
    case IR_EVAL:
        line(e, "%s;", value_text(e, stmt->eval.value, PREC_ARGUMENT));
        return;
    case IR_IF:
        emit_if(e, stmt);
        return;
    case IR_WHILE:
        emit_while(e, stmt);
        return;
    case IR_FOR:
        head = emit_for_head(e, stmt);
        emit_unroll(e, stmt); /* right in front of it: the head may have had lines of its own */
        by_branch = e->by_branch;
        e->by_branch |= emit_carries_on(e, stmt);
        emit_loop_body(e, head, stmt, &stmt->for_.body);
        e->by_branch = by_branch;
        return;
    case IR_BREAK:
        line(e, "break;");
        return;
    case IR_CONTINUE:
        line(e, "continue;");
        return;
    case IR_RETURN:
        emit_return(e, stmt);
        return;
    case IR_PRINT:
        emit_print(e, stmt);
        return;
    case IR_FAULT:
        emit_fault(e, stmt);
        return;
    case IR_STOP:
        emit_leave(e);
        return;
    }
}

void emit_region(Emitter *e, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        const IrStmt *last = emit_groups(e, stmt);
        if (last)
            stmt = last;
        else
            emit_stmt(e, stmt);
    }
}
