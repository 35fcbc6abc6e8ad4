/* Any text at all is run as a program: it gives a result or a message. What takes long by itself,
** or touches files, is left out. Where KJIT_CC names no compiler (tests/fuzz.sh), expressions of
** arrays and launches end in a message, too. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/kjit_tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const left_out[] = { "while", "sleep", "**",    "<<", "load",
                                        "save",  "os",    "mkdir", "pow" };

enum { DIGITS_MOST = 2 }; /* of a number: loops in loops in loops still come to an end */

/* Whether it ends within a short time, whatever else it does. */
static int is_short(const char *text)
{
    int digits = 0;

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strstr(text, left_out[i]))
            return 0;
    for (const char *at = text; *at; at++) {
        digits = isdigit((unsigned char)*at) || *at == '_' ? digits + 1 : 0;
        if (digits > DIGITS_MOST || (digits && tolower((unsigned char)at[1]) == 'e'))
            return 0;
    }
    return 1;
}

static void forget(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}

static void run(kjit_context *context, const char *text)
{
    const kjit_load_options loading = { .size = sizeof loading };
    kjit_program_options options = { .size = sizeof options, .print = forget };
    kjit_module *module;
    int status;

    if (kjit_load_source(context, text, "fuzz.py", &loading, &module) != KJIT_OK)
        return;
    options.exit_status = &status;
    if (kjit_values_new(&options.results) == KJIT_OK &&
        kjit_program_run(module, &options) != KJIT_OK && !*kjit_error_message())
        abort();
    kjit_values_close(options.results);
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
    if (is_short(text))
        run(context, text);
    free(text);
    return 0;
}
