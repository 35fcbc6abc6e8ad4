/* Sources of random bits, and what programs have of np.random. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MERSENNE_WORDS = 624 };

/* The state of np.random and of RandomState. */
typedef struct Mersenne {
    uint32_t words[MERSENNE_WORDS];
    int next;
    bool seeded;
} Mersenne;

/* The state of default_rng(): 128 bits and what is added at each step. */
typedef struct Pcg {
    uint64_t high, low, step_high, step_low;
    bool has_half; /* the upper half of the last 64 bits is the next word */
    uint32_t half;
} Pcg;

typedef struct RandomSource {
    bool modern; /* a Generator's, by `pcg`; otherwise by `mersenne` */
    Mersenne mersenne;
    Pcg pcg;
    bool has_normal;
    double normal; /* of mersenne: the second of two, for the next time */
} RandomSource;

/* ---- array/bits.c --------------------------------------------------------------------------- */

/* A state made of a number, and of the words of one, as NumPy's legacy generator does. */
void mersenne_seed(RandomSource *source, uint32_t seed);
void mersenne_seed_words(RandomSource *source, const uint32_t *words, size_t count);
/* The words of a seed, lowest first, hashed into a state. */
void pcg_seed(RandomSource *source, const uint32_t *words, size_t count);
uint32_t random_word(RandomSource *source);
uint64_t random_long(RandomSource *source);
/* From 0 to below 1: of 53 bits, and of 23 or 24. */
double random_unit(RandomSource *source);
float random_unit_narrow(RandomSource *source);

/* ---- array/draw.c --------------------------------------------------------------------------- */

/* Of mean 0 and deviation 1, in double and in single precision; and exponential, of mean 1. */
double random_normal(RandomSource *source);
float random_normal_narrow(RandomSource *source);
double random_exponential(RandomSource *source);
double random_gamma(RandomSource *source, double shape);
double random_beta(RandomSource *source, double a, double b);
/* Counts. */
double random_poisson(RandomSource *source, double mean);
double random_binomial(RandomSource *source, double n, double p);
double random_geometric(RandomSource *source, double p);
/* One of 0 to `most`: of the bits that it takes until they are no more, as np.random does. */
uint64_t random_masked(RandomSource *source, uint64_t most);
/* The same by Lemire's way, as a Generator does. */
uint64_t random_scaled(RandomSource *source, uint64_t most);
