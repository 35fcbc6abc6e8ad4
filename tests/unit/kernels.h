/* For tests of the IR: kernels from their text, or written as IR. Include it behind cmocka.h's
** headers. */
#ifndef KJIT_TESTS_KERNELS_H
#define KJIT_TESTS_KERNELS_H

#include <string.h>
#include <cmocka.h>

#include "ir/text/read.h"

/* What a test has for its own, on an arena that goes with it. */
typedef struct Fixture {
    Arena arena;
    Types types;
    Diags diags;
    jmp_buf exhausted;
} Fixture;

static inline int set_up(void **state)
{
    static Fixture fixture;
    arena_init(&fixture.arena, &fixture.exhausted);
    types_init(&fixture.types, &fixture.arena);
    diags_init(&fixture.diags, &fixture.arena);
    *state = &fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    Fixture *f = *state;
    arena_free(&f->arena);
    return 0;
}

/* The unit that is written as IR. */
static inline IrUnit *read_unit(Fixture *f, const char *text)
{
    IrUnit *unit =
        ir_read(&f->arena, &f->types, &f->diags, source_new(&f->arena, "k.ir", text, strlen(text)));
    assert_non_null(unit);
    return unit;
}

/* The kernel k of a module for parameters of these types, before any pass. */
static inline IrUnit *lower_k(Fixture *f, const char *text, const Type *const *params, int count)
{
    Source *source = source_new(&f->arena, "test", text, strlen(text));
    AstModule *ast = parse_module(&f->arena, &f->diags, source);
    Module *module = module_resolve(&f->arena, &f->diags, ast, NULL, NULL);
    LowerRequest request = { .module = module,
                             .kernel = "k",
                             .signature = { .params = params, .count = count } };
    IrUnit *unit = ir_lower(&f->arena, &f->types, &f->diags, &request);
    assert_non_null(unit);
    return unit;
}

/* The same for two int32 arrays and an int64, k(x, y, n), behind the passes that always run. */
static inline IrUnit *lower_xyn(Fixture *f, const char *text)
{
    const Type *array = type_array(&f->types, type_int32, 1, LAYOUT_C, false);
    const Type *params[3] = { array, array, type_int64 };
    IrUnit *unit = lower_k(f, text, params, 3);
    assert_null(ir_run_passes(unit, NULL));
    return unit;
}

static inline const IrVar *var_of(const IrFunc *fn, const char *name)
{
    for (int i = 0; i < fn->var_count; i++)
        if (strcmp(fn->vars[i]->name, name) == 0)
            return fn->vars[i];
    fail_msg("no variable %s", name);
    return NULL;
}
#endif
