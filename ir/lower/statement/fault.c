/* Threads that end before their kernel does: assert, raise, and what debug reports.
**
** A report's text has a mark for each number that is known at run time alone: %d for an int64, %u
** for a uint64, %g for a float64, %b for an int64 that is True or False, and %% for itself. */
#include "ir/lower/function.h"

/* A report being put together. */
typedef struct Report {
    Buf text;
    IrValue *values[FAULT_VALUES];
    int count;
} Report;

static void put_escaped(Report *report, const char *text)
{
    for (; *text; text++)
        buf_puts(&report->text, *text == '%' ? "%%" : (char[]){ *text, 0 });
}

bool is_reported(const FnState *f)
{
    return is_debugged(f) || (!f->constant_only && f->lower->request->checked);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* In a library, of the place that called it. */
static IrStmt *new_fault(FnState *f, const char *message, Span span)
{
    const Lower *lower = f->lower;
    bool library = library_hides(f);
    IrStmt *fault = ir_stmt(f->arena, IR_FAULT, library ? lower->library_call : span);
    fault->fault.message = library ? arena_printf(f->arena, "%s, in %s()", message,
                                                  library_shown_name(lower->library_called))
                                   : message;
    return fault;
}

static void emit_end(FnState *f, IrStmt *end)
{
    emit(f, end);
    f->reachable = false;
}

/* Ends the thread, in debug mode with the report `fault`, if that is not NULL. */
static void lower_stop(FnState *f, Span span, const char *fault)
{
    if (fault && is_reported(f))
        emit_end(f, new_fault(f, fault, span));
    else
        emit_end(f, ir_stmt(f->arena, f->fn->kernel ? IR_RETURN : IR_STOP, span));
}

/* Opens `if condition:`; what is emitted then stands in it, up to close_if(). */
static IrRegion *open_if(FnState *f, IrValue *condition, Span span)
{
    IrStmt *check = ir_if(f->arena, condition, span);
    IrRegion *outer = f->region;
    emit(f, check);
    f->region = &check->if_.then;
    return outer;
}

static void close_if(FnState *f, IrRegion *outer)
{
    f->region = outer;
    f->reachable = true;
}

void lower_stop_if(FnState *f, IrValue *condition, const char *fault, Span span)
{
    IrRegion *outer = open_if(f, condition, span);
    lower_stop(f, span, fault);
    close_if(f, outer);
}

void lower_fault_of(FnState *f, IrValue *condition, const char *message, IrValue *a, IrValue *b,
                    Span span)
{
    if (ir_is_constant(condition) && !condition->constant.integer)
        return;
    IrRegion *outer = open_if(f, condition, span);
    IrStmt *fault = new_fault(f, message, span);
    IrValue *values[] = { a, b };
    fault->fault.values = arena_array(f->arena, IrValue *, ARRAY_COUNT(values));
    for (size_t i = 0; i < ARRAY_COUNT(values) && values[i]; i++)
        fault->fault.values[fault->fault.count++] = values[i];
    emit(f, fault);
    close_if(f, outer);
}

void lower_fault_if(FnState *f, IrValue *condition, const char *message, Span span)
{
    lower_fault_of(f, condition, message, NULL, NULL, span);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void put_number(FnState *f, Report *report, IrValue *value)
{
    const Type *type = value->type;
    bool real = type_is_float(type);
    if (report->count == FAULT_VALUES) {
        buf_puts(&report->text, "...");
        return;
    }
    buf_puts(&report->text, real                     ? "%g"
                            : type->kind == TY_BOOL  ? "%b"
                            : type_is_unsigned(type) ? "%u"
                                                     : "%d");
    const Type *wide = real ? type_float64 : type_is_unsigned(type) ? type_uint64 : type_int64;
    report->values[report->count++] = ir_cast(f->arena, wide, value, value->span);
}

static void put_value(FnState *f, Report *report, IrValue *value)
{
    if (type_is_tuple(value->type)) {
        int count = value->type->tuple.count;
        value = stable_tuple(f, value, "_tuple");
        buf_putc(&report->text, '(');
        for (int i = 0; i < count; i++) {
            buf_puts(&report->text, i ? ", " : "");
            put_value(f, report, ir_item(f->arena, value, i, value->span));
        }
        buf_puts(&report->text, count == 1 ? ",)" : ")");
    } else if (type_is_scalar(value->type) && !type_is_complex(value->type)) {
        put_number(f, report, value);
    } else {
        put_escaped(report, type_name(f->arena, value->type));
    }
}

static void put_tuple(FnState *f, Report *report, AstExprs items);
static void put_argument(FnState *f, Report *report, const AstExpr *expr, bool alone);

/* What a message would be formatted with: it is looked at, not shown. */
static void put_unseen(FnState *f, const AstExpr *expr)
{
    Report unseen = { .count = 0 };
    unseen.text = buf_in(f->arena);
    put_argument(f, &unseen, expr, false);
}

/* One argument of an exception. Text stands by itself as it is, among others in quotes. What would
** have to be formatted is shown as it was before. */
static void put_argument(FnState *f, Report *report, const AstExpr *expr, bool alone)
{
    if (expr->kind == AST_TUPLE) {
        put_tuple(f, report, expr->list.items);
        return;
    }
    bool formats = expr->kind == AST_BINARY && expr->binary.left->kind == AST_STRING;
    Operand operand = lower_expr(f, formats ? expr->binary.left : expr);
    if (formats)
        put_unseen(f, expr->binary.right);
    if (operand.kind == OPD_STRING) {
        buf_puts(&report->text, alone ? "" : "'");
        put_escaped(report, operand.string.text);
        buf_puts(&report->text, alone ? "" : "'");
    } else if (operand.kind == OPD_VALUE) {
        put_value(f, report, operand.value);
    } else if (operand.kind != OPD_ERROR) {
        put_escaped(report, operand.kind == OPD_NONE ? "None" : describe(f, operand));
    }
}

static void put_tuple(FnState *f, Report *report, AstExprs items)
{
    buf_putc(&report->text, '(');
    for (int i = 0; i < items.count; i++) {
        buf_puts(&report->text, i ? ", " : "");
        put_argument(f, report, items.items[i], false);
    }
    buf_puts(&report->text, items.count == 1 ? ",)" : ")");
}

/* Ends the thread by an exception. Its arguments are computed without debug too, so that whether a
** program is right does not depend on debug. */
static void lower_exception(FnState *f, Span span, const char *class, AstExprs args)
{
    Report report = { .count = 0 };
    report.text = buf_in(f->arena);
    put_escaped(&report, class);
    buf_puts(&report.text, args.count ? ": " : ""); /* as Python shows it */
    if (args.count == 1)
        put_argument(f, &report, args.items[0], true);
    else if (args.count)
        put_tuple(f, &report, args);
    if (!is_reported(f)) {
        lower_stop(f, span, NULL);
        return;
    }
    IrStmt *fault = new_fault(f, buf_text(&report.text), span);
    fault->fault.values = arena_array(f->arena, IrValue *, FAULT_VALUES);
    memcpy(fault->fault.values, report.values, sizeof(report.values));
    fault->fault.count = report.count;
    emit_end(f, fault);
}

/* ---- statements ------------------------------------------------------------------------------ */

void lower_assert(FnState *f, const AstStmt *stmt)
{
    IrValue *condition = lower_condition(f, stmt->assert_.condition);
    if (ir_is_constant(condition) && condition->constant.integer)
        return;
    AstExpr *message = stmt->assert_.message;
    IrRegion *outer = open_if(f, ir_unary(f->arena, OP_not, condition, stmt->span), stmt->span);
    lower_exception(f, stmt->span, "AssertionError",
                    (AstExprs){ .items = &message, .count = message != NULL });
    close_if(f, outer);
}

/* Whether there is such a class; complains if not. */
static bool check_class(FnState *f, const char *name, Span span)
{
    static const char *const classes[] = {
#define EXCEPTION(name) #name,
#include "ir/names/tables/exceptions.def"
    };
    if (TEXT_IS_AMONG(name, classes))
        return true;
    const char *near = diag_nearest(name, classes, ARRAY_COUNT(classes));
    return fail(f, span, "'%s' is none of Python's exceptions%s%s%s", name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

void lower_raise(FnState *f, const AstStmt *stmt)
{
    const AstExpr *exception = stmt->raise.exception;
    if (!exception) {
        fail(f, stmt->span, "there is no exception here to raise again; name one");
        return;
    }
    bool called = exception->kind == AST_CALL;
    const AstExpr *class = called ? exception->call.function : exception;
    if (class->kind != AST_NAME) {
        fail(f, class->span, "raise takes an exception: raise ValueError(\"...\")");
        return;
    }
    if (!check_class(f, class->name.name, class->span))
        return;
    if (called && exception->call.keyword_count) {
        fail(f, exception->call.keywords[0].span, "%s takes no keywords", class->name.name);
        return;
    }
    lower_exception(f, stmt->span, class->name.name,
                    called ? exception->call.args : (AstExprs){ 0 });
}
