/* What all files of the lowering share: the state, statements, expressions. Functions are in
** function.h, arrays in array.h, other kinds of values in values.h, calls of what
** is built in in builtin.h. Nothing outside ir/ includes these.
**
** Lowering walks a function's tree once, with types known, and writes typed IR as it goes. Three
** ideas carry it:
**
** - A name is bound to an IrVar of one type; assigning another type binds it to another IrVar.
**   Where branches meet, a name with two bindings becomes a Join, which becomes a variable
**   (and the copies into it) only if it is read: env.c.
** - A loop's variables must have their types before its body is walked. They start with the types
**   they have on entry; if the body gives one a wider type, that is put in a memo and the whole
**   function is lowered again. Memos only widen, so this ends: statement/loop.c.
** - What an expression stands for is an Operand: mostly an IrValue, but also a type, a function, a
**   namespace, text: operand.h. What it takes to compute one in Python's order is in
**   value/order.c and value/choice.c. */
#pragma once

#include "base/table.h"
#include "ir/lower/env.h"

/* ---- what is being lowered ------------------------------------------------------------------- */

/* The type a loop's variable turned out to have. */
typedef struct Memo {
    const AstStmt *loop;
    const char *name;
    const Type *type;   /* NULL until some path assigns it */
    const Type *narrow; /* the type that widened it, and where it was assigned: for remarks */
    Span at;
    const IrOrigin *origins; /* of the type */
    bool needed;             /* read where only the loop could have assigned it: at `use` */
    Span use;
    bool torn;  /* of another kind when the loop comes round: it may not be read before that */
    bool unset; /* without a loop: the name is read where it may have no value */
} Memo;

typedef struct Loop Loop;
struct Loop {
    Loop *outer;
    const AstStmt *stmt;
    Names names;    /* assigned in the body */
    Binding *heads; /* what each is bound to when an iteration begins */
    IrVar *broke;   /* set before each break, or NULL */
};

struct FnState {
    Lower *lower;
    Arena *arena;
    Types *types;
    const Module *module;
    const Function *function; /* NULL for a module constant */
    IrFunc *fn;
    Specialisation *specialisation;
    Table names;
    NameChange *log; /* bindings replaced, oldest first */
    int log_count, log_capacity;
    IrRegion *region; /* where statements go */
    bool reachable;   /* whether control gets to the end of `region` */
    Loop *loop;
    Memo *memos;
    int memo_count, memo_capacity;
    const Memo *untyped;        /* a loop's variable that no path has given a type yet, or NULL */
    bool again;                 /* a memo widened: what was lowered is to be thrown away */
    const AstExpr *discarded;   /* a call whose result is not used, or NULL */
    const IrValue *narrow;      /* the last float32 that an integer made a float64: remarks.c */
    bool constant_only;         /* lowering a module constant: no locals, no statements */
    const AstFunction *of_init; /* the __init__ that it is of; or NULL */
    bool runs;                  /* statements are run in it, for a constant */
    const Function *running;    /* for a constant, or NULL: names it assigns are its own */
    const Symbol *constant;     /* that constant, or NULL: what comes before it is seen */
};

/* Whether what Python raises is to be found out and reported; the checker finds out by itself what
** is wrong with indices and divisions, so that is_reported() is for all but these. */
bool is_reported(const FnState *f);
static inline bool is_debugged(const FnState *f)
{
    return !f->constant_only && f->fn->options.debug;
}

static inline bool is_nep50(const FnState *f)
{
    return !f->constant_only && f->fn->options.nep50;
}

/* A function lowered, or being lowered, for one list of arguments. */
struct Specialisation {
    Specialisation *next;
    const Function *function;
    const Operand *args; /* values count by type, other operands by identity */
    int arg_count;
    IrFunc *fn;
    const Type *result;      /* NULL while no return has been seen */
    bool declared;           /* the signature says what the result is */
    const IrOrigin *origins; /* of it: the returns */
    bool done, failed;
    bool recursive; /* calls itself */
    Span place; /* under debug, where a library's function was called: its faults are shown there */
    Diag *remarks; /* made of it: remarks.c */
    int remark_count;
    Meaning *meanings; /* of its names: meaning.c */
    int meaning_count;
    bool retry;     /* a parameter must be a constant, which it is not: call/literal.c */
    bool forgotten; /* it failed, and that was void: failure_remember() */
    bool entry;     /* the kernel that is launched; others, kernels too, are called */
};

/* Something that is worked out once, and failed. */
typedef struct Failure {
    struct Failure *next;
    size_t mark;     /* how many complaints there were before its own */
    bool *forgotten; /* set once its own are void */
} Failure;

struct Lower {
    Arena *arena;
    Types *types;
    Diags *diags;
    const LowerRequest *request;
    IrUnit *unit;
    Table specialisations;          /* by the function's name: a list linked by `next` */
    Hashes by_call;                 /* the same, by what they are called with */
    size_t poisons;                 /* values made that stand for an error: lower_poison() */
    Failure *failures;              /* what is remembered that has failed, the last first */
    const Function *library_called; /* from outside, or launched, while the library is lowered */
    Span library_call;              /* where */
    bool nep50;                     /* the launched kernel's typing, which what it calls shares */
    bool unfused;                   /* some function of the unit says fma=False */
    bool debug;              /* faults are reported, as the launched kernel or the request has it */
    Table names;             /* taken by functions of the unit; each with the number to try next */
    int depth;               /* device calls being lowered inside one another */
    int made;                /* specialisations of device functions so far */
    int steps;               /* of loops run for constants so far: call/evaluate.c */
    int constant_depth;      /* constants being evaluated for one another */
    int evaluating;          /* functions being run for them inside one another */
    Table literals;          /* by function_key(), bool[LITERAL_PARAMS]: call/literal.c */
    Hashes closures;         /* that were passed on: call/closure.c */
    Table signatures;        /* by a Function's address: call/signature.c */
    Table libraries;         /* modules of the standard library in use, by name */
    const Symbol *run;       /* of the statement that is run for a constant; or NULL */
    FnState *run_state;      /* its names */
    const AstExpr *run_call; /* the call that it, or a function that it calls, is at as a
                             ** statement, which therefore is evaluated once; or NULL */
    Table runs;              /* statements that were run for constants, and where: symbol.c */
    Table constants;         /* module constants and enumerations evaluated so far, by address */
    IrVar **captured; /* arrays that the kernel captures, as constants have them: captured.c */
    int captured_count;
    const Function **linking; /* functions that say link= */
    int linking_count, linking_capacity;
};

/* Complains; false. The others have what stands for the result that there is none of. */
bool fail(FnState *f, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define fail_null(f, span, ...)    (fail(f, span, __VA_ARGS__), NULL)
#define fail_value(f, span, ...)   (fail(f, span, __VA_ARGS__), lower_poison(f, span))
#define fail_operand(f, span, ...) (fail(f, span, __VA_ARGS__), operand_error(span))
/* The state of a request. */
Lower lower_new(Arena *arena, Types *types, Diags *diags, const LowerRequest *request);
/* asked.c: the function that request->kernel means, evaluated if no text defines it by that name;
** NULL, perhaps after complaints: it is none. */
const Function *asked_kernel(Lower *lower);
/* To be called where something that is computed once and kept has failed, when there were `mark`
** complaints before: `*forgotten` is set when its complaint is taken back, and then it must be
** worked out again, to complain again. */
void failure_remember(Lower *lower, size_t mark, bool *forgotten);

/* Where something begins whose complaints may be taken back, as if it had not been looked at. */
typedef struct Attempt {
    size_t complaints, errors, poisons; /* that there were before */
} Attempt;

Attempt attempt_begin(const Lower *lower);
/* Whether there have been errors since. */
bool attempt_failed(const Lower *lower, Attempt attempt);
/* Takes back the complaints since, and the values that stand for them. */
void attempt_void(Lower *lower, Attempt attempt);

static inline bool same_place(Span a, Span b)
{
    return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

/* ---- statement/statement.c ---------------------------------------------------------------- */

void lower_body(FnState *f, const AstBody *body);
void lower_assign(FnState *f, const AstExpr *target, Operand value);
void lower_bind(FnState *f, const char *name, Operand value, Span span);
/* Binds the name to a variable of its own that holds `value`. */
IrVar *lower_set(FnState *f, const char *name, IrValue *value, Span span);
void emit(FnState *f, IrStmt *stmt);

/* ---- statement/refused.c ------------------------------------------------------------------ */

/* Says why kernels have no such statement; what it holds is lowered as far as that makes sense. */
void lower_refused(FnState *f, const AstStmt *stmt);
/* Whether a function can be called from a kernel: neither async, nor a generator, nor with
** **kwargs. False after a complaint. */
bool lower_is_callable(FnState *f, const AstFunction *function);
/* Says why kernels have no such expression. */
Operand lower_refused_expr(FnState *f, const AstExpr *expr);

/* ---- statement/fault.c --------------------------------------------------------------------- */

void lower_assert(FnState *f, const AstStmt *stmt);
void lower_raise(FnState *f, const AstStmt *stmt);
/* Ends the thread where `condition` holds, in debug mode with a report. */
void lower_stop_if(FnState *f, IrValue *condition, const char *fault, Span span);
/* For debug mode: reports `message`, and ends the thread, where `condition` holds. */
void lower_fault_if(FnState *f, IrValue *condition, const char *message, Span span);
/* The same of a message with marks for `a` and, unless it is NULL, `b`: %d where it is int64, %u
** where it is uint64. */
void lower_fault_of(FnState *f, IrValue *condition, const char *message, IrValue *a, IrValue *b,
                    Span span);

/* ---- statement/loop.c, statement/for.c ------------------------------------------------------- */

void lower_while(FnState *f, const AstStmt *stmt);
void lower_for(FnState *f, const AstStmt *stmt);
void lower_break(FnState *f, Span span);
void lower_continue(FnState *f, Span span);
/* Binds the names that the loop assigns, `names` and those of its body, to what holds them when a
** iteration begins. The bindings of the body are for the caller to take back. */
void loop_open(FnState *f, Loop *loop, const AstStmt *stmt, const Names *names);
/* Lowers the body into the present region. */
void loop_iterations(FnState *f, Loop *loop, const AstBody *body);
/* `if not condition: break`, with what the condition itself has assigned; as at the loop's end. */
void loop_leave(FnState *f, Loop *loop, IrValue *condition, Span span);
/* What runs, behind the loop, unless a break left it. */
void loop_else(FnState *f, Loop *loop, const AstBody *otherwise);

/* How many items a sequence has, as int64; NULL after a complaint. What it is made of is computed
** here and now. */
IrValue *sequence_length(FnState *f, Operand *over, Span span);
/* Computes what a range or a sequence is made of here and now: it gets a name, and what it was made
** of may change. Others are left alone. */
void sequence_hold(FnState *f, Operand *over);
/* What such a sequence gives at `counter`. */
Operand sequence_item(FnState *f, const Operand *over, IrValue *counter, Span span);

/* ---- value/expr.c --------------------------------------------------------------------------- */

/* What may be None is taken for its value. */
Operand lower_expr(FnState *f, const AstExpr *expr);
/* The same, but what may be None stays so. */
Operand lower_maybe(FnState *f, const AstExpr *expr);

/* ---- value/operand.c ------------------------------------------------------------------------ */

/* What an operand is, for messages: "an array of float32", "the function f". */
const char *describe(FnState *f, Operand operand);
/* What stands for a value after a complaint, so that it is the only one. */
IrValue *lower_poison(FnState *f, Span span);
static inline bool is_poison(const IrValue *value)
{
    return value->type->kind == TY_ERROR;
}
/* An expression that must be a value; its type is type_error after a complaint. */
IrValue *lower_value(FnState *f, const AstExpr *expr);
IrValue *operand_as_value(FnState *f, Operand operand, const AstExpr *expr);
/* The same, but what may be None stays so. */
IrValue *operand_as_value_maybe(FnState *f, Operand operand, const AstExpr *expr);

/* ---- value/convert.c ------------------------------------------------------------------------ */

/* Numba's cast, of scalars and of tuples item by item. */
IrValue *convert(FnState *f, IrValue *value, const Type *type, Span span);
/* A value as bool, by Python's truth; NULL after a complaint. The second gives true then. */
IrValue *truth_of(FnState *f, IrValue *value, Span span);
IrValue *lower_truth(FnState *f, IrValue *value, Span span);
IrValue *lower_condition(FnState *f, const AstExpr *expr);

/* ---- value/arithmetic.c, value/nep50.c ------------------------------------------------------- */

IrValue *lower_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
Operand lower_unary(FnState *f, const AstExpr *expr);
/* Whether the line has a complaint already: the rest of an expression follows it. */
bool line_failed(const FnState *f, Span span);
#define TEXT_IS_NOT_CHOSEN                                                                         \
    "and none is chosen when the kernel runs; choose a number, or a member of an Enum"
/* "..." and b"..." */
Operand lower_string(FnState *f, const AstExpr *expr);
/* Says that there is no such operation; the value is poison. */
IrValue *lower_no_operation(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                            Span span);
/* What is to be done instead of an operation that there is not; "" if nothing is to be said. */
const char *operation_advice(const Type *left, const Type *right);
/* The operation on operands of the types it works in; the first under debug with a look at
** divisors. */
IrValue *lower_arithmetic(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_compute(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_power(FnState *f, Typing typing, IrValue *left, IrValue *right, Span span);
/* lower_binary() for kernels with typing="nep50"; the type that two values share. */
IrValue *lower_nep50(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
const Type *nep50_common(FnState *f, IrValue *left, IrValue *right);
/* The type of what is one of two values, by numba's rules or with typing="nep50"; NULL if there is
** none. */
const Type *lower_common(FnState *f, IrValue *a, IrValue *b);

/* ---- value/compare.c ------------------------------------------------------------------------ */

Operand lower_compare(FnState *f, const AstExpr *expr);
/* A comparison of two values, tuples item by item. */
IrValue *compare_values(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);

/* ---- value/order.c ------------------------------------------------------------------------ */

/* Lowers several, left to right, so that effects of later ones do not change earlier ones. What may
** be None stays so. */
void lower_list(FnState *f, AstExpr *const *exprs, int count, Operand *out);
/* A variable that holds `value` from before the statement `place` of the present region on; NULL
** for its end. */
IrValue *spill_before(FnState *f, IrStmt *at, IrValue *value, const char *name);
/* Spills `*value` before `place` if the statements from there on, if any, might change it. */
void keep_before(FnState *f, IrStmt *at, IrValue **value);
/* The first statement after `last` in the present region, `last` being NULL for its start. */
IrStmt *statement_after(const FnState *f, const IrStmt *last);
/* A value that may be used again and again: spilled to a variable unless it costs nothing. */
IrValue *lower_stable(FnState *f, IrValue *value, const char *name);
/* A tuple whose items may be used again and again, as far as each of them may. */
IrValue *stable_tuple(FnState *f, IrValue *tuple, const char *name);

/* ---- value/choice.c ----------------------------------------------------------------------- */

/* What was lowered apart from the rest, for a branch to hold. */
typedef struct Apart {
    IrRegion region;
    Branch branch;
    IrRegion *outer;
    int mark;
} Apart;

/* Between these two, statements and bindings are `apart`'s. */
void apart_open(FnState *f, Apart *apart);
void apart_close(FnState *f, Apart *apart);
/* `left op right`, and_then or or_else, where `right` needs what was lowered apart. */
IrValue *apart_combine(FnState *f, IrOp op, IrValue *left, Apart *apart, IrValue *right, Span span);
Operand lower_boolean(FnState *f, const AstExpr *expr);
Operand lower_if_expr(FnState *f, const AstExpr *expr);

/* ---- meaning.c ---------------------------------------------------------------------------- */

/* Notes what the name that stands at `use` is, if meanings are recorded, and where it was bound. */
void meaning_note(FnState *f, Span use, Operand what, Span defined);
/* The same of a name that is assigned; and of one that was lowered, with the result. */
void meaning_of_target(FnState *f, const AstExpr *target, Operand what);
Operand meaning_of_name(FnState *f, const AstExpr *expr, Operand what);
/* How many notes there are; forgets all but so many: what followed was void. */
int meaning_mark(const Lower *lower);
void meanings_void(Lower *lower, int mark);
/* Keeps those made since `mark` with the function: it may be called again when what called it is
** lowered again. Gives back what functions keep, also of those that a last pass does not call. */
void meanings_take(Lower *lower, Specialisation *s, int mark);
void meanings_give(Lower *lower);

/* ---- remarks.c ---------------------------------------------------------------------------- */

/* Says where an operation's result, or a name with two types, became 64 bits wide, if remarks are
** asked for. */
void remark_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                   const Type *result, Span span);
/* The same, where one of two values is taken. */
void remark_meeting(FnState *f, const IrValue *a, const IrValue *b, const Type *result);
/* Says that a float is truncated where Python takes integers alone. */
void remark_truncated(FnState *f, const IrValue *value, Span span);
/* Says that an argument is not what the parameter's annotation says. */
void remark_annotation(FnState *f, const AstParam *param, const Type *said, const Type *given);
/* Says that nothing is known of a decorator. */
void remark_assumed(FnState *f, const Function *function);
/* Keeps the remarks made since `mark` with the function: what calls it may be lowered again. */
void remarks_take(Lower *lower, Specialisation *s, size_t mark);
/* Makes those of all functions in the unit, in the order of the text, each once. */
void remarks_give(Lower *lower);
void remark_join(FnState *f, const char *name, const Type *a, Span at_a, const Type *b, Span at_b,
                 const Type *result);
