/* Kernels with an @example, launched whole and over ranks, which must leave the same bits.
**
**     whole [-d DEVICE] [-r RANKS] [-g 0,1] [-p PASSES] FILE[:KERNEL]...
**
** Of a file that names no kernel all with an @example. Ranks are the processes of a launcher, RANKS
** of this process, or GPUs of it. Each kernel is launched once with memory that lies on the host,
** and then twice with memory that stays with the ranks. What cannot be split is reported, and is no
** failure. Rank 0 prints; its last line is `N passed, N failed`. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/kjit_tools.h"

enum { PARAMS = 32, GPUS = 16 };

typedef struct Set {
    kjit_context *context;
    kjit_group *group;
    const char *passes;
    int passed, failed, refused;
} Set;

/* What a launch is given. */
typedef struct Given {
    kjit_values *values;
    kjit_launch_config config;
    kjit_arg args[PARAMS];
    size_t count;
} Given;

static void must(kjit_status status, const char *what)
{
    if (status == KJIT_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, kjit_error_message());
    exit(1);
}

static Given given_of(kjit_kernel *kernel)
{
    Given given = { .config = { .size = sizeof given.config }, .count = kjit_param_count(kernel) };

    must(kjit_values_new(&given.values), kjit_kernel_name(kernel));
    must(kjit_values_example(given.values, kernel), kjit_kernel_name(kernel));
    must(kjit_example_config(kernel, &given.config), kjit_kernel_name(kernel));
    for (size_t i = 0; i < given.count && i < PARAMS; i++)
        given.args[i] = *kjit_values_get(given.values, kjit_param_name(kernel, i));
    return given;
}

static bool same_elements(const kjit_array *one, const char *a, const kjit_array *other,
                          const char *b, int axis)
{
    if (axis == one->rank)
        return memcmp(a, b, kjit_dtype_bytes(one->dtype)) == 0;
    for (int64_t i = 0; i < one->shape[axis]; i++)
        if (!same_elements(one, a + i * one->strides[axis], other, b + i * other->strides[axis],
                           axis + 1))
            return false;
    return true;
}

/* The first array of which the elements are not the same; NULL: there is none. */
static const char *differing(kjit_kernel *kernel, const Given *one, const Given *other)
{
    for (size_t i = 0; i < one->count; i++) {
        const kjit_array *a = &one->args[i].as.array, *b = &other->args[i].as.array;
        if (one->args[i].kind == KJIT_ARG_ARRAY && !same_elements(a, a->data, b, b->data, 0))
            return kjit_param_name(kernel, i);
    }
    return NULL;
}

static void whole(const Set *set, kjit_kernel *kernel, const Given *given, int times)
{
    for (int k = 0; k < times; k++)
        must(kjit_launch(kernel, &given->config, given->args, given->count),
             kjit_kernel_name(kernel));
    must(kjit_synchronize(set->context), kjit_kernel_name(kernel));
}

static kjit_status split(const Set *set, kjit_kernel *kernel, const Given *given, int times)
{
    kjit_status status = KJIT_OK;

    for (int k = 0; k < times && status == KJIT_OK; k++)
        status = kjit_group_launch(set->group, kernel, &given->config, given->args, given->count,
                                   NULL, 0);
    return status;
}

static kjit_status split_and_held(const Set *set, kjit_kernel *kernel, const Given *given)
{
    kjit_status status = kjit_group_hold_args(set->group, set->context, given->args, given->count);

    if (status == KJIT_OK)
        status = split(set, kernel, given, 2);
    if (status == KJIT_OK)
        status = kjit_group_fetch(set->group, NULL);
    if (status == KJIT_OK)
        status = kjit_group_drop(set->group, NULL);
    return status;
}

static void judge(Set *set, const char *file, kjit_kernel *kernel, const char *what,
                  const char *differs)
{
    set->passed += !differs;
    set->failed += differs != NULL;
    if (differs)
        printf("%s:%s: '%s' is not what it is on one device, %s\n", file, kjit_kernel_name(kernel),
               differs, what);
}

/* The other arrays than those of rank 0 are not said, unless they are held. */
static void try_kernel(Set *set, const char *file, kjit_kernel *kernel)
{
    Given one = given_of(kernel), once = given_of(kernel), held = given_of(kernel);
    kjit_status status = split(set, kernel, &once, 1);

    if (status == KJIT_INVALID || status == KJIT_UNSUPPORTED) {
        set->refused++;
        if (kjit_group_rank(set->group) == 0)
            printf("%s:%s: refused: %s\n", file, kjit_kernel_name(kernel), kjit_error_message());
    } else {
        must(status, kjit_kernel_name(kernel));
        whole(set, kernel, &one, 1);
        if (kjit_group_rank(set->group) == 0)
            judge(set, file, kernel, "launched once", differing(kernel, &one, &once));
        must(split_and_held(set, kernel, &held), kjit_kernel_name(kernel));
        whole(set, kernel, &one, 1);
        judge(set, file, kernel, "held for two launches", differing(kernel, &one, &held));
    }
    kjit_values_close(one.values);
    kjit_values_close(once.values);
    kjit_values_close(held.values);
}

static bool has_example(kjit_kernel *kernel)
{
    kjit_launch_config config = { .size = sizeof config };
    kjit_values *values;

    must(kjit_values_new(&values), kjit_kernel_name(kernel));
    bool has = kjit_values_example(values, kernel) == KJIT_OK &&
               kjit_example_config(kernel, &config) == KJIT_OK;
    kjit_values_close(values);
    return has;
}

static void try_file(Set *set, const char *named)
{
    char file[1024];
    snprintf(file, sizeof file, "%s", named);
    char *colon = strchr(file, ':');
    if (colon)
        *colon = '\0';
    kjit_load_options options = { .size = sizeof options, .passes = set->passes };
    kjit_module *module;
    kjit_kernel *kernel;

    must(kjit_load_file(set->context, file, &options, &module), file);
    for (size_t i = 0; i < kjit_kernel_count(module); i++) {
        const char *name = kjit_kernel_name_at(module, i);
        if (colon && strcmp(name, colon + 1) != 0)
            continue;
        must(kjit_get_kernel(module, name, &kernel), name);
        if (has_example(kernel))
            try_kernel(set, file, kernel);
    }
}

static void open_group(Set *set, const char *device, int ranks, char *gpus)
{
    int numbers[GPUS], count = 0;
    char own[32];

    for (char *at = strtok(gpus, ","); at && count < GPUS; at = strtok(NULL, ","))
        numbers[count++] = atoi(at);
    must(count ? kjit_open_gpus(numbers, count, &set->group) : kjit_open_group(ranks, &set->group),
         "the group");
    if (strcmp(device, "cuda") == 0) {
        snprintf(own, sizeof own, "cuda:%d", count ? numbers[0] : kjit_launched_local_rank());
        device = own;
    }
    kjit_open_options open = { .size = sizeof open, .device = device };
    must(kjit_open(&open, &set->context), device);
}

int main(int argc, char **argv)
{
    Set set = { .passes = NULL };
    const char *device = "cpu";
    char none[] = "", *gpus = none;
    int ranks = 0, option;

    while ((option = getopt(argc, argv, "d:r:g:p:")) != -1)
        switch (option) {
        case 'd':
            device = optarg;
            break;
        case 'r':
            ranks = atoi(optarg);
            break;
        case 'g':
            gpus = optarg;
            break;
        case 'p':
            set.passes = optarg;
            break;
        default:
            return 2;
        }
    open_group(&set, device, ranks, gpus);
    for (int i = optind; i < argc; i++)
        try_file(&set, argv[i]);
    kjit_group_leave(set.group);
    if (kjit_group_rank(set.group) == 0)
        printf("%d refused\n%d passed, %d failed\n", set.refused, set.passed, set.failed);
    kjit_close_group(set.group);
    kjit_close(set.context);
    return set.failed != 0;
}
