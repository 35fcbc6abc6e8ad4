/* For tests of the checker: kernels written by hand in C, as codegen/checked.h wants them.
** Include it behind cmocka.h's headers.
**
** Sites are numbers of the test's; those from BYTE_SITES on are of bytes. */
#ifndef KJIT_TESTS_CHECK_H
#define KJIT_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/check/check.h"

enum { BYTE_SITES = 16, SITES = 32 };

/* One run of a kernel over int32 arrays of which `x` has values and `y` has none, and a static
** shared array `tile`. */
typedef struct Trial {
    CheckRequest request;
    CheckReport report;
    EmitSite sites[SITES];
    CheckArray arrays[2];
    EmitShared shared;
    Type tile;
    int32_t *x, *y;
    int64_t count, stride, tile_count;
    void *params[3];
} Trial;

typedef void Kernel(KjitCheck *c, void *const *params);

static inline void trial_open(Trial *trial, Kernel *kernel, int64_t count, uint32_t grid,
                              uint32_t block)
{
    memset(trial, 0, sizeof *trial);
    trial->count = count;
    trial->stride = 4;
    trial->x = check_memory_alloc((uint64_t)count * 4);
    trial->y = check_memory_alloc((uint64_t)count * 4);
    assert_non_null(trial->x);
    assert_non_null(trial->y);
    memset(trial->x, 0, (size_t)count * 4);
    check_memory_mark(trial->x, (uint64_t)count * 4, true);
    for (int i = 0; i < SITES; i++)
        trial->sites[i] = (EmitSite){ .alignment = i < BYTE_SITES ? 4 : 1, .what = "access" };
    trial->arrays[0] = (CheckArray){ "x", trial->x, 1, &trial->count, &trial->stride, 4, true };
    trial->arrays[1] = (CheckArray){ "y", trial->y, 1, &trial->count, &trial->stride, 4, false };
    trial->tile_count = 1024;
    trial->tile.array.rank = 1;
    trial->shared = (EmitShared){
        .name = "tile", .type = &trial->tile, .shape = &trial->tile_count, .bytes = 4096
    };
    trial->params[0] = &trial->x;
    trial->params[1] = &trial->y;
    trial->params[2] = &trial->count;
    trial->request = (CheckRequest){ .thread = kernel,
                                     .params = trial->params,
                                     .grid = { grid, 1, 1 },
                                     .block = { block, 1, 1 },
                                     .static_shared = 4096,
                                     .sites = trial->sites,
                                     .site_count = SITES,
                                     .shared = &trial->shared,
                                     .shared_count = 1,
                                     .arrays = trial->arrays,
                                     .array_count = 2 };
}

static inline void trial_run(Trial *trial)
{
    assert_int_equal(check_run(&trial->request, &trial->report), KJIT_OK);
}

/* In how many orders of its threads a kernel runs: a sanitizer learns nothing from more than
** one. */
static inline uint64_t orders(uint64_t many)
{
#ifdef KJIT_DEBUG
    (void)many;
    return 1;
#else
    return many;
#endif
}

static inline void trial_close(Trial *trial)
{
    check_report_free(&trial->report);
    check_memory_free(trial->x);
    check_memory_free(trial->y);
}

/* ---- kernels with a defect, and without it --------------------------------------------------- */

/* Whether kernels are to run without their defect. */
static bool mended;

/* `wrong` races, with these sites; `right`, which may be the same function, does not where `mended`
** is set. */
typedef struct Twins {
    const char *name;
    Kernel *wrong, *right;
    int at, other;       /* sites, in either order */
    int writes;          /* how many of the two write, at least */
    const char *element; /* a part of the element's name; NULL: any */
    uint32_t grid, block;
} Twins;

static inline void expect_race(const Twins *twins, uint64_t seed)
{
    Trial trial;
    bool found = false;

    mended = false;
    trial_open(&trial, twins->wrong, 4096, twins->grid, twins->block);
    trial.request.seed = seed;
    trial_run(&trial);
    for (int i = 0; i < trial.report.count; i++) {
        const CheckFinding *f = &trial.report.findings[i];
        if (f->rule == FOUND_UNWRITTEN) /* where the reader came first */
            continue;
        assert_int_equal(f->rule, FOUND_RACE);
        bool pair = (f->at.site == twins->at && f->other.site == twins->other) ||
                    (f->at.site == twins->other && f->other.site == twins->at);
        int writes = !!(f->at.access & CHECK_WRITE) + !!(f->other.access & CHECK_WRITE);
        if (!pair)
            continue;
        found = true;
        assert_true(writes >= twins->writes);
        assert_true(!twins->element || strstr(f->element, twins->element));
        assert_true(memcmp(f->at.thread, f->other.thread, sizeof f->at.thread) ||
                    memcmp(f->at.block, f->other.block, sizeof f->at.block));
    }
    if (!found)
        fail_msg("%s: no race with seed %d", twins->name, (int)seed);
    trial_close(&trial);
}

static inline void expect_peace(const Twins *twins, uint64_t seed)
{
    Trial trial;

    mended = true;
    trial_open(&trial, twins->right, 4096, twins->grid, twins->block);
    trial.request.seed = seed;
    trial_run(&trial);
    if (trial.report.count)
        fail_msg("%s, repaired, seed %d: %s: %s (sites %d, %d)", twins->name, (int)seed,
                 check_rule_name(trial.report.findings[0].rule), trial.report.findings[0].message,
                 trial.report.findings[0].at.site, trial.report.findings[0].other.site);
    trial_close(&trial);
}

/* ---- what kernels do ------------------------------------------------------------------------- */

#define X       (*(int32_t *const *)params[0])
#define Y       (*(int32_t *const *)params[1])
#define COUNT   (*(const int64_t *)params[2])
#define TILE    ((int32_t *)c->shared)
#define THREAD  (c->thread[0])
#define THREADS (c->block_dim[0])
#define BLOCK   (c->block[0])
#define GLOBAL  (BLOCK * THREADS + THREAD)

static inline int32_t load(KjitCheck *c, int site, const int32_t *at)
{
    return *(int32_t *)c->ops->access(c, site, (void *)(uintptr_t)at, 4, CHECK_READ);
}

static inline void store(KjitCheck *c, int site, int32_t *at, int32_t value)
{
    *(int32_t *)c->ops->access(c, site, at, 4, CHECK_WRITE) = value;
}

static inline int32_t atomic_add(KjitCheck *c, int site, int32_t *at, int32_t value)
{
    int32_t *place = c->ops->access(c, site, at, 4, CHECK_READ | CHECK_WRITE | CHECK_ATOMIC);
    int32_t old = *place;

    *place = old + value;
    return old;
}

static inline int32_t atomic_cas(KjitCheck *c, int site, int32_t *at, int32_t expected,
                                 int32_t value)
{
    int32_t *place = c->ops->access(c, site, at, 4, CHECK_READ | CHECK_WRITE | CHECK_ATOMIC);
    int32_t old = *place;

    if (old == expected)
        *place = value;
    return old;
}

static inline void sync(KjitCheck *c, int site)
{
    c->ops->barrier(c, site, CHECK_BARRIER, 0);
}

static inline void syncwarp(KjitCheck *c, int site, uint32_t mask)
{
    c->ops->warp(c, site, CHECK_WARP_SYNC, mask, 0, 0, 32);
}

static inline void fence(KjitCheck *c, int site)
{
    c->ops->fence(c, site, CHECK_FENCE_DEVICE);
}

#endif
