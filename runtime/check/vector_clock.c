/* Vector clocks as persistent maps from blocks to the clocks of their threads.
**
** A leaf is for one block: everything up to some barrier, and times of a few threads in the phase
** after it, in rows by warp (as BARRACUDA compresses clocks: Eizenberg et al., PLDI 2017). Leaves
** form a Patricia tree over the bits of block numbers, highest first, with a fork only where two
** blocks differ (Okasaki and Gill, "Fast Mergeable Integer Maps", ML Workshop 1998). Trees are
** immutable and share subtrees: joining two that differ in one block costs the path to it, joining
** one with itself nothing. */
#include "runtime/check/vector_clock.h"

#include "base/base.h"

enum { CHUNK = 1 << 18 };

struct VectorClock {
    uint32_t references;
    uint32_t bit;     /* in which the blocks below a fork differ; 0: a leaf */
    uint32_t block;   /* of a leaf; of a fork, the common bits above `bit` */
    uint32_t barrier; /* of a leaf: everything before it is included */
    union {
        VectorClock *side[2];
        uint64_t rows;
    };
    ClockRow row[]; /* of a leaf, by warps */
};

typedef struct ClockChunk {
    struct ClockChunk *next;
    size_t used, size;
    char bytes[] __attribute__((aligned(16)));
} ClockChunk;

/* ---- memory ---------------------------------------------------------------------------------- */

static void *carve(ClockHeap *heap, size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    if (!heap->chunks || heap->chunks->size - heap->chunks->used < bytes) {
        ClockChunk *chunk = memory_alloc(sizeof *chunk + CHUNK);
        if (!chunk) {
            heap->out = true;
            return NULL;
        }
        *chunk = (ClockChunk){ .next = heap->chunks, .size = CHUNK };
        heap->chunks = chunk;
        heap->bytes += CHUNK;
    }
    heap->chunks->used += bytes;
    return heap->chunks->bytes + heap->chunks->used - bytes;
}

/* rows < 0: a fork. The caller fills in the other fields. */
static VectorClock *new_clock(ClockHeap *heap, int rows)
{
    void **list = &heap->free[rows + 1];
    VectorClock *clock = *list;

    if (clock)
        memcpy(list, clock, sizeof *list);
    else
        clock = carve(heap, sizeof *clock + (size_t)(rows > 0 ? rows : 0) * sizeof *clock->row);
    if (clock)
        clock->references = 1;
    return clock;
}

void vector_clocks_close(ClockHeap *heap)
{
    while (heap->chunks) {
        ClockChunk *chunk = heap->chunks;
        heap->chunks = chunk->next;
        memory_free(chunk);
    }
    *heap = (ClockHeap){ .chunks = NULL };
}

VectorClock *vector_clock_retain(VectorClock *clock)
{
    if (clock)
        clock->references++;
    return clock;
}

void vector_clock_drop(ClockHeap *heap, VectorClock *clock)
{
    if (!clock || --clock->references)
        return;
    void **list = &heap->free[clock->bit ? 0 : clock->rows + 1];
    if (clock->bit) {
        vector_clock_drop(heap, clock->side[0]);
        vector_clock_drop(heap, clock->side[1]);
    }
    memcpy(clock, list, sizeof *list);
    *list = clock;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

VectorClock *vector_clock_new(ClockHeap *heap, uint32_t block, uint32_t barrier,
                              const ClockRow *row)
{
    VectorClock *leaf = new_clock(heap, 1);

    if (!leaf)
        return NULL;
    leaf->bit = 0;
    leaf->block = block;
    leaf->barrier = barrier;
    leaf->rows = 1;
    leaf->row[0] = *row;
    return leaf;
}

/* Whether no time of a row is later than another's. Most rows that meet are the same. */
static bool is_in(const ClockRow *row, const ClockRow *other)
{
    uint32_t more = 0;

    if (memcmp(row->time, other->time, sizeof row->time) == 0)
        return true;
    for (int i = 0; i < 32; i++)
        more |= row->time[i] > other->time[i];
    return !more;
}

/* Joins the rows of two leaves into `out`; if it is NULL, says whether they equal those of either
** leaf. The number of rows. */
static int join_rows(const VectorClock *a, const VectorClock *b, bool *like_a, bool *like_b,
                     ClockRow *out)
{
    uint64_t i = 0, k = 0;
    int count = 0;

    for (*like_a = *like_b = !out; i < a->rows || k < b->rows; count++) {
        bool from_a = i < a->rows && (k == b->rows || a->row[i].warp <= b->row[k].warp);
        bool from_b = k < b->rows && (i == a->rows || b->row[k].warp <= a->row[i].warp);
        *like_a = *like_a && from_a && (!from_b || is_in(&b->row[k], &a->row[i]));
        *like_b = *like_b && from_b && (!from_a || is_in(&a->row[i], &b->row[k]));
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

static VectorClock *join_leaves(ClockHeap *heap, VectorClock *a, VectorClock *b)
{
    bool like_a, like_b;

    if (a->barrier != b->barrier)
        return vector_clock_retain(a->barrier > b->barrier ? a : b);
    int count = join_rows(a, b, &like_a, &like_b, NULL);
    heap->work += (uint64_t)count;
    if (like_a || like_b)
        return vector_clock_retain(like_a ? a : b);
    VectorClock *both = new_clock(heap, count);
    if (!both)
        return vector_clock_retain(a);
    both->bit = 0;
    both->block = a->block;
    both->barrier = a->barrier;
    both->rows = (uint64_t)count;
    join_rows(a, b, &like_a, &like_b, both->row);
    return both;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Whether a block, or the prefix of a fork, belongs below a fork. */
static bool is_below(const VectorClock *fork, uint32_t block)
{
    return ((fork->block ^ block) & ~(fork->bit | (fork->bit - 1))) == 0;
}

/* Takes over the references to its sides. */
static VectorClock *new_fork(ClockHeap *heap, uint32_t bit, uint32_t block, VectorClock *low,
                             VectorClock *high)
{
    VectorClock *fork = new_clock(heap, -1);

    if (!fork) {
        vector_clock_drop(heap, high);
        return low;
    }
    fork->bit = bit;
    fork->block = block & ~(bit | (bit - 1));
    fork->side[0] = low;
    fork->side[1] = high;
    return fork;
}

/* Joins trees of different prefixes. */
static VectorClock *join_apart(ClockHeap *heap, VectorClock *a, VectorClock *b)
{
    uint32_t bit = 1u << (31 - __builtin_clz(a->block ^ b->block));
    bool swapped = a->block & bit;

    vector_clock_retain(a);
    vector_clock_retain(b);
    return new_fork(heap, bit, a->block, swapped ? b : a, swapped ? a : b);
}

/* `lower` belongs below `fork`. */
static VectorClock *join_below(ClockHeap *heap, VectorClock *fork, VectorClock *lower)
{
    int side = (lower->block & fork->bit) != 0;
    VectorClock *made = vector_clock_join(heap, fork->side[side], lower);

    if (made == fork->side[side]) {
        vector_clock_drop(heap, made);
        return vector_clock_retain(fork);
    }
    VectorClock *other = vector_clock_retain(fork->side[!side]);
    return new_fork(heap, fork->bit, fork->block, side ? other : made, side ? made : other);
}

/* Joins forks with the same prefix and bit. */
static VectorClock *join_forks(ClockHeap *heap, VectorClock *a, VectorClock *b)
{
    VectorClock *low = vector_clock_join(heap, a->side[0], b->side[0]);
    VectorClock *high = vector_clock_join(heap, a->side[1], b->side[1]);
    bool like_a = low == a->side[0] && high == a->side[1];

    if (like_a || (low == b->side[0] && high == b->side[1])) {
        vector_clock_drop(heap, low);
        vector_clock_drop(heap, high);
        return vector_clock_retain(like_a ? a : b);
    }
    return new_fork(heap, a->bit, a->block, low, high);
}

VectorClock *vector_clock_join(ClockHeap *heap, VectorClock *a, VectorClock *b)
{
    if (a == b || !b)
        return vector_clock_retain(a);
    if (!a)
        return vector_clock_retain(b);
    heap->work++;
    if (a->bit == b->bit && a->block == b->block)
        return a->bit ? join_forks(heap, a, b) : join_leaves(heap, a, b);
    if (a->bit > b->bit && is_below(a, b->block))
        return join_below(heap, a, b);
    if (b->bit > a->bit && is_below(b, a->block))
        return join_below(heap, b, a);
    return join_apart(heap, a, b);
}

VectorClock *vector_clock_of_block(VectorClock *clock, uint32_t block)
{
    while (clock && clock->bit)
        clock = clock->side[(block & clock->bit) != 0];
    return clock && clock->block == block ? clock : NULL;
}

bool vector_clock_has(const VectorClock *clock, uint32_t block, uint32_t thread, uint32_t barrier,
                      uint32_t time)
{
    while (clock && clock->bit)
        clock = clock->side[(block & clock->bit) != 0];
    if (!clock || clock->block != block || barrier != clock->barrier)
        return clock && clock->block == block && barrier < clock->barrier;
    uint64_t i = thread / 32; /* rows are sorted, so that a warp's is at most at its own number */
    if (i >= clock->rows)
        i = clock->rows - 1;
    while (i && clock->row[i].warp > thread / 32)
        i--;
    return clock->row[i].warp == thread / 32 && clock->row[i].time[thread % 32] > time;
}
