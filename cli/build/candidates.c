/* What the schedules were that a kernel could have, for --remarks: each as it is estimated, the one
** taken among them; and what forbids that a thread does the work of several, where it does not. */
#include "cli/build/around.h"
#include "cli/build/candidates.h"

enum { SHOWN_MOST = 8 };

typedef struct Candidate {
    char *schedule; /* in one line */
    double us;
    char limit[24];
    bool taken;
} Candidate;

/* ---- one ------------------------------------------------------------------------------------- */

/* What a stage gives of one kernel, to be free()d; NULL: it fails, and `*why` says how if it is not
** NULL, to be free()d. */
static char *emitted(const Target *kernel, EmitRequest request, const char *stage,
                     const char *schedule, char **why)
{
    char *reason = NULL, *text = NULL;
    Emissions emissions = { 0 };
    request.stage = stage_find(stage);
    request.why = &reason;
    request.session.schedule = NULL;
    request.session.schedule_text = schedule;
    if (stage_emit(kernel, &request, &emissions) == EXIT_DONE && emissions.count == 1)
        text = must_strndup(emissions.list[0].data, emissions.list[0].length);
    emissions_free(&emissions);
    if (why)
        *why = reason;
    else
        free(reason);
    return text;
}

/* Whether there is an estimate; a schedule that is not legal has none. */
static bool estimate(const Target *kernel, EmitRequest request, const char *schedule,
                     Candidate *candidate)
{
    char *said = emitted(kernel, request, "estimate", schedule, NULL);
    double ns = 0;
    bool fine =
        said && sscanf(said, "time %lf ns on %*[^,], by its %23[^\n]", &ns, candidate->limit) == 2;
    candidate->us = ns / 1e3;
    free(said);
    return fine;
}

/* ---- all of a kernel ------------------------------------------------------------------------- */

typedef struct Candidates {
    Candidate list[64];
    size_t count, refused;
} Candidates;

static void consider(Candidates *all, const Target *kernel, const EmitRequest *request,
                     const char *schedule, bool taken)
{
    Candidate own = { .taken = taken };
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].schedule, schedule) == 0)
            return;
    if (all->count == sizeof all->list / sizeof *all->list)
        return;
    if (!estimate(kernel, *request, taken ? NULL : schedule, &own)) {
        all->refused++;
        return;
    }
    own.schedule = must_strndup(schedule, strlen(schedule));
    all->list[all->count++] = own;
}

static int by_time(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->us != y->us)
        return x->us < y->us ? -1 : 1;
    return strcmp(x->schedule, y->schedule);
}

static void print_candidate(const Candidate *candidate)
{
    fprintf(stderr, "    %10.1f us by its %-12s %s%s\n", candidate->us, candidate->limit,
            candidate->taken ? "taken: " : "",
            *candidate->schedule ? candidate->schedule : "as it is written");
}

/* The first ones, and where they are not among these the one taken and the text as it is. */
static void print_candidates(const Candidates *all, const char *name, const char *arch)
{
    fprintf(stderr, "%s: schedules as they are estimated on %s\n", name, arch);
    for (size_t i = 0; i < all->count; i++)
        if (i < SHOWN_MOST || all->list[i].taken || !*all->list[i].schedule)
            print_candidate(&all->list[i]);
    if (all->refused)
        fprintf(stderr, "    and %zu that are not legal\n", all->refused);
}

/* What is said of the schedule that was tried, without that schedule, which no user has given. */
static void print_refusal(const char *why)
{
    static const char error[] = ": error: ", refused[] = "this cannot be carried out: ";
    const char *reason = strstr(why, error);
    reason = reason ? reason + strlen(error) : why;
    if (!strncmp(reason, refused, strlen(refused)))
        reason += strlen(refused);
    size_t length = strcspn(reason, "\n");
    fprintf(stderr, "    a thread cannot do the work of two: %.*s\n", (int)length, reason);
    const char *rest = reason + length;
    /* The schedule's line is quoted, and marked. */
    for (int i = 0; i < 3 && rest; i++)
        rest = strchr(rest + (i > 0), '\n');
    if (rest && rest[1])
        fprintf(stderr, "%s\n", rest + 1);
}

/* Where threads do their own work alone: what forbids more. */
static void print_reason(const Target *kernel, const EmitRequest *request, const char *chosen)
{
    char *why = NULL, *text = NULL;
    if (!strstr(chosen, "jam ") && !strstr(chosen, "bind tensor"))
        text = emitted(kernel, *request, "schedule", "jam x 2", &why);
    if (why)
        print_refusal(why);
    free(why);
    free(text);
}

static void show_kernel(const Target *kernel, const EmitRequest *request, const char *arch)
{
    Candidates all = { .count = 0 };
    char *chosen = emitted(kernel, *request, "schedule", NULL, NULL);
    if (!chosen)
        return;
    char *line = schedule_in_line(chosen);
    consider(&all, kernel, request, line, true);
    if (all.count > 0) {
        consider(&all, kernel, request, "", false);
        Around around = schedules_around(chosen, 0);
        for (size_t i = 0; i < around.count; i++)
            consider(&all, kernel, request, around.list[i], false);
        around_free(&around);
        qsort(all.list, all.count, sizeof *all.list, by_time);
        print_candidates(&all, kernel->kernel, arch);
        print_reason(kernel, request, chosen);
    }
    for (size_t i = 0; i < all.count; i++)
        free(all.list[i].schedule);
    free(line);
    free(chosen);
}

void candidates_show(const Target *target, EmitRequest request)
{
    const char *arch = request.arch ? request.arch : "sm_75";
    Emissions kernels = { 0 };
    char *why = NULL;
    if (strncmp(arch, "cpu", 3) == 0 || stage_is_ir(target->file) || request.session.schedule)
        return;
    request.arch = arch;
    request.facts = "hot";
    request.why = &why;
    request.stage = stage_find("schedule");
    if (stage_emit(target, &request, &kernels) == EXIT_DONE)
        for (size_t i = 0; i < kernels.count; i++) {
            Target kernel = { target->file, kernels.list[i].kernel };
            show_kernel(&kernel, &request, arch);
        }
    emissions_free(&kernels);
    free(why);
}
