/* `kjit bench --report FILE.html`: a page of the results, and of earlier ones. */
#include "cli/bench/bench.h"
#include "cli/page/page.h"

static const char page[] =
#include "cli/bench/report.html.inc"
    ;

/* The kernels of an earlier file, each in the place of the same one now; null where there is
** none. */
static json_t *earlier(const json_t *now, const json_t *before)
{
    const json_t *kernels = json_object_get(now, "kernels");
    const json_t *others = json_object_get(before, "kernels");
    size_t *partners = bench_pair(kernels, others);
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(kernels); i++)
        if (partners[i] == SIZE_MAX)
            json_array_append_new(list, json_null());
        else
            json_array_append(list, json_array_get(others, partners[i]));
    free(partners);
    return list;
}

int bench_report(const json_t *now, const BenchOptions *bench)
{
    json_t *history = json_array();
    for (size_t i = 0; i < bench->history_count; i++) {
        json_t *before = bench_read(bench->history[i]);
        if (!before) {
            json_decref(history);
            return EXIT_FAILED;
        }
        json_array_append_new(history,
                              json_pack("{s:o,s:o}", "name", page_text(basename(bench->history[i])),
                                        "kernels", earlier(now, before)));
        json_decref(before);
    }
    json_t *data = json_pack("{s:O,s:o}", "now", now, "history", history);
    bool saved = page_save(page, data, bench->report);
    json_decref(data);
    return saved ? EXIT_DONE : EXIT_FAILED;
}
