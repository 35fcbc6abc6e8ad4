/* A kernel in C with loops that wait for other threads: its blocks, and its entry.
**
** Threads stop at the end of each iteration of such a loop, so that the others of their block can
** run. When all of a block wait, at such loops or at gates, its function comes back, and other
** blocks run: in rounds, in each of which those that wait go on first, and then new ones begin, as
** long as not too many wait already, for each keeps its memory. If in a round none of them does
** anything, nor in some more with pauses in between, in which another launch or the program may
** act, they wait for ever. */
#include "codegen/emit/threads/threads.h"

void emit_yield_members(Threads *th)
{
    Emitter *e = th->e;
    line(e, "long long block;");
    line(e, "%s slice;", prelude(e, "BlockSlice", NULL));
    line(e, "unsigned char %s[%d];", th->moved, (int)BLOCK_THREADS);
}

void emit_yield(Threads *th, int number)
{
    line(th->e, "%s(%s, %d);", prelude(th->e, "YIELD", NULL), th->lane, number);
}

void emit_moved(Threads *th, const IrValue *condition)
{
    line(th->e, "%s->%s[%s - %s->lanes] |= %s;", th->w, th->moved, th->lane, th->w,
         value_text(th->e, condition, PREC_ARGUMENT));
}

void emit_yield_body(Threads *th)
{
    Emitter *e = th->e;
    const char *lane = th->lane, *w = th->w;
    line(e, "int %s;", th->opened);
    line(e, "%s(&%s->slice, %s->lanes, %s);", prelude(e, "begin_block_slice", NULL), w, w,
         th->threads);
    line(e, "do {");
    e->depth++;
    threads_open(th, true, false);
    line(e, "%s *const %s = &%s->lanes[%s];", prelude(e, "Lane", NULL), lane, w, th->t);
    line(e, "if (%s->at != AT_WORK)", lane);
    line(e, "    continue;");
    line(e, "%s->%s[%s] = 0;", w, th->moved, th->t);
    line(e, "%s->at = %s_thread(%s, &%s->frames[%s], %s, %s%s);", lane, th->block_name, lane, w,
         th->t, w, e->context_arg, threads_arguments(th, NULL));
    line(e, "%s->slice.moved |= %s->%s[%s] || %s->at == AT_END;", w, w, th->moved, th->t, lane);
    close_block(e, "");
    line(e, "%s = %s(%s->lanes, %s);", th->opened, prelude(e, "open_gates", NULL), w, th->threads);
    close_block(e,
                arena_printf(e->arena, " while (%s(&%s->slice, %s->lanes, %s, %s));",
                             prelude(e, "have_block_slice", NULL), w, w, th->threads, th->opened));
    if (threads_of_grid(th)) {
        line(e, "if (%s(%s->lanes, %s))", prelude(e, "waits_for_grid", NULL), w, th->threads);
        line(e, "    return -1;");
    }
    line(e, "return %s->slice.waits ? -2 : -%s;", w, th->opened);
}

/* A block that begins: a worker of its own, its threads at their start. */
static void emit_begin_block(Threads *th)
{
    Emitter *e = th->e;
    line(e, "Worker *w = waiting ? waiting : spare ? spare : %s;", threads_get_memory(th));
    line(e, "if (!w) {");
    line(e, "    failed = 1;");
    line(e, "    break;");
    line(e, "}");
    open_block(e, "if (b >= 0)");
    line(e, "spare = NULL;");
    line(e, "memset(w->lanes, 0, sizeof(%s) * threads);", prelude(e, "Lane", NULL));
    line(e, "memset(w->frames, 0, sizeof(Frame) * threads);");
    line(e, "w->dynamic_size = launch->dynamic_shared;");
    line(e, "w->block = b;");
    close_block(e, "");
}

void emit_yield_work(Threads *th)
{
    Emitter *e = th->e;
    line(e, "const size_t threads = (size_t)blockDim.x * blockDim.y * blockDim.z;");
    line(e, "%s *const rounds = shared;", prelude(e, "Rounds", NULL));
    line(e, "void *waiting;");
    line(e, "Worker *spare = NULL;");
    line(e, "long long b;");
    line(e, "%s", "");
    line(e, "(void)chunk;");
    line(e, "__atomic_fetch_add(&rounds->active, 1, __ATOMIC_RELAXED);");
    open_block(e, "while (%s(rounds, next, blocks, &waiting, &b))",
               prelude(e, "next_block_slice", NULL));
    emit_begin_block(th);
    line(e, "w->slice.rounds = rounds;");
    line(e, "const dim3 blockIdx = %s(w->block, gridDim);", prelude(e, "block_number", NULL));
    line(e, "const int status = %s(w, blockIdx, blockDim, gridDim%s);", th->block_name,
         threads_entry_arguments(th));
    line(e, "%s(rounds, w, &w->slice, status);", prelude(e, "end_block_slice", NULL));
    open_block(e, "if (status >= 0)");
    line(e, "failed = status > failed ? status : failed;");
    line(e, "free(spare);");
    line(e, "spare = w;");
    close_block(e, "");
    close_block(e, "");
    line(e, "free(spare);");
    line(e, "__atomic_fetch_sub(&rounds->active, 1, __ATOMIC_RELAXED);");
}

void emit_yield_entry(Threads *th)
{
    Emitter *e = th->e;
    line(e, "%s rounds = { 0 };", prelude(e, "Rounds", NULL));
    line(e, "%s", "");
    line(e, "do {");
    e->depth++;
    line(e, "if (!%s(&rounds))", prelude(e, "begin_round", NULL));
    line(e, "    return 1;");
    line(e, "next = 0;");
    threads_share(th, "&rounds");
    close_block(e, arena_printf(e->arena, " while (%s(&rounds, blocks, &failed));",
                                prelude(e, "end_round", NULL)));
}
