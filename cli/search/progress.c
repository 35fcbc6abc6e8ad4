/* Progress of a run: one line that is rewritten on a terminal, lines elsewhere. */
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/measure/clock.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

typedef struct Progress {
    bool terminal;
    bool *known;  /* per configuration: measured by an earlier run */
    size_t fresh; /* number measured by this run */
    double began;
} Progress;

static bool on_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_listing(TuneRun *run, const json_t *line)
{
    enum { FIRST = 1, EVERY = 10 }; /* seconds; EVERY between lines in a file */
    static const char text[] = "looking which configurations are allowed";
    const double of = json_number_value(json_object_get(line, "of")), now = clock_seconds();
    const double part = of > 0 ? 100 * json_number_value(json_object_get(line, "count")) / of : 0;
    if (run->options->quiet || now < run->started + FIRST || !(line ? of > 0 : run->listed > 0))
        return;
    if (!line && on_terminal())
        fputs("\r\033[K", stderr);
    else if (line && on_terminal())
        fprintf(stderr, "\r\033[K%s: %.0f%%", text, part);
    else if (line && now >= run->listed + EVERY)
        fprintf(stderr, "%s: %.0f%%\n", text, part);
    else
        return;
    fflush(stderr);
    run->listed = now;
}

void progress_open(TuneRun *run)
{
    if (run->options->quiet)
        return;
    run->progress = must_alloc(sizeof *run->progress);
    run->progress->terminal = on_terminal();
    run->progress->began = clock_seconds();
    run->progress->known = must_alloc(run->space.search.count * sizeof *run->progress->known);
    for (size_t i = 0; i < run->space.search.count; i++)
        run->progress->known[i] = run->records[i] != NULL;
}

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* Estimated seconds until the budget is spent, from the time per configuration so far and the time
** limit. */
static double left(const TuneRun *run)
{
    const Progress *progress = run->progress;
    double passed = clock_seconds() - progress->began, until = (double)INFINITY;
    if (progress->fresh)
        until = passed / (double)progress->fresh * (double)(run->budget - run->done);
    if (run->options->seconds > 0)
        until = fmin(until, run->options->seconds - run->before - passed);
    return until > 0 ? until : 0;
}

static void print_terminal(const TuneRun *run)
{
    char best[64] = "none works yet", line[512];
    char *config = NULL;
    double seconds = left(run);
    if (run->best != SIZE_MAX) {
        json_t *object = space_config(&run->space, run->best);
        objective_format(run->options->objective, run->best_value, best, sizeof best);
        config = config_text(object);
        json_decref(object);
    }
    int length = snprintf(line, sizeof line, "%zu of %zu, ", run->done, run->budget);
    if (isfinite(seconds))
        length += snprintf(line + length, sizeof line - (size_t)length, "%d:%02d left, ",
                           (int)seconds / 60, (int)seconds % 60);
    snprintf(line + length, sizeof line - (size_t)length, "best %s%s%s", best, config ? ": " : "",
             config ? config : "");
    fprintf(stderr, "\r\033[K%.*s", columns() - 1, line);
    fflush(stderr);
    free(config);
}

static void print_line(const TuneRun *run, size_t index, const json_t *record)
{
    json_t *object = space_config(&run->space, index);
    char *config = config_text(object), value[64];
    const char *why = record_text(record, "why");
    objective_format(run->options->objective, objective_value(run->options->objective, record),
                     value, sizeof value);
    fprintf(stderr, "%zu of %zu: %s: ", run->done, run->budget, config);
    if (record_is_good(record))
        fprintf(stderr, "%s\n", value);
    else
        fprintf(stderr, "%s%s%.*s\n", record_text(record, "outcome"), *why ? ": " : "",
                (int)strcspn(why, "\n"), why);
    free(config);
    json_decref(object);
}

void progress_step(TuneRun *run, size_t index, const json_t *record)
{
    Progress *progress = run->progress;
    if (!progress)
        return;
    progress->fresh += !progress->known[index];
    if (progress->terminal)
        print_terminal(run);
    else if (!progress->known[index])
        print_line(run, index, record);
}

void progress_close(TuneRun *run)
{
    if (run->progress && run->progress->terminal && run->done)
        fputs("\r\033[K", stderr);
    if (run->progress)
        free(run->progress->known);
    free(run->progress);
    run->progress = NULL;
}
