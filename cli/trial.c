/* Tests a device: compiles and launches a kernel of three lines, and checks its result. */

#include "cli/cli.h"

enum { ELEMENTS = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def trial(x, y):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < x.size:\n"
                           "        y[i] = 2 * x[i] + y[i]\n";

static kjit_status launch(kjit_context *context, bool *right)
{
    int32_t x[ELEMENTS], y[ELEMENTS];
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_status status = kjit_load_source(context, text, "trial.k", NULL, &module);
    for (int i = 0; i < ELEMENTS; i++) {
        x[i] = i;
        y[i] = 1;
    }
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status == KJIT_OK)
        status = KJIT_CALL(kernel, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, ELEMENTS),
                           KJIT_ARRAY(y, ELEMENTS));
    *right = true;
    for (int i = 0; i < ELEMENTS; i++)
        *right = *right && y[i] == 2 * i + 1;
    return status;
}

static void describe(Trial *trial, kjit_status status, bool right, const kjit_report *report)
{
    const kjit_counters *done = &trial->counters;
    trial->finding.found = status == KJIT_OK && right;
    if (status != KJIT_OK)
        snprintf(trial->detail, sizeof trial->detail, "%s", kjit_error_message());
    else if (!right)
        snprintf(trial->detail, sizeof trial->detail, "it ran, and its result is wrong");
    else
        snprintf(trial->detail, sizeof trial->detail,
                 "%s in %.0f ms, run in %.2f ms; compilations %llu, from disk %llu, launches %llu, "
                 "bytes in %llu, out %llu",
                 report->disk_hit ? "from disk" : "compiled",
                 report->frontend_ms + report->compiler_ms + report->load_ms, report->run_ms,
                 (unsigned long long)done->compilations, (unsigned long long)done->disk_hits,
                 (unsigned long long)done->launches, (unsigned long long)done->bytes_in,
                 (unsigned long long)done->bytes_out);
}

void trial_run(Trial *trial, const char *device)
{
    kjit_open_options options = { .size = sizeof options, .device = device };
    kjit_report report = { .size = sizeof report };
    kjit_context *context;
    bool right = false;
    *trial = (Trial){ .counters.size = sizeof trial->counters };
    snprintf(trial->what, sizeof trial->what, "kernel on %s", device);
    kjit_status status = kjit_open(&options, &context);
    if (status == KJIT_OK) {
        status = launch(context, &right);
        kjit_last_report(&report);
        kjit_count(context, &trial->counters);
    }
    describe(trial, status, right, &report);
    kjit_close(context);
    trial->finding.what = trial->what;
    trial->finding.detail = trial->detail;
}
