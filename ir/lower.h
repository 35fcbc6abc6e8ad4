/* What the files of the lowering share. Nothing outside ir/ includes this.
**
** Lowering walks a function's tree once, with types known, and writes typed IR as it goes. Three
** ideas carry it:
**
** - A name is bound to an IrVar of one type; assigning another type binds it to another IrVar.
**   Where branches meet, a name with two bindings becomes a Join, which turns into a variable
**   (and the copies into it) only if somebody reads it: env.c.
** - A loop's variables must have their types before its body is walked. They start with the types
**   they have on entry; if the body gives one a wider type, that is put in a memo and the whole
**   function is lowered again. Memos only widen, so this ends: lower_loop.c.
** - What an expression stands for is an Operand: mostly an IrValue, but also a type, a function, a
**   namespace, text: lower_expr.c. What it takes to compute one in Python's order is in
**   lower_order.c and lower_choice.c. */
#ifndef KJIT_LOWER_H
#define KJIT_LOWER_H

#include "base/table.h"
#include "ir/fixed.h"
#include "ir/ir.h"

typedef struct Lower Lower;
typedef struct FnState FnState;
typedef struct Specialisation Specialisation;
typedef struct Call Call;

/* A function of a module, as its decorators describe it. */
typedef struct Function {
    const char *name;
    Module *module;
    const AstFunction *ast;
    bool kernel;
    IrOptions options;
    AstExpr *example;
    AstExprs signatures; /* as the decorator lists them, unevaluated */
    /* of a function inside a function: lower_closure.c */
    const FnState *owner;        /* which it stands in; valid while that is lowered */
    int captures;                /* how many of its last parameters are names from around it */
    const struct Operand *bound; /* what these hold, once it is passed on */
} Function;

/* class NAME(Enum) or (IntEnum), with constants: lower_enum.c. */
typedef struct EnumClass {
    TupleNames names; /* of its members' type */
    Module *module;
    bool integer, unique;
    const AstStmt *ast;
} EnumClass;

typedef enum SymbolKind {
    SYMBOL_FUNCTION,
    SYMBOL_CONSTANT,
    SYMBOL_BUILTIN,
    SYMBOL_ENUM
} SymbolKind;

/* A name at module level. */
typedef struct Symbol {
    SymbolKind kind;
    const char *name;
    Module *module; /* where it is defined */
    Span span;
    union {
        Function *function;
        struct {
            const AstExpr *value;
            int item;
        } constant;       /* item of a tuple, or -1 */
        const char *path; /* a built-in's, "cuda.grid" */
        const EnumClass *enumeration;
    };
} Symbol;

/* ---- module.c ------------------------------------------------------------------------- */

Symbol *module_symbol(const Module *module, const char *name);
/* All names of a module, for suggestions; allocated in the arena given. */
const char **module_names(const Module *module, Arena *arena, int *count);
Function *module_function(const Module *module, const char *name);
/* Whether a module is the standard library's: its source is called std:NAME. */
bool module_is_standard(const Module *module);

/* ---- options.c ------------------------------------------------------------------------- */

/* One keyword of @cuda.jit(...). */
void options_take(Arena *arena, Diags *diags, Function *function, const AstKeyword *keyword);

/* ---- operands -------------------------------------------------------------------------- */

typedef enum OperandKind {
    OPD_ERROR, /* already complained about */
    OPD_VALUE,
    OPD_NONE,
    OPD_STRING,
    OPD_TYPE, /* a scalar type used as a value: float32 */
    OPD_FUNCTION,
    OPD_INTRINSIC,
    OPD_FIXED,     /* a function with fixed types: libdevice's */
    OPD_NAMESPACE, /* cuda, np, cuda.atomic */
    OPD_RANGE,
    OPD_LIMITS,   /* np.finfo(type), np.iinfo(type) */
    OPD_UNROLL,   /* literal_unroll(value): for loops alone */
    OPD_SEQUENCE, /* enumerate(...) and zip(...): `parts` run side by side */
    OPD_SLICE,
    OPD_ELLIPSIS,
    OPD_LITERAL,  /* an argument that stays a constant in the callee: lower_literal.c */
    OPD_NAMED,    /* what namedtuple(...) gives */
    OPD_ENUM,     /* an enumeration, not one of its members */
    OPD_METHOD,   /* object.name, to be called */
    OPD_ITERATOR, /* iter(...): lower_iterator.c */
    OPD_WALK      /* x.flat of rows that do not lie whole, np.ndindex(...): lower_walk.c */
} OperandKind;

typedef struct Operand Operand;
struct Operand {
    OperandKind kind;
    Span span;
    union {
        IrValue *value;
        struct {
            const char *text;
            size_t length;
        } string;
        const Type *type;
        const Function *function;
        IrIntrinsic intrinsic;
        const FixedFunction *fixed;
        const struct NamedTuple *named;
        const EnumClass *enumeration;
        const char *path;
        struct {
            IrValue *range[3]; /* start, stop, step, of one type */
            int unroll;        /* as of IR_FOR */
        };
        struct {
            Operand *parts;
            int count;
            IrValue *start;
        } sequence; /* start: of enumerate */
        struct {
            Operand *over;
            IrValue *length;
            IrVar *place;
        } iterator;
        struct {
            IrValue *start, *stop, *step;
        } slice; /* each may be NULL; int64, start and stop perhaps optional */
        struct {
            IrValue *object;
            const char *name;
        } method;
        struct {
            IrIntrinsic kind; /* np.ndindex, ...; INTR_np_ravel for x.flat */
            IrValue *array;   /* NULL for np.ndindex */
            IrValue **extents;
            int rank;
        } walk;
    };
};

static inline Operand operand_value(IrValue *value)
{
    return (Operand){ .kind = OPD_VALUE, .span = value->span, .value = value };
}

static inline Operand operand_error(Span span)
{
    return (Operand){ .kind = OPD_ERROR, .span = span };
}

/* ---- builtins.c ------------------------------------------------------------------------ */

/* What a full path ("cuda.grid", "np.float32", "math.pi") names; OPD_ERROR, without a complaint,
** if nothing does. */
Operand builtin_find(Arena *arena, const char *path, Span span);
/* The same for a bare name, which may leave out "cuda.". */
Operand builtin_find_bare(Arena *arena, const char *name, Span span);
/* "numba.cuda.grid" is "cuda.grid", "numpy.pi" is "np.pi". */
const char *builtin_canonical(Arena *arena, const char *path);
bool builtin_is_namespace(const char *path);
/* Calls `visit` with the full path of each intrinsic and constant of a namespace. */
typedef void BuiltinVisitor(void *context, const char *path);
void builtin_each_in(const char *space, BuiltinVisitor *visit, void *context);
/* The last name of the path that is spelled most like the missing one, or NULL. */
const char *builtin_nearest(Arena *arena, const char *path);
/* Why kernels cannot use what numba or Python calls so, and what to do instead; NULL if there is
** nothing to say of it (refused.def). */
const char *builtin_refusal(Arena *arena, const char *path);

/* ---- remarks.c ---------------------------------------------------------------------------- */

/* Says where an operation's result, or a name with two types, became 64 bits wide, if remarks are
** asked for. */
void remark_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                   const Type *result, Span span);
/* Keeps the remarks made since `mark` with the function: what calls it may be lowered again. */
void remarks_take(Lower *lower, Specialisation *s, size_t mark);
/* Makes those of all functions in the unit, in the order of the text, each once. */
void remarks_give(Lower *lower);
void remark_join(FnState *f, const char *name, const Type *a, Span at_a, const Type *b, Span at_b,
                 const Type *result);

/* ---- library.c: built-in names that the standard library defines ------------------------------- */

/* Whether a path lies in a namespace that has a module behind it. */
bool library_may_have(const char *path);
/* What a path names there; OPD_ERROR, without a complaint, if nothing. */
Operand library_find(FnState *f, const char *path, Span span);
/* Complains of a built-in path that is nowhere, with the reason or the nearest name. */
void library_missing(FnState *f, const char *path, Span span);
/* A function of the module builtins that has no name in kernels: what a method or an operator
** becomes. */
const Function *library_own(FnState *f, const char *name, Span span);
/* Whether a module is one of those behind namespaces. */
bool library_has(const Lower *lower, const Module *module);
/* Whether a module is one of the standard library that the launched one uses. */
bool library_is(const Lower *lower, const Module *module);
/* Whether a division by zero is NumPy's even under debug: in every library but operator. */
bool library_divides(const Lower *lower, const Module *module);
/* The name of a library's function in messages: what users call, who know nothing of _min. */
const char *library_shown_name(const Function *function);
/* The name of a function in emitted text: a library's has its module's name in front. */
const char *library_function_name(const Lower *lower, const Function *function);

/* ---- env.c: what names are bound to ------------------------------------------------------- */

typedef struct Join Join;

typedef enum BindingKind {
    BIND_NONE,
    BIND_VAR,
    BIND_OPERAND, /* a compile-time thing */
    BIND_JOIN,    /* two branches left it with two bindings */
    BIND_LOOP     /* assigned somewhere in `loop`, with no value on entry */
} BindingKind;

typedef struct Binding {
    BindingKind kind;
    Span span; /* of the assignment */
    union {
        IrVar *var;
        Operand *operand;
        Join *join;
        const AstStmt *loop;
    };
} Binding;

typedef struct Name {
    const char *name;
    Binding binding;
    IrVar **vars; /* made for it by assignments, one a type */
    int var_count, var_capacity;
    const Binding *other; /* scratch of env_join() */
} Name;

typedef struct NameChange {
    Name *name;
    Binding before;
} NameChange;

typedef struct Names {
    Name **items;
    int count, capacity;
} Names;

/* What each name was bound to at the end of a branch; names that did not change are left out. */
typedef struct Branch {
    IrRegion *region;
    bool reachable;      /* whether control falls out of its end */
    NameChange *changes; /* `before` is the binding at the branch's end */
    int count;
} Branch;

/* Whether two compile-time things are one. */
bool operand_same(const Operand *a, const Operand *b);
Name *env_name(FnState *f, const char *name);
void env_bind(FnState *f, Name *name, Binding binding);
/* A variable of that type for the name to be bound to: the present one if it fits, else one that an
** earlier assignment made. */
IrVar *env_var_for(FnState *f, Name *name, const Type *type, Span span);
/* Marks a point to come back to, and goes back to it, saying what has changed since. */
int env_mark(const FnState *f);
Branch env_end_branch(FnState *f, int mark, IrRegion *region);
/* Binds every name that either branch changed to what holds after both. */
void env_join(FnState *f, const Branch *a, const Branch *b, Span span);
/* Makes a variable of a binding, or NULL after a complaint; NULL and no complaint for BIND_NONE. */
IrVar *env_settle(FnState *f, Name *name, Span use);

/* ---- lower_origin.c: which assignments gave names their types --------------------------------- */

/* Of what a name is bound to, `var` if that is a variable; and of what two such things make. */
const IrOrigin *origin_of(FnState *f, Binding binding, const IrVar *var);
const IrOrigin *origin_join(FnState *f, const IrOrigin *a, const IrOrigin *b);
/* Notes below a complaint: each assignment; those of the variables that are in one or two values. */
void origin_note(FnState *f, const IrOrigin *origins);
void note_types(FnState *f, const IrValue *a, const IrValue *b);

/* ---- names.c: which names statements assign and read ------------------------------------------- */

/* Adds the names that assigning to `target`, evaluating `expr` or running `body` assigns. */
void names_of_target(FnState *f, const AstExpr *target, Names *names);
void names_of_value(FnState *f, const AstExpr *expr, Names *names);
void names_of_body(FnState *f, const AstBody *body, Names *names);
bool names_assigned(const AstBody *body, const char *name);
/* How many places assign `name`. */
int names_count(const AstBody *body, const char *name);
/* Whether `name` is read anywhere but in the bodies of loops that alone count in it. */
bool names_read_outside(const AstBody *body, const char *name);

/* ---- what is being lowered ------------------------------------------------------------------- */

/* The type a loop's variable turned out to have. */
typedef struct Memo {
    const AstStmt *loop;
    const char *name;
    const Type *type;   /* NULL until some path assigns it */
    const Type *narrow; /* the type that widened it, and where it was assigned: for remarks */
    Span at;
    const IrOrigin *origins; /* of the type */
    bool needed;             /* read where only the loop could have assigned it */
    bool torn; /* of another kind when the loop comes round: nobody may read it before that */
} Memo;

typedef struct Loop Loop;
struct Loop {
    Loop *outer;
    const AstStmt *stmt;
    Names names;    /* assigned in the body */
    Binding *heads; /* what each is bound to when a turn begins */
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
    const char *untyped;      /* a loop's variable that no path has given a type yet, or NULL */
    bool again;               /* a memo widened: what was lowered is to be thrown away */
    const AstExpr *discarded; /* a call whose result nobody wants, or NULL */
    const IrValue *narrow;    /* the last float32 that an integer made a float64: remarks.c */
    bool constant_only;       /* lowering a module constant: no locals, no statements */
};

/* Whether what Python raises is to be found out and reported. */
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
    bool retry; /* a parameter must be a constant, which it is not: lower_literal.c */
    bool entry; /* the kernel that is launched; others, kernels too, are called */
};

struct Lower {
    Arena *arena;
    Types *types;
    Diags *diags;
    const LowerRequest *request;
    IrUnit *unit;
    Table specialisations;          /* by the function's name: a list linked by `next` */
    bool failures;                  /* whether some in it have failed */
    const Function *library_called; /* from outside, while the library's functions are lowered */
    Span library_call;              /* where */
    bool nep50;                     /* the launched kernel's typing, which what it calls shares */
    bool debug;       /* faults are reported, as the launched kernel or the request has it */
    Table names;      /* taken by functions of the unit */
    int depth;        /* device calls being lowered inside one another */
    Table literals;   /* by a function's tree, bool[LITERAL_PARAMS]: lower_literal.c */
    Table signatures; /* by a Function's address: lower_signature.c */
    Table libraries;  /* modules of the standard library in use, by name */
    Table constants;  /* module constants evaluated so far, by symbol: Operand * */
};

void fail(FnState *f, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

static inline bool same_place(Span a, Span b)
{
    return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

/* ---- lower_function.c, lower_specialise.c ------------------------------------------------------- */

Memo *memo_for(FnState *f, const AstStmt *loop, const char *name);
/* Widens a memo by one more type that the variable takes; NULL-safe for types not known yet. */
void memo_widen(FnState *f, Memo *memo, const Type *type);
/* A device function for these arguments, in order; NULL after a complaint. */
Specialisation *specialise(FnState *f, const Function *function, Operand *args, int count,
                           Span call);
/* A function for these arguments, still to be lowered; and lowers it. */
Specialisation *new_specialisation(Lower *lower, const Function *function, const Operand *args,
                                   int count);
void lower_specialisation(Lower *lower, Specialisation *s, Span call);
/* lower_param.c: binds the parameters, converted to what is declared unless that is NULL. */
void lower_params(FnState *f, const Operand *args, int count, const Type *const *declared);

/* ---- lower_symbol.c --------------------------------------------------------------------------- */

Operand lower_symbol(FnState *f, Symbol *symbol, Span span);
/* A state in which constants of that module are lowered. */
FnState *constant_state(FnState *f, const Module *module);
/* What a constant of a module is written as, -D counted in; NULL for what is no constant by itself. */
const AstExpr *constant_expr(const Lower *lower, const Symbol *symbol);

/* ---- lower_stmt.c ------------------------------------------------------------------------- */

void lower_body(FnState *f, const AstBody *body);
void lower_assign(FnState *f, const AstExpr *target, Operand value);
void lower_bind(FnState *f, const char *name, Operand value, Span span);
/* Binds the name to a variable of its own that holds `value`. */
IrVar *lower_set(FnState *f, const char *name, IrValue *value, Span span);
void emit(FnState *f, IrStmt *stmt);

/* ---- lower_fault.c ------------------------------------------------------------------------- */

void lower_assert(FnState *f, const AstStmt *stmt);
void lower_raise(FnState *f, const AstStmt *stmt);
/* Ends the thread, in debug mode with the report `fault`, if that is not NULL. */
void lower_stop(FnState *f, Span span, const char *fault);
/* Ends the thread where `condition` holds, in debug mode with a report. */
void lower_stop_if(FnState *f, IrValue *condition, const char *fault, Span span);
/* For debug mode: reports `message`, and ends the thread, where `condition` holds. */
void lower_fault_if(FnState *f, IrValue *condition, const char *message, Span span);
/* The same of a message with marks for `a` and, unless it is NULL, `b`: %d where it is int64, %u where it
** is uint64. */
void lower_fault_of(FnState *f, IrValue *condition, const char *message, IrValue *a, IrValue *b,
                    Span span);

/* ---- lower_loop.c, lower_for.c ---------------------------------------------------------------- */

void lower_while(FnState *f, const AstStmt *stmt);
void lower_for(FnState *f, const AstStmt *stmt);
void lower_break(FnState *f, Span span);
void lower_continue(FnState *f, Span span);
/* Binds the names that the loop assigns, `names` and those of its body, to what holds them when a
** turn begins. The bindings of the body are for the caller to take back. */
void loop_open(FnState *f, Loop *loop, const AstStmt *stmt, const Names *names);
/* Lowers the body into the present region. */
void loop_turns(FnState *f, Loop *loop, const AstBody *body);
/* What runs, behind the loop, unless a break left it. */
void loop_else(FnState *f, Loop *loop, const AstBody *otherwise);

/* How many items a sequence has, as int64; NULL after a complaint. What it is made of is computed
** here and now. */
IrValue *sequence_length(FnState *f, Operand *over, Span span);
/* Computes what a range or a sequence is made of here and now: it gets a name, and what it was made of
** may change. Others are left alone. */
void sequence_hold(FnState *f, Operand *over);
/* What such a sequence gives at `counter`. */
Operand sequence_item(FnState *f, const Operand *over, IrValue *counter, Span span);

/* ---- lower_iterator.c ------------------------------------------------------------------------- */

/* The item at `at` is taken. */
void iterator_move(FnState *f, const Operand *iterator, IrValue *at, Span span);

/* ---- lower_expr.c --------------------------------------------------------------------------- */

/* What may be None is taken for its value. */
Operand lower_expr(FnState *f, const AstExpr *expr);
/* The same, but what may be None stays so. */
Operand lower_maybe(FnState *f, const AstExpr *expr);

/* ---- lower_operand.c ------------------------------------------------------------------------ */

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

/* ---- lower_convert.c ------------------------------------------------------------------------ */

/* Numba's cast, of scalars and of tuples item by item. */
IrValue *convert(FnState *f, IrValue *value, const Type *type, Span span);
/* A value as bool, by Python's truth; NULL after a complaint. The second gives true then. */
IrValue *truth_of(FnState *f, IrValue *value, Span span);
IrValue *lower_truth(FnState *f, IrValue *value, Span span);
IrValue *lower_condition(FnState *f, const AstExpr *expr);

/* ---- lower_arithmetic.c, lower_nep50.c ---------------------------------------------------------- */

IrValue *lower_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
Operand lower_unary(FnState *f, const AstExpr *expr);
/* Says that there is no such operation; the value is poison. */
IrValue *lower_no_operation(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                            Span span);
/* What is to be done instead of an operation that there is not; "" if nothing is to be said. */
const char *operation_advice(const Type *left, const Type *right);
/* The operation on operands of the types it works in; the first under debug with a look at divisors. */
IrValue *lower_arithmetic(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_compute(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_power(FnState *f, Typing typing, IrValue *left, IrValue *right, Span span);
/* lower_binary() for kernels with typing="nep50"; the type that two values share. */
IrValue *lower_nep50(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
const Type *nep50_common(const IrValue *left, const IrValue *right);

/* ---- lower_compare.c ------------------------------------------------------------------------ */

Operand lower_compare(FnState *f, const AstExpr *expr);
/* A comparison of two values, tuples item by item. */
IrValue *compare_values(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);

/* ---- lower_optional.c ------------------------------------------------------------------------- */

/* None, or the result of what returns nothing. */
bool operand_is_none(Operand operand);
/* The value of what may be None, under debug with a look whether it is; other operands as they are. */
Operand optional_unwrap(FnState *f, Operand operand);
/* What can be joined with others: a value, an optional one, or type_none's for None. */
IrValue *optional_value(FnState *f, Operand operand, const AstExpr *expr);
/* The same for an item of a tuple. */
IrValue *optional_item(FnState *f, Operand operand, const AstExpr *expr);
/* A value, an optional one or None, as one of an optional type. */
IrValue *optional_convert(FnState *f, IrValue *value, const Type *type, Span span);
IrValue *optional_truth(FnState *f, IrValue *value, Span span);
/* == != is and `is not` where one side is None or may be; NULL if that is not so. */
IrValue *optional_compare(FnState *f, AstOp op, Operand a, Operand b, Span span);

/* ---- lower_range.c ---------------------------------------------------------------------------- */

/* How many turns a range takes, as int64; its number `index`, from 0; the call of an index. */
IrValue *range_length(FnState *f, const Operand *range, Span span);
IrValue *range_item(FnState *f, const Operand *range, IrValue *index, Span span);
Operand range_index(FnState *f, Operand *range, IrValue *index, Span span);
Operand range_attribute(FnState *f, const Operand *range, const AstExpr *expr);
/* value in range, as bool */
IrValue *range_contains(FnState *f, Operand *range, IrValue *value, Span span);

/* ---- lower_tuple.c, lower_number.c --------------------------------------------------------------- */

/* A tuple taken apart: an operand for each item. A variable it has to be put in is called `name`. */
Operand *tuple_operands(FnState *f, IrValue *tuple, const char *name, int *count, Span span);
/* tuple[start:stop:step], with bounds that are constants. */
Operand tuple_slice(FnState *f, IrValue *tuple, const Operand *slice, Span span);
/* < <= > >=, as Python orders tuples. */
IrValue *tuple_order(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
/* tuple * times, which is a constant; tuple.index(x) and tuple.count(x). */
IrValue *tuple_repeat(FnState *f, IrValue *tuple, IrValue *times, Span span);
Operand lower_tuple_method(FnState *f, const Call *call, IrValue *tuple, const char *name);
/* for x in literal_unroll(tuple): the body once for each item, typed anew. */
void lower_unrolled(FnState *f, const AstStmt *stmt, IrValue *tuple);
/* A method of a number. */
Operand lower_number_method(FnState *f, const Call *call, IrValue *object, const char *name);

/* lower_vector.c: the call float32x4(...); an item by its name. */
Operand lower_vector(FnState *f, const Call *call, const Type *type);
Operand tuple_attribute(FnState *f, IrValue *tuple, const AstExpr *expr);

typedef struct NamedTuple {
    TupleNames names;
    int count;
} NamedTuple;
/* The call namedtuple(...), and that of what it gives. */
Operand lower_namedtuple(FnState *f, const AstExpr *expr);
Operand lower_named(FnState *f, const Call *call, const NamedTuple *named);
bool is_named(const Type *type, const NamedTuple *named);

/* lower_enum.c: a member by its name; NULL after a complaint. */
Operand enum_member(FnState *f, const EnumClass *class, const char *name, Span span);
/* A value as what it is beside numbers: a member of an IntEnum as an integer. */
IrValue *plain_value(FnState *f, IrValue *value);
/* == != is and `is not` where one side at least is a member of an enumeration that is no integer, or
** identity is asked for. */
IrValue *compare_members(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);

/* lower_time.c: of datetime64 and timedelta64, one operand at least being one. */
IrValue *time_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *time_compare(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *time_unary(FnState *f, AstOp op, IrValue *time, Span span);
IrValue *time_abs(FnState *f, IrValue *time, Span span);
/* The same time in another unit, which typing_can_store() allows. */
IrValue *time_convert(FnState *f, IrValue *time, const Type *type, Span span);

/* lower_limits.c: np.finfo and np.iinfo, and what they have. */
Operand limits_attribute(FnState *f, const Operand *limits, const AstExpr *expr);

/* ---- lower_closure.c -------------------------------------------------------------------------- */

void lower_def(FnState *f, const AstStmt *stmt);
Operand lower_lambda(FnState *f, const AstExpr *expr);
/* The arguments for the names that a function reads from around it; false after a complaint. */
bool closure_captures(FnState *f, const Function *function, Operand *args, Span call);
/* The function with what it reads, to be passed on; NULL after a complaint. */
const Function *closure_bind(FnState *f, const Function *function, Span span);

/* ---- lower_literal.c -------------------------------------------------------------------------- */

enum { LITERAL_PARAMS = 32 }; /* parameters behind these are never literal */

/* The constant, or tuple of constants, that a value is known to be; NULL if it is none, or will be one
** when the function is lowered for it. */
IrValue *literal_value(FnState *f, IrValue *value);
/* The same, but a function is never lowered again for it. */
IrValue *literal_known(FnState *f, IrValue *value);
/* Whether it is a constant or a tuple of constants as it stands. */
bool literal_is(const IrValue *value);
/* Makes the arguments that the callee wants as constants so, where they are; whether any was. */
bool literal_arguments(FnState *f, const Function *function, Operand *args, int count);
bool literal_same(const IrValue *a, const IrValue *b);

/* ---- lower_thing.c ---------------------------------------------------------------------------- */

/* A text, a type or a function as a value of a type of its own, and a range as a tuple: what tuples
** hold. NULL for what has none. */
IrValue *thing_value(FnState *f, Operand operand);
/* What such a value stands for; any other operand itself. */
Operand thing_operand(FnState *f, Operand operand);
bool type_is_thing(const Type *type); /* ranges are */
bool type_is_range(const Type *type);
/* Whether a text, a type or a function is one of a tuple's items. */
bool thing_is_in(const Operand *operand, const Type *tuple);

/* ---- lower_order.c ------------------------------------------------------------------------ */

/* Lowers several, left to right, so that effects of later ones do not change earlier ones. What may be
** None stays so. */
void lower_list(FnState *f, AstExpr *const *exprs, int count, Operand *out);
/* A variable that holds `value` from before the statement `place` of the present region on; NULL for
** its end. */
IrValue *spill_before(FnState *f, IrStmt *place, IrValue *value, const char *name);
/* Spills `*value` before `place` if the statements from there on, if any, might change it. */
void keep_before(FnState *f, IrStmt *place, IrValue **value);
/* The first statement after `last` in the present region, `last` being NULL for its start. */
IrStmt *statement_after(const FnState *f, const IrStmt *last);
/* A value that may be used again and again: spilled to a variable unless it costs nothing. */
IrValue *lower_stable(FnState *f, IrValue *value, const char *name);
/* A tuple whose items may be used again and again, as far as each of them may. */
IrValue *stable_tuple(FnState *f, IrValue *tuple, const char *name);

/* ---- lower_choice.c ----------------------------------------------------------------------- */

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

/* ---- lower_attribute.c, lower_array.c --------------------------------------------------------- */

Operand lower_attribute(FnState *f, const AstExpr *expr);
/* array.name; x.flags.c_contiguous and x.ctypes.data, `part` being x.flags. */
Operand array_attribute(FnState *f, IrValue *array, const AstExpr *expr);
Operand part_attribute(FnState *f, Operand part, const AstExpr *expr);
Operand array_transposed(FnState *f, IrValue *array, Span span);
IrValue *array_shape(FnState *f, IrValue *array, Span span); /* a tuple */
IrValue *array_extent(FnState *f, IrValue *array, int axis, Span span);
IrValue *array_stride(FnState *f, IrValue *array, int axis, Span span); /* bytes */
IrValue *array_size(FnState *f, IrValue *array, Span span);             /* elements */
/* The element of an array without axes, which stands for it where numbers are needed; else the value. */
IrValue *array_single(FnState *f, IrValue *value);

/* ---- lower_index.c -------------------------------------------------------------------------- */

Operand lower_index(FnState *f, const AstExpr *expr);
/* The object and the indices of `object[indices]`, in Python's order; false after a complaint. */
bool lower_subscript(FnState *f, const AstExpr *expr, Operand *object, Operand **indices,
                     int *count);
/* Whether all indices are values, one an axis: neither slices nor None nor '...'. */
bool indices_plain(const Operand *operands, int count);
/* Integer indices for every axis of an array, cast; NULL after a complaint. `floats` lets floats
** be truncated, as numba's atomics do. The second takes as many as there are. */
IrValue **lower_indices(FnState *f, IrValue *array, Operand index, bool floats, int *count);
IrValue **cast_indices(FnState *f, const Operand *operands, int count, bool floats);
/* One index as int64 or uint64; NULL after a complaint. */
IrValue *cast_index(FnState *f, Operand operand, bool floats);
/* Complains of too many indices, or too few. */
void fail_index_count(FnState *f, const IrValue *array, int count, Span span);
/* Says where what cannot be indexed has its type from: from an assignment or, a parameter, from the call. */
void note_parameter(FnState *f, const AstExpr *object, const IrValue *value);
IrValue *lower_load(FnState *f, IrValue *array, IrValue **indices, Span span);
/* Row `index` of an array: an element, or a view of the other axes. */
IrValue *lower_row(FnState *f, IrValue *array, IrValue *index, Span span);
/* Under debug: reports indices that are out of range. The indices may be given variables. */
void lower_bounds(FnState *f, IrValue *array, IrValue **indices, Span span);
void lower_bound(FnState *f, IrValue *array, int axis, IrValue **index, Span span);

/* ---- lower_store.c -------------------------------------------------------------------------- */

void lower_store(FnState *f, const AstExpr *target, Operand value);
void lower_aug_assign(FnState *f, const AstStmt *stmt);

/* ---- lower_fill.c ------------------------------------------------------------------------- */

/* Loops inside one another, one an axis, from 0 up to `extents`. Between open and close, statements
** go into the innermost; `at` holds the counters. */
typedef struct Nest {
    IrRegion *outer;
    IrValue *at[RANK_MAX];
    int rank;
} Nest;

void nest_open(FnState *f, Nest *nest, IrValue *const *extents, int rank, Span span);
void nest_close(FnState *f, const Nest *nest);
/* An array whose place no statement changes: calls and indices that read memory are done once. */
IrValue *stable_array(FnState *f, IrValue *array);
void stable_extents(FnState *f, IrValue *array, IrValue **extents, Span span);
/* An element read or written, without a check of the indices: int64 or uint64, one an axis. */
IrValue *array_element(FnState *f, IrValue *array, IrValue *const *indices, Span span);
void array_store(FnState *f, IrValue *array, IrValue *const *indices, IrValue *value, Span span);
/* view[...] = source and view[...] op= source; the source is a number, an array or a tuple. */
void lower_fill(FnState *f, IrValue *view, IrValue *source, Span span);
void lower_fill_op(FnState *f, IrValue *view, AstOp op, IrValue *source, Span span);

/* ---- lower_record.c ------------------------------------------------------------------------ */

/* The type that an expression names, constants of the module included; NULL after a complaint. */
const Type *lower_type(FnState *f, const AstExpr *expr);
/* The same of a signature's types. */
bool lower_signature(FnState *f, const AstExpr *expr, const char **name, Signature *signature);
/* The call np.dtype(...), numba.from_dtype(...) or record(...): a type. */
Operand lower_dtype(FnState *f, const AstExpr *expr);
/* Whether a value is an array of records, or a reference to one record. */
bool is_of_records(const IrValue *value);
/* Field `index` of such a value, an array: without axes if it is one thing. */
IrValue *lower_field(FnState *f, IrValue *array, int index, Span span);
/* What stands for a field where it is read: its one element, unless that is a record. */
IrValue *lower_field_value(FnState *f, IrValue *field, Span span);
/* Whether what stands in brackets behind `array` is to name a field; and that field, poison after a
** complaint. */
bool names_field(const IrValue *array, const Operand *indices, int count);
IrValue *lower_field_at(FnState *f, IrValue *array, Operand index);
/* Complains that there is no such field. */
void lower_no_field(FnState *f, const IrValue *array, const char *name, Span span);

/* ---- lower_signature.c --------------------------------------------------------------------- */

/* The declared signature that fits these arguments best, of a function that declares some: its numbers
** as declared, its arrays as they are given. False after a complaint. */
bool signature_choose(FnState *f, const Function *function, const Operand *args, Span call,
                      Signature *chosen);
/* The same for the call of a device function: converts the arguments. `*result` is NULL if no
** signature says it. */
bool signature_apply(FnState *f, const Function *function, Operand *args, Span call,
                     const Type **result);
/* ---- lower_constant.c ------------------------------------------------------------------------ */

/* What Python gives for an operation on two constants of the module: NULL if that is what kernels
** give too, and outside of such constants. */
IrValue *lower_constant_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                               Span span);
/* round(value) or round(value, digits), likewise. */
IrValue *lower_constant_round(FnState *f, const IrValue *value, const IrValue *digits, Span span);
/* The function of math that a constant means by one of NumPy's: np.sqrt; others as they are. */
Operand lower_constant_callee(FnState *f, Operand callee);

/* ---- lower_table.c, lower_table_value.c ----------------------------------------------------- */

enum { TABLE_MAX = 1 << 20 }; /* bytes of a constant array */

/* The call np.array(...), np.zeros(...) and so on: a constant array, at module level only. */
Operand lower_table(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr);
/* A constant array of zeros, to be filled; NULL if it would be too big. */
IrTable *lower_table_new(Arena *arena, const Type *element, int rank, const int64_t *shape);
/* It as a value that belongs to no function. */
IrValue *lower_table_value(FnState *f, IrTable *table, Span span);
/* The same in the function at hand; tuples of them too, and other values as they are. */
IrValue *lower_table_in_function(FnState *f, IrValue *value);
/* What the constant `name` stands for: views of constant arrays become arrays of their own. */
IrValue *lower_table_settle(FnState *f, IrValue *value, const char *name);
/* An element that is known while compiling, or NULL. */
IrValue *lower_table_load(FnState *f, IrValue *array, IrValue *const *indices, Span span);
/* An operation on whole arrays, by NumPy's rules, at module level. */
IrValue *lower_table_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *lower_table_negated(FnState *f, IrValue *array, Span span);
/* A method that makes an array, at module level; OPD_NONE if it is none of these. */
Operand lower_table_method(FnState *f, const Call *call, IrValue *array);
/* Complains that an array cannot be written to. */
void lower_readonly(FnState *f, const IrValue *array, Span span);

/* ---- lower_view.c ------------------------------------------------------------------------- */

/* The view that these indices give. */
Operand lower_view(FnState *f, IrValue *array, const Operand *operands, int count, Span span);

/* The extent of a view where the view itself says it, else NULL. */
IrValue *view_extent(FnState *f, IrValue *array, int axis, Span span);

/* ---- lower_call.c --------------------------------------------------------------------------- */

Operand lower_call(FnState *f, const AstExpr *expr);
/* An effect's value takes effect here and now; the result is a variable, or nothing. */
Operand lower_effect(FnState *f, const AstExpr *expr, IrValue *value);
/* Calls library_own()'s function; `args` are values, and `expr` is what stands in the text. */
Operand lower_library_call(FnState *f, const AstExpr *expr, const char *name, Operand *args,
                           int count);

/* ---- lower_isinstance.c --------------------------------------------------------------------- */

/* The call isinstance(x, T): a constant. */
Operand lower_isinstance(FnState *f, const AstExpr *expr);

/* ---- lower_memory.c --------------------------------------------------------------------------- */

/* The name of a shared or local array until it is assigned to one. */
#define UNNAMED_ARRAY "array"
/* The scalar type that a dtype argument names; NULL after a complaint. */
const Type *dtype_argument(FnState *f, const Operand *dtype);

/* ---- lower_method.c, lower_reduce.c ---------------------------------------------------------- */

/* array.name(...) */
Operand lower_method(FnState *f, const Call *call, IrValue *array, const char *name);
/* An array as one axis, rows after one another; NULL where its elements do not lie so. */
IrValue *array_flat(FnState *f, IrValue *array, Span span);
/* The real or imaginary parts of a complex array, as an array. */
IrValue *array_part(FnState *f, IrValue *array, bool imag, Span span);
/* The methods of lower_reduce.c. */
Operand lower_sum(FnState *f, const Call *call, IrValue *array);
Operand lower_extreme(FnState *f, const Call *call, IrValue *array);
Operand lower_all(FnState *f, const Call *call, IrValue *array);

/* ---- lower_walk.c ----------------------------------------------------------------------------- */

/* x.flat */
Operand lower_flat(FnState *f, IrValue *array, Span span);
/* How many turns a loop over it takes, and what turn `counter`, int64, gives. */
IrValue *walk_length(FnState *f, const Operand *walk, Span span);
IrValue *walk_item(FnState *f, const Operand *walk, IrValue *counter, Span span);
/* The indices of element number `counter`, the last axis running fastest. */
void walk_indices(FnState *f, const Operand *walk, IrValue *counter, IrValue **indices, Span span);

#endif
