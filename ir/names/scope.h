/* What names are bound to while a module is resolved. Only ir/names/ and ir/names/change/ include
** this.
**
** Nothing is complained of here. Each symbol keeps the error in the statement that binds it, which
** is reported where the symbol is read: so a file may hold anything beside its kernels. */
#pragma once

#include "base/table.h"
#include "ir/names/operand.h"

/* The names of a file, or of a class or function in it. */
struct Module {
    Arena *arena;
    const char *name; /* of a file: its source; of a scope: of its class or function */
    Module *outer;    /* around a scope; NULL for a file */
    bool is_class;    /* whose names are not seen by the functions in it */
    int at;           /* the order in `outer` of what its statements see; -1: its end */
    bool standard;    /* of the standard library */
    Table symbols;    /* the last of each name */
    Symbol **list;    /* in order of definition */
    int count, capacity;
    int order;     /* of the next symbol */
    Symbol **runs; /* what only running statements tells, in branches, too */
    int run_count, run_capacity;
    Table parts;     /* modules inside a package, as symbols */
    Module **scopes; /* of its classes and functions */
    int scope_count, scope_capacity;
    const Function **described; /* of a file, all that a `def` makes */
    int described_count, described_capacity;
    Module **starred;
    int starred_count, starred_capacity; /* from which everything was imported */
    const char **spaces;                 /* built-in namespaces, of which everything was imported */
    int space_count, space_capacity;
    Symbol *lost_star;         /* a star import of what is not there */
    const AstClass *class_ast; /* of a class */
    const Module **bases;
    int base_count, base_capacity;
    Table bound;         /* of a class, its functions that are given it, once they are read */
    KernelInfo *kernels; /* of a file, those in its scopes with them */
    int kernel_count, kernel_capacity;
    Complaints broken;      /* a file that could not be read */
    size_t followed;        /* of a file: bytes that following its statements took */
    struct HeapNames *held; /* what its names hold: change/heap.h */
};

/* A branch, the symbols from number `begin` on before `end`, that has not run where its else or
** elif is read. */
typedef struct BranchNotRun {
    const Module *module;
    int begin, end;
    const struct BranchNotRun *outer;
} BranchNotRun;

/* The statements of a body from number `from` on, and what follows it. */
typedef struct Rest {
    const AstBody *body;
    int from;
    const struct Rest *outer;
} Rest;

typedef struct Resolver {
    Arena *arena;
    Diags *diags; /* of what is being resolved, until a symbol takes them */
    Module *module;
    ModuleFinder *finder;
    void *context;
    bool is_main;           /* the file that was asked for */
    bool in_main;           /* under a condition on __name__ */
    const AstStmt *running; /* what stands at module level and only running it tells of; or NULL */
    int running_begin;      /* the order of the first symbol that it binds */
    const BranchNotRun *other;
    const Rest *rest; /* what the branches of the statement at hand go on with, as it may return */
    int making;       /* how many calls of factories it is inside of */
    int inside;       /* how many statements, of which some may not run */
} Resolver;

/* ---- module.c ------------------------------------------------------------------------------ */

/* Binds a name anew. */
Symbol *scope_define(Resolver *r, const char *name, SymbolKind kind, Span span);
/* Binds it to what kjit cannot use: `reason` is the end of "'name' ...". */
Symbol *scope_define_unknown(Resolver *r, const char *name, Span span, const char *reason);
/* The same for what the statement at hand binds or changes, if it can be run for that. */
Symbol *scope_define_run(Resolver *r, const char *name, Span span, const char *reason);
Module *scope_new(Arena *arena, const char *name, Module *outer, bool is_class);
/* One of a class or function that `outer` binds. */
Module *scope_inside(Module *outer, const char *name, bool is_class);
/* The file that a scope lies in. */
Module *scope_file(Module *module);
/* A name for the kernels of a scope: "factory.kernel". */
const char *scope_path(const Resolver *r, const char *name);

/* ---- resolve.c ----------------------------------------------------------------------------- */

void resolve_statement(Resolver *r, const AstStmt *stmt);
/* Gives complaints, from number `mark` on, to the symbols from number `first` on. */
void scope_keep_complaints(Resolver *r, size_t mark, int first);
Symbol *resolve_constant(Resolver *r, const char *name, Span span, const AstExpr *value, int item);

/* ---- branch.c ------------------------------------------------------------------------------ */

void resolve_body(Resolver *r, const AstBody *body);
/* A part of the statement at hand, and what follows that if it may return. */
void resolve_branch(Resolver *r, const AstBody *body);
void resolve_if(Resolver *r, const AstStmt *stmt);
/* What a name is bound to at the statement at hand; NULL: nothing. */
Symbol *scope_bound(const Resolver *r, const char *name);

/* ---- change/statement.c -------------------------------------------------------------------- */

/* What a statement changes in place is not known from here on, unless running it tells. */
void change_by_statement(Resolver *r, const AstStmt *stmt);
/* The same of what a statement evaluates in front of those inside it, which are resolved. */
void change_by_header(Resolver *r, const AstStmt *stmt);
/* The same of what is done at its end. */
void change_by_end(Resolver *r, const AstStmt *stmt);
/* Gives a parameter, a name of the module, what an expression of another one holds. */
void change_bind(Resolver *r, const char *name, Resolver *outer, const AstExpr *value);

/* ---- try.c --------------------------------------------------------------------------------- */

void resolve_try(Resolver *r, const AstTry *stmt);
/* Whether it goes on behind a 'with' when something in that has raised: contextlib.suppress(). */
bool with_suppresses(const AstWith *stmt);
/* The body of a 'with', which suppress() makes a 'try' with an empty handler. */
void resolve_with_body(Resolver *r, const AstWith *stmt);

/* ---- import.c ------------------------------------------------------------------------------ */

/* Whether a module, or a part of it, is of Python's own library. */
bool resolve_is_of_python(const char *module);
void resolve_import(Resolver *r, const AstStmt *stmt);
void resolve_from_import(Resolver *r, const AstStmt *stmt);
/* Complains of a name that kernels cannot use for a reason that is known. */
bool resolve_refused(Resolver *r, const char *path, Span span);

/* ---- jit.c --------------------------------------------------------------------------------- */

typedef enum Maker { MAKES_NOTHING, MAKES_KERNEL, MAKES_FUNCTION } Maker;

/* A call on the way from a decorator to jit. */
typedef struct JitCall {
    const AstExpr *call;
    int first; /* which argument is the signature, if any is */
    const Module *module;
    const AstFunction *function; /* of the program, in whose text it stands; or NULL */
    const AstExpr *given;        /* the call of that; NULL: it is not called */
    const Module *given_in;
    bool inside; /* it stands in a function or class of the program */
} JitCall;

/* What a decorator comes to, and the calls that give it options, the last ones counting. */
typedef struct Jit {
    Maker maker;
    JitCall calls[8];
    int count;
} Jit;

/* Whether a decorator, called or not, is jit or something of the program that calls it. */
bool jit_find(Resolver *r, const AstExpr *expr, Jit *jit);
/* Calls `take` with each option of a call whose value shows in the text. */
typedef void JitOption(void *context, const AstKeyword *keyword);
void jit_options(const JitCall *call, JitOption *take, void *context);
/* What a call, which may be NULL, gives parameter number `at` of a function; NULL: nothing. */
const AstExpr *call_argument(const AstExpr *call, const AstParams *params, int at);
/* The signature, or signatures, that a call gives; NULL: none. */
AstExpr *jit_signature(const JitCall *call);

/* ---- wrapper.c ----------------------------------------------------------------------------- */

/* What a decorator that is not jit makes of a function: nothing is known of the name, the function
** itself, something else, or what a module makes of it that is not there. */
typedef enum Wrapper { WRAPPER_NONE, WRAPPER_SAME, WRAPPER_OTHER, WRAPPER_UNKNOWN } Wrapper;

Wrapper wrapper_of(Resolver *r, const AstExpr *decorator);
/* Whether a body reads the index of its thread. */
bool asks_for_thread(Resolver *r, const AstBody *body);

/* ---- expand.c ------------------------------------------------------------------------------ */

/* A text as an expression. */
AstExpr *expand_text(Arena *arena, const char *text, Span span);
/* A signature, or what gives some, with what the program's names and functions say written into
** it. */
AstExpr *signature_expand(Arena *arena, const Module *module, const AstExpr *expr);

/* ---- decorator.c --------------------------------------------------------------------------- */

/* "cuda.jit" for the expression cuda.jit under this module's imports; NULL if it is no path. */
const char *resolve_path(Resolver *r, const AstExpr *expr);
/* The same of a decorator, which an `if` may import: that is taken to be there. */
const char *decorator_path(const Module *module, const AstExpr *expr);
void resolve_function(Resolver *r, const AstStmt *stmt);
/* named_tuple.c: binds a class that is a NamedTuple, whose methods stay the host's; false of other
** classes. */
bool resolve_named_tuple(Resolver *r, const AstClass *ast);
/* name = cuda.jit(f, device=True): binds it, if that is what the value is. */
bool resolve_jitted(Resolver *r, const char *name, Span span, const AstExpr *value);
/* Adds a function to the kernels of the file, whatever its name is. */
void resolve_kernel(Resolver *r, const char *name, Symbol *symbol);
/* Makes kernels of functions that are given to jit in expressions of a body. */
void resolve_given(Resolver *r, const AstBody *body);
/* A function of this module, which has nothing but its text yet. */
Function *function_new(Resolver *r, const AstFunction *ast);

/* ---- made.c -------------------------------------------------------------------------------- */

/* The name that a return binds. */
#define RETURNED "return"

/* Whether something in the body is a function with a decorator, a class, or made by cuda.jit(f). */
bool has_kernels(const AstBody *body);
/* The names inside a function that makes kernels, by itself (NULL) or by a call. */
Module *resolve_factory(Resolver *r, const Function *function, const char *name,
                        const AstExpr *call);
/* A name was bound to a value: to a kernel, perhaps, which is the name's, then. */
void resolve_made(Resolver *r, Symbol *symbol, const AstExpr *value);
void resolve_return(Resolver *r, const AstStmt *stmt);

/* ---- class.c ------------------------------------------------------------------------------- */

void class_take_bases(Resolver *r, Module *class, const AstClass *ast);
/* What a class has under a name, by itself or by its bases; NULL: nothing. */
Symbol *class_member(const Module *class, const char *name);

/* ---- foreign.c ----------------------------------------------------------------------------- */

/* name = cuda.declare_device("f", "int32(int32)"): binds it, if that is what the value is. */
bool resolve_declared(Resolver *r, const char *name, Span span, const AstExpr *value);
