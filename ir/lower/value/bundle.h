/* What dictionaries and objects that are constants are made of. */
#pragma once

#include "ir/lower/values.h"

typedef struct Entry {
    Operand key;
    const AstExpr *expr; /* NULL: `value` is known */
    FnState *state;      /* in which `expr` is evaluated */
    Operand value;
} Entry;

struct Bundle {
    const Symbol *class; /* of an object that has one; NULL: none */
    bool dict;
    const char *unknown; /* the method that may set any attribute of it, NULL: none */
    Entry *entries;
    int count, capacity;
};

void bundle_add(FnState *f, Bundle *bundle, Operand key, const AstExpr *expr);
/* The arguments of a call that have names; false after a complaint. */
bool bundle_add_keywords(FnState *f, Bundle *bundle, const AstExpr *call);
/* The key that an attribute has. */
Operand bundle_operand(const Bundle *bundle, Span span);

/* ---- object.c ------------------------------------------------------------------------------ */

/* Whether an attribute of an object may be something else than its entry, or its class, says. */
bool object_is_unknown(const Bundle *bundle, const char *name, const Entry *entry);
