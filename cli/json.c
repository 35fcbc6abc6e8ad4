/* Results as JSON, with full precision. NaN and infinity, which JSON lacks, are null. */
#include <jansson.h>
#include <math.h>

#include "cli/cli.h"
#include "cli/page/page.h"

enum { FIRST_VALUES = 6 };

static json_t *real_value(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *number_value(const Number *number)
{
    switch (number->kind) {
    case NUMBER_BOOL:
        return json_boolean(number->integer);
    case NUMBER_INTEGER:
        return json_integer(number->integer);
    case NUMBER_TIME:
        return number->integer == INT64_MIN ? json_null() : json_integer(number->integer);
    case NUMBER_UNSIGNED:
        return number->integer < 0 ? json_real(number->real) : json_integer(number->integer);
    case NUMBER_REAL:
        return real_value(number->real);
    case NUMBER_COMPLEX:
        return json_pack("[o,o]", real_value(number->real), real_value(number->imag));
    }
    return json_null();
}

static json_t *extents(const kjit_array *array)
{
    json_t *list = json_array();
    for (int axis = 0; axis < array->rank; axis++)
        json_array_append_new(list, json_integer(array->shape[axis]));
    return list;
}

static json_t *first_values(const kjit_array *array)
{
    Walk walk;
    Number number;
    json_t *list = json_array();
    walk_start(&walk, array);
    for (int i = 0; i < FIRST_VALUES && walk_next(&walk, &number); i++)
        json_array_append_new(list, number_value(&number));
    return list;
}

static void add_array(void *context, const char *name, const kjit_array *array)
{
    Summary summary;
    array_summarize(array, &summary);
    json_t *object = json_pack("{s:s,s:s,s:o,s:o,s:o}", "name", name, "dtype",
                               kjit_dtype_name(array->dtype), "shape", extents(array), "sum",
                               number_value(&summary.sum), "first", first_values(array));
    if (summary.sum.kind != NUMBER_COMPLEX && summary.nans < summary.count) {
        json_object_set_new(object, "min", number_value(&summary.least));
        json_object_set_new(object, "max", number_value(&summary.most));
    }
    if (summary.nans)
        json_object_set_new(object, "nans", json_integer(summary.nans));
    json_array_append_new(context, object);
}

int json_print(FILE *out, void *root)
{
    int failed = !root || json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(root);
    fputc('\n', out);
    if (!failed)
        return EXIT_DONE;
    return complain_failed("cannot write JSON");
}

/* The compiler's figures of a kernel; null where unknown. */
static json_t *kernel_facts(const RunFacts *facts)
{
    kjit_facts made = { .size = sizeof made };
    if (kjit_kernel_facts(facts->kernel, &facts->config, facts->args,
                          kjit_param_count(facts->kernel), &made) != KJIT_OK)
        return json_null();
    return json_pack("{s:s,s:i,s:i,s:I,s:I,s:I,s:I,s:I,s:i,s:f,s:b,s:f,s:f,s:f}", "call", made.call,
                     "max_threads", made.max_threads, "registers", made.registers, "shared_bytes",
                     (json_int_t)made.shared_bytes, "local_bytes", (json_int_t)made.local_bytes,
                     "constant_bytes", (json_int_t)made.constant_bytes, "spill_store_bytes",
                     (json_int_t)made.spill_store_bytes, "spill_load_bytes",
                     (json_int_t)made.spill_load_bytes, "resident_blocks", made.resident_blocks,
                     "occupancy", made.occupancy, "disk_hit", made.disk_hit, "frontend_ms",
                     made.frontend_ms, "compiler_ms", made.compiler_ms, "load_ms", made.load_ms);
}

static json_t *counters(const kjit_counters *done)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "compilations",
                     (json_int_t)done->compilations, "disk_hits", (json_int_t)done->disk_hits,
                     "memory_hits", (json_int_t)done->memory_hits, "launches",
                     (json_int_t)done->launches, "graph_launches", (json_int_t)done->graph_launches,
                     "bytes_in", (json_int_t)done->bytes_in, "bytes_out",
                     (json_int_t)done->bytes_out, "captures", (json_int_t)done->captures,
                     "capture_failures", (json_int_t)done->capture_failures);
}

static json_t *difference_value(const Difference *difference)
{
    json_t *first = json_array();
    for (int axis = 0; axis < difference->rank && difference->differ; axis++)
        json_array_append_new(first, json_integer(difference->first[axis]));
    return json_pack("{s:s,s:I,s:I,s:I,s:o,s:o,s:o}", "name", difference->name, "elements",
                     (json_int_t)difference->count, "differ", (json_int_t)difference->differ,
                     "beyond_tolerance", (json_int_t)difference->beyond, "first", first, "max_abs",
                     real_value(difference->most), "max_rel",
                     real_value(difference->most_relative));
}

/* The comparison of a replay; "same" and "within_tolerance" are null if nothing was compared. */
static json_t *comparison_value(const Comparison *comparison)
{
    const kjit_replay_facts *captured = &comparison->captured;
    bool compared = !comparison->given && !captured->failure;
    json_t *list = json_array();
    for (size_t i = 0; i < comparison->count; i++)
        json_array_append_new(list, difference_value(&comparison->list[i]));
    return json_pack("{s:s,s:s,s:s?,s:s?,s:o,s:o,s:o}", "device", captured->device, "model",
                     captured->model, "changed", captured->changed, "failure", captured->failure,
                     "same", compared ? json_boolean(comparison->same) : json_null(),
                     "within_tolerance", compared ? json_boolean(comparison->within) : json_null(),
                     "arrays", list);
}

static void add_timing(json_t *root, const Timing *timing)
{
    json_t *list = json_array();
    double *sorted = must_alloc(timing->count * sizeof *sorted);
    memcpy(sorted, timing->ms, timing->count * sizeof *sorted);
    qsort(sorted, timing->count, sizeof *sorted, statistics_compare);
    for (size_t i = 0; i < timing->count; i++)
        json_array_append_new(list, json_real(sorted[i]));
    free(sorted);
    json_object_set_new(root, "sorted_ms", list);
    json_object_set_new(root, "median_ms", json_real(timing->median));
    json_object_set_new(root, "interval_ms", json_pack("[f,f]", timing->low, timing->high));
    json_object_set_new(root, "disturbed",
                        *timing->disturbed ? json_string(timing->disturbed) : json_null());
}

int json_run(FILE *out, const RunFacts *facts)
{
    json_t *written = json_array();
    each_written(facts->kernel, facts->args, facts->access, add_array, written);
    json_t *root =
        json_pack("{s:s,s:s,s:s,s:o,s:o,s:I,s:o}", "file", facts->file, "kernel",
                  kjit_kernel_name(facts->kernel), "device", kjit_device_name(facts->context),
                  "grid", page_shape(facts->config.grid), "block", page_shape(facts->config.block),
                  "shared_bytes", (json_int_t)facts->config.shared_bytes, "written", written);
    kjit_counters done = { .size = sizeof done };
    kjit_count(facts->context, &done);
    json_object_set_new(root, "counters", counters(&done));
    json_object_set_new(root, "facts", kernel_facts(facts));
    if (facts->taken)
        json_object_set_new(root, "wisdom",
                            json_pack("{s:s,s:s,s:s}", "how", facts->taken->how, "why",
                                      facts->taken->why, "configuration",
                                      facts->taken->configuration));
    if (facts->comparison)
        json_object_set_new(root, "captured", comparison_value(facts->comparison));
    if (facts->timing)
        add_timing(root, facts->timing);
    return json_print(out, root);
}

int json_program(FILE *out, const char *file, const kjit_context *context, const char *printed,
                 const kjit_values *values)
{
    json_t *arrays = json_array();
    const char *name;
    for (size_t i = 0; (name = kjit_values_name_at(values, i)); i++) {
        const kjit_arg *arg = kjit_values_get(values, name);
        if (arg->kind == KJIT_ARG_ARRAY)
            add_array(arrays, name, &arg->as.array);
    }
    return json_print(out,
                      json_pack("{s:s,s:s,s:s,s:o}", "file", file, "device",
                                kjit_device_name(context), "output", printed, "arrays", arrays));
}

int json_findings(FILE *out, const kjit_finding *findings, size_t count, const Trial *trials,
                  size_t trial_count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object =
            json_pack("{s:s,s:b,s:s?,s:s?}", "what", findings[i].what, "found", findings[i].found,
                      "detail", findings[i].detail, "advice", findings[i].advice);
        if (i >= count - trial_count)
            json_object_set_new(object, "counters",
                                counters(&trials[i - (count - trial_count)].counters));
        json_array_append_new(list, object);
    }
    return json_print(out, list);
}
