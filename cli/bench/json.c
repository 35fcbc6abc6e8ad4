/* Results of `kjit bench` as JSON: the environment, every sample, every count. Unknown numbers are
** null. */
#include <jansson.h>
#include <math.h>

#include "cli/bench/bench.h"
#include "cli/page/page.h"

static json_t *known(double value)
{
    return value >= 0 && isfinite(value) ? json_real(value) : json_null();
}

static json_t *known_integer(int64_t value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

static json_t *known_text(const char *text)
{
    return *text ? page_text(text) : json_null();
}

/* ---- the environment ------------------------------------------------------------------------ */

static json_t *device_value(kjit_context *context)
{
    kjit_device_info info = { .size = sizeof info };
    kjit_sensors sensors = { .size = sizeof sensors };

    if (kjit_device_facts(context, &info) != KJIT_OK ||
        kjit_device_sensors(context, &sensors) != KJIT_OK)
        return NULL;
    return json_pack("{s:s,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name",
                     kjit_device_name(context), "model", page_text(kjit_device_model(context)),
                     "arch", info.arch, "driver", known_text(info.driver), "driver_release",
                     known_text(sensors.driver), "compiler",
                     known_text(kjit_device_compiler(context)), "processors",
                     known_integer(info.processors), "cache_bytes", known_integer(info.l2_bytes),
                     "memory_bytes", known_integer(info.memory_bytes), "clock_khz",
                     known_integer(info.clock_khz), "memory_clock_khz",
                     known_integer(info.memory_clock_khz), "sensors", known_text(sensors.why_not));
}

static json_t *peaks_value(const Peaks *peaks)
{
    if (!peaks)
        return json_null();
    return json_pack("{s:o,s:o,s:o,s:i,s:f,s:b}", "copy_gbs", known(peaks->copy_gbs),
                     "float32_gflops", known(peaks->float32_gflops), "float64_gflops",
                     known(peaks->float64_gflops), "tries", peaks->tries, "drift", peaks->drift,
                     "unreliable", peaks_drift(peaks));
}

void *bench_json_new(kjit_context *context, const Peaks *peaks)
{
    return json_pack("{s:s,s:i,s:o,s:o,s:[]}", "kjit", kjit_version(), "bench", BENCH_FORMAT,
                     "device", device_value(context), "peaks", peaks_value(peaks), "kernels");
}

/* ---- a kernel ------------------------------------------------------------------------------- */

/* dtype and extents; none for a scalar. */
static json_t *argument_value(const char *name, const kjit_arg *arg)
{
    json_t *shape = json_array();

    if (arg->kind == KJIT_ARG_TUPLE) {
        json_t *items = json_array();
        for (size_t i = 0; i < arg->as.tuple.count; i++)
            json_array_append_new(items, argument_value("", &arg->as.tuple.items[i]));
        json_decref(shape);
        return json_pack("{s:s,s:o}", "name", name, "items", items);
    }
    bool array = arg->kind == KJIT_ARG_ARRAY;
    for (int axis = 0; array && axis < arg->as.array.rank; axis++)
        json_array_append_new(shape, json_integer(arg->as.array.shape[axis]));
    return json_pack("{s:s,s:s,s:o}", "name", name, "dtype",
                     kjit_dtype_name(array ? arg->as.array.dtype : arg->dtype), "shape", shape);
}

static json_t *arguments_value(const BenchRow *row)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kjit_param_count(row->kernel); i++)
        json_array_append_new(list, argument_value(kjit_param_name(row->kernel, i), &row->args[i]));
    return list;
}

static json_t *work_value(const BenchRow *row)
{
    const kjit_work *work = &row->work;

    if (!row->counted)
        return json_null();
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "float16_ops",
                     (json_int_t)work->float16_ops, "float32_ops", (json_int_t)work->float32_ops,
                     "float64_ops", (json_int_t)work->float64_ops, "load_bytes",
                     (json_int_t)work->load_bytes, "store_bytes", (json_int_t)work->store_bytes,
                     "atomic_bytes", (json_int_t)work->atomic_bytes, "least_bytes",
                     (json_int_t)work->least_bytes, "blocks", (json_int_t)work->blocks,
                     "counted_blocks", (json_int_t)work->counted_blocks);
}

static json_t *timing_value(const BenchRow *row, const Timing *timing, const Roof *roof)
{
    json_t *samples = json_array(), *rounds = json_array();
    double seconds = timing->median / 1e3;
    bool rated = row->counted && seconds > 0;

    for (size_t i = 0; i < timing->count; i++)
        json_array_append_new(samples, json_real(timing->ms[i]));
    for (size_t i = 0; i < timing->round_count; i++)
        json_array_append_new(rounds, json_real(timing->rounds[i]));
    return json_pack(
        "{s:f,s:[f,f],s:f,s:I,s:o,s:i,s:o,s:o,s:o,s:o,s:o}", "median_ms", timing->median,
        "interval_ms", timing->low, timing->high, "least_ms", timing->least, "launches_per_sample",
        (json_int_t)timing->batch, "disturbed", known_text(timing->disturbed), "tries",
        timing->tries, "gflops",
        rated ? json_real((double)bench_flops(&row->work) / seconds / 1e9) : json_null(), "gbs",
        rated ? json_real((double)row->work.least_bytes / seconds / 1e9) : json_null(), "roof",
        rated && roof->what ? json_real(roof->ms / timing->median) : json_null(), "rounds_ms",
        rounds, "samples_ms", samples);
}

static json_t *sensors_value(const kjit_sensors *sensors)
{
    return json_pack(
        "{s:o,s:o,s:o,s:s,s:o,s:o,s:o}", "clock_mhz", known_integer(sensors->clock_mhz),
        "memory_clock_mhz", known_integer(sensors->memory_clock_mhz), "throttled",
        sensors->throttled < 0 ? json_null() : json_boolean(sensors->throttled), "throttle",
        sensors->throttle, "celsius", known_integer(sensors->celsius), "milliwatts",
        known_integer(sensors->milliwatts), "millijoules", known_integer(sensors->millijoules));
}

void bench_json_add(void *root, const BenchRow *row, const Peaks *peaks)
{
    const char *configuration = row->tuned ? row->taken.configuration : NULL;
    json_t *object =
        json_pack("{s:o,s:s,s:o,s:o,s:I,s:b,s:o,s:o,s:o,s:o}", "file", page_text(row->file),
                  "kernel", kjit_kernel_name(row->kernel), "grid", page_shape(row->config.grid),
                  "block", page_shape(row->config.block), "shared_bytes",
                  (json_int_t)row->config.shared_bytes, "tuned", row->tuned, "configuration",
                  configuration ? page_text(configuration) : json_null(), "arguments",
                  arguments_value(row), "work", work_value(row), "not_counted",
                  row->why_not ? page_text(row->why_not) : json_null());

    if (row->timed) {
        Roof roof = bench_roof(row, peaks);
        json_object_set_new(object, "cold", timing_value(row, &row->cold, &roof));
        json_object_set_new(object, "warm", timing_value(row, &row->warm, &roof));
        json_object_set_new(object, "roof_of", roof.what ? json_string(roof.what) : json_null());
        json_object_set_new(object, "before", sensors_value(&row->before));
        json_object_set_new(object, "after", sensors_value(&row->after));
    }
    json_array_append_new(json_object_get(root, "kernels"), object);
}
