/* Types: what a value is, and numba's rules for which type comes of which.
**
** Scalar types are constants of the program. Tuples and arrays are interned in a Types table, so
** that equal types are the same pointer everywhere. */
#ifndef KJIT_TYPES_H
#define KJIT_TYPES_H

#include "parser/ast.h"

typedef enum TypeKind {
    TY_ERROR, /* of an expression already complained about: agrees with everything */
    TY_NONE,  /* of a function that returns nothing */
#define TYPE(NAME, name, bytes, class, descr) TY_##NAME,
#include "ir/types.def"
    TY_TUPLE,
    TY_ARRAY,
    TY_KINDS,
    TY_FIRST_SCALAR = TY_BOOL,
    TY_LAST_SCALAR = TY_COMPLEX128
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

typedef struct Type Type;
/* clang-format off */
struct Type {
    TypeKind kind;
    union {
        struct { const Type *const *items; int count; } tuple;
        struct { const Type *element; int rank; ArrayLayout layout; bool readonly; } array;
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

/* The interned types of one compilation. */
typedef struct Types {
    Arena *arena;
    const Type **list;
    int count, capacity;
} Types;

void types_init(Types *types, Arena *arena);
const Type *type_tuple(Types *types, const Type *const *items, int count);
const Type *type_array(Types *types, const Type *element, int rank, ArrayLayout layout,
                       bool readonly);

TypeClass type_class(const Type *type);
bool type_is_scalar(const Type *type);
bool type_is_integer(const Type *type); /* bool is not one */
bool type_is_signed(const Type *type);
bool type_is_unsigned(const Type *type);
bool type_is_float(const Type *type);
bool type_is_real(const Type *type); /* bool, integer or float */
bool type_is_complex(const Type *type);
bool type_is_array(const Type *type);
bool type_is_tuple(const Type *type);
bool type_holds_arrays(const Type *type); /* an array, or a tuple with one somewhere in it */
/* Bytes of a scalar in memory; of a tuple or array, as the C struct that stands for it. */
size_t type_size(const Type *type);
size_t type_align(const Type *type);
/* The real type of a complex one's parts. */
const Type *type_complex_part(const Type *type);
/* The scalar type called `name` (also numba's short names: f4, i8, intp, boolean), or NULL. */
const Type *type_by_name(const char *name);

/* "int32", "float32[:, ::1]", "(int64, float32)": as signatures spell it. */
void type_print(Buf *out, const Type *type);
const char *type_name(Arena *arena, const Type *type);

/* ---- typing.c: numba's rules -------------------------------------------------------------- */

/* How numba types an operation: what each operand is cast to, and what comes out. `result` is
** NULL where numba has no such operation. */
typedef struct Typing {
    const Type *left, *right, *result;
} Typing;

/* The type two definitions share where control flow joins them (numba's unification); NULL if
** there is none. */
const Type *typing_unify(Types *types, const Type *a, const Type *b);
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
/* The type in which numba's ufuncs work on two scalars: NumPy's promotion, but that no integer makes
** a float32 or complex64 wider and float16 counts as float32. */
const Type *typing_ufunc(const Type *a, const Type *b);
/* The same of those that work in floats only: two integers of up to 16 bits make float32. */
const Type *typing_ufunc_float(const Type *a, const Type *b);
/* Whether numba casts silently from one to the other in an assignment to typed storage. */
bool typing_can_store(const Type *from, const Type *to);

#endif
