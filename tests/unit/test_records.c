/* Records through the public header: structs of C as arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

typedef struct Particle {
    float place[3];
    double mass;
    int8_t kind;
} Particle;

static const kjit_field fields[] = {
    { "place", KJIT_DTYPE_FLOAT32, NULL, offsetof(Particle, place), 1, { 3 } },
    { "mass", KJIT_DTYPE_FLOAT64, NULL, offsetof(Particle, mass), 0, { 0 } },
    { "kind", KJIT_DTYPE_INT8, NULL, offsetof(Particle, kind), 0, { 0 } },
};
static const kjit_record particle = { fields, 3, sizeof(Particle) };

static kjit_status launch(const char *text, const kjit_array *array)
{
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { 4, 1, 1 } };
    kjit_arg arg = kjit_arg_array(*array);
    kjit_module *module;
    kjit_kernel *kernel = NULL;

    if (kjit_load_source(context, text, "t.k", NULL, &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &kernel) != KJIT_OK)
        fail_msg("%s", kjit_error_message());
    return kjit_launch(kernel, &config, &arg, 1);
}

static const char text[] = "@cuda.jit\n"
                           "def k(a):\n"
                           "    i = cuda.grid(1)\n"
                           "    a[i].mass *= 2\n"
                           "    a[i].place[1] += a[i].kind\n";

static void structs_are_read_and_written(void **state)
{
    Particle particles[4] = { { { 1, 2, 3 }, 0.5, 7 }, { { 0 }, 4, -1 } };
    int64_t four = 4;
    kjit_array array = kjit_record_array(particles, &particle, 1, &four);

    (void)state;
    assert_int_equal(kjit_array_itemsize(&array), sizeof(Particle));
    assert_int_equal(launch(text, &array), KJIT_OK);
    assert_true(particles[0].mass == 1 && particles[0].place[1] == 9 && particles[1].mass == 8 &&
                particles[1].place[1] == -1 && particles[0].kind == 7);
    array.data = particles + 3;
    array.strides[0] = -(int64_t)sizeof(Particle);
    assert_int_equal(launch(text, &array), KJIT_OK);
    assert_true(particles[0].mass == 2 && particles[0].place[1] == 16);
    kjit_array masses = kjit_field_array(&array, 1);
    assert_true(masses.dtype == KJIT_DTYPE_FLOAT64 && masses.data == &particles[3].mass);
    assert_null(kjit_field_array(&array, 3).data);
}

static void readonly_records_are_not_written(void **state)
{
    Particle particles[4] = { { { 0 }, 0, 0 } };
    int64_t four = 4;
    kjit_array array = kjit_record_array(particles, &particle, 1, &four);

    (void)state;
    array.flags = KJIT_READONLY;
    assert_int_equal(launch(text, &array), KJIT_INVALID);
    assert_non_null(strstr(kjit_error_message(), "this record is read-only"));
    assert_non_null(strstr(kjit_error_message(), "this array is read-only"));
}

static void refused(const kjit_array *array, const char *because)
{
    assert_int_equal(launch(text, array), KJIT_ARGUMENT);
    if (!strstr(kjit_error_message(), because))
        fail_msg("not '%s': %s", because, kjit_error_message());
}

static void records_must_make_sense(void **state)
{
    static kjit_field many[KJIT_FIELDS_MAX + 1];
    static const struct {
        kjit_field field;
        const char *says;
    } rows[] = {
        { { "mass", KJIT_DTYPE_FLOAT64, NULL, sizeof(Particle), 0, { 0 } },
          "the field 'mass' of the records of 'a' ends behind the record's 32 bytes: it begins at "
          "32" },
        { { "place", KJIT_DTYPE_INT8, NULL, 0, 0, { 0 } }, "two fields called 'place'" },
        { { "", KJIT_DTYPE_INT8, NULL, 0, 0, { 0 } }, "a field without a name: number 1" },
        { { "x", KJIT_DTYPE_RECORD, NULL, 0, 0, { 0 } }, "the records of 'a' have no description" },
        { { "x", (kjit_dtype)999, NULL, 0, 0, { 0 } }, "'x' of the records of 'a' is of no dtype" },
        { { "x", KJIT_DTYPE_INT8, NULL, 0, 9, { 1 } }, "'x' of the records of 'a' has 9 axes" },
        { { "x", KJIT_DTYPE_INT8, NULL, 0, 2, { 1, -5 } }, "has -5 elements along axis 1" },
        { { "x", KJIT_DTYPE_INT8, NULL, 0, 2, { INT64_MAX, 4 } }, "ends behind" },
    };
    Particle particles[4];
    int64_t four = 4;
    kjit_field wrong[3];
    kjit_record record = { wrong, 3, sizeof(Particle) };
    kjit_array array = kjit_record_array(particles, &record, 1, &four);

    (void)state;
    memset(particles, 0, sizeof particles);
    memcpy(wrong, fields, sizeof wrong);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wrong[1] = rows[i].field;
        refused(&array, rows[i].says);
    }
    wrong[1] = (kjit_field){ "x", KJIT_DTYPE_RECORD, &record, 0, 0, { 0 } };
    refused(&array, "have more than 16 records inside each other");
    record.fields = many;
    record.count = KJIT_FIELDS_MAX + 1;
    refused(&array, "the records of 'a' have 257 fields, and 256 is");
    record.count = 0;
    refused(&array, "the records of 'a' have no fields");
    record = (kjit_record){ fields, 3, (size_t)INT32_MAX + 1 };
    refused(&array, "have 2147483648 bytes, and 2147483647 is");
    array.record = NULL;
    refused(&array, "is no array");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_are_read_and_written),
        cmocka_unit_test(readonly_records_are_not_written),
        cmocka_unit_test(records_must_make_sense),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
