/* Any text at all goes through every stage that has no device: it may be refused, but nothing may
** crash, leak or hang. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/kjit_tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void emit_source(const char *text, const char *stage)
{
    char *out;
    size_t length;
    if (kjit_emit_source(text, "fuzz.k", stage, &out, &length) == KJIT_OK)
        kjit_free(out);
}

/* Arrays and numbers by turns, for kernels that nothing is known of. */
static void fill_args(kjit_arg *args, size_t count)
{
    static float floats[64];
    static int32_t integers[64];
    int64_t shape[] = { 8, 8 };
    for (size_t i = 0; i < count; i++) {
        switch (i % 4) {
        case 0:
            args[i] = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
            args[i].as.array = kjit_host_array(floats, KJIT_DTYPE_FLOAT32, 1, shape);
            break;
        case 1:
            args[i] = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
            args[i].as.array = kjit_host_array(integers, KJIT_DTYPE_INT32, 2, shape);
            break;
        case 2:
            args[i] = (kjit_arg){ .dtype = KJIT_DTYPE_INT64, .as.integer = 3 };
            break;
        default:
            args[i] = (kjit_arg){ .dtype = KJIT_DTYPE_FLOAT64, .as.number = 0.5 };
            break;
        }
    }
}

static void emit_kernel(kjit_kernel *kernel, const char *stage)
{
    kjit_arg args[16];
    char *out;
    size_t length, count = kjit_param_count(kernel);
    kjit_emit_options options = { .size = sizeof options, .stage = stage, .args = args };

    if (count > 16)
        return;
    fill_args(args, count);
    options.arg_count = count;
    if (kjit_emit(kernel, &options, &out, &length) == KJIT_OK)
        kjit_free(out);
}

static void emit_module(kjit_context *context, const char *text, int debug)
{
    kjit_load_options options = { .size = sizeof options, .debug = debug };
    kjit_module *module;
    kjit_kernel *kernel;
    if (kjit_load_source(context, text, "fuzz.k", &options, &module) != KJIT_OK)
        return;
    for (size_t i = 0; i < kjit_kernel_count(module); i++)
        if (kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel) == KJIT_OK) {
            emit_kernel(kernel, "cuda");
            emit_kernel(kernel, "c");
        }
    kjit_close_module(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kjit_context *context;
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    if (!context && kjit_open(&options, &context) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        abort();
    }
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    emit_source(text, "tokens");
    emit_source(text, "ast");
    emit_module(context, text, size % 2);
    free(text);
    return 0;
}
