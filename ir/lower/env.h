/* What the names of a function are bound to as it is lowered, statement by statement; and which
** of them a piece of the tree assigns. */
#pragma once

#include "ir/names/operand.h"

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

bool binding_is_none(Binding binding);

typedef struct Name {
    const char *name;
    Binding binding;
    const struct Name *around; /* of a run around, whose binding it was given; or NULL */
    IrVar **vars;              /* made for it by assignments, one a type */
    int var_count, var_capacity;
    IrVar *is_set; /* under debug: whether it has a value, of a name that may be read without */
    Span made;     /* where it was assigned last, in the order of the text: meaning.c */
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
/* The same, for a statement that assigns the name. */
void env_assign(FnState *f, Name *name, Binding binding);
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
/* What a name holds on a path that has not set it: zero, and under debug no more than that until it
** is read. */
IrValue *env_unset(FnState *f, const Name *name, const Type *type, Span span);
/* For names of which an earlier pass has found that they may be unset where they are read: makes
** variables that say so. Gives how many there are. */
int env_declare_unset(FnState *f);
int env_count_unset(const FnState *f);
/* Under debug: reports that such a name is read and has no value. */
void env_check_set(FnState *f, const Name *name, Span use);

/* ---- origin.c: which assignments gave names their types -------------------------------------- */

/* Of what a name is bound to, `var` if that is a variable; and of what two such things make. */
const IrOrigin *origin_of(FnState *f, Binding binding, const IrVar *var);
const IrOrigin *origin_join(FnState *f, const IrOrigin *a, const IrOrigin *b);
/* Notes below a complaint: each assignment; those of the variables that are in one or two
** values. */
void origin_note(FnState *f, const IrOrigin *origins);
void note_types(FnState *f, const IrValue *a, const IrValue *b);

/* ---- names.c: which names statements assign -------------------------------------------------- */

/* Adds the names that assigning to `target`, evaluating `expr` or running `body` assigns. */
void names_of_target(FnState *f, const AstExpr *target, Names *names);
void names_of_value(FnState *f, const AstExpr *expr, Names *names);
void names_of_body(FnState *f, const AstBody *body, Names *names);
