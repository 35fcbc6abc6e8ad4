/* Passes whose result can be run here, too: it must leave the memory as the kernel does. */
#include "tests/brute/brute.h"

#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"
#include "ir/text/text.h"

#include <string.h>

static const char *const lists[] = { "forward,dce",
                                     "delinearise",
                                     "elements",
                                     "registers",
                                     "unroll",
                                     "trips",
                                     "narrow",
                                     "constants",
                                     "returns",
                                     "counted",
                                     "bits",
                                     "forward,delinearise,registers,unroll,narrow",
                                     "delinearise,registers,forward,dce" };

void passes_compare(const Run *run, const char *text, Random *random, const IrFacts *facts)
{
    const char *list = lists[draw_below(random, ARRAY_COUNT(lists))];
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
