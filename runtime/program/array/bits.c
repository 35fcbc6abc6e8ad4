/* Random bits as NumPy has them: of the Mersenne Twister for np.random, of PCG64 for default_rng().
** Sources: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); O'Neill, "PCG: A
** Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
** Generation", HMC-CS-2014-0905, and "Developing a seed_seq Alternative" (2015) for the hash of the
** seeds. */
#include "runtime/program/model/random.h"

enum { WORDS = MERSENNE_WORDS, AHEAD = 397, POOL = 4 };

/* ---- the Mersenne Twister ------------------------------------------------------------------- */

void mersenne_seed(RandomSource *source, uint32_t number)
{
    Mersenne *state = &source->mersenne;
    for (int i = 0; i < WORDS; i++) {
        state->words[i] = number;
        number = 1812433253u * (number ^ number >> 30) + (uint32_t)i + 1;
    }
    state->next = WORDS;
    state->seeded = true;
    source->has_normal = false;
}

void mersenne_seed_words(RandomSource *source, const uint32_t *words, size_t count)
{
    mersenne_seed(source, 19650218);
    uint32_t *state = source->mersenne.words;
    size_t at = 1, steps = count > WORDS ? count : WORDS;
    for (size_t k = 0; k < steps + WORDS - 1; k++) {
        uint32_t before = state[at - 1] ^ state[at - 1] >> 30;
        state[at] = k < steps
                        ? (state[at] ^ before * 1664525u) + words[k % count] + (uint32_t)(k % count)
                        : (state[at] ^ before * 1566083941u) - (uint32_t)at;
        if (++at == WORDS) {
            state[0] = state[WORDS - 1];
            at = 1;
        }
    }
    state[0] = 0x80000000u;
}

static void renew(Mersenne *state)
{
    for (int i = 0; i < WORDS; i++) {
        uint32_t high = state->words[i] & 0x80000000u;
        uint32_t word = high | (state->words[(i + 1) % WORDS] & 0x7fffffffu);
        state->words[i] =
            state->words[(i + AHEAD) % WORDS] ^ word >> 1 ^ (word & 1 ? 0x9908b0dfu : 0);
    }
    state->next = 0;
}

static uint32_t mersenne_word(RandomSource *source)
{
    Mersenne *state = &source->mersenne;
    if (!state->seeded)
        mersenne_seed(source, 0);
    if (state->next == WORDS)
        renew(state);
    uint32_t word = state->words[state->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

/* ---- seeds ---------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t word, uint32_t *factor, uint32_t next)
{
    word ^= *factor;
    *factor *= next;
    word *= *factor;
    return word ^ word >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y)
{
    uint32_t word = 0xca01f9ddu * x - 0x4973f715u * y;
    return word ^ word >> 16;
}

static void fill_pool(uint32_t pool[POOL], const uint32_t *words, size_t count)
{
    const uint32_t next = 0x931e8875u;
    uint32_t factor = 0x43b0d7e5u;
    for (size_t i = 0; i < POOL; i++)
        pool[i] = hash(i < count ? words[i] : 0, &factor, next);
    for (size_t from = 0; from < POOL; from++)
        for (size_t to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mix(pool[to], hash(pool[from], &factor, next));
    for (size_t from = POOL; from < count; from++)
        for (size_t to = 0; to < POOL; to++)
            pool[to] = mix(pool[to], hash(words[from], &factor, next));
}

/* ---- PCG64 ---------------------------------------------------------------------------------- */

static void step(Pcg *state)
{
    const unsigned __int128 factor =
        (unsigned __int128)2549297995355413924u << 64 | 4865540595714422341u;
    unsigned __int128 number = ((unsigned __int128)state->high << 64 | state->low) * factor;
    number += (unsigned __int128)state->step_high << 64 | state->step_low;
    state->high = (uint64_t)(number >> 64);
    state->low = (uint64_t)number;
}

void pcg_seed(RandomSource *source, const uint32_t *words, size_t count)
{
    uint32_t pool[POOL], factor = 0x8b51f9ddu;
    uint64_t longs[4];
    fill_pool(pool, words, count);
    for (int i = 0; i < 4; i++) {
        uint64_t low = hash(pool[2 * i % POOL], &factor, 0x58f38dedu);
        longs[i] = low | (uint64_t)hash(pool[(2 * i + 1) % POOL], &factor, 0x58f38dedu) << 32;
    }
    source->modern = true;
    source->pcg =
        (Pcg){ .step_high = longs[2] << 1 | longs[3] >> 63, .step_low = longs[3] << 1 | 1 };
    step(&source->pcg);
    source->pcg.low += longs[1];
    source->pcg.high += longs[0] + (source->pcg.low < longs[1]);
    step(&source->pcg);
}

static uint64_t pcg_long(Pcg *state)
{
    step(state);
    uint64_t word = state->high ^ state->low;
    unsigned by = (unsigned)(state->high >> 58);
    return word >> by | word << (-by & 63);
}

static uint32_t pcg_word(Pcg *state)
{
    state->has_half = !state->has_half;
    if (!state->has_half)
        return state->half;
    uint64_t word = pcg_long(state);
    state->half = (uint32_t)(word >> 32);
    return (uint32_t)word;
}

/* ---- either --------------------------------------------------------------------------------- */

uint32_t random_word(RandomSource *source)
{
    return source->modern ? pcg_word(&source->pcg) : mersenne_word(source);
}

uint64_t random_long(RandomSource *source)
{
    if (source->modern)
        return pcg_long(&source->pcg);
    uint64_t high = mersenne_word(source);
    return high << 32 | mersenne_word(source);
}

double random_unit(RandomSource *source)
{
    if (source->modern)
        return (double)(pcg_long(&source->pcg) >> 11) * 0x1p-53;
    uint32_t high = mersenne_word(source) >> 5, low = mersenne_word(source) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

float random_unit_narrow(RandomSource *source)
{
    return (float)(random_word(source) >> 8) * 0x1p-24f;
}
