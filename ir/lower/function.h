/* Functions and the names of modules while they are lowered: how they are found, called, and
** lowered anew for other arguments. */
#pragma once

#include "ir/lower/lower.h"

/* ---- library.c: built-in names that the standard library defines ----------------------------- */

/* What a path names there; OPD_ERROR, without a complaint, if nothing. */
Operand library_find(FnState *f, const char *path, Span span);
/* The same of what makes arrays, for constants alone. */
Operand library_find_array(FnState *f, const char *path, Span span);
/* What a method of a library's namedtuple is, whose name begins with its module's: of "cg.tile" the
** function _tile_NAME behind cuda.cg. NULL if there is none. */
const Function *library_method(FnState *f, const Type *type, const char *name, Span span);
/* Complains that it has no such method, and returns true, if it is such a namedtuple. */
bool library_lacks_method(FnState *f, const Type *type, const char *name, Span span);
/* Complains of a built-in path that is nowhere, with the reason or the nearest name. */
void library_missing(FnState *f, const char *path, Span span);
/* A function of the module builtins that has no name in kernels: what a method or an operator
** becomes. */
const Function *library_own(FnState *f, const char *name, Span span);
/* The function that reduces constant arrays, by NumPy's name of it; NULL if there is none, or if
** `called`, where a function has that name, is not NumPy's. */
const Function *library_reduction(FnState *f, const Function *called, const char *name, Span span);
/* Whether a module is one of those behind built-in namespaces, as numpy is behind np. */
bool library_is_namespace(const Lower *lower, const Module *module);
/* Whether what is being lowered is a library's text, which is not the user's: errors there are
** reported at the call, lower->library_call. */
bool library_hides(const FnState *f);
/* Whether a division by zero is NumPy's even under debug: in every library but operator. */
bool library_divides(const Lower *lower, const Module *module);
/* The name of a library's function in messages: the public one that users call, not _min. */
const char *library_shown_name(const Function *function);
/* The name of a function in emitted text: a library's has its module's name in front. */
const char *library_function_name(const Lower *lower, const Function *function);

/* ---- function.c, call/specialise.c ----------------------------------------------------------- */

/* The text that a function was made of: one key however often a closure is made of it. */
const char *function_key(Arena *arena, const Function *function);
Memo *memo_for(FnState *f, const AstStmt *loop, const char *name);
/* Says that the module has a name, too, which the function hides by an assignment. */
void note_outer_name(FnState *f, const char *name);
/* Complains of a loop's variable that is read, and that no path has given a type. */
void fail_unassigned(FnState *f, const Memo *memo);
/* Widens a memo by one more type that the variable takes; NULL-safe for types not known yet. */
void memo_widen(FnState *f, Memo *memo, const Type *type);
/* A device function for these arguments, in order; NULL after a complaint. */
Specialisation *specialise(FnState *f, const Function *function, Operand *args, int count,
                           Span call);
/* A function for these arguments, still to be lowered; and lowers it. */
Specialisation *new_specialisation(Lower *lower, const Function *function, const Operand *args,
                                   int count);
void lower_specialisation(Lower *lower, Specialisation *s, Span call);
/* call/call.c: what a parameter is that a call does not give. */
Operand param_default(FnState *f, const Function *function, int at);
/* call/spread.c: a call in a constant with the keywords that '**' spreads written out; NULL after a
** complaint. And functools.partial(function, ...). */
const AstExpr *lower_keywords(FnState *f, const AstExpr *expr);
Operand lower_partial(FnState *f, const AstExpr *expr);
/* call/evaluate.c: what a function gives for values that are known, by running it. */
Operand lower_evaluate(FnState *f, const AstExpr *call, const Function *function,
                       const Operand *args, int count);
/* A statement of the module, run for the names that it binds or changes; false after a
** complaint. */
bool evaluate_statement(FnState *f, const AstStmt *stmt);
/* How many items a range, tuple, array, dictionary, enumerate() or zip() has whose parts are known,
** -1 of others; and item `index` of one that has so many. */
int64_t evaluate_count(FnState *f, const Operand *over);
/* Whether it makes what can be gone through once alone: a generator, map(...). */
bool evaluate_is_iterator(const FnState *f, const AstExpr *expr);
Operand evaluate_item(FnState *f, const Operand *over, int64_t index, Span span);
/* call/call.c: a tuple of values, texts, types and functions; OPD_ERROR after a complaint. */
Operand tuple_of_operands(FnState *f, const Operand *items, int count, Span span);
/* The same while a constant is evaluated: a call of these arguments, `at` saying where. */
Operand lower_apply(FnState *f, const AstExpr *at, Operand callee, Operand *args, int count);
/* call/listing.c: what of Python kernels cannot call, in constants alone but for ord("A"): it makes
** what a constant is read through, or is done at once. False of other calls. */
bool lower_python_call(FnState *f, const AstExpr *call, Operand *out);
/* {a, b} in a constant, as the tuple of what is in it. */
Operand lower_set_display(FnState *f, const AstExpr *expr);
/* call/text.c: a method of a text, in a constant; false of others. */
bool lower_text_method(FnState *f, const AstExpr *call, const Operand *text, Operand *out);
/* call/param.c: binds the parameters, converted to what is declared unless that is NULL. */
void lower_params(FnState *f, const Operand *args, int count, const Type *const *declared);

/* ---- options.c ------------------------------------------------------------------------------- */

/* What a function's decorators say, with what only the module's constants tell. */
IrOptions options_read(FnState *f, const Function *function);

/* ---- captured.c ------------------------------------------------------------------------------ */

/* Takes up which arrays the kernel captures. */
void captured_make(Lower *lower, const Function *kernel);
/* A parameter for each of them, behind the others; and what a call passes on of them. */
void captured_params(FnState *f);
void captured_pass_on(FnState *f, IrValue **operands, Span span);
/* A constant's variable as the function has it, if that is a captured array. */
IrValue *captured_in_function(FnState *f, IrValue *value);

/* ---- link.c ---------------------------------------------------------------------------------- */

/* The parameters of a function that is declared, and what stands for its body. */
void lower_foreign(FnState *f);
/* A function that says link=. */
void link_note(Lower *lower, const Function *function);
/* Reads what these name, if the unit has foreign functions. */
void link_read(Lower *lower);

/* ---- symbol.c -------------------------------------------------------------------------------- */

Operand lower_symbol(FnState *f, Symbol *symbol, Span span);
/* decide.c: the same of what a branch binds, by its condition. */
Operand lower_choice(FnState *f, Symbol *symbol, Span span);
/* What a name of the module stands for where the state is; NULL: nothing. */
Symbol *lower_lookup(const FnState *f, const char *name);
/* An attribute of a module or class; OPD_ERROR after a complaint. */
Operand module_attribute(FnState *f, const Symbol *module, const AstExpr *expr);
/* A state in which constants of that module are lowered. */
FnState *constant_state(FnState *f, const Module *module);
/* The name itself, or that of a run around which it stands for: Python looks there, too, so that
** later assignments count. */
const Name *name_origin(const Name *name);
/* A name that stands for a compile-time thing: its own, or, if there is none, one that the run has
** left which made the function; NULL: it is neither. */
const Name *name_bound(const FnState *f, const char *name);
/* Gives it the names that a run has left, or has bound so far. */
void names_see(FnState *f, const FnState *run);
/* Whether a value is known: a number, a constant array, a tuple of these. */
bool constant_is_known(const IrValue *value);
/* Whether a function reads a name of the module while a statement is run that changes it. */
bool names_changing(const FnState *f, const char *name);
/* Whether a function or statement that is run has a name of its own. */
bool names_local(const FnState *f, const char *name);
/* Where what a definition says is evaluated, its decorators and default values: it sees what the
** module has bound by the symbol number `order`. */
FnState *constant_state_at(FnState *f, const Module *module, int order);
/* Where a constant's expression is evaluated: it sees what was bound before it. */
FnState *constant_place(FnState *f, const Symbol *symbol);
/* What a constant of a module is written as, -D counted in; NULL for what is no constant by
** itself. */
const AstExpr *constant_expr(const Lower *lower, const Symbol *symbol);
/* What -D says that a name is; NULL: nothing. */
const AstExpr *constant_defined(const Lower *lower, const Symbol *symbol);

/* ---- value/constant.c ------------------------------------------------------------------------ */

/* What Python gives for an operation on two constants of the module: NULL if that is what kernels
** give too, and outside of such constants. */
IrValue *lower_constant_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                               Span span);
/* An operation on two numbers of one type that NumPy computes for constants, and a device for
** kernels; NULL of others. */
IrValue *lower_constant_of_numpy(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                                 Span span);
/* An operation on integers as they are written, 1 << 63, done with Python's, which have no width:
** NULL if it is none, or none that CPython does while compiling. */
IrValue *lower_written(FnState *f, const AstExpr *expr);
/* A real constant, as a float64. */
double constant_number(Arena *arena, const IrValue *value);
/* round(value) or round(value, digits), likewise. */
IrValue *lower_constant_round(FnState *f, const IrValue *value, const IrValue *digits, Span span);
/* The function of math that a constant means by one of NumPy's: np.sqrt; others as they are. */
Operand lower_constant_callee(FnState *f, Operand callee, const AstExpr *call, int count);
/* The place of the parameter for an array that a function of NumPy's writes to; -1: none. */
int library_out_place(const Function *function);

/* ---- call/format.c, all of it in constants alone --------------------------------------------- */

/* f"..." as the text it is. */
Operand lower_fstring(FnState *f, const AstExpr *expr);
/* text.format(...) */
Operand lower_format_method(FnState *f, const AstExpr *call, const Operand *text);
/* text + text, text * n, text % values; false of others. */
bool lower_text_operator(FnState *f, AstOp op, const Operand *left, const Operand *right, Span span,
                         Operand *out);
/* A character of a text that has it; text[index], false of what there is not. */
Operand lower_text_item(FnState *f, const Operand *text, int64_t index, Span span);
bool lower_text_index(FnState *f, const Operand *text, const Operand *index, Span span,
                      Operand *out);
/* format(x, spec), str(x), bin(n), hex(n), oct(n), int(text, base); false of others. */
bool lower_text_function(FnState *f, const AstExpr *call, const char *name, Operand *out);

/* ---- value/object_call.c -------------------------------------------------------------------- */

/* What a property of an object is; false: it has none of that name. */
bool lower_property(FnState *f, const Bundle *bundle, const AstExpr *expr, Operand *out);
/* The method that a constant's call of `callee` calls, and the object; NULL of other calls. */
const Function *lower_bound_method(FnState *f, const AstExpr *callee, Operand *self);
/* jit(f) or jit(...)(f) in a constant, f being a value: f itself; false of other calls. */
bool lower_jitted(FnState *f, const AstExpr *call, Operand *out);

/* ---- call/closure.c -------------------------------------------------------------------------- */

void lower_def(FnState *f, const AstStmt *stmt);
Operand lower_lambda(FnState *f, const AstExpr *expr);
/* The arguments for the names that a function reads from around it; false after a complaint. */
bool closure_captures(FnState *f, const Function *function, Operand *args, Span call);
/* The function with what it reads, to be passed on; NULL after a complaint. The same text with the
** same things read gives the same Function. */
const Function *closure_bind(FnState *f, const Function *function, Span span);
/* A function that is called where it stands may be given others that read values: how many these
** are, and into `values`, unless that is NULL, which. The callee has a parameter for each, and the
** same function with those in their place. */
int closure_values(const Function *function, IrValue **values);
/* The same for any argument: a value is one. */
int operand_values(const Operand *operand, IrValue **values);
const Function *closure_with_values(FnState *f, const Function *function, IrValue *const *values);
/* Whether two functions do the same with the same arguments, what they read counted among these. */
bool closure_same_text(const Function *a, const Function *b);
/* Whether they are one when values that they read count by their types. */
bool closure_same_types(const Function *a, const Function *b);
/* Functions that are one then have the same. */
uint64_t closure_hash(const Function *function);

/* ---- call/literal.c -------------------------------------------------------------------------- */

enum { LITERAL_PARAMS = 32 }; /* parameters behind these are never literal */

/* The constant, or tuple of constants, that a value is known to be; NULL if it is none, or will be
** one when the function is lowered for it. */
IrValue *literal_value(FnState *f, IrValue *value);
/* The same, but a function is never lowered again for it. */
IrValue *literal_known(FnState *f, IrValue *value);
/* Whether it is a constant or a tuple of constants as it stands. */
bool literal_is(const IrValue *value);
/* Makes constants of the arguments that the callee takes as such, where they are; whether any
** was. */
bool literal_arguments(FnState *f, const Function *function, Operand *args, int count);
bool literal_same(const IrValue *a, const IrValue *b);

/* ---- call/signature.c ---------------------------------------------------------------------- */

/* Reads what a function that is made here declares, while its names are what Python finds. */
void signature_read(FnState *f, const Function *function);
/* A signature of a function, or NULL for one as it stands, with the text read that it is, or that
** a name of the program holds. */
const AstExpr *signature_written(FnState *f, const Function *function, const AstExpr *expr);
/* The declared signature that fits these arguments best, of a function that declares some: its
** numbers as declared, its arrays as they are given. False after a complaint. */
bool signature_choose(FnState *f, const Function *function, const Operand *args, Span call,
                      Signature *chosen);
/* The same for the call of a device function: converts the arguments. `*result` is NULL if no
** signature says it. */
bool signature_apply(FnState *f, const Function *function, Operand *args, Span call,
                     const Type **result);
/* ---- call/call.c ---------------------------------------------------------------------------- */

Operand lower_call(FnState *f, const AstExpr *expr);
/* An effect's value takes effect here and now; the result is a variable, or nothing. */
Operand lower_effect(FnState *f, const AstExpr *expr, IrValue *value);
/* Calls a function of a library, or nothing if that is NULL; `args` are values, and `expr` is what
** stands in the text. */
Operand lower_call_of(FnState *f, const AstExpr *expr, const Function *function, Operand *args,
                      int count);
/* The same of library_own()'s. */
Operand lower_library_call(FnState *f, const AstExpr *expr, const char *name, Operand *args,
                           int count);

/* ---- call/isinstance.c ---------------------------------------------------------------------- */

/* Notes of what a call in a constant gives whether its numbers are NumPy's or Python's, where that
** is not the same as of what it was given. */
void lower_note_class(FnState *f, const Call *call, const Operand *callee, Operand *out);
/* The call isinstance(x, T): a constant. */
Operand lower_isinstance(FnState *f, const AstExpr *expr);
