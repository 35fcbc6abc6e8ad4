/* What the files of the emitter share. Not for other folders.
**
** unit.c              the unit: order of functions, their heads, what comes out beside the text
** line.c              lines of the text, and where #line says they come from
** function.c          the function at hand: its variables and parameters
** fixed.c             arrays with constant extents, where shared memory lies
** stmt.c              statements
** loop.c              heads of for statements, and pragmas
** print.c             print()
** declare.c           where variables are declared
** expr.c              values as C expressions, with as few parentheses as C needs
** natural.c           the types that these have in C, and where casts may be left out
** operator.c          operators, and what text.def says with the operands put in
** call.c              calls: device functions, intrinsics, atomics
** foreign.c           functions of texts that are linked
** assign.c            assignments to variables and elements
** cuda/equal.c        CUDA: which integers are compared by their bits
** cuda/overflow.c     CUDA: which integers may overflow
** cuda/shape.c        CUDA: which factors indices are made of
** cuda/least.c        CUDA: the least number of a type, its own negative
** cuda/zero.c         CUDA: comparisons of floats that choose between zeros
** gather.c            C: indices that gcc would gather by a mask
** array.c             elements of arrays, through views, and arrays as values
** axis.c              extents and strides of arrays
** text.c              indices and offsets, as texts that are added up
** table.c             constant arrays of the module
** type.c              types, declarations of variables, constants
** struct.c            the structs of tuples, arrays and records
** cast.c              casts of scalars
** name.c              the user's names made legal and unique
** prelude.c           the pieces of the preludes that the unit needs
** threads/threads.c   DIALECT_C: the threads of a block as loops, split at barriers
** check/              DIALECT_CHECK: one thread that reports to the checker: check/check.h
** expr.h, text.h      what those that write values share, and those that write arrays
** text.def            what each operation and intrinsic looks like
** prelude/             what C has no operator for, as functions
**
** A kernel goes to the plain walk in CUDA and DIALECT_CHECK, and to emit_threads_kernel() in C,
** which calls the plain walk for what lies between barriers. */
#pragma once

#include "base/table.h"
#include "codegen/codegen.h"
#include "ir/analysis/range/bounds.h"

/* The precedence of an expression in C. A context requires at least one; else there are
** parentheses. */
typedef enum Prec {
    PREC_ARGUMENT, /* between commas, on the right of =, inside () and []: anything goes */
    PREC_SELECT,   /* ?: */
    PREC_OR_ELSE,
    PREC_AND_THEN,
    PREC_OR,
    PREC_XOR,
    PREC_AND,
    PREC_EQUALITY,
    PREC_RELATION,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MULTIPLY,
    PREC_UNARY,   /* casts too */
    PREC_POSTFIX, /* calls, names, constants, indexing */
} Prec;

/* Where a variable lives, which decides how it is written. */
typedef enum Storage {
    STORAGE_PLAIN,  /* name          a local variable, declared by the walk where first set */
    STORAGE_THREAD, /* name[t]       one for each thread of the block; threads/threads.c declares */
    STORAGE_FRAME,  /* f->name       in the frame of a resumable thread; likewise             */
    STORAGE_BLOCK   /* name          one for the block; likewise                              */
} Storage;

/* How an array variable is written. */
typedef enum ArrayForm {
    FORM_STRUCT, /* a struct array_T_R: a.data, a.shape[i], a.strides[i]                  */
    FORM_PARTS,  /* pointer x, extents x_0, x_1, byte strides x_s0, x_s1 (layout A only)  */
    FORM_FIXED   /* a C array with constant extents (shared and private arrays)           */
} ArrayForm;

/* Names taken; each with the number that the next one like it is tried with. */
typedef struct NameSet {
    Table taken;
} NameSet;

/* The factors in an index, a sum of variables times numbers: cuda/shape.c. */
typedef enum IndexShape {
    INDEX_RISES = 1,      /* a factor of 1 */
    INDEX_FALLS = 2,      /* of -1 */
    INDEX_RISES_FAST = 4, /* above 1 */
    INDEX_FALLS_FAST = 8, /* below -1 */
    INDEX_NUMBER = 16,    /* all of it may be a number to the compiler */
    INDEX_NEGATIVE = 32,  /* which may be negative */
    INDEX_ANY = 63
} IndexShape;

/* Facts of one variable of the function that is emitted, by IrVar.id. */
typedef struct VarInfo {
    const char *name; /* legal and unique in the function */
    Storage storage;
    ArrayForm form;        /* of arrays */
    const char *parts;     /* of a kernel's array parameter: the name its parts have */
    const IrValue *only;   /* the value of its only IR_SET, NULL if there are more or none */
    IndexShape shape;      /* cuda/shape.c: of what it is set to; 0: not asked yet */
    unsigned question;     /* cuda/least.c: the last that has come to it */
    int sets;              /* how many statements set it, IR_FOR counted */
    const IrStmt *declare; /* STORAGE_PLAIN: where it is declared: at this statement if that sets
                                it, else just before; NULL: nowhere, or by its region's owner */
    bool own;              /* `declare` is the IR_SET or IR_FOR that sets it, and declares it */
    bool init;             /* declared with = 0, as a path might read it unset */
    bool led_to;      /* C: of a parameter: other pointers into its array come along with it, so
                           that it is not `restrict` */
    const char *sums; /* of an array whose sums are kept exactly: the rows of these */
    /* cuda/equal.c: of an array of the thread's own, what its elements may be */
    enum { HOLDS_UNASKED, HOLDS_READ, HOLDS_ANY } holds;
} VarInfo;

/* A variable that is declared in front of a statement. */
typedef struct Declared {
    const IrStmt *stmt;
    int var; /* IrVar.id */
} Declared;

/* A tuple, array or record struct type of the unit. */
typedef struct StructInfo {
    const Type *type; /* of an array: any layout */
    const char *name;
    bool make, item_at;   /* the helper functions asked for */
    bool unaligned;       /* of a record: also the struct of one that lies anywhere */
    const char **members; /* of a record: what C calls its fields */
} StructInfo;

/* A constant array that the unit reads. */
typedef struct EmittedTable {
    const IrTable *table;
    const char *name; /* of the object in C */
    const char *text; /* what stands for the array: the name, or that read as another type */
    bool words;       /* written as the bits of its elements, or of their parts */
} EmittedTable;

typedef struct Need Need; /* a piece of a prelude for a type: prelude.c */
typedef struct Emitter Emitter;

struct Emitter {
    Arena *arena;
    const IrUnit *unit;
    Dialect dialect;
    Diags *diags;
    bool lacks_piece; /* the text needs something that the prelude has not */
    Buf *out;         /* lines go here; may be pointed elsewhere for a while */
    int depth;        /* of blocks */

    /* the function at hand */
    const IrFunc *fn;
    VarInfo *vars; /* by IrVar.id */
    IrMagnitude *magnitude;
    unsigned question;  /* how many cuda/least.c was asked */
    Declared *declared; /* sorted; emit_declared_before() finds them */
    int declared_count;
    NameSet locals;            /* names taken in the function */
    const char *fault_name;    /* its parameter that points to the KjitFault, NULL if it has none */
    const char *alone_name;    /* C, exact sums: whether no other adds to them; exact.c */
    void (*leave)(Emitter *e); /* writes the one statement that ends the thread, in a kernel; NULL:
                                    `return;` (CUDA) */
    const char *thread_index;  /* STORAGE_THREAD: "t" unless threads/threads.c says otherwise */
    const char *frame;         /* STORAGE_FRAME: "f" likewise */

    /* C: a parameter that every device function takes first, and the argument that every call
    ** passes, or NULL: how device functions know which thread they are. threads/threads.c; in
    ** check/check.c kernels have it too. */
    const char *context_param, *context_arg;
    bool mingles;             /* CUDA: loads of what is only read and what is written: mingled.h */
    bool by_branch;           /* C: indices are wrapped by a branch: no vector could be made */
    struct Threads *threads;  /* what threads/threads.c is at; for its leave() */
    struct Gathers *gathers;  /* C: what indices are made of; gather.c */
    struct CheckState *check; /* DIALECT_CHECK: what check/check.c keeps */

    /* the unit */
    NameSet globals;
    const char **function_names; /* of unit->functions, by index; emit_function_name() */
    bool *faulting;              /* which of them take the KjitFault */
    StructInfo *structs;
    int struct_count, struct_capacity;
    EmittedTable *tables;
    int table_count, table_capacity;
    Need *needs;
    int need_count, need_capacity;
    EmitFault *faults;
    int fault_count, fault_capacity;
    uint64_t static_shared; /* of the shared arrays written so far */
    bool moves_shared;      /* CUDA: they lie in dynamic shared memory, having no room elsewhere */
    uint64_t moved_shared;  /* bytes of all of them, if so */
    int dynamic_align;      /* CUDA, and where it is checked: of dynamic shared memory */
    bool parts_warps;       /* CUDA: operations of warps have masks that may leave lanes out */

    /* #line: which source line the next line of text will count as */
    const Source *source;
    uint32_t line;
};

/* ---- line.c -------------------------------------------------------------------------------- */

/* One line, indented. */
void line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `text {` and a level deeper; back, and `}text`. */
void open_block(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void close_block(Emitter *e, const char *after);
/* Sees to it that the next line counts as the one `span` begins on: by blank lines if three or
** fewer do, else by #line. */
void emit_location(Emitter *e, Span span);
/* The same, but one line too far is near enough. */
void emit_place_near(Emitter *e, Span span);
/* Whether the line after next would count as the one `span` begins on, or nearly: no line is left
** empty between a head and a body of one line. */
bool emit_is_next_line(const Emitter *e, Span span);
/* Lines from here on count as lines of `name`, which is no source: the prelude. */
void emit_place_none(Emitter *e, const char *name);

/* ---- function.c ---------------------------------------------------------------------------- */

/* Makes `fn` the function at hand: names its variables, all STORAGE_PLAIN, shared arrays
** STORAGE_BLOCK, and finds where they are declared. */
void emit_enter_function(Emitter *e, const IrFunc *fn);
/* The parameters as C writes them, separated by ", ": arrays in parts in kernels, as structs in
** device functions, context_param first and the KjitFault last where there are such. */
const char *emit_parameters(Emitter *e);
/* Of the function's own only those that are `wanted`, by number; NULL: all. */
const char *emit_parameters_of(Emitter *e, const bool *wanted);
/* `head(parameters)`, on as many lines as 100 columns make of it. */
void emit_signature(Emitter *e, const char *head, const char *parameters);
/* Where arrays are known to begin, which the type of a parameter does not say. */
void emit_alignments(Emitter *e);

/* ---- fixed.c ------------------------------------------------------------------------------- */

enum { GRID_SYNC_SHARED = 16 }; /* bytes that grid_sync() has for itself */

/* CUDA: more shared memory than a block can have fixed is taken from the dynamic one, as the
** programming guide has it for devices from sm_70 on. */
void plan_shared(Emitter *e);
/* The declarations of the function's fixed arrays that live where `storage` says; CUDA's
** __shared__ ones too. Adds to static_shared. */
void emit_fixed_arrays(Emitter *e, Storage storage);
/* Adds a shared array to the bytes of those before it; gives where it lies behind them. */
uint64_t emit_count_shared(uint64_t *total, const IrVar *var);
/* Whether a function of the unit has arrays of the thread's own. */
bool emit_has_own_arrays(const IrUnit *unit);

/* ---- unit.c -------------------------------------------------------------------------------- */

/* The C name of a device function, and whether it takes the KjitFault. */
const char *emit_function_name(Emitter *e, const IrFunc *fn);
bool emit_function_faults(Emitter *e, const IrFunc *fn);

/* ---- foreign.c ----------------------------------------------------------------------------- */

/* Keeps the names of foreign functions for these. */
void foreign_enter(Emitter *e);
/* The body of a function that calls a foreign one. */
void emit_foreign(Emitter *e, const IrFunc *fn);
/* Puts the texts that are linked in front of the emitted one, or beside it. */
void foreign_link(Emitter *e, Emitted *out);
/* Whether what the unit calls is in a text of the dialect; complains if not. */
bool foreign_fits(const IrUnit *unit, Dialect dialect, Diags *diags);

/* ---- threads/exact.c ----------------------------------------------------------------------- */

/* Sums that are kept exactly: whether the function at hand has any; the names of what it takes for
** them, as parameters and as arguments behind others; whether an atomic's array is one of these,
** and what it does then; and CUDA's second kernel, if there is to be one. */
void exact_enter(Emitter *e);
bool exact_any(const Emitter *e);
const char *exact_parameters(Emitter *e);
const char *exact_arguments(Emitter *e);
bool exact_is_accumulator(const Emitter *e, const IrValue *array);
const char *exact_atomic_text(Emitter *e, const IrValue *value);
void exact_cuda_round(Emitter *e, Emitted *out);

/* ---- cuda/equal.c -------------------------------------------------------------------------- */

/* Whether a comparison for equality must be written as one of the bits that differ. */
bool equal_by_bits(const Emitter *e, const IrValue *value);

/* ---- cuda/group.c -------------------------------------------------------------------------- */

/* Writes the sums by atomics that begin with a statement, if several follow one another; the last
** statement of them, or NULL. */
const IrStmt *emit_groups(Emitter *e, const IrStmt *stmt);

/* ---- gather.c ------------------------------------------------------------------------------ */

/* DIALECT_C: finds what the unit's indices are made of; whether one may depend on what a thread
** decides, false in other dialects. */
void emit_gathers(Emitter *e);
bool index_decides(const Emitter *e, const IrValue *index);

/* ---- cuda/shape.c -------------------------------------------------------------------------- */

/* The factors that an integer may be made of; 0 in dialects other than CUDA. */
IndexShape index_shape(const Emitter *e, const IrValue *value);
/* Of a number; and of values of which others are made, for texts that are no values of the IR. */
IndexShape shape_of_number(int64_t number);
IndexShape shape_plus(IndexShape a, IndexShape b);
IndexShape shape_times_number(IndexShape shape, int64_t number);
IndexShape shape_times(IndexShape a, IndexShape b);
/* Whether the compiler draws conclusions from an array's indices: of arrays that are only read it
** uses nothing but that they do not change. */
bool index_matters(const Emitter *e, const IrValue *array);

/* ---- cuda/least.c -------------------------------------------------------------------------- */

/* What a value is the negative of, in whatever way; NULL: it is no negative. */
const IrValue *negated_value(const IrValue *value);
/* Whether a value may be an absolute value or a negative, as far as the CUDA compiler can see. */
bool may_be_negated(Emitter *e, const IrValue *value);

/* ---- cuda/zero.c --------------------------------------------------------------------------- */

/* The same comparison with a zero of the other sign, if it is one of floats with 0.0 or -0.0 that
** could become a minimum or a maximum; else the value. */
const IrValue *against_other_zero(Emitter *e, const IrValue *value);
/* The operand of a comparison that could become a minimum or a maximum which chooses between zeros,
** and that is to be hidden therefore; -1: none is. */
int side_without_nan(Emitter *e, const IrValue *value);

/* ---- cuda/overflow.c ----------------------------------------------------------------------- */

/* Whether an operation must be done with unsigned numbers, which wrap. */
bool may_overflow(const Emitter *e, const IrValue *value);

/* ---- declare.c ----------------------------------------------------------------------------- */

/* Finds where each STORAGE_PLAIN variable is declared. Needed again when storage changed. In C no
** declaration is moved out of a loop that synchronises: what such a loop carries is not PLAIN. */
void emit_place_variables(Emitter *e);
/* The first entry of `declared` for the statement; they go on as long as `stmt` is the same. */
const Declared *emit_declared_before(const Emitter *e, const IrStmt *stmt);
/* Whether a statement itself declares the variable that it sets. */
bool declares(const Emitter *e, const IrStmt *stmt);

/* ---- stmt.c -------------------------------------------------------------------------------- */

/* Write the statements of a region, one or a few lines each; one of them. */
void emit_region(Emitter *e, const IrRegion *region);
void emit_stmt(Emitter *e, const IrStmt *stmt);

/* ---- loop.c -------------------------------------------------------------------------------- */

/* A for statement's head `for (...)`, without brace; for loops that are split too, then with
** var STORAGE_PLAIN or not. What must be evaluated once before is written as lines first. */
const char *emit_for_head(Emitter *e, const IrStmt *stmt);
/* The pragma in front of a loop that is to be unrolled. */
void emit_unroll(Emitter *e, const IrStmt *stmt);
/* C: whether a loop carries a number on from iteration to iteration, a sum or a maximum, and calls
** no function. gcc would gather what data say into vectors, only to take these apart again. */
bool emit_carries_on(const Emitter *e, const IrStmt *loop);

/* ---- print.c ------------------------------------------------------------------------------- */

/* Writes the call of printf that a print becomes, or several if its arguments are too many. */
void emit_print(Emitter *e, const IrStmt *stmt);

/* ---- expr.c, natural.c ---------------------------------------------------------------------- */

/* The value as a C expression binding at least as tightly as `prec`. It equals the value, but its C
** type may be another than the IR's: `1` for an int64, `x` for (long long)x. For any context. */
const char *value_text(Emitter *e, const IrValue *value, Prec prec);
/* The same, where C converts it to just the IR's type, and so rounds an integer to a float: on the
** right of =, behind return, as an argument of a function that has a prototype. */
const char *value_assigned(Emitter *e, const IrValue *value, Prec prec);
/* The same, of just the IR's type. */
const char *value_exact(Emitter *e, const IrValue *value, Prec prec);
/* The same, such that an operator between it and an operand of `type` computes in `type`. */
const char *beside_text(Emitter *e, const IrValue *value, const Type *type, Prec prec);
const char *var_text(Emitter *e, const IrVar *var);
/* `text`, which binds as `has`, in parentheses if `needs` is more. */
const char *parenthesize(Emitter *e, const char *text, Prec has, Prec needs);

/* ---- assign.c ------------------------------------------------------------------------------ */

/* What an IR_SET or IR_STORE does: `x = value`, `x += value`, `x++`. */
const char *assignment_text(Emitter *e, const IrStmt *stmt);
/* The statement that an IR_STORE is. */
void emit_store(Emitter *e, const IrStmt *stmt);

/* ---- call.c -------------------------------------------------------------------------------- */

/* How many indices an atomic operation has; 0 for what is none. */
int emit_atomic_indices(const IrValue *value);

/* ---- array.c ------------------------------------------------------------------------------- */

/* The element as an lvalue. */
const char *element_text(Emitter *e, const IrValue *array, IrValue *const *indices, int count,
                         Prec prec);
/* A pointer to it. */
const char *element_address_text(Emitter *e, const IrValue *array, IrValue *const *indices,
                                 int count, Prec prec);
const char *data_text(Emitter *e, const IrValue *array, Prec prec); /* a pointer */
/* The pointer to the first element of what is no view, binding as a cast does. */
const char *emit_base_text(Emitter *e, const IrValue *array);
/* The array as a struct. */
const char *array_text(Emitter *e, const IrValue *array, Prec prec);

/* ---- axis.c -------------------------------------------------------------------------------- */

/* The number of elements along an axis of an array. */
const char *extent_text(Emitter *e, const IrValue *array, int axis, Prec prec);
/* Whether the kernel's parameters for extents are ints, and one is written as such. */
bool emit_extents_are_int(const Emitter *e);
bool emit_extent_is_int(Emitter *e, const IrValue *array, int axis);
/* The bytes from one element to the next along an axis. */
const char *stride_text(Emitter *e, const IrValue *array, int axis, Prec prec);
/* What axis `axis` of a view is: sets `*source` to the axis it looks along, -1 for a new one;
** gives the first operand of a slice, or NULL where the axis is whole. */
IrValue *const *emit_view_axis(const IrValue *view, int axis, int *source);

/* ---- table.c ------------------------------------------------------------------------------- */

/* Names the constant arrays that the unit reads: before the first function. */
void emit_enter_tables(Emitter *e);
/* What an array in C of the table's type and extents is called. */
const char *emit_table_name(const Emitter *e, const IrTable *table);
/* Their definitions; after the functions, before the prelude. */
void emit_tables(Emitter *e);

/* ---- type.c -------------------------------------------------------------------------------- */

/* "long long", "float", "complex64", "array_f32_2", "tuple_f32_i64". */
const char *type_text(Emitter *e, const Type *type);
/* "i64", "f32": what typed names of the preludes end in. */
const char *type_suffix(const Type *type);
/* `T name`, with the star or brackets where C has them: of a fixed array too. */
const char *declarator_text(Emitter *e, const IrVar *var, const char *name);
/* Whether an array of the thread is a member `array` of a struct in C. One with an alignment of its
** own is: so that each is as large as it is aligned, however many there are side by side, in the
** worker or in the copies that a loop of vectors makes. */
bool is_in_struct(const Emitter *e, const IrVar *var);
const char *constant_text(Emitter *e, const Type *type, IrConstant constant, Prec prec, bool exact);
const char *zero_text(Emitter *e, const Type *type);
/* = 0 or = {0} behind a declaration. */
const char *zero_initializer(const Type *type);

/* ---- struct.c ------------------------------------------------------------------------------ */

/* The struct of a tuple, array or record type; those of its items come before it. */
StructInfo *struct_of(Emitter *e, const Type *type);
/* `make_NAME`, the function that makes the struct of its parts. */
const char *make_name(Emitter *e, const Type *type);
const char *item_at_name(Emitter *e, const Type *type);
/* The member that holds an item of a tuple or vector. */
const char *item_name(Emitter *e, const Type *type, int index);
/* What C calls field `index` of a record; the struct with a member `value` of the type that may lie
** at any address. */
const char *member_name(Emitter *e, const Type *record, int index);
const char *unaligned_name(Emitter *e, const Type *type);
/* Writes all that were asked for, each after those that it holds. */
void emit_structs(Emitter *e);
/* The same of it or of a record in it. */
bool record_holds_packed(const Type *record);

/* ---- cast.c -------------------------------------------------------------------------------- */

/* The piece of the prelude that rounds to a half float. */
const char *half_from(Emitter *e, const Type *half);
const char *cast_text(Emitter *e, const Type *to, const IrValue *from, Prec prec);
/* Whether results of the type are cut to it by the prelude's cut(), which hides what they are
** of. */
bool result_is_cut(const Emitter *e, const Type *type);

/* ---- name.c -------------------------------------------------------------------------------- */

/* A legal C identifier like `name` that is in none of the sets, nor reserved; adds it to `set`. */
const char *name_unique(Emitter *e, NameSet *set, const char *name);
const char *local_name(Emitter *e, const char *name);
bool name_taken(const NameSet *set, const char *name);

/* ---- prelude.c ----------------------------------------------------------------------------- */

/* What stands in front of a helper function. */
const char *function_words(const Emitter *e);

/* The preludes are texts in pieces. A piece is headed by a line
**
**     / *@ name types : needs * /        (without the blanks)
**
** `types` says for which types it can be written: suffixes (i32 f64), classes (signed unsigned int
** float complex) or `-` for a piece of no type. `needs` names pieces to come before it: `name` for
** the same type, `name.f64` for that one, `name.u` for the unsigned type of its width, `name.part`
** for a complex type's part, `name.-` for a piece of no type; `: needs` may be missing. The struct
** of a complex type or half float comes by itself.
** Instead, `= builtin` at the end of the head says that the name stands for a built-in function;
** no other piece can need that.
** `each add +; sub -:` in front of the name heads several pieces alike, of which one has `add` and
** `+`, the next `sub` and `-`, wherever head and text have $1 and $2 (base/each.awk).
** In the text
**     $fn  what a function begins with     $T  the type         $S  its suffix
**     $U   the unsigned type of its width  $P  the part of a complex type, $Q its suffix
**     $m   "f" for float, else ""          $B  its width in bits
** A piece of a type defines NAME_SUFFIX, another NAME. A dialect's prelude comes before
** prelude/both.c, so that a piece there replaces the common one. */

/* Has a piece emitted; gives the name to call. `type` is NULL for a piece of no type. */
const char *prelude(Emitter *e, const char *name, const Type *type);
/* Whether there is such a piece. */
bool prelude_has(Emitter *e, const char *name, const Type *type);
/* Whether a piece of no type has been asked for, by the unit or by other pieces: once all are
** written. */
bool prelude_wrote(const Emitter *e, const char *name);
/* Whether a prelude defines `name`. */
bool prelude_defines(Emitter *e, const char *name);
/* Writes every piece asked for, by name, each after those it needs. */
void emit_prelude(Emitter *e);

/* ---- check/check.c, check/access.c: DIALECT_CHECK -------------------------------------------- */

/* Before the first function; at the head of each; the kernel's entry; and what comes out. */
void check_begin(Emitter *e);
void check_enter_function(Emitter *e);
void check_entry(Emitter *e, const IrFunc *fn, const char *name);
void check_finish(Emitter *e, Emitted *out);
/* The declaration of an array of the block or of the thread, with what it is to the checker. */
void check_fixed_array(Emitter *e, const IrVar *var);
/* A report; and the end of the thread in a device function. */
void check_fault(Emitter *e, const IrStmt *stmt);
void check_end(Emitter *e);

/* A load, and a store, by the functions that ask the checker first. */
const char *check_load_text(Emitter *e, const IrValue *load, Prec prec);
const char *check_store_text(Emitter *e, const IrStmt *stmt);
/* An atomic operation by a function of the prelude; one that may take or release a lock is
** reported. */
const char *check_swap_text(Emitter *e, const IrValue *atomic, const char *function,
                            const char *operands);
/* The pointer to an array's first element; views look at their indices. Binds as a + does. */
const char *check_data_text(Emitter *e, const IrValue *array);
/* What an intrinsic looks like that is not as in C, else NULL. */
const char *check_intrinsic_text(Emitter *e, const IrValue *value, Prec prec);
/* Whether an operation may fail, so that it becomes a call; that call, as a template of
** text.def. */
bool check_may_fail(const Emitter *e, const IrValue *value);
const char *check_operator_template(Emitter *e, const IrValue *value);
/* Whether an intrinsic may give NaN or infinity where there was none. */
bool check_tests_finite(const Emitter *e, const IrValue *value);
/* The piece that reports it. */
const char *check_finite_piece(const IrValue *value);
/* A cast of what goes into an index: whether it may lose bits, and its text with the test. */
bool check_narrows_index(const Emitter *e, const IrValue *cast);
const char *check_index_cast(Emitter *e, const IrValue *cast);
/* `text`, a wider float that is converted to type `to`. */
const char *check_narrowed(Emitter *e, const Type *to, const char *text, Span span);
/* Arguments `c, site` of a location without an array, with which the prelude's calls begin. */
const char *check_site_args(Emitter *e, Span span, const char *what);
/* `text`, a float that is to become an integer of type `to`. */
const char *check_cast_argument(Emitter *e, const Type *to, const char *text, Span span);
/* Whether a variable's value may be undefined, the declarations of what says so, and the text of a
** use of it. */
bool check_is_followed(const Emitter *e, const IrVar *var);
void check_declare_undefined(Emitter *e);
const char *check_used_text(Emitter *e, const IrValue *value, const char *name);
/* Around the text of an assignment to a variable; whether a line follows it. */
bool check_follows_set(const Emitter *e, const IrStmt *stmt);
void check_begin_set(Emitter *e, const IrStmt *stmt);
void check_end_set(Emitter *e, const IrStmt *stmt);
/* The line in front of a kernel's return. */
void check_leave(Emitter *e, const IrStmt *stmt);
/* Whether the iterations of a loop are counted, and the line that counts one. */
bool check_counts_iterations(const Emitter *e, const IrStmt *loop);
void check_loop(Emitter *e, const IrStmt *loop);
/* A function begins: the same if it calls itself. */
void check_recursion(Emitter *e);
/* The thread as a call hands it on; checked, that says where the call is. */
const char *check_caller(Emitter *e, const IrValue *call);
const char *check_branch_text(Emitter *e, Span span, const char *condition);

/* ---- threads/threads.c: DIALECT_C ----------------------------------------------------------- */

/* What text.def and the preludes find in scope in C wherever a statement is written:
**     threadIdx, blockIdx, blockDim, gridDim   each a `dim3` (piece dim3) of `int x, y, z`:
**         variables in a kernel; in device functions parameters, which context_param lists
** Atomics are pieces of prelude/atomics.c, NAME(T *address, T value) giving the old value:
** atomic_add, atomic_sub, ... as in intrinsics.def. Synchronising intrinsics never reach the plain
** walk. */

/* Whether a unit can be written in a dialect without becoming enormous; complains if not. */
bool emit_fits(const IrUnit *unit, Dialect dialect, Diags *diags);
/* The unit as C can have it: a device function that waits, stops the thread or has shared arrays
** stands in place of its calls. emit_unit() goes on with this unit. Shared arrays of a function
** that is still there (they cannot have been written) are written as private ones. */
const IrUnit *emit_threads_unit(Arena *arena, const IrUnit *unit);
/* Whether every block is one thread, which does the work of many. */
bool emit_threads_are_one(const IrUnit *unit);
/* Sets context_param and context_arg before the first function is written. */
void emit_threads_begin(Emitter *e);
/* The kernel and the entry, kjit_entry. */
void emit_threads_kernel(Emitter *e, const IrFunc *fn);
