/* Chooses the record of wisdom for a launch.
**
** Records of the kernel's name count if they are for its text, the arguments' types and the
** device's architecture. Those for the same device and extents come first, then those of the
** nearest extents: distance is the sum over all extents of the absolute logarithm of their ratio.
** Ties prefer the objective "time", then the same device, then the later record. The first whose
** restrictions hold is used, unless a -D contradicts it. */
#include "runtime/tuning/tuned.h"

#include <math.h>

typedef struct RecordSearch {
    TunedChoice *choice;
    TunedCandidate *list; /* in the choice's arena */
    size_t count;
    kjit_values scratch;
    TunedCandidate *at; /* the current candidate */
    kjit_device_info device;
    WisdomRecord now;
    uint32_t stale, foreign, other_types; /* lines of records that were ignored, or 0 */
    bool same;                            /* the configuration of `at` equals the source's own */
    const char *text;                     /* that configuration; in the choice's arena */
    const char *untried; /* values of it that @tune does not list, for remarks; likewise */
    bool wrong;          /* the failure shows that the record was edited */
    const char *pinned;  /* a parameter that the module was loaded with another value of, or NULL */
} RecordSearch;

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

/* Notes a record of another text, or warns of one from which a parameter was removed. */
static void note_other_text(RecordSearch *search, Arena *arena, const WisdomRecord *record)
{
    const char *lacks = tuned_lacks(arena, search->choice->asked, record);

    search->stale = record->line;
    if (lacks)
        tuned_complain(search->choice, record->line,
                       arena_printf(arena, "the configuration does not say %s=", lacks));
}

static void add_candidate(RecordSearch *search, const WisdomRecord *record, bool here)
{
    bool same = here && distance(&search->now.extents, &record->extents) == 0;

    search->list[search->count++] =
        (TunedCandidate){ .record = record, .here = here, .same = same };
}

static kjit_status filter(void *context, Arena *arena)
{
    RecordSearch *search = context;
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

/* Checks that the source uses all parameters of the record. */
static kjit_status check_names(void *context, Arena *arena)
{
    const kjit_space *space = ((const RecordSearch *)context)->at->space;
    const SpaceParam *unknown = tuned_unknown(arena, space);

    if (!unknown)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: there is nothing called '%s' to set: no constant, and no size or "
                     "condition asks for it",
                     unknown->name);
}

/* Checks that block and grid are computed as in the source, and are possible for these extents. */
static kjit_status check_shape(void *context, Arena *arena)
{
    RecordSearch *search = context;
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

/* Checks that a record has as many extents as the launch; else it was edited. */
static kjit_status check_count_of(RecordSearch *search, const char *what, const WisdomInts *has,
                                  const WisdomInts *wanted)
{
    if (has->count == wanted->count)
        return KJIT_OK;
    search->wrong = true;
    return error_set(KJIT_ARGUMENT, "error: %s= has %d number%s, and it takes %d", what, has->count,
                     has->count == 1 ? "" : "s", wanted->count);
}

/* Computes the distance of the launch from the record, by the extents of arrays and problem. A grid
** that is independent of the arguments is only for the record's own extents. */
static kjit_status measure(void *context, Arena *arena)
{
    RecordSearch *search = context;
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
        if (define_names(module->defines[i].name, name))
            return true;
    }
    return false;
}

/* Whether the module was loaded with a value of the parameter. */
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
    case ROLE_SCHEDULE:
        return module->schedule != NULL;
    }
    return false;
}

/* Compares the record's configuration with the source's own, and renders it. */
static kjit_status compare(void *context, Arena *arena)
{
    RecordSearch *search = context;
    const kjit_space *space = search->at->space;
    const kjit_module *module = space->kernel->module;
    Diags discarded;

    diags_init(&discarded, arena);
    Eval eval = {
        .arena = arena, .diags = &discarded, .values = &search->scratch, .module = module
    };
    Buf all = buf_in(arena);
    search->same = true;
    search->pinned = NULL;
    for (size_t i = 0; i < space->count; i++) {
        const SpaceParam *param = &space->params[i];
        Buf own = buf_in(arena);
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
    Buf untried = buf_in(arena);
    tuned_put_untried(&untried, space, search->at->tune, search->at->tune_count);
    search->untried = buf_text(&untried);
    return KJIT_OK;
}

/* Appends to choice->why. */
static void add_reason(TunedChoice *choice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_reason(TunedChoice *choice, const char *format, ...)
{
    size_t used = strlen(choice->why);
    va_list args;

    va_start(args, format);
    vsnprintf(choice->why + used, sizeof choice->why - used, format, args);
    va_end(args);
}

/* Notes why the current record is not used: the first line of `why`, between two texts. `wrong`:
** also warns that the record was edited. */
static void add_refusal(const RecordSearch *search, bool wrong, const char *before, const char *why,
                        const char *after)
{
    TunedChoice *choice = search->choice;
    uint32_t line = search->at->record->line;
    const char *placed = strstr(why, ": error: ");
    char reason[512];

    if (placed && placed < why + strcspn(why, "\n")) /* drop a location in the record's line */
        why = placed + sizeof ": error: " - 1;
    why += strncmp(why, "error: ", 7) ? 0 : 7;
    snprintf(reason, sizeof reason, "%s%.*s%s", before, (int)strcspn(why, "\n"), why, after);
    add_reason(choice, "%s%s:%u is not taken: %s", *choice->why ? "; " : "",
               basename(choice->wisdom->path), line, reason);
    if (wrong)
        tuned_complain(choice, line, reason);
}

/* Notes which record is used and, if it is for other extents, which are not. */
static void add_taken(TunedChoice *choice, const TunedCandidate *candidate, const char *untried)
{
    const WisdomRecord *record = candidate->record;
    char refused[sizeof choice->why];

    memcpy(refused, choice->why, sizeof refused);
    choice->why[0] = '\0';
    add_reason(choice, "%s:%u, ", basename(choice->wisdom->path), record->line);
    if (candidate->exact)
        add_reason(choice, "tuned on this device for these extents");
    else if (candidate->here)
        add_reason(choice, "tuned on this device for the nearest extents");
    else if (candidate->distance == 0)
        add_reason(choice, "tuned on %s, of the same architecture, for these extents",
                   record->device);
    else
        add_reason(choice, "tuned on %s, of the same architecture, for the nearest extents",
                   record->device);
    add_reason(choice, ": %s %.4g%s%s", record->objective, record->value, *record->date ? ", " : "",
               record->date);
    add_reason(choice, "%s", untried);
    if (!candidate->exact && *refused)
        add_reason(choice, "; %s", refused);
}

/* Chooses a candidate if it can be launched; else notes why not, with KJIT_OK and no kernel. */
static kjit_status try_candidate(RecordSearch *search, TunedKernel *tuned)
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
        add_refusal(search, false, "'", search->pinned, "' is given otherwise");
    bool wanted = status == KJIT_OK && !search->pinned;
    uint64_t reads = space->reads;
    space->reads = 0;
    if (wanted)
        status = kjit_space_allows(space, config, choice->args, choice->count, &why);
    bool wrong = candidate->same && !space->reads; /* it does not depend on scalar arguments */
    space->reads |= reads;
    if (wanted && status == KJIT_OK && why)
        add_refusal(search, wrong, "", why, "");
    wanted = wanted && status == KJIT_OK && !why;
    if (wanted)
        status = kjit_space_shape(space, config, choice->args, choice->count, &choice->shape);
    if (wanted && status == KJIT_OK && search->same)
        choice->kernel = choice->asked;
    else if (wanted && status == KJIT_OK) {
        wrong = true; /* a record never makes a launch fail */
        status =
            tuned_variant(tuned, space, search->text, choice, search->now.types, &choice->kernel);
    }
    memory_free(config);
    if (status == KJIT_MEMORY || status == KJIT_OK)
        return status;
    add_refusal(search, wrong, "", kjit_error_message(), "");
    return KJIT_OK;
}

static kjit_status take(RecordSearch *search, TunedKernel *tuned)
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
        add_taken(choice, search->at, search->untried);
        choice->configuration = memory_strdup(search->text);
        if (!choice->configuration)
            return error_memory();
    }
    return KJIT_OK;
}

/* Opens the space of the current record, and measures its distance. */
static kjit_status open_space(RecordSearch *search)
{
    Arena *arena = &search->choice->arena;
    TunedCandidate *candidate = search->at;

    kjit_status status = tuned_open_record(search->choice->asked, candidate);
    search->wrong = candidate->space; /* without a space the error is in @tune */
    KJIT_TRY(status);
    KJIT_TRY(arena_catch(arena, check_names, search));
    status = arena_catch(arena, check_shape, search);
    if (status == KJIT_OK)
        status = arena_catch(arena, measure, search);
    search->wrong = search->wrong && !candidate->space->reads; /* it does not depend on scalar
                                                                  arguments */
    return status;
}

/* Opens the spaces of all candidates. Invalid records get an infinite distance. */
static kjit_status open_spaces(RecordSearch *search)
{
    for (size_t i = 0; i < search->count; i++) {
        search->at = &search->list[i];
        kjit_status status = open_space(search);
        if (status == KJIT_MEMORY)
            return status;
        if (status == KJIT_OK)
            continue;
        search->at->distance = (double)INFINITY;
        add_refusal(search, search->wrong, "", kjit_error_message(), "");
    }
    if (search->count)
        qsort(search->list, search->count, sizeof *search->list, by_nearness);
    return KJIT_OK;
}

static kjit_status look_up(RecordSearch *search, TunedKernel *tuned)
{
    search->device.size = sizeof search->device;
    KJIT_TRY(kjit_device_facts(search->choice->asked->module->context, &search->device));
    KJIT_TRY(arena_catch(&search->choice->arena, filter, search));
    KJIT_TRY(open_spaces(search));
    return take(search, tuned);
}

/* ---- without one -------------------------------------------------------------------------- */

/* Says why there is no record, but nothing of a kernel without @tune. */
static void add_none(const RecordSearch *search)
{
    TunedChoice *choice = search->choice;
    const Wisdom *wisdom = choice->wisdom;
    const char *name = choice->asked->info->name, *before = *choice->why ? "; " : "";
    const char *file = wisdom ? basename(wisdom->path) : "";

    if (search->stale)
        add_reason(choice, "%s%s:%u is of another text of %s: tune it again", before, file,
                   search->stale, name);
    else if (search->other_types)
        add_reason(choice, "%s%s:%u is for arguments of other types", before, file,
                   search->other_types);
    else if (search->foreign)
        add_reason(choice, "%s%s:%u is of another architecture", before, file, search->foreign);
    else if (search->count || !kjit_kernel_tunes(choice->asked))
        return;
    else if (!wisdom)
        add_reason(choice, "no file goes with it");
    else if (!wisdom->there)
        add_reason(choice, "there is no %s", file);
    else
        add_reason(choice, "%s has no record of %s", file, name);
}

kjit_status tuned_choose(TunedChoice *choice, TunedKernel *tuned)
{
    RecordSearch search = { .choice = choice };
    kjit_space *space = NULL;
    kjit_status status = KJIT_OK;

    if (choice->wisdom)
        status = look_up(&search, tuned);
    if (status == KJIT_OK && !choice->kernel) {
        add_none(&search);
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
