/* Advice: accesses and branches that are slow on a GPU, counted on a sample of warps.
**
** The n-th execution of a site by a lane is taken for the same warp instruction as the n-th by
** other lanes, as hardware does while a warp stays converged. Costs are those of CUDA's programming
** guides for devices since Maxwell:
**   global memory  moves in sectors of 32 bytes; contiguous elements need the fewest
**   shared memory  has 32 banks of 4 bytes, each of which serves one word at a time, for groups of
**                  lanes that access 128 bytes together
**   atomics        on one address are serialised
**   branches       that diverge execute both sides */
#include "runtime/check/run.h"

#include <stdarg.h>

enum { SAMPLED_BLOCKS = 8, SAMPLED_WARPS = 4, OCCURRENCES = 16, SECTOR = 32, GROUP = 128 };

typedef enum Kind { KIND_NONE, KIND_GLOBAL, KIND_SHARED, KIND_BRANCH } Kind;

/* One instruction of a warp. */
typedef struct WarpInstruction {
    uint32_t lanes, taken;
    uint32_t bytes;
    Kind kind;
    bool atomic;
    uintptr_t address[32];
} WarpInstruction;

/* The log of a sampled warp. */
typedef struct WarpLog {
    uint16_t (*counts)[32];         /* [site][lane] */
    WarpInstruction **instructions; /* [site], OCCURRENCES of them each */
} WarpLog;

/* Totals of a site over all sampled instructions. */
typedef struct Total {
    Kind kind;
    bool atomic;
    uint64_t instructions;
    uint64_t sectors, ideal; /* of global memory: 32 bytes each; the fewest possible */
    uint64_t rounds, groups; /* of shared memory: serialised accesses; groups of lanes */
    uint64_t same_address;   /* sum over atomic operations of the most lanes on one address */
    uint64_t diverged;       /* divergent branches */
    const void *example;
} Total;

struct Advice {
    Total *totals;  /* [site] */
    uint64_t every; /* every so many blocks one is sampled */
};

/* ---- recording ------------------------------------------------------------------------------- */

void advice_open(CheckRun *run)
{
    run->advice = memory_zeroed(1, sizeof *run->advice);
    if (!run->advice)
        return;
    run->advice->totals =
        memory_zeroed((size_t)run->request->site_count, sizeof *run->advice->totals);
    run->advice->every = (run->grid_count + SAMPLED_BLOCKS - 1) / SAMPLED_BLOCKS;
}

static void free_log(const CheckRun *run, WarpLog *log)
{
    for (int i = 0; log->instructions && i < run->request->site_count; i++)
        memory_free(log->instructions[i]);
    memory_free(log->instructions);
    memory_free(log->counts);
    memory_free(log);
}

void advice_begin(CheckRun *run, CheckBlock *block)
{
    size_t sites = (size_t)run->request->site_count;

    if (!run->advice || !run->advice->totals || block->number % run->advice->every)
        return;
    for (int i = 0; i < SAMPLED_WARPS && i < (block->count + 31) / 32; i++) {
        WarpLog *log = memory_zeroed(1, sizeof *log);
        if (!log)
            return; /* without memory the sample is smaller */
        log->counts = memory_zeroed(sites, sizeof *log->counts);
        log->instructions = memory_zeroed(sites, sizeof *log->instructions);
        if (!log->counts || !log->instructions)
            free_log(run, log);
        else
            block->warps[i].log = log;
    }
}

/* The instruction that the thread executes at a site, or NULL if it is not sampled. */
static WarpInstruction *note(Thread *t, int site)
{
    WarpLog *log = t->warp->log;
    int lane = t->index % 32;

    if (!log || log->counts[site][lane] == OCCURRENCES)
        return NULL;
    if (!log->instructions[site])
        log->instructions[site] = memory_zeroed(OCCURRENCES, sizeof(WarpInstruction));
    if (!log->instructions[site])
        return NULL;
    WarpInstruction *instruction = &log->instructions[site][log->counts[site][lane]++];
    instruction->lanes |= 1u << lane;
    return instruction;
}

void *advice_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access)
{
    Thread *t = (Thread *)c;

    if (t->warp->log && in_region(address) && !is_stack(address)) {
        WarpInstruction *instruction = note(t, site);
        if (instruction) {
            instruction->kind =
                find_is_shared(t->run, t->block, address) ? KIND_SHARED : KIND_GLOBAL;
            instruction->atomic = access & CHECK_ATOMIC && access != CHECK_VOLATILE;
            instruction->bytes = bytes;
            instruction->address[t->index % 32] = (uintptr_t)address;
        }
    }
    return shadow_access(c, site, address, bytes, access);
}

void advice_branch(KjitCheck *c, int site, int taken)
{
    Thread *t = (Thread *)c;
    WarpInstruction *instruction = t->warp->log ? note(t, site) : NULL;

    if (instruction) {
        instruction->kind = KIND_BRANCH;
        instruction->taken |= (uint32_t)(taken != 0) << t->index % 32;
    }
}

/* ---- totals ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

    return (x > y) - (x < y);
}

/* The addresses of some lanes, sorted; how many lanes. */
static int sorted(const WarpInstruction *instruction, uint32_t lanes, uintptr_t *out)
{
    int count = 0;

    for (uint32_t left = instruction->lanes & lanes; left; left &= left - 1)
        out[count++] = instruction->address[__builtin_ctz(left)];
    qsort(out, (size_t)count, sizeof *out, compare);
    return count;
}

/* How many different numbers there are, given in ascending order. */
static int distinct(const uintptr_t *numbers, int count)
{
    int different = 0;

    for (int i = 0; i < count; i++)
        different += !i || numbers[i] != numbers[i - 1];
    return different;
}

static void add_global(Total *total, const WarpInstruction *instruction)
{
    uintptr_t at[32];
    int count = sorted(instruction, UINT32_MAX, at);
    uint64_t bytes = (uint64_t)distinct(at, count) * instruction->bytes;
    uintptr_t next = 0; /* the first sector not counted */

    for (int i = 0; i < count; i++) {
        uintptr_t first = at[i] / SECTOR, last = (at[i] + instruction->bytes - 1) / SECTOR;
        if (first < next)
            first = next;
        if (last >= first) {
            total->sectors += last - first + 1;
            next = last + 1;
        }
    }
    total->ideal += (bytes + SECTOR - 1) / SECTOR;
}

/* The number of words that the busiest bank serves to some lanes. */
static int busiest_bank(const WarpInstruction *instruction, uint32_t lanes)
{
    uintptr_t at[32], last = UINTPTR_MAX;
    int count = sorted(instruction, lanes, at), most = 0, words[32] = { 0 };

    for (int i = 0; i < count; i++)
        for (uintptr_t word = at[i] / 4; word <= (at[i] + instruction->bytes - 1) / 4; word++) {
            if (last != UINTPTR_MAX && word <= last)
                continue;
            last = word;
            if (++words[word % 32] > most)
                most = words[word % 32];
        }
    return most;
}

static void add_shared(Total *total, const WarpInstruction *instruction)
{
    int together = instruction->bytes <= 4    ? 32
                   : instruction->bytes >= 32 ? 4
                                              : (int)(GROUP / instruction->bytes);

    for (int first = 0; first < 32; first += together) {
        uint32_t lanes = together == 32 ? UINT32_MAX : ((1u << together) - 1) << first;
        if (!(instruction->lanes & lanes))
            continue;
        total->rounds += (uint64_t)busiest_bank(instruction, lanes);
        total->groups++;
    }
}

static void add_atomic(Total *total, const WarpInstruction *instruction)
{
    uintptr_t at[32];
    int count = sorted(instruction, UINT32_MAX, at), most = 0;

    for (int i = 0, same = 0; i < count; i++) {
        same = i && at[i] == at[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    total->same_address += (uint64_t)most;
}

static void add_instruction(Total *total, const WarpInstruction *instruction)
{
    uint32_t others = instruction->lanes & ~instruction->taken;

    total->kind = instruction->kind;
    total->atomic = instruction->atomic;
    total->instructions++;
    if (instruction->kind == KIND_BRANCH) {
        /* A single lane that works for the warp is no loss. */
        total->diverged += __builtin_popcount(instruction->taken) > 1 && others != 0 &&
                           __builtin_popcount(others) > 1;
        return;
    }
    if (!total->example)
        total->example = (const void *)instruction->address[__builtin_ctz(instruction->lanes)];
    if (instruction->atomic)
        add_atomic(total, instruction);
    else if (instruction->kind == KIND_SHARED)
        add_shared(total, instruction);
    else
        add_global(total, instruction);
}

void advice_end(CheckRun *run, CheckBlock *block)
{
    for (int i = 0; i < (block->count + 31) / 32; i++) {
        WarpLog *log = block->warps[i].log;
        if (!log)
            continue;
        for (int site = 0; site < run->request->site_count; site++)
            for (int k = 0; log->instructions[site] && k < OCCURRENCES; k++)
                if (log->instructions[site][k].lanes)
                    add_instruction(&run->advice->totals[site], &log->instructions[site][k]);
        free_log(run, log);
        block->warps[i].log = NULL;
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

__attribute__((format(printf, 5, 6))) static void advise(CheckRun *run, CheckRule rule, int site,
                                                         const char *note, const char *message, ...)
{
    CheckFinding *found = find_add(run, rule, site, -1);
    va_list args;

    if (!found)
        return;
    if (run->advice->totals[site].kind == KIND_GLOBAL)
        find_element(run, NULL, site, run->advice->totals[site].example, found->element);
    va_start(args, message);
    vsnprintf(found->message, sizeof found->message, message, args);
    va_end(args);
    snprintf(found->note, sizeof found->note, "%s", note);
}

static void report_global(CheckRun *run, int site, const Total *total)
{
    double times = (double)total->sectors / (double)total->ideal;

    if (times >= 2)
        advise(run, FOUND_UNCOALESCED, site,
               "have neighbouring threads touch neighbouring elements: the last index is to follow "
               "threadIdx.x",
               "the lanes of a warp reach far apart: %.1f times the memory traffic that their "
               "elements need",
               times);
}

static void report_shared(CheckRun *run, int site, const Total *total)
{
    double times = (double)total->rounds / (double)total->groups;

    if (times >= 1.5)
        advise(run, FOUND_BANK_CONFLICT, site,
               "make the rows of the array one element longer, or swap its axes",
               "lanes of a warp want different words of one bank of shared memory: %.1f rounds "
               "instead of 1",
               times);
}

static void report_atomics(CheckRun *run, int site, const Total *total)
{
    double lanes = (double)total->same_address / (double)total->instructions;

    if (lanes >= 4)
        advise(run, FOUND_CONTENTION, site,
               "combine what the threads have first: in each thread, in the warp, in shared memory",
               "%.1f lanes of a warp do atomic operations on one address, one after the other",
               lanes);
}

static void report_branch(CheckRun *run, int site, const Total *total)
{
    double share = (double)total->diverged / (double)total->instructions;

    if (share >= 0.25)
        advise(run, FOUND_DIVERGENT_BRANCH, site,
               "let the condition be one for a warp: sort the work, or compute both and select",
               "the condition parts %.0f %% of the warps that come here, which go through both "
               "sides",
               100 * share);
}

static void report_blocks(CheckRun *run)
{
    int idle = (32 - run->block_threads % 32) % 32, warps = (run->block_threads + 31) / 32;
    CheckFinding *found = idle ? find_add(run, FOUND_PARTIAL_WARP, -1, -1) : NULL;

    if (!found)
        return;
    snprintf(found->message, sizeof found->message,
             "blocks of %d threads leave %d lanes of %d idle: %.0f %% of the work",
             run->block_threads, idle, 32 * warps, 100.0 * idle / (32 * warps));
    snprintf(found->note, sizeof found->note, "launch blocks of a multiple of 32 threads");
}

/* Called once, after all blocks. */
void advice_report(CheckRun *run)
{
    if (!run->advice || !run->advice->totals)
        return;
    for (int site = 0; site < run->request->site_count; site++) {
        const Total *total = &run->advice->totals[site];
        if (!total->instructions)
            continue;
        if (total->kind == KIND_BRANCH)
            report_branch(run, site, total);
        else if (total->atomic)
            report_atomics(run, site, total);
        else if (total->kind == KIND_SHARED && total->groups)
            report_shared(run, site, total);
        else if (total->kind == KIND_GLOBAL && total->ideal)
            report_global(run, site, total);
    }
    report_blocks(run);
}

void advice_close(CheckRun *run)
{
    if (run->advice)
        memory_free(run->advice->totals);
    memory_free(run->advice);
}

void advice_drop(CheckRun *run, CheckBlock *block)
{
    for (int i = 0; block->warps && i < (block->count + 31) / 32; i++)
        if (block->warps[i].log) {
            free_log(run, block->warps[i].log);
            block->warps[i].log = NULL;
        }
}
