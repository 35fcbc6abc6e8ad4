/* The IR as text, for --emit ir and for tests: a statement a line, regions indented.
**
**     kernel hist_kernel(x: float32[::1], bins: int32[::1])
**         bins_count: int64 = extent(bins, 0)
**         for i: int64 in grid(0) to extent(x, 0) by gridsize(0)
**             eval atomic_add(bins, cast<int64>(b), 1)
**
** A variable's type stands where it is first set. Variables that share a name get a number. */
#include "ir/ir.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
    Buf *out;
    const IrFunc *fn;
    int depth;
    bool *declared; /* by variable */
    const char **names;
} Printer;

/* ---- names -------------------------------------------------------------------------------- */

static void name_vars(Printer *p, Arena *arena)
{
    int count = p->fn->var_count;
    p->names = arena_array(arena, const char *, count + 1);
    p->declared = arena_array(arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        int same = 0;
        for (int k = 0; k < i; k++)
            same += strcmp(p->fn->vars[k]->name, p->fn->vars[i]->name) == 0;
        p->names[i] = same ? arena_printf(arena, "%s.%d", p->fn->vars[i]->name, same + 1)
                           : p->fn->vars[i]->name;
    }
}

static void put_var(Printer *p, const IrVar *var)
{
    buf_puts(p->out, p->names[var->id]);
}

/* ---- values ------------------------------------------------------------------------------- */

static void put_value(Printer *p, const IrValue *value);
static void put_plain_value(Printer *p, const IrValue *value);

static void put_double(Buf *out, double number)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    buf_puts(out, text);
    if (isfinite(number) && !strpbrk(text, ".e"))
        buf_puts(out, ".0");
}

static void put_constant(Printer *p, const IrValue *value)
{
    const Type *type = value->type;
    const IrConstant *c = &value->constant;
    if (type_is_complex(type)) {
        buf_putc(p->out, '(');
        put_double(p->out, c->complex.real);
        buf_puts(p->out, ", ");
        put_double(p->out, c->complex.imag);
        buf_puts(p->out, "j)");
    } else if (type->kind == TY_BOOL) {
        buf_puts(p->out, c->integer ? "true" : "false");
    } else if (type_is_float(type)) {
        put_double(p->out, c->number);
    } else if (type->kind == TY_UINT64) {
        buf_printf(p->out, "%llu", (unsigned long long)c->integer);
    } else {
        buf_printf(p->out, "%lld", (long long)c->integer);
    }
    if (type != type_int64 && type != type_float64 && type != type_bool) {
        buf_putc(p->out, ':');
        type_print(p->out, type);
    }
}

static void put_operands(Printer *p, const IrValue *value, const char *more)
{
    buf_putc(p->out, '(');
    for (int i = 0; i < value->count; i++) {
        buf_puts(p->out, i ? ", " : "");
        put_value(p, value->operands[i]);
    }
    buf_printf(p->out, "%s%s)", value->count && more[0] ? ", " : "", more);
}

static void put_value(Printer *p, const IrValue *value)
{
    if (value->nonnegative)
        buf_puts(p->out, "nonnegative(");
    put_plain_value(p, value);
    if (value->nonnegative)
        buf_putc(p->out, ')');
}

static void put_plain_value(Printer *p, const IrValue *value)
{
    char index[16];
    snprintf(index, sizeof(index), "%d", value->index);
    switch (value->op) {
    case OP_constant:
        put_constant(p, value);
        return;
    case OP_var:
        put_var(p, value->var);
        return;
    case OP_cast:
    case OP_bits:
    case OP_zero:
        buf_printf(p->out, "%s<", ir_ops[value->op].name);
        type_print(p->out, value->type);
        buf_putc(p->out, '>');
        if (value->op != OP_zero)
            put_operands(p, value,
                         value->op != OP_cast          ? ""
                         : value->index == CAST_FITS   ? "fits"
                         : value->index == CAST_CLAMPS ? "clamps"
                                                       : "");
        return;
    case OP_intrinsic: {
        bool axis = value->intrinsic <= INTR_gridsize;
        buf_puts(p->out, ir_intrinsics[value->intrinsic].name);
        put_operands(p, value, axis ? index : "");
        return;
    }
    case OP_call:
        buf_puts(p->out, value->callee->name);
        put_operands(p, value, "");
        return;
    case OP_field:
        buf_printf(p->out, "field<%s>",
                   value->operands[0]->type->array.element->record.fields[value->index].name);
        put_operands(p, value, "");
        return;
    case OP_extent:
    case OP_stride:
    case OP_item:
        buf_puts(p->out, ir_ops[value->op].name);
        put_operands(p, value, index);
        return;
    case OP_recast:
        buf_puts(p->out, "recast<");
        type_print(p->out, value->type);
        buf_putc(p->out, '>');
        put_operands(p, value, index);
        return;
    case OP_view:
        buf_printf(p->out, "view<%s>", value->axes);
        put_operands(p, value, "");
        return;
    default:
        buf_puts(p->out, ir_ops[value->op].name);
        put_operands(p, value, "");
    }
}

/* ---- statements ---------------------------------------------------------------------------- */

static void put_region(Printer *p, const IrRegion *region);

static void start_line(Printer *p)
{
    for (int i = 0; i < p->depth; i++)
        buf_puts(p->out, "    ");
}

static void put_declared(Printer *p, const IrVar *var)
{
    put_var(p, var);
    if (p->declared[var->id])
        return;
    p->declared[var->id] = true;
    buf_puts(p->out, ": ");
    type_print(p->out, var->type);
}

static void put_store(Printer *p, const IrStmt *stmt)
{
    buf_printf(p->out, "store%s%s ", stmt->store.cache ? "." : "",
               ir_cache_names[stmt->store.cache]);
    put_value(p, stmt->store.array);
    buf_putc(p->out, '[');
    for (int i = 0; i < stmt->store.count; i++) {
        buf_puts(p->out, i ? ", " : "");
        put_value(p, stmt->store.indices[i]);
    }
    buf_puts(p->out, "] = ");
    put_value(p, stmt->store.value);
}

static void put_print(Printer *p, const IrStmt *stmt)
{
    buf_puts(p->out, "print");
    for (int i = 0; i < stmt->print.count; i++) {
        const IrPrintItem *item = &stmt->print.items[i];
        buf_puts(p->out, i ? ", " : " ");
        if (item->text)
            buf_printf(p->out, "\"%s\"", item->text);
        else
            put_value(p, item->value);
    }
}

static void put_keyword_value(Printer *p, const char *keyword, const IrValue *value)
{
    buf_printf(p->out, "%s%s", keyword, value ? " " : "");
    if (value)
        put_value(p, value);
}

static void put_for(Printer *p, const IrStmt *stmt)
{
    buf_puts(p->out, "for ");
    put_declared(p, stmt->for_.var);
    put_keyword_value(p, " in", stmt->for_.start);
    put_keyword_value(p, " to", stmt->for_.stop);
    put_keyword_value(p, " by", stmt->for_.step);
    buf_puts(p->out, stmt->for_.bounded ? " bounded" : "");
    buf_puts(p->out, stmt->for_.any_order ? " in any order" : "");
    for (int i = 0; i < stmt->for_.sum_count; i++) {
        buf_puts(p->out, i ? ", " : " sums ");
        buf_puts(p->out, p->names[stmt->for_.sums[i]->id]);
    }
    if (stmt->for_.unroll)
        buf_printf(p->out, stmt->for_.unroll == UNROLL_ALL ? " unroll" : " unroll %d",
                   stmt->for_.unroll);
}

/* The line of a statement, without the regions below it. */
static void put_line(Printer *p, const IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_SET:
        put_declared(p, stmt->set.var);
        put_keyword_value(p, " =", stmt->set.value);
        return;
    case IR_STORE:
        put_store(p, stmt);
        return;
    case IR_EVAL:
        put_keyword_value(p, "eval", stmt->eval.value);
        return;
    case IR_IF:
        put_keyword_value(p, "if", stmt->if_.condition);
        return;
    case IR_WHILE:
        put_keyword_value(p, "while", stmt->while_.condition);
        return;
    case IR_FOR:
        put_for(p, stmt);
        return;
    case IR_BREAK:
        buf_puts(p->out, "break");
        return;
    case IR_CONTINUE:
        buf_puts(p->out, "continue");
        return;
    case IR_RETURN:
        put_keyword_value(p, "return", stmt->return_.value);
        return;
    case IR_PRINT:
        put_print(p, stmt);
        return;
    case IR_FAULT:
        buf_printf(p->out, "fault \"%s\"", stmt->fault.message);
        for (int i = 0; i < stmt->fault.count; i++)
            put_keyword_value(p, ",", stmt->fault.values[i]);
        return;
    case IR_STOP:
        buf_puts(p->out, "stop");
        return;
    }
}

static void put_stmt(Printer *p, const IrStmt *stmt)
{
    start_line(p);
    put_line(p, stmt);
    buf_putc(p->out, '\n');
    switch (stmt->kind) {
    case IR_IF:
        put_region(p, &stmt->if_.then);
        if (stmt->if_.otherwise.first) {
            start_line(p);
            buf_puts(p->out, "else\n");
            put_region(p, &stmt->if_.otherwise);
        }
        return;
    case IR_WHILE:
        put_region(p, &stmt->while_.body);
        return;
    case IR_FOR:
        put_region(p, &stmt->for_.body);
        return;
    default:
        return;
    }
}

static void put_region(Printer *p, const IrRegion *region)
{
    p->depth++;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        put_stmt(p, stmt);
    p->depth--;
}

/* ---- functions ----------------------------------------------------------------------------- */

static void put_array_var(Printer *p, const IrVar *var)
{
    static const char *const kinds[] = {
        [VAR_SHARED] = "shared",
        [VAR_SHARED_DYNAMIC] = "dynamic shared",
        [VAR_PRIVATE] = "private",
        [VAR_CONSTANT] = "constant",
    };
    buf_printf(p->out, "    %s ", kinds[var->kind]);
    put_declared(p, var);
    if (var->shape) {
        buf_puts(p->out, " of ");
        for (int axis = 0; axis < var->type->array.rank; axis++)
            buf_printf(p->out, "%s%lld", axis ? " x " : "", (long long)var->shape[axis]);
    }
    buf_putc(p->out, '\n');
}

/* The ways to overwrite a parameter whole, or all of what the kernel may, a line each. */
static void put_covers(Printer *p, const IrFunc *fn, int param)
{
    for (int i = 0; fn->covers && i < fn->covers->way_count; i++) {
        const IrCover *way = &fn->covers->ways[i];
        if (way->param != param)
            continue;
        buf_puts(p->out, way->part ? "    #     all it can" : "    #     whole");
        buf_puts(p->out, way->count ? " if " : "");
        cover_print(p->out, fn->covers, way, p->names);
        buf_putc(p->out, '\n');
    }
}

/* What accesses demand of the block, a line each. */
static void put_fits(Printer *p, const IrFunc *fn)
{
    for (int i = 0; fn->covers && i < fn->covers->fit_count; i++) {
        buf_puts(p->out, "    # block: ");
        cover_print_fit(p->out, fn->covers, &fn->covers->fits[i], p->names);
        buf_printf(p->out, " by line %d\n", fn->covers->fits[i].line);
    }
}

static void put_access(Printer *p, const IrFunc *fn)
{
    for (int i = 0; fn->access && i < fn->param_count; i++) {
        int access = fn->access[i];
        if (access == ACCESS_NONE)
            continue;
        buf_puts(p->out, "    # ");
        put_var(p, fn->vars[i]);
        buf_printf(p->out, ":%s%s%s\n", access & ACCESS_READ ? " read" : "",
                   access & ACCESS_WRITE ? " written" : "",
                   access & ACCESS_ATOMIC ? " atomic" : "");
        put_covers(p, fn, i);
    }
    put_fits(p, fn);
}

static void put_function(Buf *out, Arena *arena, const IrFunc *fn)
{
    Printer p = { .out = out, .fn = fn };
    name_vars(&p, arena);
    buf_printf(out, "%s %s(", fn->kernel ? "kernel" : "device", fn->name);
    for (int i = 0; i < fn->param_count; i++) {
        buf_puts(out, i ? ", " : "");
        put_declared(&p, fn->vars[i]);
        buf_puts(out, fn->vars[i]->restricted ? " restricted" : "");
        buf_puts(out, fn->vars[i]->merged ? " merged" : "");
        buf_puts(out, fn->vars[i]->exact ? " exact" : "");
    }
    buf_putc(out, ')');
    if (!fn->kernel) {
        buf_puts(out, " -> ");
        type_print(out, fn->result);
    }
    buf_putc(out, '\n');
    put_access(&p, fn);
    for (int i = fn->param_count; i < fn->var_count; i++)
        if (fn->vars[i]->kind != VAR_LOCAL && fn->vars[i]->kind != VAR_PARAM)
            put_array_var(&p, fn->vars[i]);
    put_region(&p, &fn->body);
}

void ir_print(Buf *out, const IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++) {
        put_function(out, unit->arena, unit->functions[i]);
        buf_putc(out, '\n');
    }
    put_function(out, unit->arena, unit->kernel);
}
