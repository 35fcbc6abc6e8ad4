/* Values with rules of their own: what may be None, ranges, iterators, tuples and what is made of
** them, times, limits. */
#pragma once

#include "ir/lower/lower.h"

/* ---- value/optional.c ------------------------------------------------------------------------ */

/* None, or the result of what returns nothing. */
bool operand_is_none(Operand operand);
/* The value of what may be None, under debug with a look whether it is; other operands as they
** are. */
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

/* ---- value/facts.c --------------------------------------------------------------------------- */

/* What a program reads of its environment; false of other expressions. */
bool lower_fact(FnState *f, const AstExpr *expr, Operand *out);
bool lower_fact_call(FnState *f, const AstExpr *call, Operand *out);

/* ---- value/bundle.c -------------------------------------------------------------------------- */

/* In constants: {a: b}; dict(a=1) or an object with attributes; a class by a call of
** type; an object of a class. */
Operand bundle_of_dict(FnState *f, const AstExpr *expr);
Operand bundle_of_keywords(FnState *f, const AstExpr *call, bool dict);
Operand bundle_of_type(FnState *f, const AstExpr *call);
Operand bundle_of_class(FnState *f, const AstExpr *call, const Symbol *symbol);
/* bundle[key] and bundle.name; OPD_ERROR after a complaint. */
Operand bundle_item(FnState *f, const Bundle *bundle, Operand key, Span span);
Operand bundle_attribute(FnState *f, const Bundle *bundle, const AstExpr *expr);
/* Of a dictionary: how many keys it has, -1 of an object; key number `index`; whether it has one;
** and it with one more, or with all of another. */
int bundle_count(FnState *f, const Bundle *bundle);
/* Calls `operand` with each of its values, and `run` with the run that tells one which is still to
** be evaluated. */
typedef void OperandVisitor(void *context, const Operand *operand);
typedef void RunVisitor(void *context, const FnState *run);
void bundle_each_held(const Bundle *bundle, OperandVisitor *operand, RunVisitor *run,
                      void *context);
Operand bundle_key_at(FnState *f, const Bundle *bundle, int index);
bool bundle_has(FnState *f, const Bundle *bundle, const Operand *key);
Operand bundle_with(FnState *f, const Bundle *bundle, Operand key, Operand value);
/* SimpleNamespace with an attribute set; false of dictionaries, and of objects of classes. */
bool bundle_with_attribute(FnState *f, const Bundle *bundle, const char *name, Operand value,
                           Operand *out);
Operand bundle_joined(FnState *f, const Bundle *bundle, const Bundle *more, Span span);
/* dict.keys(), values(), items() and get(key, otherwise); false of other calls. */
bool bundle_method(FnState *f, const Bundle *bundle, const AstExpr *call, Operand *out);
/* dataclasses.replace(object, x=1); false of others. */
bool bundle_replaced(FnState *f, const AstExpr *call, Operand *out);
const char *bundle_describe(FnState *f, const Bundle *bundle);
/* [e for x in s if c] of what is known, as a tuple; a dictionary's as one. */
Operand lower_comprehension(FnState *f, const AstExpr *expr);

/* ---- value/range.c --------------------------------------------------------------------------- */

/* How many iterations a range takes, as int64; its number `index`, from 0; the call of an index. */
IrValue *range_length(FnState *f, const Operand *range, Span span);
IrValue *range_item(FnState *f, const Operand *range, IrValue *index, Span span);
Operand range_index(FnState *f, Operand *range, IrValue *index, Span span);
Operand range_attribute(FnState *f, const Operand *range, const AstExpr *expr);
/* value in range, as bool */
IrValue *range_contains(FnState *f, Operand *range, IrValue *value, Span span);

/* ---- value/iterator.c ------------------------------------------------------------------------ */

/* What iter() gives of something; of an iterator itself. */
Operand iterator_of(FnState *f, Operand walked, Span span);
/* Whether it is an iterator, or enumerate() or zip() of iterators, which take from them. */
bool is_iterator(const Operand *operand);
/* Makes parts of zip() iterators if one of them is, as they are taken from one after the other. */
void iterator_join(FnState *f, Operand *sequence);
/* Takes the next item. Where there is none the loop is left, or, that being NULL, the thread
** ends. */
Operand iterator_take(FnState *f, const Operand *iterator, Loop *loop, Span span);

/* ---- value/tuple.c, call/number.c ------------------------------------------------------------ */

/* A tuple taken apart: an operand for each item. A variable it has to be put in is called
** `name`. */
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

/* value/vector.c: the call float32x4(...); an item by its name. */
Operand lower_vector(FnState *f, const Call *call, const Type *type);
Operand tuple_attribute(FnState *f, IrValue *tuple, const AstExpr *expr);

typedef struct NamedTuple {
    TupleNames names;
    int count;
    const Operand *defaults; /* of the last fields */
    int default_count;
} NamedTuple;
/* The call namedtuple(...), and that of what it gives. */
Operand lower_namedtuple(FnState *f, const AstExpr *expr);
Operand lower_named(FnState *f, const Call *call, const NamedTuple *named);
bool is_named(const Type *type, const NamedTuple *named);

/* value/enum.c: a member by its name; NULL after a complaint. */
Operand enum_member(FnState *f, const EnumClass *class, const char *name, Span span);
/* A member's name, or its value if that is a text; OPD_NONE of other attributes. */
Operand enum_text(FnState *f, const IrValue *member, const AstExpr *expr);
/* Color(2), Color("red"), in constants. */
Operand enum_called(FnState *f, const Call *call, const EnumClass *class);
/* How many members iteration gives, -1 where that is not known; and number `index` of them. */
int64_t enum_count(FnState *f, const EnumClass *class);
Operand enum_member_at(FnState *f, const EnumClass *class, int index, Span span);
/* The member that has a value, as the class's members have it. */
IrValue *enum_of_value(FnState *f, const EnumClass *class, IrValue *value, Span span);
/* A value as what it is beside numbers: a member of an IntEnum as an integer. */
IrValue *plain_value(FnState *f, IrValue *value);
/* == != is and `is not` where one side at least is a member of an enumeration that is no integer,
** or identity is compared. */
IrValue *compare_members(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);

/* value/time.c: of datetime64 and timedelta64, one operand at least being one. */
IrValue *time_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *time_compare(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span);
IrValue *time_unary(FnState *f, AstOp op, IrValue *time, Span span);
IrValue *time_abs(FnState *f, IrValue *time, Span span);
/* The same time in another unit, which typing_can_store() allows. */
IrValue *time_convert(FnState *f, IrValue *time, const Type *type, Span span);

/* The time of that type that a text writes; poison after a complaint. */
IrValue *time_from_text(FnState *f, const char *text, const Type *type, Span span);

/* value/limits.c: np.finfo and np.iinfo, and what they have. */
Operand limits_attribute(FnState *f, const Operand *limits, const AstExpr *expr);

/* ---- value/thing.c --------------------------------------------------------------------------- */

/* A text, a type or a function as a value of a type of its own, and a range or a slice as a tuple:
** what tuples hold. NULL for what has none. */
IrValue *thing_value(FnState *f, Operand operand);
/* A range or a slice as such a value, for paths to meet and functions to take; any other operand
** itself. */
Operand thing_settled(FnState *f, Operand operand);
/* What such a value stands for; any other operand itself. */
Operand thing_operand(FnState *f, Operand operand);
bool type_is_thing(const Type *type); /* ranges and slices are */
bool type_is_range(const Type *type);
bool type_is_slice(const Type *type);
/* Whether a text, a type or a function is one of a tuple's items. */
bool thing_is_in(const Operand *operand, const Type *tuple);
