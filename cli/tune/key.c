/* Everything but the configuration that a measured time depends on: two runs are comparable, and a
** log can be resumed, if their keys are equal. */
#include <sys/stat.h>

#include "cli/tune/child.h"

static void put_argument(FILE *out, const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_TUPLE) {
        fputc('(', out);
        for (size_t i = 0; i < arg->as.tuple.count; i++) {
            fputs(i ? ", " : "", out);
            put_argument(out, &arg->as.tuple.items[i]);
        }
        fputc(')', out);
    } else if (arg->kind == KJIT_ARG_ARRAY) {
        const kjit_array *array = &arg->as.array;
        fprintf(out, "%s(", kjit_dtype_name(array->dtype));
        for (int axis = 0; axis < array->rank; axis++)
            fprintf(out, "%s%lld", axis ? ", " : "", (long long)array->shape[axis]);
        fputc(')', out);
        if (!kjit_array_is_contiguous(array, 0))
            for (int axis = 0; axis < array->rank; axis++)
                fprintf(out, "%s%lld", axis ? "," : "/", (long long)array->strides[axis]);
    } else if (arg->dtype == KJIT_DTYPE_FLOAT32 || arg->dtype == KJIT_DTYPE_FLOAT64 ||
               arg->dtype == KJIT_DTYPE_FLOAT16 || arg->dtype == KJIT_DTYPE_BFLOAT16) {
        fprintf(out, "%s(%.17g)", kjit_dtype_name(arg->dtype), arg->as.number);
    } else {
        fprintf(out, "%s(%lld)", kjit_dtype_name(arg->dtype), (long long)arg->as.integer);
    }
}

static char *extents(const Child *child)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; i < child->count; i++) {
        fprintf(out, "%s%s=", i ? ", " : "", kjit_param_name(child->kernel, i));
        put_argument(out, &child->args[i]);
    }
    fclose(out);
    return text;
}

/* Identifies a file by name, size and time of change. */
static json_t *file_now(const char *name, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return json_string(path);
    return json_sprintf("%s=%s, %lld bytes of %lld.%09ld", name, path, (long long)info.st_size,
                        (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

/* What the verification depends on. */
static void add_judge(const TuneCommand *command, json_t *made)
{
    json_object_set_new(made, "verified", json_boolean(!command->unverified));
    json_object_set_new(made, "tolerance", json_real(command->tolerance));
    json_t *references = json_array();
    for (size_t i = 0; i < command->references.count; i++)
        json_array_append_new(references, file_now(command->references.list[i].name,
                                                   command->references.list[i].value));
    json_object_set_new(made, "references", references);
}

/* Environment variables that affect measurements. */
static void add_environment(const Child *child, json_t *made)
{
    static const struct {
        const char *name;
        bool processor; /* affects launches on the processor only */
    } variables[] = {
        { "KJIT_PASSES", false },
        { "CUDA_LAUNCH_BLOCKING", false },
        { "KJIT_CC", true },
        { "OMP_NUM_THREADS", true },
    };
    kjit_device_info info = { .size = sizeof info };
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i].name);
        if (value && *value && (child->quiet || !variables[i].processor))
            json_object_set_new(made, variables[i].name, json_string(value));
    }
    if (child->quiet && kjit_device_facts(child->context, &info) == KJIT_OK)
        json_object_set_new(made, "threads", json_integer(info.processors));
}

/* The launch of the command line, and other settings that affect measurements. */
static json_t *settings(const Child *child)
{
    const TuneCommand *command = child->command;
    const LaunchOptions *launch = &command->launch;
    json_t *made = json_pack("{s:b,s:b,s:b,s:I}", "debug", launch->session.debug, "fastmath",
                             launch->session.fastmath, "cold", command->cold, "shared",
                             (json_int_t)launch->shared);
    add_judge(command, made);
    add_environment(child, made);
    if (launch->session.matmul)
        json_object_set_new(made, "matmul", json_string(launch->session.matmul));
    if (launch->session.passes)
        json_object_set_new(made, "passes", json_string(launch->session.passes));
    for (size_t i = 0; i < launch->defines.count; i++)
        json_object_set_new(made, launch->defines.list[i].name,
                            json_string(launch->defines.list[i].value));
    return made;
}

/* The digest of the kernel's text. */
static void add_digest(const Child *child, json_t *key)
{
    char text[KJIT_DIGEST_SIZE];
    kjit_status status = kjit_space_digest(child->space, text);
    json_object_set_new(key, "digest", json_string(status == KJIT_OK ? text : ""));
}

/* Grid and block of the untuned launch, as far as they do not follow from the text. */
static void add_shape(Child *child, json_t *key)
{
    const uint32_t config[PARAMS_MOST] = { 0 };
    kjit_launch_config shape;
    if (child_shape(child, child->own, config, &shape) == KJIT_OK)
        json_object_set_new(key, "launch",
                            json_pack("[I,I,I,I,I,I]", (json_int_t)shape.grid[0],
                                      (json_int_t)shape.grid[1], (json_int_t)shape.grid[2],
                                      (json_int_t)shape.block[0], (json_int_t)shape.block[1],
                                      (json_int_t)shape.block[2]));
}

json_t *child_key(Child *child)
{
    kjit_device_info info = { .size = sizeof info };
    char *text = extents(child);
    bool known = kjit_device_facts(child->context, &info) == KJIT_OK;
    json_t *key = json_pack(
        "{s:s,s:s,s:s,s:s,s:s,s:s,s:o}", "kernel", kjit_kernel_name(child->kernel), "arguments",
        text, "device", kjit_device_model(child->context), "architecture", known ? info.arch : "",
        "driver", known ? info.driver : "", "kjit", kjit_version(), "settings", settings(child));
    free(text);
    add_digest(child, key);
    add_shape(child, key);
    char compiler[4096];
    if (kjit_compiler(!child->quiet, compiler, sizeof compiler) == KJIT_OK)
        json_object_set_new(key, child->quiet ? "C compiler" : "NVRTC", json_string(compiler));
    return key;
}
