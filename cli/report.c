/* Arrays as text: a summary in a line, or all elements. The output depends on the values alone, so
** that devices can be compared. */
#include "cli/cli.h"

enum { FIRST_VALUES = 6, REPORT_DIGITS = 6 };

static void print_number(FILE *out, const char *before, const Number *number, kjit_dtype dtype,
                         int digits)
{
    char text[NUMBER_TEXT];
    number_format(text, number, dtype, digits);
    fprintf(out, "%s%s", before, text);
}

/* `int32[150]`, `float32[4, 4]`. */
static void print_kind(FILE *out, const char *name, const kjit_array *array)
{
    fprintf(out, "%s  %s[", name, kjit_dtype_name(array->dtype));
    for (int axis = 0; axis < array->rank; axis++)
        fprintf(out, "%s%lld", axis ? ", " : "", (long long)array->shape[axis]);
    fputc(']', out);
}

static void print_first(FILE *out, const kjit_array *array)
{
    Walk walk;
    Number number;
    walk_start(&walk, array);
    for (int i = 0; i < FIRST_VALUES && walk_next(&walk, &number); i++)
        print_number(out, i ? ", " : "  [", &number, array->dtype, REPORT_DIGITS);
    fputs(walk.left ? ", ...]" : "]", out);
}

void report_array(FILE *out, const char *name, const kjit_array *array)
{
    Summary summary;
    array_summarize(array, &summary);
    print_kind(out, name, array);
    if (!summary.count) {
        fputs("  empty\n", out);
        return;
    }
    if (summary.sum.kind != NUMBER_COMPLEX && summary.nans < summary.count) {
        print_number(out, "  min ", &summary.least, array->dtype, REPORT_DIGITS);
        print_number(out, "  max ", &summary.most, array->dtype, REPORT_DIGITS);
    }
    if (summary.sum.kind != NUMBER_TIME)
        print_number(out, "  sum ", &summary.sum, array->dtype, REPORT_DIGITS);
    if (summary.nans)
        fprintf(out, "  %lld %s", (long long)summary.nans,
                summary.sum.kind == NUMBER_TIME ? "NaT" : "nan");
    print_first(out, array);
    fputc('\n', out);
}

/* Visits the fields of an array of records, each as an array. */
static void each_field(const char *name, const kjit_array *array, ArrayAction *action,
                       void *context)
{
    if (array->dtype != KJIT_DTYPE_RECORD) {
        action(context, name, array);
        return;
    }
    for (size_t i = 0; i < array->record->count; i++) {
        const kjit_field *field = &array->record->fields[i];
        size_t room = strlen(name) + strlen(field->name) + 2;
        kjit_array view = kjit_field_array(array, i);
        char *inner = must_alloc(room);
        snprintf(inner, room, "%s.%s", name, field->name);
        if (view.data)
            each_field(inner, &view, action, context);
        free(inner);
    }
}

static void each_array(const char *name, const kjit_arg *arg, ArrayAction *action, void *context)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        each_field(name, &arg->as.array, action, context);
    if (arg->kind != KJIT_ARG_TUPLE)
        return;
    size_t room = strlen(name) + 24;
    char *inner = must_alloc(room);
    for (size_t i = 0; i < arg->as.tuple.count; i++) {
        snprintf(inner, room, "%s[%zu]", name, i);
        each_array(inner, &arg->as.tuple.items[i], action, context);
    }
    free(inner);
}

void each_written(kjit_kernel *kernel, const kjit_arg *args, const uint32_t *access,
                  ArrayAction *action, void *context)
{
    for (size_t i = 0; i < kjit_param_count(kernel); i++)
        if (access[i] & KJIT_WRITES)
            each_array(kjit_param_name(kernel, i), &args[i], action, context);
}

/* A line per row; brackets are closed and opened at the ends of inner axes. */
static void print_numbers(void *context, const char *name, const kjit_array *array)
{
    FILE *out = context;
    Walk walk;
    Number number;

    print_kind(out, name, array);
    fputc('\n', out);
    walk_start(&walk, array);
    for (int axis = 0; axis < array->rank && walk.left; axis++)
        fputc('[', out);
    while (walk_next(&walk, &number)) {
        print_number(out, "", &number, array->dtype, 0);
        int ended = 0;
        while (walk.left && ended < array->rank && !walk.index[array->rank - 1 - ended])
            ended++;
        for (int i = 0; i < (walk.left ? ended : array->rank); i++)
            fputc(']', out);
        if (walk.left)
            fputs(ended ? ",\n" : ", ", out);
        for (int i = 0; ended && i < array->rank - ended; i++)
            fputc(' ', out);
        for (int i = 0; i < ended; i++)
            fputc('[', out);
    }
    fputs(array_count(array) ? "\n" : "[]\n", out);
}

void print_array(FILE *out, const char *name, const kjit_array *array)
{
    each_field(name, array, print_numbers, out);
}
