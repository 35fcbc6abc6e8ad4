/* Whether a configuration computes what the untuned kernel does, or a reference has. */
#include <math.h>
#include <pthread.h>

#include "cli/tune/tune.h"

static void add_output(void *context, const char *name, const kjit_array *array)
{
    Outputs *outputs = context;
    kjit_array host = array->dtype == KJIT_DTYPE_RECORD
                          ? kjit_record_array(NULL, array->record, array->rank, array->shape)
                          : kjit_host_array(NULL, array->dtype, array->rank, array->shape);
    host.data = must_alloc(kjit_array_bytes(&host));
    must_push(outputs->list, outputs->count) =
        (struct Output){ must_strndup(name, strlen(name)), host, *array, false };
}

void outputs_pin(const Outputs *outputs, kjit_context *context, bool pinned)
{
    for (size_t i = 0; i < outputs->count; i++) {
        if (pinned)
            kjit_pin(context, &outputs->list[i].array);
        else
            kjit_unpin(context, &outputs->list[i].array);
    }
}

void outputs_new(Outputs *outputs, kjit_kernel *kernel, const kjit_arg *args,
                 const uint32_t *access)
{
    *outputs = (Outputs){ 0 };
    each_written(kernel, args, access, add_output, outputs);
}

void outputs_free(Outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        free(outputs->list[i].name);
        free(outputs->list[i].array.data);
    }
    free(outputs->list);
    *outputs = (Outputs){ 0 };
}

kjit_status outputs_fetch(Outputs *outputs, kjit_context *context)
{
    kjit_status status = kjit_synchronize(context);
    for (size_t i = 0; i < outputs->count && status == KJIT_OK; i++)
        if (!outputs->list[i].given)
            status = kjit_copy_to_host(context, &outputs->list[i].device, &outputs->list[i].array);
    return status;
}

/* ---- a reference ----------------------------------------------------------------------------- */

static void put_shape(FILE *out, const kjit_array *array)
{
    fprintf(out, "%s(", kjit_dtype_name(array->dtype));
    for (int i = 0; i < array->rank; i++)
        fprintf(out, "%s%lld", i ? ", " : "", (long long)array->shape[i]);
    fputc(')', out);
}

static int wrong_shape(const char *name, const char *path, const kjit_array *is,
                       const kjit_array *wanted)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    put_shape(out, is);
    fputs(", and the kernel writes ", out);
    put_shape(out, wanted);
    fclose(out);
    complain("--reference %s=%s: the file has %s", name, path, text);
    free(text);
    return EXIT_COMMAND;
}

static int take_reference(struct Output *output, const char *path, const kjit_arg *read)
{
    const kjit_array *array = &read->as.array;
    bool same = read->kind == KJIT_ARG_ARRAY && array->dtype == output->array.dtype &&
                array->rank == output->array.rank;
    for (int i = 0; same && i < array->rank; i++)
        same = array->shape[i] == output->array.shape[i];
    if (!same)
        return wrong_shape(output->name, path, array, &output->array);
    kjit_context *context = NULL;
    kjit_open_options open = { .size = sizeof open, .device = "cpu" };
    kjit_status status = kjit_open(&open, &context);
    if (status == KJIT_OK)
        status = kjit_copy(context, &output->array, array);
    kjit_close(context);
    output->given = status == KJIT_OK;
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

bool outputs_are_given(const Outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (!outputs->list[i].given)
            return false;
    return outputs->count > 0;
}

int outputs_read(Outputs *outputs, const char *name, const char *path)
{
    struct Output *output = NULL;
    for (size_t i = 0; i < outputs->count; i++)
        if (!strcmp(outputs->list[i].name, name))
            output = &outputs->list[i];
    if (!output)
        return bad_usage("--reference %s=%s: the kernel writes no array called '%s'", name, path,
                         name);
    size_t room = strlen(path) + sizeof "load(\"\")";
    char *expression = must_alloc(room);
    kjit_values *values = NULL;
    snprintf(expression, room, "load(\"%s\")", path);
    kjit_status status = kjit_values_new(&values);
    if (status == KJIT_OK)
        status = kjit_values_set(values, "reference", expression, NULL);
    int done = status == KJIT_OK
                   ? take_reference(output, path, kjit_values_get(values, "reference"))
                   : complain_status(status);
    kjit_values_close(values);
    free(expression);
    return done;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const double ROUNDING = 1e-3; /* relative, or absolute below 1: possibly rounding */

/* A sentence about the first difference; `whose` names the expected array. */
static char *difference_text(const Difference *difference, const char *whose)
{
    char now[NUMBER_TEXT], then[NUMBER_TEXT], *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    number_format(now, &difference->now, difference->dtype, 0);
    number_format(then, &difference->then, difference->dtype, 0);
    fprintf(out, "%s[", difference->name);
    for (int axis = 0; axis < difference->rank; axis++)
        fprintf(out, "%s%lld", axis ? ", " : "", (long long)difference->first[axis]);
    fprintf(out, "] is %s, %s %s; %lld of %lld elements differ by up to %.3g", now, whose, then,
            (long long)difference->beyond, (long long)difference->count, difference->most);
    bool exact = difference->now.kind != NUMBER_REAL && difference->now.kind != NUMBER_COMPLEX;
    bool small = isfinite(difference->most) && difference->most_scaled < ROUNDING;
    if (!exact)
        fprintf(out, " (%s--tolerance R allows more)",
                small ? "sums in another order round otherwise: " : "");
    fclose(out);
    return text;
}

enum { SLICES_MOST = 8, SLICE_LEAST = 1 << 18 /* elements */ };

/* A part of two arrays, which a thread compares. */
typedef struct ComparedSlice {
    kjit_array now, then;
    double tolerance;
    bool within;
    pthread_t thread;
} ComparedSlice;

static void *compare_slice(void *context)
{
    ComparedSlice *slice = context;
    slice->within = array_is_within(&slice->now, &slice->then, slice->tolerance);
    return NULL;
}

static kjit_array part_of(const kjit_array *array, int64_t from, int64_t to)
{
    int64_t count = to - from;
    char *data = (char *)array->data + (size_t)from * kjit_array_itemsize(array);
    return array->dtype == KJIT_DTYPE_RECORD ? kjit_record_array(data, array->record, 1, &count)
                                             : kjit_host_array(data, array->dtype, 1, &count);
}

/* Compares two contiguous row-major arrays, in parallel slices if they are large. */
static bool are_within(const kjit_array *now, const kjit_array *then, double tolerance)
{
    int64_t elements = (int64_t)kjit_array_count(now);
    int64_t wanted = elements / SLICE_LEAST < 1 ? 1 : elements / SLICE_LEAST;
    int count = wanted < SLICES_MOST ? (int)wanted : SLICES_MOST, started = 1;
    ComparedSlice slices[SLICES_MOST];
    bool within = true;
    for (int i = 0; i < count; i++) {
        int64_t from = elements * i / count, to = elements * (i + 1) / count;
        slices[i] = (ComparedSlice){ .now = part_of(now, from, to),
                                     .then = part_of(then, from, to),
                                     .tolerance = tolerance };
    }
    while (started < count &&
           pthread_create(&slices[started].thread, NULL, compare_slice, &slices[started]) == 0)
        started++;
    compare_slice(&slices[0]);
    for (int i = started; i < count; i++) /* slices without a thread */
        compare_slice(&slices[i]);
    for (int i = 1; i < started; i++)
        pthread_join(slices[i].thread, NULL);
    for (int i = 0; i < count; i++)
        within = within && slices[i].within;
    return within;
}

char *outputs_differ(const Outputs *now, const Outputs *then, double tolerance)
{
    for (size_t i = 0; i < now->count; i++) {
        Difference difference = { .name = now->list[i].name };
        const kjit_array *one = &now->list[i].array, *other = &then->list[i].array;
        if (are_within(one, other, tolerance))
            continue;
        array_compare(&difference, one, other, tolerance);
        return difference_text(&difference, then->list[i].given ? "in the reference" : "untuned");
    }
    return NULL;
}
