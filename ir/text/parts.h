/* What printing and reading share. Only ir/text/ includes this. */
#pragma once

#include "ir/text/text.h"

/* ---- derive.c: the types that operands tell ------------------------------------------------- */

/* Of an operation of these operands, in a text the type that need not be written; NULL if there is
** none. What they are is not relied on. The node's op, index, axes, intrinsic or callee is set. */
const Type *derived_type(Types *types, const IrValue *value);
/* Whether they are one type, of whatever table; false if one is NULL. */
bool types_same(const Type *a, const Type *b);

/* ---- words.c: what both spell alike -------------------------------------------------------- */

/* Attributes that a function may have, and what they stand for. */
typedef struct TextFlag {
    const char *name;
    size_t offset; /* of a bool */
} TextFlag;

extern const TextFlag text_option_flags[]; /* in IrOptions; these lists end with a NULL */
extern const TextFlag text_function_flags[];
extern const TextFlag text_var_flags[];

/* Numbers between parentheses: launch_bounds(256, 2, 0). */
typedef struct TextNumbers {
    const char *name;
    size_t offset; /* of the first; each is four bytes wide */
    int count;
    int fallback; /* what each is where it is not written */
} TextNumbers;

extern const TextNumbers text_option_numbers[]; /* in IrOptions */

extern const char *const text_combines[]; /* by Combine */
/* "shared" and so on, by IrVarKind; NULL for those that are not declared so. */
extern const char *const text_kinds[];

/* What a hexadecimal digit in lower case stands for; -1: it is none. */
int text_hex_digit(char c);
/* Whether a word of the language stands in the way of a name that reads the same. */
bool text_is_reserved(const char *name, size_t length);

/* ---- print_value.c ------------------------------------------------------------------------- */

/* Whether IrValue.index is written as a last operand. */
bool text_has_index(const IrValue *value);

/* A type that has a name of its own: a line `type NAME = ...` says what it is. */
typedef struct NamedType {
    const Type *type;
    const char *name;
} NamedType;

typedef struct NamedTable {
    const IrTable *table;
    const char *name;
} NamedTable;

typedef struct Printer {
    Buf *out;
    Arena *arena;
    Types *types;
    const IrFunc *fn;
    int depth;
    bool full;
    bool *declared; /* by variable, as the names */
    const char **names;
    const Source *source; /* that positions are in, and the line of the last */
    uint32_t line;
    NamedType *named;
    int named_count, named_capacity;
    NamedTable *tables;
    int table_count, table_capacity;
    const char **taken; /* names of types and tables, as they are without their numbers */
    int taken_count, taken_capacity;
} Printer;

void print_value(Printer *p, const IrValue *value);
/* An element, or a constant without its type. */
void print_number(Printer *p, const Type *type, const IrConstant *constant);
/* In backquotes, unless it is a plain name and no word of the language. */
void print_name(Buf *out, const char *name);
const char *printed_name(Arena *arena, const char *name);
/* In quotes, what is no plain character by its number. */
void print_string(Buf *out, const char *text);

/* ---- print_type.c -------------------------------------------------------------------------- */

void print_type(Printer *p, const Type *type);
const char *table_name(Printer *p, const IrTable *table);
/* Of all types and tables that were printed so far: what they are. */
void print_named(Printer *p, Buf *out);

/* ---- print_unit.c -------------------------------------------------------------------------- */

/* What is known of launches, and how they are carried out. `names` are the kernel's parameters. */
void print_unit_facts(Buf *out, const IrUnit *unit, const char *const *names);
