/* Questions about values and statements, and walks over them. */
#pragma once

#include "ir/ir.h"

typedef struct IrOpInfo {
    const char *name;
    int operands; /* -1: any number */
    enum { RESULT_SAME, RESULT_BOOL, RESULT_OWN } result;
    int effect;
} IrOpInfo;
extern const IrOpInfo ir_ops[OP_COUNT];

enum {
    OPERANDS_ARRAY = -1, /* an array, its indices and more */
    OPERANDS_GONE = -2   /* lowering makes something else of it */
};

typedef struct IrIntrinsicInfo {
    const char *name, *path;
    int rule;     /* RULE_, of rules.def */
    int operands; /* how many scalars; or OPERANDS_ */
    int effect;
} IrIntrinsicInfo;
extern const IrIntrinsicInfo ir_intrinsics[INTR_COUNT];

/* EFFECT_ flags of the value and everything below it; of a statement, with its regions; of either
** without what stands in it. */
int ir_own_effects(const IrValue *value);
int ir_kind_effects(IrStmtKind kind);
int ir_value_effects(const IrValue *value);
int ir_stmt_effects(const IrStmt *stmt);

/* How many operands of a value, from the first on, are evaluated whenever the value is: all, or the
** condition of a choice. */
int ir_certain_operands(const IrValue *value);
/* Whether a function has a variable of a kind. */
bool ir_has_kind(const IrFunc *fn, IrVarKind kind);
/* The number of a device function among those of a unit; the unit's count for the kernel. */
int ir_function_number(const IrUnit *unit, const IrFunc *fn);
static inline bool ir_is_shared(const IrVar *var)
{
    return var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC;
}
/* Whether a function writes the memory of a parameter, by atomics or otherwise (ir_effects). */
static inline bool ir_writes(const IrFunc *fn, int param)
{
    return fn->access[param] & (ACCESS_WRITE | ACCESS_ATOMIC);
}
static inline bool ir_is_loop(const IrStmt *stmt)
{
    return stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
}
static inline IrRegion *ir_loop_body(const IrStmt *loop)
{
    return (IrRegion *)(loop->kind == IR_FOR ? &loop->for_.body : &loop->while_.body);
}
/* Whether a value is the variable itself; a call of the intrinsic. */
static inline bool ir_is_var(const IrValue *value, const IrVar *var)
{
    return value->op == OP_var && value->var == var;
}
static inline bool ir_is_intrinsic(const IrValue *value, IrIntrinsic intrinsic)
{
    return value->op == OP_intrinsic && value->intrinsic == intrinsic;
}
/* Whether an intrinsic is an atomic that changes one element of an array. */
static inline bool ir_changes_element(IrIntrinsic intrinsic)
{
    return intrinsic >= INTR_atomic_add && intrinsic <= INTR_atomic_compare_and_swap;
}
/* Whether a value is a constant of an integer type that equals a number. */
bool ir_is_integer(const IrValue *value, int64_t number);
/* Whether a value is a call of an atomic operation: of EFFECT_ATOMIC, one that only reads, too. */
bool ir_is_atomic(const IrValue *value);
/* The variable that a statement sets itself, regions left out; NULL if none. */
IrVar *ir_set_var(const IrStmt *stmt);
/* Whether two values are the same text: equal if nothing that they read changes between them.
** Whether they are the same operation, whatever its operands. */
bool ir_same_value(const IrValue *a, const IrValue *b);
bool ir_same_operation(const IrValue *a, const IrValue *b);
/* Whether an array value is a part or another form of its operand's; the variable that is behind
** all such, NULL where that is none. */
bool ir_is_part(const IrValue *array);
IrVar *ir_array_base(const IrValue *array);
bool ir_is_comparison(IrOp op);
/* How many axes a view has, of an array of `rank` axes; -1 if `axes` is none of these. How many
** operands stand behind its array. */
int ir_view_rank(const char *axes, int rank);
int ir_view_operands(const char *axes);
/* Which comparison of integers holds where this one does not. */
IrOp ir_opposite(IrOp comparison);

/* The operands of a tile_product: the sums, [m][n][4]; tile a, its three indices; tile b, likewise;
** the lane; the orders of both tiles, each a constant: 0 of [][row or column of the result][k], 1
** of [][k][row or column]; which TileForm, a constant. The indices are those of the first element
** that the warp reads. A lane's sum [m][n][e] is of row 16 * m + lane / 4 + e / 2 * 8 and column
** 8 * n + lane % 4 * 2 + e % 2 of the warp's (of bytes of the order 1: as many times the latter as
** there are n, and n), and as many products are added to it as the form
** says: of float64 in the order of k, each by fma; of bytes exactly; of the others as tensor cores
** do. Of TF32X3_GROUP there is one m more, of what is added to the others when the next product is
** asked for, or by tile_wait.
**
** Of a form of a GROUP four warps multiply together, the first of which has a number that four
** divides: in the lane's place stands the thread's number in the block, the tiles' indices are
** those of the group, m is 0, and a lane's sums are of the 16 of the group's 64 rows that are its
** warp's. Tiles are made of rows of 128 bytes, of as many k each as the form says, and of as many
** rows or columns: in the order 0 element k of a row of the result, r, is [][r][k'], in the order 1
** it is [][r - r % depth + k][r']; k' is k with the 16 bytes in which it lies moved to where their
** number among the 8 of a row has the bits of r % 8 turned over, r' is r % depth likewise by k % 8.
** Tiles are written before a tile_fence and a barrier behind that; the product may go on until the
** next but one, or until tile_wait: until then sums are not to be read, nor tiles written. A first
** factor that lanes load may lie so, too; its indices are those of the group then.
**
** A tile_load fills rows of such a tile: 128 bytes from an element of an array on, along its last
** axis, and as many neighbours of these along another axis as its map says; 0 stands for elements
** that the array does not have. The copy goes on beside the threads. An mbarrier of CUDA counts the
** bytes that come: tile_expect says how many a phase of it is to wait for, and threads that have
** waited for the phase's end, by tile_ready, find them.
**
** A form that works ahead has lanes hold parts of the factors in registers: one operand more, a
** private array. A tile_product finds the first half of its factors there, where
** tile_ahead or tile_rest has put it, and may leave the second half of its products to a tile_rest,
** which puts the first half of other tiles there meanwhile. Until then sums are not to be read; the
** tiles may be written once all warps have asked for the product. */
enum {
    /* operands of a tile_load: the mbarriers, an index behind them; the map; the array, likewise */
    TILE_LOAD_READY = 4,
    TILE_LOAD_MAP = 6,
    TILE_LOAD_SOURCE = 7,
    TILE_PRODUCT_FORM = 12,
    TILE_PRODUCT_HELD = 13, /* of forms that work ahead */
    TILE_PRODUCT_OPERANDS = 13,
    TILE_ROW_BYTES = 128,
    TILE_GROUP_ROWS = 64
};
enum { ROWS_LOADED = 16 }; /* rows of a rows_load, and elements of each */
bool ir_tile_grouped(TileForm form);
/* Whether a form of a group has the first factor of its lanes, from a tile like those of single
** warps, and the second one from a tile that tile_split has made ready. */
bool ir_tile_split(TileForm form);
/* Whether a tile lies as groups find it in shared memory, be it read so or not. */
bool ir_tile_lies_grouped(const IrVar *tile, TileForm form);
/* Whether the product may go on behind it. */
bool ir_tile_overlaps(TileForm form);
/* Whether lanes hold parts of the factors; how many numbers that are for sums [m][n][4]. */
bool ir_tile_works_ahead(TileForm form);
int64_t ir_tile_held(int64_t m, int64_t n);
const char *ir_tile_name(TileForm form);
const Type *ir_tile_sums(TileForm form);
const Type *ir_tile_type(TileForm form);
int ir_tile_depth(TileForm form);
/* The form that may be asked for by a name; 0: there is none of that name. */
TileForm ir_tile_named(const char *name);
/* Likewise, with the names of all that IrOptions.matmul can be. */
TileForm ir_matmul_named(const char *name);
/* The names that may be asked for, as messages list them. */
extern const char ir_tile_names[];
/* What a parameter holds that passes have added to the kernel; NULL: it is none of these. */
const IrHidden *ir_hidden_of(const IrUnit *unit, const IrVar *var);
/* Which operand of an async_copy is the array that it reads. */
int ir_async_source(const IrValue *copy);

/* How caches should treat a load or a store; the first says nothing. From CACHE_AT on: it lies at a
** multiple of 2, 4, 8 or 16 bytes (packs.c). */
extern const char *const ir_cache_names[];
enum { CACHE_AT = INTR_stwt - INTR_ldca + 2, CACHE_COUNT = CACHE_AT + 4 };
static inline int ir_cache_at(int64_t bytes)
{
    return CACHE_AT + __builtin_ctzll((uint64_t)bytes) - 1;
}
/* Whether a value is a load that may wait for another thread's store: no other stands for it. */
static inline bool ir_is_volatile(const IrValue *value)
{
    return value->op == OP_load && value->index == INTR_ldcv - INTR_ldca + 1;
}

/* Whether an integer value is never less than 0, or than 1 (range.c); false where that is not
** known. */
bool ir_nonnegative(const IrValue *value);
bool ir_positive(const IrValue *value);
/* Notes of an integer that it is never less than 0, whatever is known of its variables later; the
** same, if it is so and its operands do not show it already. Both give the value. */
IrValue *ir_never_negative(IrValue *value);
IrValue *ir_take_sign(IrValue *value, bool nonnegative);
/* That a variable which nothing else sets is set to a value. */
void ir_take_range(IrVar *var, const IrValue *value);
/* Whether a cast to an integer gives the number that it is given, an integer or bool. */
bool ir_keeps_value(const IrValue *cast);
/* Whether the step of a `for` is known to be 1 or more. One that is not negative may still be 0,
** and then the loop makes no iterations, wherever it starts. */
bool ir_rises(const IrStmt *loop);

/* EFFECT_ flags of all statements of a region. */
int ir_region_effects(const IrRegion *region);

/* What holds the next value that stands in a statement itself, no operand nor in a region: behind
** the one that holds another, the first after NULL. NULL: there is none. */
IrValue **ir_next_slot(const IrStmt *stmt, IrValue **slot);
/* A loop over these, for passes that put other values there; and over the values. */
#define for_each_slot(slot, stmt)                                                                  \
    for (IrValue **slot = ir_next_slot(stmt, NULL); slot; slot = ir_next_slot(stmt, slot))
#define for_each_value(value, stmt)                                                                \
    for (IrValue **slot_ = ir_next_slot(stmt, NULL), *value; slot_ && (value = *slot_, true);      \
         slot_ = ir_next_slot(stmt, slot_))
typedef void IrValueVisitor(void *context, IrValue *value);
/* Calls `visit` for `value` and every value below it; for all of these that stand in `stmt` itself,
** or in its regions too; for all of them in a region. */
void ir_each_node(IrValue *value, IrValueVisitor *visit, void *context);
void ir_each_own_node(const IrStmt *stmt, IrValueVisitor *visit, void *context);
void ir_each_node_of(const IrStmt *stmt, IrValueVisitor *visit, void *context);
void ir_each_node_in(const IrRegion *region, IrValueVisitor *visit, void *context);
/* Whether a value or one below it, or any that stands in a region, passes a test. */
typedef bool IrValueTest(const IrValue *value);
bool ir_has_node(const IrValue *value, IrValueTest *test);
bool ir_region_has_node(const IrRegion *region, IrValueTest *test);
/* For each statement of a region and of the regions inside, in the order of the text. */
typedef void IrStmtVisitor(void *context, IrStmt *stmt);
void ir_each_stmt(const IrRegion *region, IrStmtVisitor *visit, void *context);
/* For a statement and all inside of it. */
void ir_each_stmt_of(const IrStmt *stmt, IrStmtVisitor *visit, void *context);
/* For each statement of a region behind those inside it, by their regions from the last to the
** first: the visitor may remove the statement, put others around it, and change what is inside. */
typedef void IrChangeVisitor(void *context, IrRegion *region, IrStmt *stmt);
void ir_change_stmts(IrRegion *region, IrChangeVisitor *visit, void *context);
/* Whether a statement, or one inside of it, is of one of these kinds: `kinds` has 1 << IR_FOR for
** loops that count, and so on. */
bool ir_stmt_has(const IrStmt *stmt, unsigned kinds);
bool ir_region_has(const IrRegion *region, unsigned kinds);
/* Whether a statement is in a region, or in one inside of it. */
bool ir_region_holds(const IrRegion *region, const IrStmt *wanted);
enum { LOOP_KINDS = 1 << IR_FOR | 1 << IR_WHILE };
/* Visits what is evaluated whenever a value is, operands first. */
void ir_each_certain(const IrValue *value, IrValueVisitor *visit, void *context);
/* Whether a loop stands in a region, however deep. */
bool ir_has_loop(const IrRegion *region);
/* For each slot of the statements of a region and of those in them. */
typedef void IrSlotVisitor(void *context, IrValue **slot);
void ir_each_slot_in(const IrRegion *region, IrSlotVisitor *visit, void *context);
/* Puts what `replacement` gives in place of each node for which that is not NULL; what is inside of
** such a node is left out. */
typedef IrValue *IrReplacement(void *context, IrValue *node);
void ir_replace(IrValue **slot, IrReplacement *replacement, void *context);
void ir_replace_in(const IrRegion *region, IrReplacement *replacement, void *context);
/* By IrVar.id: how often a region of `fn` reads each variable. */
int *ir_reads(Arena *arena, const IrFunc *fn, const IrRegion *region);
/* What a node adds to the number of accesses of an array: 1 where it names the array's variable, -1
** for an extent or a stride of that, which accesses nothing. */
int ir_counts_access(const IrValue *node, const IrVar *array);
/* What a statement sets a variable to, or evaluates; NULL: it does neither. */
IrValue *ir_stmt_value(const IrStmt *stmt);
/* How often a value, or what a statement itself evaluates, mentions a variable; of how many nodes a
** value consists. */
int ir_mentions(const IrValue *value, const IrVar *var);
int ir_own_mentions(const IrStmt *stmt, const IrVar *var);
int ir_node_count(const IrValue *value);
/* The same of all that statements of a region, and of those in it, compute. */
int ir_node_count_in(const IrRegion *region);
/* The regions of a statement, at most two; returns how many. */
int ir_regions(IrStmt *stmt, IrRegion *regions[2]);
/* The region of a statement that follows one of its regions, the first after NULL; NULL: there is
** no other. */
IrRegion *ir_next_region(const IrStmt *stmt, const IrRegion *region);
/* The region of a branch that has only one; NULL if it has both. */
IrRegion *ir_only_way(IrStmt *branch);
/* A loop over the regions of a statement, in the order of the text. */
#define for_each_region(region, stmt)                                                              \
    for (IrRegion *region = ir_next_region(stmt, NULL); region;                                    \
         region = ir_next_region(stmt, region))
