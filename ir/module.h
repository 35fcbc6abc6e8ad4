/* Modules as they are before types are known (names/), and what becomes IR of one of their kernels
** for the types of a call (lower/). */
#pragma once

#include "ir/ir.h"

/* ---- names/module.c: names at module level ------------------------------------------------ */

typedef struct Module Module;

/* Finds a module: "a.b", with dots in front where an import is relative to its file. NULL if there
** is none, `*why` telling where it was looked for (or NULL). One that cannot be read is there, and
** broken. */
typedef Module *ModuleFinder(void *context, const char *name, Span span, const char **why);

/* A module without names; `source` is what its text is called. */
Module *module_new(Arena *arena, const char *source);
/* Binds its imports, constants, functions and classes. Nothing is reported: an error in a name is
** reported when a kernel reads it. `is_main`: it is the file that was asked for. `finder` (NULL:
** none) is asked for every import that is not one of the built-in namespaces. */
void module_bind(Module *module, Diags *diags, const AstModule *ast, bool is_main,
                 ModuleFinder *finder, void *context);
/* Both of a main module. */
Module *module_resolve(Arena *arena, Diags *diags, const AstModule *ast, ModuleFinder *finder,
                       void *context);
/* Marks a module as one that could not be read: the error is reported when one of its names is
** read. */
void module_break(Module *module, const Diag *complaints, size_t count);
/* Makes `part` what package.name stands for, unless the package itself binds the name. */
void module_add_part(Module *package, const char *name, Module *part);

/* Whether it, or a class or function in it, has a constant of that name, or a name of no known
** value, which a Define may replace. */
bool module_has_constant(const Module *module, const char *name);

/* names/captured.c: gives a kernel parameters for arrays that it captures, behind its own, unless
** it has such already: cuda.captured(0) is the first. Its tree with these; NULL if there is no such
** kernel. */
const AstFunction *module_capture(Arena *arena, const Module *module, const char *kernel,
                                  const char *const *names, int count);

/* The call namedtuple(...) that a name of the module stands for; NULL if it is none. */
const AstExpr *module_namedtuple(const Module *module, const char *name);

/* A parameter of @tune and the values to try, each a constant expression. */
typedef struct TuneParam {
    const char *name;
    Span span;
    AstExprs values;
} TuneParam;

enum { TUNE_AXES = 3 };

/* What @tune(...) says, out of its quotes and unevaluated. */
typedef struct TuneSpace {
    TuneParam *params;
    int param_count, param_capacity;
    AstExprs block, problem;    /* a size for each axis; none: not said */
    AstExprs divide[TUNE_AXES]; /* whose product is what a block covers along the axis */
    bool divides[TUNE_AXES];    /* that is said */
    AstExprs restrictions;      /* all must hold */
} TuneSpace;

/* The error in a statement, reported when a name that it binds is read. */
typedef struct Complaints {
    const Diag *items;
    size_t count;
} Complaints;

/* Of what a module binds a name to, if something is wrong with it; else NULL. */
const Complaints *module_complaints_about(const Module *module, const char *name);

typedef struct KernelInfo {
    const char *name; /* "kernel", or "factory.kernel" of one in a function or class */
    const AstFunction *ast;
    AstExpr *example;      /* the call @example(...), NULL if there is none */
    AstExpr *signature;    /* the first that the decorator declares, NULL if none */
    const TuneSpace *tune; /* NULL if there is no @tune */
    Span schedule;         /* the text of @schedule; without a source if there is none */
    Complaints complaints; /* of its decorators and parameters: it cannot be compiled */
    bool made;             /* by a call, name = factory(4), or by another name */
    bool found;            /* by evaluating its name (lower/asked.c) */
    bool replaced;         /* the name stands for another in the end: this is "kernel@LINE" */
    const char *uncertain; /* the name, if it may: only running tells which kernel has it */
    struct Symbol *symbol;
} KernelInfo;

/* ---- names/tune.c: what @tune says ---------------------------------------------------------- */

/* Takes one keyword of @tune, which has a name, and replaces what was said of it. False, and the
** space as before, after a complaint. */
bool tune_take(Arena *arena, Diags *diags, TuneSpace *space, const AstKeyword *keyword);
/* The keywords of sizes and conditions: block, problem and so on; NULL behind the last. */
const char *tune_keyword(size_t index);
/* Takes the call @tune(...) above a kernel. */
const TuneSpace *tune_read(Arena *arena, Diags *diags, const AstExpr *tune,
                           const AstFunction *kernel);

/* Once it is decided between branches that bind the same names: of kernels that share a name, the
** one that it stands for keeps it, and the others are called by their lines, too. */
void module_settle_kernels(Module *module);

/* The text of the function that a path stands for in the end: "f", "factory.f"; NULL: none. */
const AstFunction *module_tree(const Module *module, const char *path);

/* Whether a kernel is called so, by its name or by its line, "kernel@LINE". */
bool module_kernel_is(const KernelInfo *kernel, const char *name);

/* The function inside a function of the module's file whose name begins at this byte, as its
** decorators describe it, by itself and not as a call makes it; NULL: none. */
const struct Function *module_described(const Module *module, uint32_t begin);

/* The kernels of a module in the order they stand, made ones among them. */
int module_kernels(const Module *module, const KernelInfo **kernels);
/* What is known of the kernel with that text, by itself, in the file that a module is or lies in;
** NULL: there is none. */
const KernelInfo *module_kernel_of(const Module *module, const AstFunction *ast);
/* How the functions in a list or dictionary of the module's are called: "steps[0], steps[1]"; NULL:
** the name stands for no such thing. */
const char *module_items(Arena *arena, const Module *module, const char *name);
/* Where the name that a path begins with is bound to a value, or to what the path calls; without a
** source: nowhere. */
Span module_bound_at(Arena *arena, const Module *module, const char *path);

/* `-D NAME=VALUE`: a constant that the compilation sees instead of what the module says. */
typedef struct Define {
    const char *name; /* or NAME@PLACE, which is that place's alone: names/define.c */
    const AstExpr *value;
} Define;

/* ---- names/define.c ------------------------------------------------------------------------ */

/* The place that a file, or a class or function in it, is for a Define. */
const char *module_place(Arena *arena, const Module *module);
/* That of what is around a kernel: of number 0 the next, of the last one the file, then NULL. */
const char *module_kernel_place(Arena *arena, const Module *module, const char *kernel, int level);
/* Whether a Define of that name, with a place or without, is of a constant `name`. */
bool define_names(const char *define, const char *name);

/* ---- names/assigned.c ---------------------------------------------------------------------- */

/* Whether `name` is read anywhere but in the bodies of loops that alone count in it. */
bool names_read_outside(const AstBody *body, const char *name);

/* ---- names/reach.c: what a kernel's text reaches ------------------------------------------- */

/* Whether the kernel, or what it calls, reads the constant that a Define of that name is of. */
bool module_reads(Arena *arena, const Module *module, const char *kernel, const char *define);

/* What a kernel in a function or class reads and has no value for, which a Define may give: its
** factory's parameters above all. Ends in NULL. */
const char **module_needs(Arena *arena, const Module *module, const char *kernel);

typedef struct ReachRequest {
    const Module *module;
    const char *kernel;
    const Define *defines; /* which stand for constants */
    int define_count;
    const char *const *without; /* constants that are left out */
    size_t without_count;
} ReachRequest;

/* The tree of the kernel and of all that it reaches as text: what decides its meaning. Comments,
** docstrings, blanks, @example and @tune are not in it; nor is the standard library, a part of
** kjit. */
void module_reach_text(Arena *arena, const ReachRequest *request, Buf *out);

/* reach_shared.c: each cuda.shared.array(shape, dtype) in the kernel and in what it calls, if no
** variable of the function is named in it, and no branch whose condition is known keeps the program
** away from it. */
typedef struct SharedQuery {
    void (*visit)(void *context, const AstExpr *shape, const AstExpr *dtype);
    int (*decide)(void *context, const AstExpr *condition); /* 1 or 0; -1: not known */
    void *context;
} SharedQuery;

void module_each_shared(Arena *arena, const Module *module, const char *kernel,
                        const SharedQuery *query);

/* ---- lower/lower.c: from the tree to typed IR --------------------------------------------- */

/* What a name stands for at a place: a type, or what else it is, in words; and where it got that,
** without a source for what is built in. */
typedef struct Meaning {
    Span use;
    const char *what;
    Span defined;
} Meaning;

typedef struct Meanings {
    Meaning *list;
    int count, capacity;
} Meanings;

typedef struct LowerRequest {
    const Module *module;
    const char *kernel;
    Signature signature;
    const Define *defines;
    int define_count;
    bool debug, fastmath; /* asked for from outside, beside what the decorator says */
    int matmul;           /* likewise: the TileForm for all products, which goes before; 0: none */
    bool checked; /* for the checker: assert and raise are reported, the rest it sees itself */
    bool remarks; /* collect them, too */
    Meanings *meanings; /* gets those of the names that are lowered, also if that fails; or NULL */
    ModuleFinder *library; /* finds modules of the standard library; NULL: there is none */
    void *library_context;
    /* Reads a file for link=; NULL: there is none, `*why` saying so. Of a request without, no file
    ** can be linked. */
    const Source *(*read)(Arena *arena, const char *path, const char **why);
} LowerRequest;

/* The IR of one kernel for one signature, or NULL with complaints made. */
IrUnit *ir_lower(Arena *arena, Types *types, Diags *diags, const LowerRequest *request);

/* lower/decide.c: which of several kernels of one name, in branches, each name stands for: by the
** module's constants and the request's definitions. One for which that is not known
** complains of the condition when it is asked for. */
void ir_decide_kernels(Arena *arena, Types *types, const LowerRequest *request);

/* lower/asked.c: the kernel that an expression gives at the end of the module, where no text
** defines one by that name; false, perhaps after complaints, if it gives none. */
bool ir_find_kernel(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                    KernelInfo *info);

/* Reads a signature, in which names of the module may stand for types; false after complaints. */
bool ir_read_signature(Arena *arena, Types *types, Diags *diags, const LowerRequest *request,
                       const AstExpr *expr, const char **name, Signature *signature);
