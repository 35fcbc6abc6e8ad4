/* Vector clocks as persistent maps from blocks to the clocks of their threads.
**
** A leaf is for one block: everything up to some barrier, and times of a few threads in the phase
** after it, in rows by warp (as BARRACUDA compresses clocks: Eizenberg et al., PLDI 2017). Leaves
** form a Patricia tree over the bits of block numbers, highest first, with a fork only where two
** blocks differ (Okasaki and Gill, "Fast Mergeable Integer Maps", ML Workshop 1998). Trees are
** immutable and share subtrees: joining two that differ in one block costs the path to it, joining
** one with itself nothing. */
#include "runtime/check/past.h"

#include "base/base.h"

#include <string.h>

enum { CHUNK = 1 << 18 };

struct Past {
    uint32_t references;
    uint32_t bit;     /* in which the blocks below a fork differ; 0: a leaf */
    uint32_t block;   /* of a leaf; of a fork, the common bits above `bit` */
    uint32_t barrier; /* of a leaf: everything before it is included */
    union {
        Past *side[2];
        uint64_t rows;
    };
    PastRow row[]; /* of a leaf, by warps */
};

typedef struct PastChunk {
    struct PastChunk *next;
    size_t used, size;
    char bytes[] __attribute__((aligned(16)));
} PastChunk;

/* ---- memory ---------------------------------------------------------------------------------- */

static void *carve(PastHeap *heap, size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    if (!heap->chunks || heap->chunks->size - heap->chunks->used < bytes) {
        PastChunk *chunk = memory_alloc(sizeof *chunk + CHUNK);
        if (!chunk) {
            heap->out = true;
            return NULL;
        }
        *chunk = (PastChunk){ .next = heap->chunks, .size = CHUNK };
        heap->chunks = chunk;
        heap->bytes += CHUNK;
    }
    heap->chunks->used += bytes;
    return heap->chunks->bytes + heap->chunks->used - bytes;
}

/* rows < 0: a fork. The caller fills in the other fields. */
static Past *new_past(PastHeap *heap, int rows)
{
    void **list = &heap->free[rows + 1];
    Past *past = *list;

    if (past)
        memcpy(list, past, sizeof *list);
    else
        past = carve(heap, sizeof *past + (size_t)(rows > 0 ? rows : 0) * sizeof *past->row);
    if (past)
        past->references = 1;
    return past;
}

void past_close(PastHeap *heap)
{
    while (heap->chunks) {
        PastChunk *chunk = heap->chunks;
        heap->chunks = chunk->next;
        memory_free(chunk);
    }
    *heap = (PastHeap){ .chunks = NULL };
}

Past *past_keep(Past *past)
{
    if (past)
        past->references++;
    return past;
}

void past_drop(PastHeap *heap, Past *past)
{
    if (!past || --past->references)
        return;
    void **list = &heap->free[past->bit ? 0 : past->rows + 1];
    if (past->bit) {
        past_drop(heap, past->side[0]);
        past_drop(heap, past->side[1]);
    }
    memcpy(past, list, sizeof *list);
    *list = past;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

Past *past_make(PastHeap *heap, uint32_t block, uint32_t barrier, const PastRow *row)
{
    Past *leaf = new_past(heap, 1);

    if (!leaf)
        return NULL;
    leaf->bit = 0;
    leaf->block = block;
    leaf->barrier = barrier;
    leaf->rows = 1;
    leaf->row[0] = *row;
    return leaf;
}

/* Whether no time of a row is later than another's. */
static bool is_in(const PastRow *row, const PastRow *other)
{
    uint32_t more = 0;

    for (int i = 0; i < 32; i++)
        more |= row->time[i] > other->time[i];
    return !more;
}

/* Joins the rows of two leaves into `out`, unless it is NULL. The number of rows, and whether they
** equal those of either leaf. */
static int join_rows(const Past *a, const Past *b, bool *like_a, bool *like_b, PastRow *out)
{
    uint64_t i = 0, k = 0;
    int count = 0;

    for (*like_a = *like_b = true; i < a->rows || k < b->rows; count++) {
        bool from_a = i < a->rows && (k == b->rows || a->row[i].warp <= b->row[k].warp);
        bool from_b = k < b->rows && (i == a->rows || b->row[k].warp <= a->row[i].warp);
        *like_a &= from_a && (!from_b || is_in(&b->row[k], &a->row[i]));
        *like_b &= from_b && (!from_a || is_in(&a->row[i], &b->row[k]));
        if (out)
            out[count] = from_a ? a->row[i] : b->row[k];
        for (int lane = 0; out && from_a && from_b && lane < 32; lane++)
            if (out[count].time[lane] < b->row[k].time[lane])
                out[count].time[lane] = b->row[k].time[lane];
        i += from_a;
        k += from_b;
    }
    return count;
}

static Past *join_leaves(PastHeap *heap, Past *a, Past *b)
{
    bool like_a, like_b;

    if (a->barrier != b->barrier)
        return past_keep(a->barrier > b->barrier ? a : b);
    int count = join_rows(a, b, &like_a, &like_b, NULL);
    heap->work += (uint64_t)count;
    if (like_a || like_b)
        return past_keep(like_a ? a : b);
    Past *both = new_past(heap, count);
    if (!both)
        return past_keep(a);
    both->bit = 0;
    both->block = a->block;
    both->barrier = a->barrier;
    both->rows = (uint64_t)count;
    join_rows(a, b, &like_a, &like_b, both->row);
    return both;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Whether a block, or the prefix of a fork, belongs below a fork. */
static bool is_below(const Past *fork, uint32_t block)
{
    return ((fork->block ^ block) & ~(fork->bit | (fork->bit - 1))) == 0;
}

/* Takes over the references to its sides. */
static Past *new_fork(PastHeap *heap, uint32_t bit, uint32_t block, Past *low, Past *high)
{
    Past *fork = new_past(heap, -1);

    if (!fork) {
        past_drop(heap, high);
        return low;
    }
    fork->bit = bit;
    fork->block = block & ~(bit | (bit - 1));
    fork->side[0] = low;
    fork->side[1] = high;
    return fork;
}

/* Joins trees of different prefixes. */
static Past *join_apart(PastHeap *heap, Past *a, Past *b)
{
    uint32_t bit = 1u << (31 - __builtin_clz(a->block ^ b->block));
    bool swapped = a->block & bit;

    past_keep(a);
    past_keep(b);
    return new_fork(heap, bit, a->block, swapped ? b : a, swapped ? a : b);
}

/* `lower` belongs below `fork`. */
static Past *join_below(PastHeap *heap, Past *fork, Past *lower)
{
    int side = (lower->block & fork->bit) != 0;
    Past *made = past_join(heap, fork->side[side], lower);

    if (made == fork->side[side]) {
        past_drop(heap, made);
        return past_keep(fork);
    }
    Past *other = past_keep(fork->side[!side]);
    return new_fork(heap, fork->bit, fork->block, side ? other : made, side ? made : other);
}

/* Joins forks with the same prefix and bit. */
static Past *join_forks(PastHeap *heap, Past *a, Past *b)
{
    Past *low = past_join(heap, a->side[0], b->side[0]);
    Past *high = past_join(heap, a->side[1], b->side[1]);
    bool like_a = low == a->side[0] && high == a->side[1];

    if (like_a || (low == b->side[0] && high == b->side[1])) {
        past_drop(heap, low);
        past_drop(heap, high);
        return past_keep(like_a ? a : b);
    }
    return new_fork(heap, a->bit, a->block, low, high);
}

Past *past_join(PastHeap *heap, Past *a, Past *b)
{
    if (a == b || !b)
        return past_keep(a);
    if (!a)
        return past_keep(b);
    heap->work++;
    if (a->bit == b->bit && a->block == b->block)
        return a->bit ? join_forks(heap, a, b) : join_leaves(heap, a, b);
    if (a->bit > b->bit && is_below(a, b->block))
        return join_below(heap, a, b);
    if (b->bit > a->bit && is_below(b, a->block))
        return join_below(heap, b, a);
    return join_apart(heap, a, b);
}

Past *past_of_block(Past *past, uint32_t block)
{
    while (past && past->bit)
        past = past->side[(block & past->bit) != 0];
    return past && past->block == block ? past : NULL;
}

bool past_has(const Past *past, uint32_t block, uint32_t thread, uint32_t barrier, uint32_t time)
{
    while (past && past->bit)
        past = past->side[(block & past->bit) != 0];
    if (!past || past->block != block || barrier != past->barrier)
        return past && past->block == block && barrier < past->barrier;
    uint64_t i = thread / 32; /* rows are sorted, so that a warp's is at most at its own number */
    if (i >= past->rows)
        i = past->rows - 1;
    while (i && past->row[i].warp > thread / 32)
        i--;
    return past->row[i].warp == thread / 32 && past->row[i].time[thread % 32] > time;
}
