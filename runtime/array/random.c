/* States of numba.cuda.random's generators: state i lies 2**64 * i numbers into the sequence that a
** seed starts.
**
** xoroshiro128+ moves its 128 bits by a map that is linear over the field of two elements, and so
** is every power of it. The jump by 2**64 numbers is the module random's: here it becomes a table
** of what each byte of a state contributes, so that millions of states take milliseconds; and
** further powers of it, by squaring, skip as many states as are left out. */
#include "runtime/runtime.h"

#include <string.h>

typedef struct State {
    uint64_t s0, s1;
} State;

enum { BITS = 128, BYTES = BITS / 8 };

/* The image of each single bit. */
typedef struct Map {
    State columns[BITS];
} Map;

typedef struct Tables {
    Map jump, power;
    State bytes[BYTES][256];
} Tables;

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static State next_state(State state)
{
    uint64_t both = state.s0 ^ state.s1;

    return (State){ rotated(state.s0, 55) ^ both ^ both << 14, rotated(both, 36) };
}

static State jumped(State state)
{
    static const uint64_t polynomial[] = { 0xbeac0467eba5facb, 0xd86b048b86aa9922 };
    State sum = { 0, 0 };

    for (int bit = 0; bit < BITS; bit++) {
        if (polynomial[bit / 64] >> bit % 64 & 1)
            sum = (State){ sum.s0 ^ state.s0, sum.s1 ^ state.s1 };
        state = next_state(state);
    }
    return sum;
}

static State unit(int bit)
{
    return bit < 64 ? (State){ (uint64_t)1 << bit, 0 } : (State){ 0, (uint64_t)1 << (bit - 64) };
}

static State apply(const Map *map, State state)
{
    State sum = { 0, 0 };

    for (int bit = 0; bit < BITS; bit++) {
        const State *column = &map->columns[bit];
        if ((bit < 64 ? state.s0 : state.s1) >> bit % 64 & 1)
            sum = (State){ sum.s0 ^ column->s0, sum.s1 ^ column->s1 };
    }
    return sum;
}

static void square(Map *map)
{
    Map once = *map;

    for (int bit = 0; bit < BITS; bit++)
        map->columns[bit] = apply(&once, once.columns[bit]);
}

static void make_tables(Tables *tables)
{
    for (int bit = 0; bit < BITS; bit++)
        tables->jump.columns[bit] = jumped(unit(bit));
    tables->power = tables->jump;
    for (int byte = 0; byte < BYTES; byte++) {
        for (int value = 0; value < 256; value++) {
            int shift = byte % 8 * 8;
            uint64_t bits = (uint64_t)value << shift;
            State state = byte < 8 ? (State){ bits, 0 } : (State){ 0, bits };
            tables->bytes[byte][value] = apply(&tables->jump, state);
        }
    }
}

static State jumped_by_table(const Tables *tables, State state)
{
    State sum = { 0, 0 };

    for (int byte = 0; byte < BYTES; byte++) {
        uint64_t word = byte < 8 ? state.s0 : state.s1;
        const State *part = &tables->bytes[byte][word >> byte % 8 * 8 & 255];
        sum = (State){ sum.s0 ^ part->s0, sum.s1 ^ part->s1 };
    }
    return sum;
}

/* splitmix64's first number, in both words. */
static State seeded(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (State){ z, z };
}

const kjit_record *kjit_xoroshiro128p_record(void)
{
    static const kjit_field fields[] = {
        { .name = "s0", .dtype = KJIT_DTYPE_UINT64, .offset = offsetof(State, s0) },
        { .name = "s1", .dtype = KJIT_DTYPE_UINT64, .offset = offsetof(State, s1) },
    };
    static const kjit_record record = { fields, ARRAY_COUNT(fields), sizeof(State) };

    return &record;
}

kjit_status kjit_xoroshiro128p_states(void *states, size_t count, uint64_t seed,
                                      uint64_t subsequence_start)
{
    Tables *tables = count ? memory_alloc(sizeof *tables) : NULL;
    State state = seeded(seed);

    if (!count)
        return KJIT_OK;
    if (!tables)
        return error_memory();
    make_tables(tables);
    for (; subsequence_start; subsequence_start >>= 1) {
        if (subsequence_start & 1)
            state = apply(&tables->power, state);
        square(&tables->power);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)states + i * sizeof state, &state, sizeof state);
        state = jumped_by_table(tables, state);
    }
    memory_free(tables);
    return KJIT_OK;
}
