/* What names stand for: functions, constants and built-ins of a module; and what an expression
** stands for while it is lowered, an Operand. Nothing outside ir/ includes this. */
#pragma once

#include "base/format.h"
#include "ir/ir.h"
#include "ir/names/fixed.h"

typedef struct Lower Lower;
typedef struct FnState FnState;
typedef struct Specialisation Specialisation;
typedef struct Call Call;

/* An option whose value the text does not show: what gives it, and the module whose names that
** reads, as far as the symbol number `order` has bound them. */
typedef struct PendingOption {
    AstKeyword keyword;
    const Module *module;
    int order;
} PendingOption;

/* A function of a module, as its decorators describe it. */
typedef struct Function {
    const char *name;
    Module *module;
    const AstFunction *ast;
    const Module *scope; /* it stands in, a class's too: default values see what that, */
    int order;           /* as far as this symbol, has bound */
    bool kernel;
    bool compiled; /* by a decorator that says so */
    bool partial;  /* functools.partial() made it: no kernel, and nothing that jit takes */
    bool of_class; /* @classmethod: its first parameter is the class */
    bool of_none;  /* @staticmethod: it is given neither object nor class */
    bool property; /* what it returns is an attribute of its object */
    IrOptions options;
    PendingOption *pending; /* options that lower/options.c reads */
    int pending_count, pending_capacity;
    Span deterministic;                 /* where that is said */
    const AstExpr *wrapped;             /* a decorator that makes something else of it, or NULL */
    const AstExpr *assumed;             /* one that nothing is known of, or NULL */
    AstExpr *example, *tune, *schedule; /* the calls, or NULL */
    AstExprs signatures;                /* as the decorator lists them, unevaluated, */
    const Module *signed_in;            /* who stands here, */
    int signed_at;                      /* as far as this symbol */
    AstExprs links;                     /* of link=, likewise */
    int captured;                       /* how many of its last parameters are captured arrays */
    const IrForeign *foreign;           /* it is declared, and defined in what is linked; or NULL */
    /* of a function inside a function: lower/call/closure.c */
    const FnState *owner;        /* which it stands in; valid while that is lowered */
    int captures;                /* how many of its last parameters are names from around it */
    const struct Operand *bound; /* what these hold, once it is passed on */
    struct Operand *defaults;    /* of its parameters, as they were where it stands */
    const FnState *run;          /* of a function, for a constant, that has made it: its names are
                                 ** what that has left them; or NULL */
} Function;

/* class NAME(Enum) or (IntEnum), with constants: lower/value/enum.c. */
typedef struct EnumClass {
    TupleNames names; /* of its members' type */
    Module *module;
    bool integer, unique;
    bool flags; /* of an IntFlag: auto() gives the next bit */
    const AstStmt *ast;
} EnumClass;

typedef enum SymbolKind {
    SYMBOL_FUNCTION,
    SYMBOL_CONSTANT,
    SYMBOL_BUILTIN,
    SYMBOL_ENUM,
    SYMBOL_MODULE, /* a module, or a class that is no enumeration */
    SYMBOL_CHOICE, /* what one branch of an `if` binds, or the other */
    SYMBOL_IMPORT, /* a name of another module that is not there */
    SYMBOL_UNKNOWN /* what kjit cannot use, though the file binds it */
} SymbolKind;

/* What is known of a condition. */
typedef enum Decision { DECIDE_NOT_ASKED, DECIDE_THEN, DECIDE_OTHERWISE, DECIDE_UNKNOWN } Decision;

/* A name at module level, or of a class or a function that holds kernels. */
typedef struct Symbol {
    SymbolKind kind;
    const char *name;
    Module *module; /* where it is defined; of a parameter with a value: where that is read */
    Module *place;  /* of such a parameter: whose it is; else NULL */
    Span span;
    union {
        Function *function;
        struct {
            const AstExpr *value;
            int item;
        } constant;       /* item of a tuple, or -1 */
        const char *path; /* a built-in's, "cuda.grid" */
        const EnumClass *enumeration;
        Module *of;
        struct {
            Module *from;
            const char *name, *module; /* as the import calls them */
        } import;
        struct {
            const AstExpr *condition;
            struct Symbol *then, *otherwise; /* NULL: nothing */
            struct Symbol *last;             /* of the name, in the branches */
            int begin, middle, end;          /* orders: of the first branch, and of the other */
            Decision decision;
            bool contested; /* it is unknown, and a kernel's name hangs on it */
        } choice;
        struct {
            const char *reason; /* the end of "'name' ..." */
            const char *where;  /* it was looked for, or NULL */
            const AstStmt *by;  /* the statement that binds or changes it, if only running that
                                 ** tells what it is; or NULL */
            int begin;          /* the order of what that sees */
            bool lost; /* running that does not tell: another name's change is this one's */
        } unknown;
    };
    struct Symbol *previous; /* of the same name, which it replaces; or NULL */
    struct Symbol *result;   /* a function that a constant is, or a choice of such; NULL: none.
                             ** Itself, if a factory returns what is none */
    struct Symbol **parts;   /* of a tuple, a list or the values of a dictionary with functions
                             ** among them, one for each; or NULL */
    int part_count;
    const AstExprs *part_keys; /* of the dictionary, or NULL */
    Module *inside;            /* of a function that holds kernels: its names; or NULL */
    int order;                 /* among the module's */
    Complaints complaints;
} Symbol;

/* ---- module.c ------------------------------------------------------------------------- */

/* What a name stands for at the end of a module, or around the scope that it is; NULL: nothing. An
** import stands for what it imports. */
Symbol *module_symbol(const Module *module, const char *name);
/* The same as of a place in the module: what comes before the symbol number `order`. */
Symbol *module_symbol_before(const Module *module, const char *name, int order);
/* Both, of which imports are left as they are; and what such a symbol, which may be NULL, imports.
** ORDER_END is the end. */
enum { ORDER_END = INT32_MAX };
Symbol *module_bound_before(const Module *module, const char *name, int order);
Symbol *symbol_imported(Symbol *symbol);
/* What the last of the defines that are of a symbol gives; NULL: there is none. */
const AstExpr *symbol_defined(const Define *defines, int count, const Module *file,
                              const Symbol *symbol);
/* Whether a Define may be of a symbol; and whether one of that name is. */
bool symbol_may_be_defined(const Symbol *symbol);
bool symbol_is_called(const Symbol *symbol, const Module *file, const char *define);
/* What is bound in the module itself, imports being left as they are. */
/* What a name whose last symbol is `symbol` stood for before the symbol number `order`; NULL:
** nothing. */
Symbol *symbol_before(Symbol *symbol, int order);
Symbol *module_binding(const Module *module, const char *name);
/* What name stands for in a module or class from outside. */
Symbol *module_symbol_in(const Module *module, const char *name);
bool module_is_file(const Module *module); /* and not a function or class in one */
/* A file of a package, which is found beside what the package binds; NULL: none. */
Symbol *module_part(const Module *package, const char *name);
/* What a.b.c stands for, a being a module's name and the others modules' or classes'. */
Symbol *module_path_symbol(const Module *module, const AstExpr *expr);
/* What a statement binds or changes as symbol.unknown.by says: number `index` of them, NULL behind
** the last. */
const Symbol *module_bound_by(const Symbol *symbol, int index);
/* All names of a module, for suggestions; allocated in the arena given. */
const char **module_names(const Module *module, Arena *arena, int *count);
/* By the path that names a kernel: "f", "factory.f", "Class.f". */
Function *module_function(const Module *module, const char *path);
Symbol *module_function_symbol(const Module *module, const char *path);
/* Calls `meet` with each choice on the way of a kernel's path, before it is asked what that is. */
typedef void ChoiceVisitor(void *context, Symbol *choice);
void module_each_choice(const Module *module, const char *path, ChoiceVisitor *meet, void *context);
/* Whether a module is the standard library's: its source is called std:NAME. */
bool module_is_standard(const Module *module);
/* Whether a module is the file, or a class or function in it. */
bool module_in(const Module *module, const Module *file);
/* The file that a module is, or lies in, as the user knows it. */
const char *module_source(const Module *module);
/* The text of a class, NULL of what is none. */
const AstClass *module_class(const Module *module);
/* A class and its bases, and theirs, in the order in which an attribute is looked for. */
enum { CLASS_ORDER_MAX = 64 };
int module_class_order(const Module *class, const Module *order[CLASS_ORDER_MAX]);
/* Whether it is a class or a function of a file. */
bool module_is_scope(const Module *module);
/* Whether it is a class. */
bool module_is_class(const Module *module);
/* The scope itself, or the one around it if it is a class, whose names functions do not see. */
const Module *module_around_class(const Module *module);
/* `from x import *` of a module that is not there; NULL: there is none. */
const Symbol *module_lost_star(const Module *module);
/* Built-in namespaces of which a module has imported everything: number `index`, NULL behind the
** last. */
const char *module_starred_space(const Module *module, int index);
/* Why a module could not be read; NULL if it could. */
const Complaints *module_complaints(const Module *module);

/* ---- decorator.c ----------------------------------------------------------------------- */

/* "cuda.jit" for the expression cuda.jit under a module's imports; NULL if it is no path. */
const char *module_path_of(Arena *arena, const Module *module, const AstExpr *expr);

/* Whether an expression is jit, of a kernel or a device function. */
bool module_is_jit(const Module *module, const AstExpr *expr);
bool module_is_kernel_jit(const Module *module, const AstExpr *expr); /* of a kernel */

/* ---- options.c ------------------------------------------------------------------------- */

/* One keyword of @cuda.jit(...). */
void options_take(Arena *arena, Diags *diags, Function *function, const AstKeyword *keyword);
/* Whether what an option's value is has to be computed: lower/options.c does. */
bool options_wait(const AstKeyword *keyword);

/* ---- foreign.c --------------------------------------------------------------------------- */

/* What link= names: one thing, or those of a list. */
void links_take(Arena *arena, AstExpr *value, AstExprs *links);

/* ---- captured.c ----------------------------------------------------------------------- */

/* Adds what a decorator says behind captures=: names of arrays that the launch gives. */
void captures_take(Arena *arena, Diags *diags, Function *function, const AstExpr *value);

/* ---- expand.c --------------------------------------------------------------------------- */

/* Whether an annotation names one of numba's types, float32 or float32[:]; Python's own say
** nothing. */
bool names_type(const AstExpr *annotation);

/* ---- example.c ------------------------------------------------------------------------- */

/* Complains of what an @example names and the kernel has not. */
void example_check(Arena *arena, Diags *diags, const AstExpr *example, const AstFunction *kernel);

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
    OPD_LITERAL,  /* an argument that stays a constant in the callee: lower/call/literal.c */
    OPD_NAMED,    /* what namedtuple(...) gives */
    OPD_ENUM,     /* an enumeration, not one of its members */
    OPD_MODULE,   /* a module, or a class that is no enumeration */
    OPD_BUNDLE,   /* a dictionary or object that is constant: lower/value/bundle.c */
    OPD_METHOD,   /* object.name, to be called */
    OPD_ITERATOR, /* iter(...): lower/value/iterator.c */
    OPD_WALK      /* x.flat of rows that do not lie whole, np.ndindex(...): lower/array/walk.c */
} OperandKind;

typedef struct Bundle Bundle;
typedef struct Operand Operand;
struct Operand {
    OperandKind kind;
    Span span;
    union {
        IrValue *value;
        struct {
            const char *text;
            size_t length;      /* in bytes */
            int64_t characters; /* of bytes, how many these are */
            bool bytes;         /* it is b"..." */
        } string;
        struct {
            const Type *type;
            Padding padding; /* of a dtype */
        };
        const Function *function;
        IrIntrinsic intrinsic;
        const FixedFunction *fixed;
        const struct NamedTuple *named;
        const EnumClass *enumeration;
        const Symbol *module;
        const Bundle *bundle;
        const char *path;
        struct {
            IrValue *range[3]; /* start, stop, step, of one type */
            int unroll;        /* as of IR_FOR */
        };
        struct {
            Operand *parts;
            int count;
            IrValue *start;
            bool taken;
        } sequence; /* start: of enumerate; taken: the parts are iterators */
        struct {
            Operand *over;
            IrValue *length;
            IrVar *position;
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

static inline Operand operand_text(Arena *arena, const char *text, size_t length, Span span)
{
    return (Operand){ .kind = OPD_STRING,
                      .span = span,
                      .string = { .text = arena_strndup(arena, text, length),
                                  .length = length,
                                  .characters = (int64_t)format_characters(text, length) } };
}

static inline Operand operand_error(Span span)
{
    return (Operand){ .kind = OPD_ERROR, .span = span };
}

/* How a call of an intrinsic is lowered: rules.def. */
typedef enum Rule {
#define UNCALLED(id)                              RULE_##id,
#define RULE(id, function, least, most, keywords) RULE_##id,
#include "ir/names/tables/rules.def"
} Rule;

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
/* The module of the standard library, by its name, behind the namespace that a path lies in; NULL
** if there is none, or the path names what is such a module's own. */
const char *builtin_library(const char *path);
/* The names of these modules, some twice; NULL behind the last. */
const char *builtin_library_name(size_t index);

/* Whether a function of NumPy's, or a method, may give a part of the array that it is given, or all
** of it. */
bool builtin_looks_at(const char *name);

/* ---- assigned.c: which names a text assigns and reads -------------------------------------- */

/* Whether running `body` assigns `name`. */
bool names_assigned(const AstBody *body, const char *name);
/* How many places assign `name`. */
int names_count(const AstBody *body, const char *name);
