/* Claims about accesses: which are of one element, which never are, what a kernel does to its
** parameters, and which arrays it overwrites whole. */
#include "tests/brute/brute.h"

#include "ir/analysis/accesses.h"

#include <string.h>

/* ---- of a loop ------------------------------------------------------------------------------ */

static const void *key_of(const Access *access)
{
    return access->kind == ACCESS_LOAD    ? (const void *)access->load
           : access->kind == ACCESS_STORE ? (const void *)access->stmt
                                          : NULL;
}

/* While one thread is in the loop, whose `depth` outer ones stay at one iteration. */
static void compare_pair(const Run *run, const Access *a, const Access *b, int depth, bool same,
                         bool disjoint)
{
    for (int i = 0; i < run->touch_count; i++) {
        const Touch *x = &run->touches[i];
        for (int k = 0; k < run->touch_count && x->access == key_of(a); k++) {
            const Touch *y = &run->touches[k];
            if (y->access != key_of(b) || x->thread != y->thread ||
                when_outside(x->when, depth) != when_outside(y->when, depth))
                continue;
            if (same && x->at != y->at)
                claim_fails(run, b->stmt, NULL, "same_element: %lld and %lld", (long long)x->at,
                            (long long)y->at);
            if (disjoint && x->at == y->at)
                claim_fails(run, b->stmt, NULL, "disjoint_elements: %lld", (long long)x->at);
        }
    }
}

static void compare_loop(const Run *run, const IrPointsTo *points_to, IrStmt *loop, int depth)
{
    Accesses accesses = accesses_of((IrUnit *)run->unit, points_to, loop);
    for (int i = 0; i < accesses.count; i++)
        for (int k = 0; k < accesses.count && access_invariant(&accesses, &accesses.list[i]); k++) {
            const Access *a = &accesses.list[i], *b = &accesses.list[k];
            const IrVar *other;
            bool same = same_element(a, b), disjoint = disjoint_elements(&accesses, a, b, &other);
            if (same || disjoint)
                compare_pair(run, a, b, depth, same, disjoint);
        }
}

static void compare_loops(const Run *run, const IrPointsTo *points_to, const IrRegion *region,
                          int depth)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool loop = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
        if (loop)
            compare_loop(run, points_to, stmt, depth);
        for (int i = 0, count = ir_regions(stmt, regions); i < count; i++)
            compare_loops(run, points_to, regions[i], depth + loop);
    }
}

/* ---- of the kernel -------------------------------------------------------------------------- */

static void compare_access(const Run *run)
{
    bool reached[ARRAYS][MEMORY] = { { false } };
    const int *access = run->unit->kernel->access;
    for (int i = 0; i < run->touch_count; i++) {
        const Touch *touch = &run->touches[i];
        if (touch->array == ARRAYS)
            continue;
        reached[touch->array][touch->at] = true;
        if (touch->how & ~access[touch->array])
            claim_fails(run, NULL, NULL, "IrFunc.access: %d of parameter %d", touch->how,
                        touch->array);
    }
    IrPointsTo points_to = ir_points_to(run->arena, run->unit->kernel);
    for (int i = 0; i < ARRAYS; i++)
        for (int k = 0; k < i; k++) {
            const IrVar *one, *other;
            IrValue *a = ir_var(run->arena, run->unit->kernel->vars[i], (Span){ 0 });
            IrValue *b = ir_var(run->arena, run->unit->kernel->vars[k], (Span){ 0 });
            bool may = ir_may_alias(&points_to, run->unit->launch, ir_pointees(&points_to, a),
                                    ir_pointees(&points_to, b), &one, &other);
            for (int at = 0; at < MEMORY && !may; at++)
                if (reached[i][at] && reached[k][at])
                    claim_fails(run, NULL, NULL, "ir_may_alias: parameters %d and %d", i, k);
        }
}

/* ---- overwritten whole ---------------------------------------------------------------------- */

static bool term_value(const Launch *launch, const IrTerm *term, int64_t *product)
{
    *product = term->factor;
    for (int i = 0; i < TERM_FACTS && term->facts[i].kind; i++) {
        const IrFact *fact = &term->facts[i];
        int64_t value = fact->kind == FACT_BLOCK    ? launch->block[fact->axis]
                        : fact->kind == FACT_GRID   ? launch->grid[fact->axis]
                        : fact->kind == FACT_EXTENT ? launch->shape[fact->index][fact->axis]
                                                    : launch->scalar[fact->index - ARRAYS];
        if (__builtin_mul_overflow(*product, value, product))
            return false;
    }
    return true;
}

static bool sum_value(const Launch *launch, const IrTerm *terms, int count, int64_t *sum)
{
    *sum = 0;
    for (int i = 0; i < count; i++) {
        int64_t product;
        if (!term_value(launch, &terms[i], &product) || __builtin_add_overflow(*sum, product, sum))
            return false;
    }
    return true;
}

static bool is_met(const Run *run, const IrCovers *covers, const IrCover *way)
{
    for (int i = 0; i < way->count; i++) {
        const IrNeed *need = &covers->needs[way->first + i];
        int64_t left, right;
        if (!sum_value(run->launch, &covers->terms[need->left], need->left_count, &left) ||
            !sum_value(run->launch, &covers->terms[need->right], need->right_count, &right) ||
            left < right)
            return false;
    }
    return true;
}

/* What an array held shows nowhere: the kernel leaves the same memory whatever that was. */
static void compare_whole(const Run *run, int array)
{
    Launch other = *run->launch;
    for (int64_t i = 0; i < launch_elements(&other, array); i++)
        other.memory[other.base[array] + i] ^= 5;
    Run *again = run_new(run->arena, run->unit, &other);
    again->quiet = true;
    run_all(again);
    if (again->undefined)
        claim_fails(run, NULL, NULL, "IrFunc.covers: parameter %d decides", array);
    else if (memcmp(again->memory, run->memory, sizeof run->memory) != 0)
        claim_fails(run, NULL, NULL, "IrFunc.covers: parameter %d is not overwritten whole", array);
}

static void compare_covers(const Run *run)
{
    const IrCovers *covers = run->unit->kernel->covers;
    bool alone[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        alone[i] = true;
        for (int k = 0; k < ARRAYS; k++)
            alone[i] &= i == k || !launch_overlap(run->launch, i, k);
    }
    for (int i = 0; covers && i < covers->way_count; i++)
        if (!covers->ways[i].part && alone[covers->ways[i].param] &&
            is_met(run, covers, &covers->ways[i]))
            compare_whole(run, covers->ways[i].param);
}

void memory_compare(Run *run)
{
    IrPointsTo points_to = ir_points_to(run->arena, run->unit->kernel);
    compare_loops(run, &points_to, &run->unit->kernel->body, 0);
    compare_access(run);
    compare_covers(run);
}
