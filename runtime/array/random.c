/* States of numba.cuda.random's generators: state i is 2**64 * i steps ahead in the sequence of a
** seed.
**
** The step of xoroshiro128+ is a linear map of 128 bits over GF(2), and so is every power of it.
** The jump by 2**64 steps, from the module random, is applied by a table indexed by bytes of the
** state, so that millions of states take milliseconds; its powers, by repeated squaring, skip
** states. */
#include "runtime/runtime.h"

typedef struct GeneratorState {
    uint64_t s0, s1;
} GeneratorState;

enum { BITS = 128, BYTES = BITS / 8 };

/* The image of each single bit. */
typedef struct LinearMap {
    GeneratorState columns[BITS];
} LinearMap;

typedef struct JumpTables {
    LinearMap jump, power;
    GeneratorState bytes[BYTES][256];
} JumpTables;

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static GeneratorState next_state(GeneratorState state)
{
    uint64_t both = state.s0 ^ state.s1;

    return (GeneratorState){ rotated(state.s0, 55) ^ both ^ both << 14, rotated(both, 36) };
}

static GeneratorState jumped(GeneratorState state)
{
    static const uint64_t polynomial[] = { 0xbeac0467eba5facb, 0xd86b048b86aa9922 };
    GeneratorState sum = { 0, 0 };

    for (int bit = 0; bit < BITS; bit++) {
        if (polynomial[bit / 64] >> bit % 64 & 1)
            sum = (GeneratorState){ sum.s0 ^ state.s0, sum.s1 ^ state.s1 };
        state = next_state(state);
    }
    return sum;
}

static GeneratorState unit(int bit)
{
    return bit < 64 ? (GeneratorState){ (uint64_t)1 << bit, 0 }
                    : (GeneratorState){ 0, (uint64_t)1 << (bit - 64) };
}

static GeneratorState apply(const LinearMap *map, GeneratorState state)
{
    GeneratorState sum = { 0, 0 };

    for (int bit = 0; bit < BITS; bit++) {
        const GeneratorState *column = &map->columns[bit];
        if ((bit < 64 ? state.s0 : state.s1) >> bit % 64 & 1)
            sum = (GeneratorState){ sum.s0 ^ column->s0, sum.s1 ^ column->s1 };
    }
    return sum;
}

static void square(LinearMap *map)
{
    LinearMap once = *map;

    for (int bit = 0; bit < BITS; bit++)
        map->columns[bit] = apply(&once, once.columns[bit]);
}

static void make_tables(JumpTables *tables)
{
    for (int bit = 0; bit < BITS; bit++)
        tables->jump.columns[bit] = jumped(unit(bit));
    tables->power = tables->jump;
    for (int byte = 0; byte < BYTES; byte++) {
        for (int value = 0; value < 256; value++) {
            int shift = byte % 8 * 8;
            uint64_t bits = (uint64_t)value << shift;
            GeneratorState state =
                byte < 8 ? (GeneratorState){ bits, 0 } : (GeneratorState){ 0, bits };
            tables->bytes[byte][value] = apply(&tables->jump, state);
        }
    }
}

static GeneratorState jumped_by_table(const JumpTables *tables, GeneratorState state)
{
    GeneratorState sum = { 0, 0 };

    for (int byte = 0; byte < BYTES; byte++) {
        uint64_t word = byte < 8 ? state.s0 : state.s1;
        const GeneratorState *part = &tables->bytes[byte][word >> byte % 8 * 8 & 255];
        sum = (GeneratorState){ sum.s0 ^ part->s0, sum.s1 ^ part->s1 };
    }
    return sum;
}

/* The first number of splitmix64, in both words. */
static GeneratorState seeded(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (GeneratorState){ z, z };
}

const kjit_record *kjit_xoroshiro128p_record(void)
{
    static const kjit_field fields[] = {
        { .name = "s0", .dtype = KJIT_DTYPE_UINT64, .offset = offsetof(GeneratorState, s0) },
        { .name = "s1", .dtype = KJIT_DTYPE_UINT64, .offset = offsetof(GeneratorState, s1) },
    };
    static const kjit_record record = { fields, ARRAY_COUNT(fields), sizeof(GeneratorState) };

    return &record;
}

kjit_status kjit_xoroshiro128p_states(void *states, size_t count, uint64_t seed,
                                      uint64_t subsequence_start)
{
    JumpTables *tables = count ? memory_alloc(sizeof *tables) : NULL;
    GeneratorState state = seeded(seed);

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
