/* What change.c and change_call.c share: names, and what looks at the same memory. */
#ifndef KJIT_CHANGE_H
#define KJIT_CHANGE_H

#include "ir/names/scope.h"

/* The name that an element or attribute belongs to, vars(x)["a"] to x; NULL: no single one. */
const AstExpr *change_root_of(const AstExpr *expr);
/* The name whose memory an expression looks at: x[1:], x.T, x.reshape(n), np.reshape(x, n). NULL:
** none, or memory of its own. */
const AstExpr *change_seen_through(Resolver *r, const AstExpr *expr);
/* The N of globals()["N"], a target; NULL: it is none such. */
const char *change_global_name(const AstExpr *target);
/* Whether a value is made of others, or is one of those that are in others. */
bool change_holds_others(Resolver *r, const AstExpr *value);
/* Whether an expression is the name of an object of a class of a file's: any of its methods may
** change it. */
bool change_is_object(Resolver *r, const AstExpr *expr);

/* The name stands for nothing that kernels can use from here on, nor does what looks at the same
** memory; `reason` is the end of "'name' ...". */
void change_name(Resolver *r, const char *name, Span span, const char *reason);
/* The same of what an expression takes from a module, m.A[0] or m.A.T; false if it does not. */
bool change_part(Resolver *r, const AstExpr *expr, Span span, const char *reason);
/* The same resolver for a scope that may be of another file. */
Resolver change_in_file(const Resolver *r, Module *module);
/* The same of an attribute of a module or class; false if the target is none. */
bool change_attribute(Resolver *r, const AstExpr *target, Span span, const char *reason);
extern const char change_in_place[];

#endif
