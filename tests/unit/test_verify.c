/* IR that a pass has broken: nothing is emitted, and what is said names the kernel and the pass. A
** pass is stood in for (the link wraps it), and breaks what it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/ir.h"
#include "tests/unit/library.h"

void __real_ir_uniform(IrUnit *unit);
void __wrap_ir_uniform(IrUnit *unit);

typedef void Breakage(IrFunc *fn);
static Breakage *breakage; /* NULL: nothing is broken */

void __wrap_ir_uniform(IrUnit *unit)
{
    __real_ir_uniform(unit);
    if (breakage)
        breakage(unit->kernel);
}

/* The kernel's last statement is a store, and its value a sum. No pass comes behind the one that
** breaks it. */
static const char *const text = "@cuda.jit(opt=False)\n"
                                "def k(out):\n"
                                "    out[0] = out[1] + 1\n";

static void a_value_without_a_type(IrFunc *fn)
{
    fn->body.last->store.value->type = type_error;
}

static void a_sum_of_one_number(IrFunc *fn)
{
    fn->body.last->store.value->count = 1;
}

static void a_break_outside_of_a_loop(IrFunc *fn)
{
    fn->body.last->kind = IR_BREAK;
}

static void a_region_without_an_end(IrFunc *fn)
{
    fn->body.last = NULL;
}

static const struct {
    Breakage *breakage;
    const char *said;
} rows[] = {
    { a_value_without_a_type, "line 3: a value without a type" },
    { a_sum_of_one_number, "line 3: wrong number of operands" },
    { a_break_outside_of_a_loop, "line 3: break or continue outside of a loop" },
    { a_region_without_an_end, "a region whose end is not its last statement" },
};

static void expect_broken(kjit_status status, const char *said)
{
    expect(status, KJIT_INTERNAL, "error: internal error: after 'uniform', in 'k', line ");
    expect(status, KJIT_INTERNAL, said);
}

static void nothing_is_emitted(void **state)
{
    static const char *const stages[] = { "ir", "remarks", "cuda", "c", "check", "so" };
    kjit_kernel *kernel = kernel_of(text);
    char *data;
    size_t length;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        for (size_t j = 0; j < ARRAY_COUNT(stages); j++) {
            kjit_emit_options options = { .size = sizeof options,
                                          .stage = stages[j],
                                          .signature = "k(int64[::1])" };
            breakage = rows[i].breakage;
            expect_broken(kjit_emit(kernel, &options, &data, &length), rows[i].said);
            assert_null(data);
            breakage = NULL;
            assert_int_equal(kjit_emit(kernel, &options, &data, &length), KJIT_OK);
            kjit_free(data);
        }
    }
}

static void nothing_is_launched(void **state)
{
    int64_t out[2] = { 5, 6 };
    kjit_kernel *kernel = kernel_of(text);

    (void)state;
    breakage = a_value_without_a_type;
    expect_broken(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(out, 2)), rows[0].said);
    assert_int_equal(out[0], 5);
    breakage = NULL;
    assert_int_equal(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(out, 2)), KJIT_OK);
    assert_int_equal(out[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_emitted),
        cmocka_unit_test(nothing_is_launched),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
