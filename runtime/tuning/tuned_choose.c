/* Which record of wisdom a launch takes.
**
** Records of the kernel's name count if they are of its text, of the arguments' types and of the
** device's architecture. Those of the device and of the very extents go first, then those whose
** extents are nearest: the sum, over all extents, of how many times one goes into the other, as a
** logarithm. Of what is alike the objective "time" goes first, then the device at hand, then what
** stands later in the file. The first whose restrictions hold is taken, unless a -D gainsays. */
#include "runtime/tuning/tuned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
    TunedChoice *choice;
    TunedCandidate *list; /* in the choice's arena */
    size_t count;
    kjit_values scratch;
    TunedCandidate *at; /* the one that is looked at */
    kjit_device_info device;
    WisdomRecord now;
    uint32_t stale, foreign, other_types; /* lines of records that do not count, or 0 */
    bool same;                            /* the configuration of `at` is the source as it stands */
    const char *text;                     /* of that configuration; in the choice's arena */
    const char *untried; /* what of it @tune does not name, for remarks; likewise */
    bool wrong;          /* what has failed cannot be what tuning wrote */
    const char *pinned;  /* what of it the module was loaded with otherwise, or NULL */
} Search;

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* ---- which records count ------------------------------------------------------------------ */

static bool is_of_this_text(Arena *arena, const kjit_kernel *kernel, const WisdomRecord *record)
{
    const WisdomItems *items = &record->configuration;
    const char **names = arena_array(arena, const char *, items->count + 1);
    CacheKey digest;

    for (int i = 0; i < items->count; i++)
        names[i] = items->list[i].name;
    wisdom_digest(arena, kernel, names, (size_t)items->count, &digest);
    return strcmp(digest.name, record->digest) == 0;
}

static double distance(const WisdomInts *a, const WisdomInts *b)
{
    double sum = 0;

    if (a->count != b->count)
        return (double)INFINITY;
    for (int i = 0; i < a->count; i++)
        sum += fabs(log(((double)a->list[i] + 1) / ((double)b->list[i] + 1)));
    return sum;
}

/* A record of another text, or one that was of this text until somebody took a part away. */
static void note_other_text(Search *search, Arena *arena, const WisdomRecord *record)
{
    const char *lacks = tuned_lacks(arena, search->choice->asked, record);

    search->stale = record->line;
    if (lacks)
        tuned_complain(search->choice, record->line,
                       arena_printf(arena, "the configuration does not say %s=", lacks));
}

static void add_candidate(Search *search, const WisdomRecord *record, bool here)
{
    bool same = here && distance(&search->now.extents, &record->extents) == 0;

    search->list[search->count++] =
        (TunedCandidate){ .record = record, .here = here, .same = same };
}

static kjit_status filter(void *context, Arena *arena)
{
    Search *search = context;
    TunedChoice *choice = search->choice;
    const kjit_kernel *kernel = choice->asked;
    const char *model = kjit_device_model(kernel->module->context);
    const Wisdom *wisdom = choice->wisdom;
    kjit_space bare = { .kernel = choice->asked };
    const SpacePoint point = {
        .space = &bare, .args = choice->args, .count = choice->count, .scratch = &search->scratch
    };

    KJIT_TRY(wisdom_arguments(arena, &point, &search->now));
    search->list = arena_array(arena, TunedCandidate, wisdom->count + 1);
    for (int i = 0; i < wisdom->count; i++) {
        const WisdomRecord *record = &wisdom->records[i];
        if (strcmp(record->kernel, kernel->info->name) != 0)
            continue;
        if (!is_of_this_text(arena, kernel, record))
            note_other_text(search, arena, record);
        else if (strcmp(record->types, search->now.types) != 0)
            search->other_types = record->line;
        else if (strcmp(record->arch, search->device.arch) != 0)
            search->foreign = record->line;
        else
            add_candidate(search, record, strcmp(record->device, model) == 0);
    }
    return KJIT_OK;
}

/* ---- spaces of records -------------------------------------------------------------------- */

/* Whether all that the record sets means something to the source. */
static kjit_status check_names(void *context, Arena *arena)
{
    const kjit_space *space = ((const Search *)context)->at->space;
    const SpaceParam *unknown = tuned_unknown(arena, space);

    if (!unknown)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: there is nothing called '%s' to set: no constant, and no size or "
                     "condition asks for it",
                     unknown->name);
}

/* Whether block and grid follow as the source has it. What no launch of these extents can have was
** never tuned with. */
static kjit_status check_shape(void *context, Arena *arena)
{
    Search *search = context;
    TunedChoice *choice = search->choice;
    kjit_space *space = search->at->space;
    const uint32_t *config = arena_array(arena, uint32_t, space->count + 1);
    const char *other = tuned_other_shape(arena, space);
    kjit_launch_config shape = { .size = sizeof shape };

    if (!other) {
        tuned_take_shape(space);
        return KJIT_OK;
    }
    search->wrong = search->at->same;
    if (search->wrong)
        KJIT_TRY(kjit_space_shape(space, config, choice->args, choice->count, &shape));
    search->wrong = false;
    return error_set(KJIT_ARGUMENT, "error: it was tuned with %s: tune again", other);
}

/* Whether a record has as many extents as the launch; else somebody has taken some away. */
static kjit_status check_count_of(Search *search, const char *what, const WisdomInts *has,
                                  const WisdomInts *wanted)
{
    if (has->count == wanted->count)
        return KJIT_OK;
    search->wrong = true;
    return error_set(KJIT_ARGUMENT, "error: %s= has %d number%s, and it takes %d", what, has->count,
                     has->count == 1 ? "" : "s", wanted->count);
}

/* How far the launch is from the record: the extents of its arrays, and of the problem. A grid that
** does not follow from the arguments is for the record's own launch alone. */
static kjit_status measure(void *context, Arena *arena)
{
    Search *search = context;
    TunedCandidate *candidate = search->at;
    const WisdomRecord *record = candidate->record;
    TunedChoice *choice = search->choice;
    const uint32_t *config = arena_array(arena, uint32_t, candidate->space->count + 1);
    const SpacePoint point = { .space = candidate->space,
                               .config = config,
                               .args = choice->args,
                               .count = choice->count,
                               .scratch = &search->scratch,
                               .reads = &candidate->space->reads };
    WisdomRecord now = { 0 };

    KJIT_TRY(check_count_of(search, "extents", &record->extents, &search->now.extents));
    search->wrong = candidate->same;
    KJIT_TRY(wisdom_arguments(arena, &point, &now));
    KJIT_TRY(check_count_of(search, "problem", &record->problem, &now.problem));
    double beside = distance(&now.problem, &record->problem);
    candidate->distance = distance(&now.extents, &record->extents) + beside;
    candidate->exact = candidate->here && candidate->distance == 0;
    if (candidate->distance == 0 || !tuned_grid_is_fixed(candidate->space))
        return KJIT_OK;
    search->wrong = candidate->same && beside > 0;
    return error_set(KJIT_ARGUMENT,
                     search->wrong
                         ? "error: its shape= covers something else than its problem="
                         : "error: its grid is the same for all extents, and these are others: "
                           "say problem= in @tune, and tune again");
}

static int by_nearness(const void *left, const void *right)
{
    const TunedCandidate *a = left, *b = right;
    bool a_time = strcmp(a->record->objective, "time") == 0;
    bool b_time = strcmp(b->record->objective, "time") == 0;

    if (a->exact != b->exact)
        return a->exact ? -1 : 1;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a_time != b_time)
        return a_time ? -1 : 1;
    if (a->here != b->here)
        return a->here ? -1 : 1;
    return a->record->line > b->record->line ? -1 : 1;
}

/* ---- taking one --------------------------------------------------------------------------- */

static bool is_defined(const kjit_module *module, const char *name)
{
    for (int i = 0; i < module->define_count; i++) {
        if (strcmp(module->defines[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Whether somebody has said what a parameter is to be, when the module was loaded. */
static bool is_said(const kjit_module *module, const SpaceParam *param)
{
    switch (param->role) {
    case ROLE_CONSTANT:
        return is_defined(module, param->name);
    case ROLE_MAX_REGISTERS:
        return module->max_registers != 0;
    case ROLE_UNROLL:
        return module->unroll != 0;
    case ROLE_FASTMATH:
        return module->fastmath;
    case ROLE_PASSES:
        return module->passes.with || module->passes.without;
    case ROLE_OPTIONS:
        return module->option_count != 0;
    }
    return false;
}

/* Compares the record's configuration with the source's own, and writes it down. */
static kjit_status compare(void *context, Arena *arena)
{
    Search *search = context;
    const kjit_space *space = search->at->space;
    const kjit_module *module = space->kernel->module;
    Diags unheard;
    Buf all, untried;

    diags_init(&unheard, arena);
    Eval eval = { .arena = arena, .diags = &unheard, .values = &search->scratch, .module = module };
    buf_init(&all, arena);
    search->same = true;
    search->pinned = NULL;
    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        Buf own;
        buf_init(&own, arena);
        bool says = space_own_text(&eval, module, param->name, &own);
        bool same = says && strcmp(buf_text(&own), param->values[0].text) == 0;
        bool read =
            param->role != ROLE_CONSTANT || module_has_constant(module->main->module, param->name);
        search->same = search->same && (same || !read);
        if (!same && is_said(module, param))
            search->pinned = param->name;
        buf_printf(&all, "%s%s=%s", i ? ", " : "", param->name, param->values[0].text);
    }
    search->text = buf_text(&all);
    buf_init(&untried, arena);
    tuned_put_untried(&untried, space, search->at->tune, search->at->tune_count);
    search->untried = buf_text(&untried);
    return KJIT_OK;
}

/* A place behind what was written into a text of so many bytes. */
static void say(TunedChoice *choice, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(TunedChoice *choice, const char *format, ...)
{
    size_t used = strlen(choice->why);
    va_list args;

    va_start(args, format);
    vsnprintf(choice->why + used, sizeof choice->why - used, format, args);
    va_end(args);
}

/* Why the record that is looked at is not taken: the first line of `why`, between two texts. What
** cannot be what tuning found is complained of as well. */
static void say_refused(const Search *search, bool wrong, const char *before, const char *why,
                        const char *after)
{
    TunedChoice *choice = search->choice;
    uint32_t line = search->at->record->line;
    const char *placed = strstr(why, ": error: ");
    char reason[512];

    if (placed && placed < why + strcspn(why, "\n")) /* a place where it need not be mended */
        why = placed + sizeof ": error: " - 1;
    why += strncmp(why, "error: ", 7) ? 0 : 7;
    snprintf(reason, sizeof reason, "%s%.*s%s", before, (int)strcspn(why, "\n"), why, after);
    say(choice, "%s%s:%u is not taken: %s", *choice->why ? "; " : "",
        file_name(choice->wisdom->path), line, reason);
    if (wrong)
        tuned_complain(choice, line, reason);
}

/* Which record is taken, and, if it is not for these very extents, which are not. */
static void say_taken(TunedChoice *choice, const TunedCandidate *candidate, const char *untried)
{
    const WisdomRecord *record = candidate->record;
    char refused[sizeof choice->why];

    memcpy(refused, choice->why, sizeof refused);
    choice->why[0] = '\0';
    say(choice, "%s:%u, ", file_name(choice->wisdom->path), record->line);
    if (candidate->exact)
        say(choice, "tuned on this device for these extents");
    else if (candidate->here)
        say(choice, "tuned on this device for the nearest extents");
    else if (candidate->distance == 0)
        say(choice, "tuned on %s, of the same architecture, for these extents", record->device);
    else
        say(choice, "tuned on %s, of the same architecture, for the nearest extents",
            record->device);
    say(choice, ": %s %.4g%s%s", record->objective, record->value, *record->date ? ", " : "",
        record->date);
    say(choice, "%s", untried);
    if (!candidate->exact && *refused)
        say(choice, "; %s", refused);
}

/* Takes a candidate if it may be launched; else says why not, with KJIT_OK and no kernel. */
static kjit_status try_candidate(Search *search, TunedKernel *tuned)
{
    TunedChoice *choice = search->choice;
    TunedCandidate *candidate = search->at;
    kjit_space *space = candidate->space;
    const char *why = NULL;
    uint32_t *config = memory_zeroed(space->count + 1, sizeof *config);

    if (!config)
        return error_memory();
    kjit_status status = arena_catch(&choice->arena, compare, search);
    if (status == KJIT_OK && search->pinned)
        say_refused(search, false, "'", search->pinned, "' is given otherwise");
    bool wanted = status == KJIT_OK && !search->pinned;
    uint64_t reads = space->reads;
    space->reads = 0;
    if (wanted)
        status = kjit_space_allows(space, config, choice->args, choice->count, &why);
    bool wrong = candidate->same && !space->reads; /* no scalar can have brought it about */
    space->reads |= reads;
    if (wanted && status == KJIT_OK && why)
        say_refused(search, wrong, "", why, "");
    wanted = wanted && status == KJIT_OK && !why;
    if (wanted)
        status = kjit_space_shape(space, config, choice->args, choice->count, &choice->shape);
    if (wanted && status == KJIT_OK && search->same)
        choice->kernel = choice->asked;
    else if (wanted && status == KJIT_OK) {
        wrong = true; /* such a record stands in no launch's way */
        status =
            tuned_variant(tuned, space, search->text, choice, search->now.types, &choice->kernel);
    }
    memory_free(config);
    if (status == KJIT_MEMORY || status == KJIT_OK)
        return status;
    say_refused(search, wrong, "", kjit_error_message(), "");
    return KJIT_OK;
}

static kjit_status take(Search *search, TunedKernel *tuned)
{
    TunedChoice *choice = search->choice;

    for (size_t i = 0; i < search->count && !choice->kernel; i++) {
        search->at = &search->list[i];
        if (!isfinite(search->at->distance))
            continue;
        KJIT_TRY(try_candidate(search, tuned));
        if (!choice->kernel)
            continue;
        choice->how = search->at->exact ? "exact" : "nearest";
        choice->objective = search->at->record->objective;
        say_taken(choice, search->at, search->untried);
        choice->configuration = memory_strdup(search->text);
        if (!choice->configuration)
            return error_memory();
    }
    return KJIT_OK;
}

/* The space of the record that is looked at, and how far that is. */
static kjit_status open_space(Search *search)
{
    Arena *arena = &search->choice->arena;
    TunedCandidate *candidate = search->at;

    kjit_status status = tuned_open_record(search->choice->asked, candidate);
    search->wrong = candidate->space; /* else @tune is wrong */
    KJIT_TRY(status);
    KJIT_TRY(arena_catch(arena, check_names, search));
    status = arena_catch(arena, check_shape, search);
    if (status == KJIT_OK)
        status = arena_catch(arena, measure, search);
    search->wrong = search->wrong && !candidate->space->reads; /* no scalar has brought it about */
    return status;
}

/* Spaces of all candidates. A record that is refused is as far as can be. */
static kjit_status open_spaces(Search *search)
{
    for (size_t i = 0; i < search->count; i++) {
        search->at = &search->list[i];
        kjit_status status = open_space(search);
        if (status == KJIT_MEMORY)
            return status;
        if (status == KJIT_OK)
            continue;
        search->at->distance = (double)INFINITY;
        say_refused(search, search->wrong, "", kjit_error_message(), "");
    }
    if (search->count)
        qsort(search->list, search->count, sizeof *search->list, by_nearness);
    return KJIT_OK;
}

static kjit_status look_up(Search *search, TunedKernel *tuned)
{
    search->device.size = sizeof search->device;
    KJIT_TRY(kjit_device_facts(search->choice->asked->module->context, &search->device));
    KJIT_TRY(arena_catch(&search->choice->arena, filter, search));
    KJIT_TRY(open_spaces(search));
    return take(search, tuned);
}

/* ---- without one -------------------------------------------------------------------------- */

/* Of a kernel that nobody thinks of tuning nothing is said. */
static void say_none(const Search *search)
{
    TunedChoice *choice = search->choice;
    const Wisdom *wisdom = choice->wisdom;
    const char *name = choice->asked->info->name, *before = *choice->why ? "; " : "";
    const char *file = wisdom ? file_name(wisdom->path) : "";

    if (search->stale)
        say(choice, "%s%s:%u is of another text of %s: tune it again", before, file, search->stale,
            name);
    else if (search->other_types)
        say(choice, "%s%s:%u is for arguments of other types", before, file, search->other_types);
    else if (search->foreign)
        say(choice, "%s%s:%u is of another architecture", before, file, search->foreign);
    else if (search->count || !kjit_kernel_tunes(choice->asked))
        return;
    else if (!wisdom)
        say(choice, "no file goes with it");
    else if (!wisdom->there)
        say(choice, "there is no %s", file);
    else
        say(choice, "%s has no record of %s", file, name);
}

kjit_status tuned_choose(TunedChoice *choice, TunedKernel *tuned)
{
    Search search = { .choice = choice };
    kjit_space *space = NULL;
    kjit_status status = KJIT_OK;

    if (choice->wisdom)
        status = look_up(&search, tuned);
    if (status == KJIT_OK && !choice->kernel) {
        say_none(&search);
        status = kjit_space_new(choice->asked, &space);
    }
    if (status == KJIT_OK && space)
        status = tuned_own(choice, space);
    if (space)
        choice->reads |= space->reads;
    kjit_space_close(space);
    for (size_t i = 0; i < search.count; i++) {
        if (search.list[i].space)
            choice->reads |= search.list[i].space->reads;
        kjit_space_close(search.list[i].space);
    }
    values_clear(&search.scratch);
    return status;
}
