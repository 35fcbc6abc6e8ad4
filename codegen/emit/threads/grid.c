/* A kernel in C whose blocks wait for one another: its entry.
**
** Every block has a worker of its own, and its function returns -1 where the block waits for the
** grid. The blocks are gone through again and again, side by side, until none waits. If some wait
** while others have ended, the gate that they wait at never opens: on a GPU neither. */
#include "codegen/emit/threads/threads.h"

/* The first time round: memory for a block's worker, its threads at their start. */
static void emit_new_worker(Threads *th)
{
    Emitter *e = th->e;
    open_block(e, "if (!workers[b] && (workers[b] = %s) != NULL)", threads_get_memory(th));
    line(e, "memset(workers[b]->lanes, 0, sizeof(%s) * threads);", prelude(e, "Lane", NULL));
    line(e, "memset(workers[b]->frames, 0, sizeof(Frame) * threads);");
    line(e, "workers[b]->dynamic_size = launch->dynamic_shared;");
    close_block(e, "");
}

void emit_grid_work(Threads *th)
{
    Emitter *e = th->e;
    line(e, "const size_t threads = (size_t)blockDim.x * blockDim.y * blockDim.z;");
    line(e, "Worker **const workers = ((void **)shared)[0];");
    line(e, "long long *const waiting = ((void **)shared)[1];");
    line(e, "long long b, end;");
    open_block(e, "while ((b = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < blocks)");
    line(e, "end = b + chunk < blocks ? b + chunk : blocks;");
    open_block(e, "for (; b < end; b++)");
    line(e, "const dim3 blockIdx = %s(b, gridDim);", prelude(e, "block_number", NULL));
    emit_new_worker(th);
    line(e, "const int status = !workers[b] ? 1 : %s(workers[b], blockIdx, blockDim, gridDim%s);",
         th->block_name, threads_entry_arguments(th));
    line(e, "failed = status > failed ? status : failed;");
    line(e, "if (status < 0)");
    line(e, "    __atomic_fetch_add(waiting, 1, __ATOMIC_RELAXED);");
    close_block(e, "");
    close_block(e, "");
}

void emit_grid_entry(Threads *th)
{
    Emitter *e = th->e;
    line(e, "Worker **const workers = calloc((size_t)blocks, sizeof *workers);");
    line(e, "long long waiting;");
    line(e, "%s", "");
    line(e, "if (!workers)");
    line(e, "    return 1;");
    line(e, "do {");
    e->depth++;
    line(e, "next = waiting = 0;");
    threads_share(th, "((void *[]){ workers, &waiting })");
    line(e, "if (!failed && waiting && waiting < blocks)");
    line(e, "    failed = 3;");
    close_block(e, " while (waiting && !failed);");
    line(e, "for (long long b = 0; b < blocks; b++)");
    line(e, "    free(workers[b]);");
    line(e, "free(workers);");
}
