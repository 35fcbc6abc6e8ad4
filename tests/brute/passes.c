/* Passes whose result can be run here, too: it must leave the memory as the kernel does. */
#include "tests/brute/brute.h"

#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"
#include "ir/text/text.h"

#include <string.h>

/* Some passes, of those that optimise and of what they leave behind, or all of them. */
static const char *draw_list(Arena *arena, Random *random)
{
    static const char *const tidy[] = { "forward", "dce" };
    int count = 0;
    Buf list;
    buf_init(&list, arena);
    while (ir_pass_name(count))
        count++;
    if (draw_once_in(random, 8))
        return "all";
    do {
        int next = (int)draw_below(random, (uint32_t)count + (uint32_t)ARRAY_COUNT(tidy));
        buf_printf(&list, "%s%s", list.length ? "," : "",
                   next < count ? ir_pass_name(next) : tidy[next - count]);
    } while (!draw_once_in(random, 3));
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
