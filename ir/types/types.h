/* Types: what a value is, and numba's rules for which type comes of which.
**
** Scalar types are constants of the program. Tuples and arrays are interned in a Types table, so
** that equal types are the same pointer everywhere. */
#pragma once

#include "base/table.h"
#include "parser/ast.h"

typedef enum TypeKind {
    TY_ERROR, /* of an expression already complained about: agrees with everything */
    TY_NONE,  /* of a function that returns nothing */
#define TYPE(NAME, name, bytes, class, descr) TY_##NAME,
#include "ir/types/types.def"
    TY_TUPLE,
    TY_ENUM,     /* a member of an Enum, in its one item */
    TY_INT_ENUM, /* of an IntEnum, which is an integer wherever one is wanted */
    TY_DATETIME, /* NumPy's, in one item, its 64 bits */
    TY_TIMEDELTA,
    TY_VECTOR, /* of the CUDA kind: 1 to 4 numbers of one type, x, y, z and w */
    TY_ARRAY,
    TY_RECORD, /* of a structured dtype; only ever the element of an array */
    TY_KINDS,
    TY_FIRST_SCALAR = TY_BOOL,
    TY_LAST_SCALAR = TY_FLOAT8_E5M2
} TypeKind;

typedef enum TypeClass {
    CLASS_OTHER,
    CLASS_BOOL,
    CLASS_SIGNED,
    CLASS_UNSIGNED,
    CLASS_FLOAT,
    CLASS_COMPLEX
} TypeClass;

/* How an array's elements lie: rows whole (C), columns whole (F), or at any strides (A). */
typedef enum ArrayLayout { LAYOUT_C, LAYOUT_F, LAYOUT_A } ArrayLayout;

enum { RANK_MAX = 8 };
enum { LONG_TUPLE = 8 }; /* what has more items is not written out, if they are of one type */

typedef struct Type Type;

/* A field of a record: a scalar or a record, or a fixed array of them, `rank` not 0. */
typedef struct RecordField {
    const char *name;
    const Type *type;
    size_t offset; /* bytes */
    int rank;
    int64_t shape[RANK_MAX];
} RecordField;

/* What a tuple is that is not a plain one: its name, and its items'. An enumeration has one of its
** own, by whose address it is distinguished from others; so has a thing that is no value, without
** items: lower/value/thing.c. */
typedef struct TupleNames {
    const char *name;
    const char *const *items;
} TupleNames;

/* clang-format off */
struct Type {
    TypeKind kind;
    int leaves; /* of what has items: how many these have in all, theirs counted; at most INT_MAX */
    union {
        struct {
            const Type *const *items;
            int count;
            const TupleNames *names; /* NULL of a plain tuple */
            bool optional; /* (whether it is there, value): what may be None; (false,): None */
        } tuple; /* and every kind that type_has_items() */
        struct {
            const Type *element;
            int rank;
            ArrayLayout layout;
            bool readonly, unaligned; /* unaligned: elements may lie at any address */
        } array;
        struct { const RecordField *fields; int count; size_t size, align; } record;
    };
};
/* clang-format on */

extern const Type type_table[TY_KINDS]; /* one of each kind that has no parts */

#define type_of(KIND) (&type_table[TY_##KIND])
#define type_error    type_of(ERROR)
#define type_none     type_of(NONE)
#define type_bool     type_of(BOOL)
#define type_int32    type_of(INT32)
#define type_int64    type_of(INT64)
#define type_uint32   type_of(UINT32)
#define type_uint64   type_of(UINT64)
#define type_float32  type_of(FLOAT32)
#define type_float64  type_of(FLOAT64)

/* ---- types.c -------------------------------------------------------------------------- */

/* Whether a dtype was made with align=True; NumPy takes two that differ in that alone for one. */
typedef enum Padding { PADDING_UNKNOWN, PADDING_OFF, PADDING_ON } Padding;

/* The interned types of one compilation. */
typedef struct Types {
    Arena *arena;
    Hashes interned;
    /* What a name, or a call of one, means as a type, where it is none of the built-in ones; NULL:
    ** nothing. For type_from_ast(). */
    const Type *(*named)(void *context, const AstExpr *name);
    /* The number that an expression is, for extents in dtypes; false: none that is known. */
    bool (*counted)(void *context, const AstExpr *expr, int64_t *out);
    void *named_context;
    Padding padding; /* of the dtype that was read last */
} Types;

void types_init(Types *types, Arena *arena);
/* The one type equal to `candidate`, which is copied if it is the first. */
const Type *type_intern(Types *types, const Type *candidate);
const Type *type_tuple(Types *types, const Type *const *items, int count);
/* The same of a namedtuple; `names`, one an item, must last as long as `types`. */
const Type *type_tuple_named(Types *types, const Type *const *items, int count,
                             const TupleNames *names);
/* What is a `value` or None; of what already may be None, itself. Of type_none: what None is as an
** item of a tuple. */
const Type *type_optional(Types *types, const Type *value);
/* A member, of type `item`, of an enumeration. */
const Type *type_enum(Types *types, const TupleNames *names, bool integer, const Type *item);
const Type *type_array(Types *types, const Type *element, int rank, ArrayLayout layout,
                       bool readonly);
/* An array of other shape or elements in the memory of one of type `like`. */
const Type *type_array_like(Types *types, const Type *like, const Type *element, int rank,
                            ArrayLayout layout, bool unaligned);

typedef struct ScalarInfo {
    const char *name;
    size_t bytes;
    TypeClass class;
} ScalarInfo;

extern const ScalarInfo type_scalars[TY_KINDS]; /* zeros for what is no scalar */

static inline TypeClass type_class(const Type *type)
{
    return type_scalars[type->kind].class;
}

static inline bool type_is_scalar(const Type *type)
{
    return type->kind >= TY_FIRST_SCALAR && type->kind <= TY_LAST_SCALAR;
}

static inline bool type_is_signed(const Type *type)
{
    return type_class(type) == CLASS_SIGNED;
}

static inline bool type_is_unsigned(const Type *type)
{
    return type_class(type) == CLASS_UNSIGNED;
}

/* bool is not one */
static inline bool type_is_integer(const Type *type)
{
    return type_is_signed(type) || type_is_unsigned(type);
}

static inline bool type_is_float(const Type *type)
{
    return type_class(type) == CLASS_FLOAT;
}

static inline bool type_is_array(const Type *type)
{
    return type->kind == TY_ARRAY;
}

/* A float that is only ever an element of arrays, its value being a float32. */
bool type_is_float8(const Type *type);
bool type_is_integral(const Type *type); /* bool or integer */
bool type_is_number(const Type *type);   /* integer or float */
bool type_is_half(const Type *type);     /* a float of 16 bits or fewer */
bool type_is_real(const Type *type);     /* bool, integer or float */
bool type_is_complex(const Type *type);
bool type_is_tuple(const Type *type); /* namedtuples are, and optional types */
bool type_is_vector(const Type *type);
bool type_is_enum(const Type *type); /* of either kind */
bool type_has_items(
    const Type *type); /* tuples, vectors, members of enumerations, times: structs */
/* Whether both are plain tuples, or namedtuples of one name and fields. */
bool type_same_names(const Type *a, const Type *b);
/* What a member of an IntEnum is as an integer; any other type itself. */
const Type *type_plain(const Type *type);
/* The number of the item called `name`, or -1. */
int type_find_item(const Type *type, const char *name);
bool type_is_uniform(const Type *tuple); /* its items are of one type; also if it has none */
bool type_is_optional(const Type *type);
const Type *type_optional_value(const Type *optional);
bool type_is_record(const Type *type);
/* A reference to one record: an array of them without axes. */
bool type_is_record_ref(const Type *type);
bool type_holds_arrays(const Type *type); /* an array, or a tuple with one somewhere in it */
/* Bytes of a scalar in memory; of a tuple or array, as the C struct that stands for it. */
size_t type_size(const Type *type);
/* ir/types/limits.c: eps, max, tiny, ... of floats, by NumPy's names; false of other names. The
** greatest or the least integer, as its 64 bits. */
bool type_float_limit(const Type *type, const char *name, double *limit);
int64_t type_integer_limit(const Type *type, bool most);
size_t type_align(const Type *type);
/* The real type of a complex one's parts. */
const Type *type_complex_part(const Type *type);
/* The scalar type called `name` (also numba's short names: f4, i8, intp, boolean), or NULL. */
const Type *type_by_name(const char *name);

/* The vector type called `name`, as numba has it (float32x4) or CUDA (float4, uchar2), or NULL. */
const Type *type_vector_by_name(const char *name);

/* "int32", "float32[:, ::1]", "(int64, float32)": as signatures spell it. */
void type_print(Buf *out, const Type *type);
const char *type_name(Arena *arena, const Type *type);

/* ---- time.c ---------------------------------------------------------------------------- */

typedef enum TimeUnit {
#define UNIT(name, count, above) TIME_##name,
#include "ir/types/time.def"
    TIME_NONE, /* goes with every other */
    TIME_UNITS
} TimeUnit;

/* datetime64 or timedelta64. */
const Type *type_time(bool date, TimeUnit unit);
bool type_is_date(const Type *type);
bool type_is_span(const Type *type); /* of time */
bool type_is_time(const Type *type);
TimeUnit time_unit(const Type *type);
/* Whether a dtype's name is one of characters, "<U4" or "S8". */
bool type_is_of_characters(const char *name);
#define NO_CHARACTERS "an array of characters says how many: 'S8', '<U4'"
/* "datetime64[ns]", "<m8[s]", "M8"; NULL for all else. */
const Type *type_time_by_name(const char *name);
bool time_unit_named(const char *name, size_t length, TimeUnit *unit);
/* How many of `to` one `from` is; 0 if that is no whole number, not always the same, or beyond an
** int64. */
int64_t time_factor(TimeUnit from, TimeUnit to);
/* Whether a span, or a date, in one unit is one in another, exactly: numba's safe casts, and dates
** of months as their first days. */
bool time_castable(bool date, TimeUnit from, TimeUnit to);
TimeUnit time_finer(TimeUnit a, TimeUnit b);
/* What "2001-12-31T23:59:59.999" or "NaT" counts in `*unit`, rounded down; TIME_NONE becomes the
** finest that is written. False if it is no time, or does not fit. */
bool time_parse(const char *text, TimeUnit *unit, int64_t *count);
/* What a count of units of `type` is in another unit, rounded down where that is coarser. */
int64_t time_in_unit(int64_t count, const Type *type, TimeUnit to);
enum { TIME_TEXT = 64 };
/* As NumPy writes it: "2001-12-31", "5 ns", "NaT". */
void time_print(char text[TIME_TEXT], const Type *type, int64_t count);

/* ---- record.c -------------------------------------------------------------------------- */

/* The record with these fields, which are copied; `size` is at least what they cover. The fields
** may overlap. Its alignment is the greatest, up to what its fields would like, that `size` lets
** every element of an array have. */
const Type *type_record(Types *types, const RecordField *fields, int count, size_t size);
/* The number of the field called `name`, or -1. */
int record_find(const Type *record, const char *name);
/* The field's name that is spelled most like `name`, or NULL. */
const char *record_nearest(Arena *arena, const Type *record, const char *name);
/* Elements of a field: 1, or as many as its shape says. */
int64_t record_field_count(const RecordField *field);
/* Whether a field may lie where its type cannot be read at once. */
bool record_field_unaligned(const Type *record, const RecordField *field);
/* Whether some fields have bytes in common. */
bool record_overlaps(const Type *record);
bool record_equal(const Type *a, const Type *b);
void record_print(Buf *out, const Type *record);

/* What np.dtype(...), numba.from_dtype(...) and record(...) say, a call. NULL after a complaint. */
/* The same of a list of fields, [("x", "<f4"), ("y", "<i4", (3,))], as NumPy's files have it. */
const Type *record_from_list(Types *types, Diags *diags, const AstExpr *list, bool padded);
const Type *record_from_ast(Types *types, Diags *diags, const AstExpr *call);

/* ---- characters.c -------------------------------------------------------------------------- */

/* Texts of up to `count` letters, of Unicode or bytes: the elements of arrays of them. */
const Type *type_characters(Types *types, bool unicode, int64_t count);
/* Of "<U4", "S8"; NULL for all else. */
const Type *type_characters_named(Types *types, const char *name);
bool type_is_characters(const Type *type);
bool characters_are_unicode(const Type *type);
int64_t characters_count(const Type *type);
void characters_print(Buf *out, const Type *type);

/* ---- join.c -------------------------------------------------------------------------------- */

/* The type two definitions share where control flow joins them (numba's unification); NULL if
** there is none. type_none beside a type makes it optional. */
const Type *typing_unify(Types *types, const Type *a, const Type *b);

/* ---- typing.c: numba's rules -------------------------------------------------------------- */

/* How numba types an operation: what each operand is cast to, and what comes out. `result` is
** NULL where numba has no such operation. */
typedef struct Typing {
    const Type *left, *right, *result;
} Typing;

/* The scalar type that two scalars share where control flow joins them. */
const Type *typing_common(const Type *a, const Type *b);
Typing typing_binary(AstOp op, const Type *left, const Type *right);
/* The same by NumPy 2's rules (NEP 50): as numpy.result_type, but that two bools make int64. A weak
** operand, a literal, takes the other's type, if it is of its kind or a lesser one. */
Typing typing_nep50(AstOp op, const Type *left, bool left_weak, const Type *right, bool right_weak);
/* == != < <= > >= on scalars; `left` and `right` are the type that compares. */
Typing typing_compare(AstOp op, const Type *left, const Type *right);
/* - + ~ on scalars: `left` is what the operation works in, `result` what it is widened to. */
Typing typing_unary(AstOp op, const Type *operand);
/* The float type, of 32 bits at least, that a real number becomes where numba has an operation on
** floats only; NULL for what is not a real number. */
const Type *typing_float(const Type *type);
/* The type in which numba's ufuncs work on two scalars: NumPy's promotion, but that no integer
** makes a float32 or complex64 wider and float16 counts as float32. */
const Type *typing_ufunc(const Type *a, const Type *b);
/* The same of those that work in floats only: two integers of up to 16 bits make float32. */
const Type *typing_ufunc_float(const Type *a, const Type *b);
/* How an argument becomes what a signature declares, as numba rates it: not at all, as it is,
** wider, another kind of number with the same value, or with loss. */
typedef enum TypeConversion {
    CONVERSION_NONE,
    CONVERSION_EXACT,
    CONVERSION_PROMOTE,
    CONVERSION_SAFE,
    CONVERSION_UNSAFE
} TypeConversion;
TypeConversion typing_conversion(const Type *from, const Type *to);
/* Whether numba casts silently from one to the other in an assignment to typed storage. */
bool typing_can_store(const Type *from, const Type *to);

/* ---- signature.c: as text ------------------------------------------------------------------ */

typedef struct Signature {
    const Type *const *params;
    int count;
    const Type *result; /* NULL where it does not say; type_none for void */
} Signature;

/* The type that an expression of the language names: float32, float32[:, ::1], (int32, f4). NULL
** after a complaint. */
/* The tuple of the types that these name; NULL after a complaint. */
const Type *types_from_ast(Types *types, Diags *diags, const AstExprs *exprs);
const Type *type_from_ast(Types *types, Diags *diags, const AstExpr *expr);
/* "; did you mean 'float32'?" of a name that is no type; "" if no type is like it. */
const char *types_near(Arena *arena, const char *name);
/* Reads "name(type, type)", "type(type, type)" or "(type, type)". `*name` is what stands in front,
** NULL if that is no plain name. */
bool signature_from_ast(Types *types, Diags *diags, const AstExpr *expr, const char **name,
                        Signature *signature);
void signature_print(Buf *out, const char *name, Signature signature);
