/* brute [FIRST [COUNT]]: kernels of so many seeds. Ends in `N passed, N failed`. */
#include "tests/brute/brute.h"

#include "ir/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10, KERNELS = 2000 };

static struct Count {
    int passed, failed, undefined, racy;
} count;

static struct Current {
    uint64_t seed;
    const char *text;
    const Launch *launch;
    bool failed;
    char complaint[256];
} current;

void claim_fails(const Run *run, const IrStmt *stmt, const IrValue *value, const char *format, ...)
{
    va_list args;
    (void)run;
    if (current.failed)
        return;
    current.failed = true;
    size_t used = 0, room = sizeof current.complaint;
    if (stmt && stmt->span.source)
        used += (size_t)snprintf(current.complaint, room, ", line %u",
                                 source_place(stmt->span.source, stmt->span.begin).line);
    if (value && value->span.source)
        used += (size_t)snprintf(current.complaint + used, room - used, ", column %u",
                                 source_place(value->span.source, value->span.begin).column);
    used += (size_t)snprintf(current.complaint + used, room - used, ": ");
    va_start(args, format);
    vsnprintf(current.complaint + used, room - used, format, args);
    va_end(args);
}

static void judge(void)
{
    count.passed += !current.failed;
    count.failed += current.failed;
    if (!current.failed || count.failed > SHOWN)
        return;
    printf("seed %llu%s\n%s", (unsigned long long)current.seed, current.complaint, current.text);
    launch_print(current.launch);
}

/* What is claimed holds of kernels that are defined, so it is judged when that is known. */
static void try_kernel(Arena *arena, uint64_t seed)
{
    Random random = { seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
    Types types;
    Diags diags;
    Launch launch = { .threads = 0 };
    IrFacts facts;
    const char *text = draw_kernel(arena, &random);
    launch_draw(&launch, &random);
    launch_facts(&launch, &random, &facts);
    types_init(&types, arena);
    diags_init(&diags, arena);
    IrUnit *unit = ir_read(arena, &types, &diags, source_new(arena, "k.ir", text, strlen(text)));
    current = (struct Current){ .seed = seed, .text = text, .launch = &launch };
    if (!unit) {
        printf("%s", text);
        fprintf(stderr, "seed %llu is no IR\n", (unsigned long long)seed);
        exit(1);
    }
    unit->launch = arena_new(arena, IrLaunch);
    unit->launch->facts = facts;
    ir_cover(unit);
    Run *run = run_new(arena, unit, &launch);
    ValueClaims *claims = values_ask(run);
    run_all(run);
    if (run->undefined) {
        count.undefined++;
        return;
    }
    count.racy += run->racy;
    values_compare(claims);
    memory_compare(run);
    if (!run->racy)
        passes_compare(run, text, &random, &facts);
    judge();
}

/* Whether there was memory for it. */
static bool try_seed(uint64_t seed)
{
    Arena arena;
    jmp_buf exhausted;
    arena_init(&arena, &exhausted);
    bool fine = setjmp(exhausted) == 0;
    if (fine)
        try_kernel(&arena, seed);
    arena_free(&arena);
    return fine;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t kernels = argc > 2 ? strtoull(argv[2], NULL, 10) : KERNELS;
    for (uint64_t seed = first; seed < first + kernels; seed++) {
        if (!try_seed(seed)) {
            fprintf(stderr, "there is no memory\n");
            return 1;
        }
    }
    int defined = count.passed + count.failed;
    printf("== brute force ==\n%d of %llu kernels are defined, %d of them without races\n", defined,
           (unsigned long long)kernels, defined - count.racy);
    printf("%d passed, %d failed\n", count.passed, count.failed);
    return count.failed != 0;
}
