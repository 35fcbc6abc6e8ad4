/* What the files that follow statements share. */
#pragma once

#include "ir/names/change/heap.h"

/* A statement of a module, being followed. */
typedef struct Trace {
    Resolver *r;
    const AstStmt *stmt;
    Span span;         /* of what changes something */
    const Slot *bound; /* the name whose new value the statement tells: of `name += value` */
    size_t begin;      /* what the arena held when it began */
    bool over;         /* following it takes too much: it may change all that names hold */
    bool inside;       /* what is no function is followed as a method of an object */
    int calls, depth;  /* of functions; of expressions in one another */
    size_t looked;     /* owners and names of things that were asked for what holds a changed one */
    int grown;         /* how often something was added to a thing */
    int rebound;       /* how often a name that functions read was bound to something else */
    Table shared;      /* frames of all calls of a function */
    bool quiet;        /* what is found to change does not count */
    bool lost;         /* it cannot be run */
    bool by_text;      /* what exec() or eval() is given does it */
} Trace;

/* A call of a function, or the statement itself. A call that is followed again, in a loop, is the
** same frame. */
typedef struct Frame {
    Trace *trace;
    struct Frame *outer; /* which calls it */
    HeapNames *names;
    const Module *module; /* whose imports tell what its paths are */
    const AstFunction *function;
    const Thing *called; /* the function as it was found */
    Table things;        /* by the expression that makes them */
    Table frames;        /* by the call, and what it calls */
    Table globals;       /* names that are declared global or nonlocal, with their slots */
    Set result, yields;
    Set *given;       /* what its parameters were given */
    int settled;      /* the version at which it was followed and found nothing new; or -1 */
    Set touched;      /* all that expressions of the statement at hand may be */
    AstExpr implicit; /* stands for calls that Python makes by itself */
    bool is_generator;
    bool shared;        /* of all calls of the function */
    bool recurses;      /* it has called what was being followed */
    bool active, again; /* it is being followed; and it called itself */
    int weak;           /* in how many statements it is that may not run, or again */
    int grown;          /* how often a name may have come to hold more */
} Frame;

static inline Arena *arena_of(const Frame *f)
{
    return f->trace->r->arena;
}

static inline void join(const Frame *f, Set *set, Set more)
{
    set_join(arena_of(f), set, more);
}

/* The arguments of a call. */
typedef struct Args {
    Set *items;
    int count;
    Set spread; /* by stars: for any parameter */
    const AstExpr *call;
    Set *keywords; /* as in the call */
} Args;

/* ---- mark.c: changes of things and names ----------------------------------------------------- */

/* Things are changed: what holds them is not known from here on. */
void change_things(Frame *f, Set set);
/* The same by what is not run for a constant: np.add(x, y, x). */
void change_unseen(Frame *f, Set set);
/* The same of all that names of the module and those around it hold. */
void change_all(Frame *f);
/* A name of a module is bound by what is not its own statement. */
void change_slot(Frame *f, Slot *slot);
/* Any of its names may be: globals().update(x); those that `key` may give, if that is not NULL. */
void change_names(Frame *f, const HeapNames *names, const AstExpr *key);

/* ---- statement.c ----------------------------------------------------------------------------- */

HeapNames *names_of_file(const Frame *f);

void follow_body(Frame *f, const AstBody *body);
/* Gives a name of the frame's what it holds, and a target a value. */
void follow_name(Frame *f, const char *name, Set set);
void follow_target(Frame *f, const AstExpr *target, Set value);
/* Makes names of a comprehension's clauses, and evaluates what it is made of. */
Set follow_comprehension(Frame *f, const AstExpr *expr);

/* ---- definition.c ---------------------------------------------------------------------------- */

void follow_function(Frame *f, const AstStmt *stmt);
void follow_class(Frame *f, const AstStmt *stmt);
void follow_import(Frame *f, const AstStmt *stmt);

/* ---- value.c --------------------------------------------------------------------------------- */

Set follow_value(Frame *f, const AstExpr *expr);
/* What a name holds; `found`: it is a name of the program's. */
Set held_of_name(const Frame *f, const char *name, bool *found);
/* The module itself, whose names globals() has. */
Set held_module(const Frame *f);
/* What an attribute of some things may be. */
Set held_attribute(Frame *f, const AstExpr *expr, Set objects, const char *name);
/* What a loop over it may give. */
Set held_items(Frame *f, const AstExpr *site, Set over);
/* What arithmetic with some values makes: numbers of numbers. */
Set held_computed(Frame *f, const AstExpr *site, Set a, Set b);
/* The thing that an expression makes; one for each part of it. */
Thing *thing_made(Frame *f, const void *site, const char *part, ThingKind kind);
Set held_made(Frame *f, const void *site, const char *part, ThingKind kind, Set items);
void held_hold(Frame *f, Thing *thing, Set items);
/* The same of an item whose key or index may be written: d["a"] = x. */
void held_store(Frame *f, Thing *thing, const AstExpr *key, Set value);
/* The method that an operator calls; NULL: none. */
const char *held_special(AstOp op);
/* A function of a class, bound to an object or the class. */
Set held_bound(Frame *f, const AstExpr *site, const Thing *function, Ref self);
/* The attribute that a class or one of its bases has; NULL: none. */
Slot *class_slot(const Thing *class, const char *name);

/* ---- call.c ---------------------------------------------------------------------------------- */

Set call_expr(Frame *f, const AstExpr *expr);
/* The path of something built in; NULL: it is a name of the program's. */
const char *builtin_path_of(const Frame *f, const AstExpr *callee);
/* What following the statement has taken so far, in bytes. */
size_t trace_taken(const Trace *trace);
/* Calls some of the things that a value may be. */
Set call_set(Frame *f, Set callee, const Args *args);
/* The method of that name of objects, where they have one. */
Set call_method(Frame *f, const AstExpr *site, Set objects, const char *name, Set argument);
/* The same arguments, each of which may be for any parameter. */
Args arguments_for_any(Set set);
Set arguments_all(Frame *f, const Args *args);
/* An argument by its place or name; none: nothing. */
Set argument(const Args *args, int place, const char *name);

/* ---- implicit.c ------------------------------------------------------------------------------ */

/* What Python may call, by itself, of the objects and classes that a statement holds. */
void call_implicit(Frame *f, Set touched);
/* What an expression may be by such calls, as that of any of its parts. */
Set implicit_given(Frame *f, Set touched);
/* Whether a base of its class is not known. */
bool implicit_is_open(Arena *arena, Ref ref);
/* What such a base may call: any function of the class. */
void call_open(Frame *f, Ref object, Set args);
/* And what it does where the class begins: an enumeration makes its members. */
void call_makers(Frame *f, Ref class);

/* ---- python.c -------------------------------------------------------------------------------- */

/* What a call of something built in, by path, gives. */
Set known_call(Frame *f, const char *path, const Args *args);

/* ---- library.c ------------------------------------------------------------------------------- */

/* The same of NumPy's. */
Set known_numpy(Frame *f, const char *path, const Args *args);
/* Whether what has that path changes what it is given; whether a method of that name changes its
** object. */
bool known_changes(const char *path);
bool known_changes_object(const char *name);
/* The same of a method of an array, a list or a dictionary. */
Set known_method(Frame *f, Ref object, const char *name, const Args *args);
/* The same of what is not known. */
Set known_foreign(Frame *f, Set object, const char *name, const Args *args);
/* What functions among the arguments give, called with all the others and `with`. */
Set known_given(Frame *f, const Args *args, Set with);
/* A tuple of some sets. */
Set known_tuple(Frame *f, const Args *args, const Set *sets, int count);
