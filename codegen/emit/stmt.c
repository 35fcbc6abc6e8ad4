/* Statements. One is one line of C where that can be; bodies of one plain statement go without
** braces. */
#include "codegen/emit/emit.h"

#include <string.h>

/* ---- declarations ---------------------------------------------------------------------- */

/* Whether `stmt` itself declares the variable that it sets. */
static bool declares(const Emitter *e, const IrStmt *stmt)
{
    const IrVar *var = ir_set_var(stmt);

    return var && e->vars[var->id].declare == stmt && e->vars[var->id].own &&
           e->vars[var->id].storage == STORAGE_PLAIN;
}

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

/* ---- what is counted once --------------------------------------------------------------- */

static bool sets_var(const IrStmt *first, const IrVar *var)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        int count = ir_regions((IrStmt *)stmt, regions);
        if ((stmt->kind == IR_SET && stmt->set.var == var) ||
            (stmt->kind == IR_FOR && stmt->for_.var == var))
            return true;
        for (int i = 0; i < count; i++)
            if (sets_var(regions[i]->first, var))
                return true;
    }
    return false;
}

/* Whether `value` is the same at each iteration of a loop and cheap to say again. */
static bool is_steady(const Emitter *e, const IrValue *value, const IrStmt *loop)
{
    if (value->op == OP_call || value->op == OP_load || value->op == OP_pow)
        return false;
    if (e->dialect == DIALECT_CHECK && check_is_asked(e, value))
        return false;
    if (value->op == OP_var &&
        (value->var == loop->for_.var || sets_var(loop->for_.body.first, value->var)))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_steady(e, value->operands[i], loop))
            return false;
    return true;
}

/* Whether an integer is certain to be so far from the ends of 64 bits that steps of such size do
** not overflow on it. */
static bool is_tame(const Emitter *e, const IrValue *value, int depth)
{
    const IrValue *only;

    if (depth > 4)
        return false;
    switch ((int)value->op) {
    case OP_constant:
        return value->constant.integer < (1LL << 56) && value->constant.integer > -(1LL << 56);
    case OP_extent:
        return true;
    case OP_cast:
        return type_size(value->operands[0]->type) <= 4 && !type_is_float(value->operands[0]->type);
    case OP_add:
    case OP_sub:
        return is_tame(e, value->operands[0], depth + 1) &&
               is_tame(e, value->operands[1], depth + 1);
    case OP_floordiv:
        return is_tame(e, value->operands[0], depth + 1);
    case OP_var:
        only = e->vars[value->var->id].only;
        return type_size(value->type) <= 4 || (only && is_tame(e, only, depth + 1));
    case OP_intrinsic:
        return value->intrinsic <= INTR_warpsize;
    default:
        return false;
    }
}

/* ---- for ------------------------------------------------------------------------------- */

/* The parts of a for statement's head. */
typedef struct Head {
    const IrStmt *stmt;
    const char *var;
    const char *stop, *step; /* beside the counter, as operands of + and < */
    const char *extra;       /* behind the start in the same declaration */
} Head;

/* A name for a value that is evaluated once before the loop, declared in the head where the counter
** is, else on a line before. */
static const char *hold(Emitter *e, Head *head, const char *what, const IrValue *value)
{
    const IrVar *var = head->stmt->for_.var;
    const char *name = local_name(e, arena_printf(e->arena, "%s_%s", e->vars[var->id].name, what));
    const char *text = value_text(e, value, PREC_ARGUMENT);

    if (declares(e, head->stmt))
        head->extra = arena_printf(e->arena, "%s, %s = %s", head->extra, name, text);
    else
        line(e, "const %s %s = %s;", type_text(e, var->type), name, text);
    return name;
}

static const char *bound_text(Emitter *e, Head *head, const char *what, const IrValue *value)
{
    if (is_steady(e, value, head->stmt))
        return beside_text(e, value, head->stmt->for_.var->type, PREC_SHIFT);
    return hold(e, head, what, value);
}

/* What takes the counter on: `i++`, `i += step`, or a call that stops short of overflow. */
static const char *advance_text(Emitter *e, const Head *head)
{
    const IrValue *step = head->stmt->for_.step;
    const Type *type = head->stmt->for_.var->type;
    bool constant = step->op == OP_constant;
    bool tame = type_size(type) == 8 && is_tame(e, step, 0) &&
                is_tame(e, head->stmt->for_.stop, 0) && (constant || ir_nonnegative(step));

    if (constant && step->constant.integer == 1)
        return arena_printf(e->arena, "%s++", head->var);
    if (constant && step->constant.integer == -1 && type_is_signed(type))
        return arena_printf(e->arena, "%s--", head->var);
    if (!tame && !head->stmt->for_.bounded)
        return arena_printf(e->arena, "%s = %s(%s, %s, %s)", head->var,
                            prelude(e, "range_next", type), head->var, head->stop, head->step);
    if (constant && step->constant.integer < 0)
        return arena_printf(e->arena, "%s -= %s", head->var, head->step + 1);
    return arena_printf(e->arena, "%s += %s", head->var, head->step);
}

static const char *condition_text(Emitter *e, const Head *head)
{
    const IrValue *step = head->stmt->for_.step;
    const Type *type = head->stmt->for_.var->type;

    if (step->op == OP_constant && step->constant.integer != 0)
        return arena_printf(e->arena, "%s %s %s", head->var,
                            step->constant.integer < 0 && type_is_signed(type) ? ">" : "<",
                            head->stop);
    if (step->op != OP_constant && ir_nonnegative(step))
        return arena_printf(e->arena, "%s < %s", head->var, head->stop);
    return arena_printf(e->arena, "%s(%s, %s, %s)", prelude(e, "range_short", type), head->var,
                        head->stop, head->step);
}

const char *emit_for_head(Emitter *e, const IrStmt *stmt)
{
    Head head = { .stmt = stmt, .extra = "" };
    const IrVar *var = stmt->for_.var;
    const char *start = value_text(e, stmt->for_.start, PREC_ARGUMENT);

    head.var = var_text(e, var);
    head.stop = bound_text(e, &head, "stop", stmt->for_.stop);
    head.step = bound_text(e, &head, "step", stmt->for_.step);
    const char *advance = advance_text(e, &head), *condition = condition_text(e, &head);
    if (e->dialect == DIALECT_CHECK && !ir_uniform_loop(stmt))
        condition = check_branch_text(e, stmt->span, condition);
    return arena_printf(
        e->arena, "for (%s%s%s = %s%s; %s; %s)", declares(e, stmt) ? type_text(e, var->type) : "",
        declares(e, stmt) ? " " : "", head.var, start, head.extra, condition, advance);
}

/* That the iterations of a loop may be mixed. */
static void emit_simd(Emitter *e, const IrStmt *stmt)
{
    const char *sums = "";
    for (int i = 0; i < stmt->for_.sum_count; i++)
        sums =
            arena_printf(e->arena, "%s%s%s", sums, i ? ", " : "", var_text(e, stmt->for_.sums[i]));
    line(e, *sums ? "#pragma omp simd reduction(+ : %s)" : "#pragma omp simd%s", sums);
}

/* How many iterations a C compiler is asked to lay side by side; 0: as many as it likes. gcc makes
** as many copies as it is told to even where it does not see how many iterations there are, as of a
** counter that lies in memory: so it is told of no more than there can be, and where that is not
** known of no more than a few. */
static int unroll_in_c(const Emitter *e, const IrStmt *loop)
{
    int64_t count = ir_trip_count(loop),
            most = count >= 0 && count < UNROLL_MOST ? count : UNROLL_MOST;
    if (e->vars[loop->for_.var->id].storage != STORAGE_PLAIN)
        return 0;
    if (loop->for_.unroll == UNROLL_ALL)
        return count < 0 ? 0 : (int)most;
    return loop->for_.unroll < most ? loop->for_.unroll : (int)most;
}

void emit_unroll(Emitter *e, const IrStmt *stmt)
{
    int unroll = stmt->kind == IR_FOR ? stmt->for_.unroll : 0;
    if (stmt->kind == IR_FOR && stmt->for_.any_order && e->dialect == DIALECT_C) {
        emit_simd(e, stmt); /* the two do not go together: a vector has many iterations at once */
        return;
    }
    if (unroll && e->dialect == DIALECT_CUDA)
        line(e, unroll == UNROLL_ALL ? "#pragma unroll" : "#pragma unroll %d", unroll);
    else if (unroll && (unroll = unroll_in_c(e, stmt)) > 0)
        line(e, "%s(%d)", prelude(e, "UNROLL", NULL), unroll);
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
        emit_stmts(e, region->first, NULL);
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

static bool is_last(const Emitter *e, const IrStmt *stmt)
{
    return stmt == e->fn->body.last;
}

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
    else if (e->leave || !is_last(e, stmt)) {
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

/* ---- print ----------------------------------------------------------------------------- */

enum { PRINTF_MOST = 32 }; /* arguments of CUDA's printf behind the format */

/* A printf under construction. */
typedef struct Print {
    Emitter *e;
    Buf format, arguments;
    int count; /* of arguments */
} Print;

static void print_flush(Print *print, const char *end)
{
    line(print->e, "printf(\"%s%s\"%s);", buf_text(&print->format), end,
         buf_text(&print->arguments));
    buf_init(&print->format, print->e->arena);
    buf_init(&print->arguments, print->e->arena);
    print->count = 0;
}

/* Makes room for an argument. A line of more than one printf may be torn by other threads' lines,
** which is better than numba's way to print the format. */
static void print_room(Print *print)
{
    if (print->count == PRINTF_MOST)
        print_flush(print, "");
    print->count++;
}

/* Text inside a C string literal that is a format. */
static void put_quoted(Buf *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '%')
            buf_puts(out, "%%");
        else if (*p == '"' || *p == '\\')
            buf_printf(out, "\\%c", *p);
        else if (*p < ' ' || *p >= 0x7f)
            buf_printf(out, "\\%03o", *p);
        else if (*p == '?')
            buf_puts(out, "\\?");
        else
            buf_putc(out, (char)*p);
    }
}

/* The conversion of a real type, and how its argument is written around `text`. */
static void print_real(Print *print, const Type *type, const char *text)
{
    print_room(print);
    if (type == type_bool) {
        buf_puts(&print->format, "%s");
        buf_printf(&print->arguments, ", %s ? \"True\" : \"False\"", text);
    } else if (type_is_float(type)) {
        buf_puts(&print->format, "%f");
        buf_printf(&print->arguments, ", (double)%s", text);
    } else {
        bool is_signed = type_is_signed(type);
        buf_puts(&print->format, is_signed ? "%lld" : "%llu");
        buf_printf(&print->arguments, ", %s%s", is_signed ? "(long long)" : "(unsigned long long)",
                   text);
    }
}

static const char *printable_text(Emitter *e, const IrValue *value)
{
    const char *text;

    if (type_is_float(value->type) && type_size(value->type) == 2)
        return cast_text(e, type_float32, value, PREC_POSTFIX);
    text = value_text(e, value, PREC_UNARY);
    return *text == '-' ? arena_printf(e->arena, "(%s)", text) : text;
}

/* Prints what is at `text`, an expression of a struct or scalar type. */
static void print_at(Emitter *e, Print *print, const Type *type, const char *text)
{
    if (type_is_complex(type)) {
        buf_putc(&print->format, '(');
        print_real(print, type_complex_part(type), arena_printf(e->arena, "%s.real", text));
        buf_putc(&print->format, '+');
        print_real(print, type_complex_part(type), arena_printf(e->arena, "%s.imag", text));
        buf_puts(&print->format, "j)");
    } else if (type_is_tuple(type)) {
        buf_putc(&print->format, '(');
        for (int i = 0; i < type->tuple.count; i++) {
            buf_puts(&print->format, i ? ", " : "");
            print_at(e, print, type->tuple.items[i], arena_printf(e->arena, "%s._%d", text, i));
        }
        buf_puts(&print->format, type->tuple.count == 1 ? ",)" : ")");
    } else if (type_is_float(type) && type_size(type) == 2) {
        print_real(print, type_float32,
                   arena_printf(e->arena, "%s(%s)", prelude(e, "f32_from", type), text));
    } else if (type_is_scalar(type)) {
        print_real(print, type, text);
    }
}

static void print_value(Emitter *e, Print *print, const IrValue *value)
{
    if (value->op == OP_tuple) {
        buf_putc(&print->format, '(');
        for (int i = 0; i < value->count; i++) {
            buf_puts(&print->format, i ? ", " : "");
            print_value(e, print, value->operands[i]);
        }
        buf_puts(&print->format, value->count == 1 ? ",)" : ")");
    } else if (type_is_complex(value->type) || type_is_tuple(value->type)) {
        print_at(e, print, value->type, value_text(e, value, PREC_POSTFIX));
    } else if (type_is_float(value->type) && type_size(value->type) == 2) {
        print_real(print, type_float32, printable_text(e, value));
    } else {
        print_real(print, value->type, printable_text(e, value));
    }
}

static void emit_print(Emitter *e, const IrStmt *stmt)
{
    Print print = { .e = e };

    buf_init(&print.format, e->arena);
    buf_init(&print.arguments, e->arena);
    for (int i = 0; i < stmt->print.count; i++) {
        buf_puts(&print.format, i ? " " : "");
        if (stmt->print.items[i].value)
            print_value(e, &print, stmt->print.items[i].value);
        else
            put_quoted(&print.format, stmt->print.items[i].text);
    }
    print_flush(&print, "\\n");
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

/* Whether a whole record is copied. gcc 12 mistakes the assignment of one that lies where the
** worker points: later stores to its fields are lost. */
static bool copies_record(const IrValue *value)
{
    return type_is_record(value->type) && value->op == OP_load;
}

static void emit_store(Emitter *e, const IrStmt *stmt)
{
    if (stmt->store.cache && e->dialect == DIALECT_CUDA) {
        line(e, "%s;", emit_hinted_store(e, stmt));
    } else if (e->dialect == DIALECT_CHECK) {
        line(e, "%s;", check_store_text(e, stmt));
    } else if (e->dialect == DIALECT_C && copies_record(stmt->store.value)) {
        const char *element =
            element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, PREC_UNARY);
        line(e, "memmove(&%s, &%s, sizeof %s);", element,
             value_text(e, stmt->store.value, PREC_UNARY), element);
    } else if (copies_record(stmt->store.value) && record_holds_packed(stmt->store.value->type)) {
        const char *element =
            element_text(e, stmt->store.array, stmt->store.indices, stmt->store.count, PREC_UNARY);
        line(e, "%s(&%s, &%s);", prelude(e, "copy_packed", NULL), element,
             value_text(e, stmt->store.value, PREC_UNARY));
    } else {
        line(e, "%s;", assignment_text(e, stmt));
    }
}

static void add_effects(void *context, IrValue *value)
{
    *(int *)context |= ir_value_effects(value);
}

/* Whether the place of a statement in the text must be right, and not just near: what touches
** memory can fail there. */
static bool needs_exact_line(const IrStmt *stmt)
{
    int effects = EFFECT_NONE;

    ir_each_value(stmt, add_effects, &effects);
    return effects != EFFECT_NONE || stmt->kind == IR_STORE || stmt->kind == IR_PRINT ||
           stmt->kind == IR_FAULT;
}

void emit_stmt(Emitter *e, const IrStmt *stmt)
{
    const char *head;

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
        emit_loop_body(e, head, stmt, &stmt->for_.body);
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

void emit_stmts(Emitter *e, const IrStmt *first, const IrStmt *end)
{
    for (const IrStmt *stmt = first; stmt && stmt != end; stmt = stmt->next)
        emit_stmt(e, stmt);
}

void emit_region(Emitter *e, const IrRegion *region)
{
    emit_stmts(e, region->first, NULL);
}
