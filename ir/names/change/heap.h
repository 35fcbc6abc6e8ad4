/* What the names of a module hold while its statements are followed: things, which statements may
** change in place. Nothing is computed: a value is the set of things that it may be, or may be a
** part of. Numbers, texts and what else cannot be changed are no things: their set is empty.
**
** statement.c follows statements, value.c expressions, call.c calls, library.c what NumPy, Python's
** own functions and methods do. mark.c tells the names that hold what has changed. */
#pragma once

#include "ir/names/scope.h"

typedef struct Thing Thing;
typedef struct HeapNames HeapNames;

/* A thing that a value may be, or an array that it may look at. */
typedef struct Ref {
    Thing *thing;
    int rank; /* of an array, or of the part of it; 0: not known */
} Ref;

typedef struct Set {
    Ref *items;
    int count, capacity;
} Set;

typedef enum ThingKind {
    THING_ARRAY,
    THING_LIST, /* a set, an iterator */
    THING_DICT,
    THING_TUPLE,
    THING_OBJECT,
    THING_SPACE, /* a class or a module */
    THING_FUNCTION,
    THING_FOREIGN /* what is made by what is not known; it may be, or call, whatever it was given */
} ThingKind;

/* A name of a scope, or an attribute. */
typedef struct Slot {
    const char *name;
    HeapNames *names;
    Set set;
    Set before; /* the statement at hand, `at`, had been followed */
    const AstStmt *at;
} Slot;

/* The names of a module, class or function, or the attributes of an object. */
struct HeapNames {
    Table slots;
    HeapNames *outer;
    Module *module; /* whose symbols these names are; NULL: an object or a call */
    Thing *thing;   /* which holds what its names hold; or NULL */
    /* Of a file: a thing that holds what its statements have raised; how many things Python's
    ** own calls of methods give. */
    Thing *raised;
    int gives;
    bool of_comprehension;
};

struct Thing {
    ThingKind kind;
    Set items, keys; /* what it holds; keys: of a dictionary */
    Set *at;         /* the items of a tuple by their places, or NULL */
    int count;
    HeapNames *names;            /* attributes; items of a dictionary by keys that are written */
    const AstFunction *function; /* and the names around it, what it is bound to, its defaults */
    HeapNames *around;
    const char *path;                /* of what is foreign but built in: np.add */
    Set self, *defaults, registered; /* and functions that are called with it */
    bool of_class;
    const AstClass *class_; /* of a space that is a class; its bases, a class's object's class */
    Set bases;
    Set metas;    /* of a class: its metaclass */
    Set given;    /* what Python's own calls of an object's or class's methods give */
    bool open;    /* one of its bases is not known */
    bool running; /* what Python calls of a class by itself, or what is built in, is followed */
    Slot **slots; /* names that have held it */
    int slot_count, slot_capacity;
    Thing **owners; /* that hold it */
    int owner_count, owner_capacity;
    bool twice;       /* it may hold one thing in two places */
    int number;       /* in a set that is compared with another; else 0 */
    const void *seen; /* by whom, while what holds a thing is looked for */
};

/* ---- heap.c -------------------------------------------------------------------------------- */

/* Adds to a set; whether it has grown. */
bool set_add(Arena *arena, Set *set, Ref ref);
bool set_join(Arena *arena, Set *set, Set more);
Set set_of(Arena *arena, Thing *thing, int rank);
bool set_has(Set set, ThingKind kind);
bool set_holds(const Set *set, const Thing *thing);
bool set_meets(Set a, Set b);
bool set_equals(Set a, Set b);
Thing *thing_new(Arena *arena, ThingKind kind);
/* Adds to one of the sets of what a thing holds; whether it has grown. */
bool thing_hold(Arena *arena, Thing *owner, Set *into, Set set);
/* All that it holds, wherever. */
Set thing_items(Arena *arena, const Thing *thing);
/* A set with all that the things in it hold, however deep. */
Set set_reach(Arena *arena, Set set);
HeapNames *names_new(Arena *arena, HeapNames *outer);
/* Of a module or class; made when it is first asked for. */
HeapNames *names_of_module(Module *module);
/* The thing that stands for the names of a call, which a function in it holds. */
Thing *names_thing(Arena *arena, HeapNames *names);
Slot *names_slot(Arena *arena, HeapNames *names, const char *name);
/* Gives a name what it holds from here on, or may hold (`weak`) from here on; whether it may hold
** more than before. */
bool slot_put(Arena *arena, Slot *slot, Set set, bool weak, const AstStmt *at);
