/* An estimate as text: what `--emit estimate` shows. */
#include "ir/schedule/cost.h"

void cost_print(Buf *out, const Cost *c, const Machine *machine)
{
    buf_printf(out, "time          %.0f ns on %s, by its %s\n", c->time, machine->arch, c->limit);
    buf_printf(
        out, "blocks        %.0f of %.0f threads, %.0f at a time on a multiprocessor, %.2f waves\n",
        c->blocks, c->threads, c->fit, c->waves);
    buf_printf(out, "registers     %.0f of a thread\n", c->registers);
    buf_printf(out, "shared        %.0f bytes of a block\n", c->shared);
    buf_printf(out, "bytes         %.4g of memory, %.4g of the cache\n", c->bytes, c->cached);
    buf_printf(out, "sectors       %.4g in %.4g accesses\n", c->sectors, c->accesses);
    buf_printf(out, "banks         %.4g\n", c->words);
    buf_printf(out, "instructions  %.4g, %.4g of float64, %.4g functions\n", c->instructions,
               c->doubles, c->special);
    buf_printf(out, "atomics       %.4g ns\n", c->atomics);
    buf_printf(out, "steps         %.4g of a thread that wait for memory, %.4g for a cache\n",
               c->steps, c->cached_steps);
}
