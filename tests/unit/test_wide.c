/* Wide accesses, which no kernel's text has: made by hand, then looked at from all sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codegen/codegen.h"
#include "tests/unit/kernels.h"

static IrVar *private_array(Fixture *f, IrFunc *fn, const Type *element, int64_t count)
{
    const Type *type = type_array(&f->types, element, 1, LAYOUT_C, false);
    IrVar *var = ir_var_new(&f->arena, fn, "four", type, VAR_PRIVATE, fn->span);
    int64_t *shape = arena_array(&f->arena, int64_t, 1);
    shape[0] = count;
    var->shape = shape;
    var->alignment = 16;
    return var;
}

static void append_eval(Fixture *f, IrFunc *fn, IrIntrinsic intrinsic, IrValue *a, IrValue *b,
                        IrValue *c)
{
    IrStmt *eval = ir_stmt(&f->arena, IR_EVAL, fn->span);
    eval->eval.value = ir_intrinsic(&f->arena, intrinsic, type_none, fn->span, a, b, c);
    ir_append(&fn->body, eval);
}

/* Kernel k(x, y): y[8:8 + count] = x[4:4 + count]. */
static IrUnit *copying(Fixture *f, const Type *element, int64_t count)
{
    static const char text[] = "@cuda.jit\ndef k(x, y):\n    pass\n";
    const Type *array = type_array(&f->types, element, 1, LAYOUT_C, false);
    const Type *params[2] = { array, array };
    IrUnit *unit = lower_k(f, text, params, 2);
    IrFunc *fn = unit->kernel;
    IrVar *here = private_array(f, fn, element, count);
    Span span = fn->span;
    fn->body = (IrRegion){ NULL, NULL };
    append_eval(f, fn, INTR_wide_load, ir_var(&f->arena, here, span),
                ir_var(&f->arena, fn->vars[0], span), ir_integer(&f->arena, type_int64, 4, span));
    append_eval(f, fn, INTR_wide_store, ir_var(&f->arena, fn->vars[1], span),
                ir_integer(&f->arena, type_int64, 8, span), ir_var(&f->arena, here, span));
    assert_null(ir_run_passes(unit, NULL));
    return unit;
}

static void a_wide_access_reads_or_writes_its_array(void **state)
{
    const IrUnit *unit = copying(*state, type_float32, 4);
    assert_int_equal(unit->kernel->access[0], ACCESS_READ);
    assert_int_equal(unit->kernel->access[1], ACCESS_WRITE);
    assert_int_equal(unit->kernel->effects, EFFECT_READ | EFFECT_WRITE);
}

static void expect_text(Fixture *f, const IrUnit *unit, Dialect dialect, const char *wanted)
{
    Emitted out;
    Diags diags;
    diags_init(&diags, &f->arena);
    assert_true(emit_unit(&f->arena, unit, dialect, &diags, &out));
    if (!strstr(out.text, wanted))
        fail_msg("not in the text: %s\n%s", wanted, out.text);
}

static void a_wide_access_is_one_copy_in_both_dialects(void **state)
{
    Fixture *f = *state;
    const IrUnit *unit = copying(f, type_float32, 4);
    expect_text(f, unit, DIALECT_CUDA, "__align__(16) float four[4];");
    expect_text(f, unit, DIALECT_CUDA, "wide_load16(four, &x[4]);");
    expect_text(f, unit, DIALECT_CUDA, "wide_store16(&y[8], four);");
    expect_text(f, unit, DIALECT_C, "__builtin_memcpy(four.array, &x[4], 16);");
    expect_text(f, unit, DIALECT_C, "__builtin_memcpy(&y[8], four.array, 16);");
}

static void a_wide_access_may_have_2_to_64_bytes(void **state)
{
    Fixture *f = *state;
    expect_text(f, copying(f, type_of(INT8), 2), DIALECT_CUDA, "wide_load2(four, &x[4]);");
    expect_text(f, copying(f, type_of(FLOAT16), 4), DIALECT_CUDA, "wide_load8(four, &x[4]);");
    expect_text(f, copying(f, type_float64, 8), DIALECT_CUDA, "wide_load64(four, &x[4]);");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wide_access_reads_or_writes_its_array, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wide_access_is_one_copy_in_both_dialects, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_wide_access_may_have_2_to_64_bytes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
