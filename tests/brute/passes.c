/* Passes whose result can be run here, too: it must leave the memory as the kernel does. */
#include "tests/brute/brute.h"

#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"
#include "ir/text/text.h"

#include <string.h>

/* Some of the passes that optimise, in their order, or all of them, and what follows them. */
static const char *draw_list(Arena *arena, Random *random)
{
    static const uint32_t shares[] = { 1, 3, 9, 30 };
    const uint32_t share = shares[draw_below(random, ARRAY_COUNT(shares))];
    const char *name;
    if (share == 1)
        return "all";
    Buf list = buf_in(arena);
    for (int i = 0; (name = ir_pass_name(i)); i++)
        if (draw_once_in(random, share))
            buf_printf(&list, "%s,", name);
    buf_puts(&list, "forward,dce");
    return buf_text(&list);
}

void passes_compare(const Run *run, const char *text, Random *random, const IrFacts *facts)
{
    const char *list = draw_list(run->arena, random);
    Types types;
    Diags diags;
    types_init(&types, run->arena);
    diags_init(&diags, run->arena);
    IrUnit *unit =
        ir_read(run->arena, &types, &diags, source_new(run->arena, "k.ir", text, strlen(text)));
    unit->launch = arena_new(run->arena, IrLaunch);
    unit->launch->facts = *facts;
    const char *broken = ir_run_listed(unit, list, NULL);
    if (broken) {
        claim_fails(run, NULL, NULL, "%s: %s", list, broken);
        return;
    }
    Run *again = run_new(run->arena, unit, run->launch);
    again->quiet = true;
    if (!unit->shape.changed)
        run_all(again);
    if (unit->shape.changed || again->unsupported)
        return;
    if (again->undefined)
        claim_fails(run, NULL, NULL, "%s: what it makes is undefined", list);
    else if (memcmp(again->memory, run->memory, sizeof run->memory) != 0)
        claim_fails(run, NULL, NULL, "%s: it leaves another memory", list);
}
