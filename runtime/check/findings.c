/* The checker's findings over all launches of a context. They are rendered when they are added,
** since kernels and their sources may be freed before the findings are. */
#include "runtime/check/findings.h"

/* A finding with its strings, in an arena of its own. */
typedef struct StoredFinding {
    Arena arena;
    CheckRule rule;
    kjit_check_finding shown;
} StoredFinding;

/* A finding that only counts once memory is copied to the host that nothing has written by then. */
typedef struct HeldFinding {
    StoredFinding *stored;
    const char *begin;
    uint64_t bytes;
} HeldFinding;

struct Findings {
    pthread_mutex_t lock;
    kjit_check_options options;
    Span launched; /* where the program is that launches; no source: there is none */
    StoredFinding **list;
    size_t count, capacity;
    HeldFinding *held;
    size_t held_count, held_capacity;
};

Findings *findings_new(void)
{
    Findings *findings = memory_zeroed(1, sizeof *findings);

    if (findings) {
        pthread_mutex_init(&findings->lock, NULL);
        findings->options.size = sizeof findings->options;
    }
    return findings;
}

static void stored_free(StoredFinding *stored)
{
    arena_free(&stored->arena);
    memory_free(stored);
}

static void clear(Findings *findings)
{
    while (findings->count)
        stored_free(findings->list[--findings->count]);
    while (findings->held_count)
        stored_free(findings->held[--findings->held_count].stored);
}

void findings_free(Findings *findings)
{
    if (!findings)
        return;
    clear(findings);
    memory_free(findings->list);
    memory_free(findings->held);
    pthread_mutex_destroy(&findings->lock);
    memory_free(findings);
}

kjit_check_options findings_options(Findings *findings)
{
    pthread_mutex_lock(&findings->lock);
    kjit_check_options options = findings->options;
    pthread_mutex_unlock(&findings->lock);
    return options;
}

/* ---- from a report to published findings ---------------------------------------------------- */

/* A finding that is being rendered. */
typedef struct FindingTask {
    const CheckedKernel *kernel;
    const CheckFinding *found;
    Span span; /* for events without a site: the kernel's def */
    StoredFinding *stored;
    Span launched;
} FindingTask;

/* The site of an event, or NULL. An assertion has an entry among the faults instead: `*room` is
** filled with a site made of it. */
static const EmitSite *site_of(const FindingTask *task, const CheckEvent *event, EmitSite *room)
{
    const Emitted *emitted = task->kernel->emitted;
    int fault = task->found->fault;

    if (event->site >= 0 && event->site < emitted->site_count)
        return &emitted->sites[event->site];
    if (event != &task->found->at)
        return NULL;
    *room = (EmitSite){ .span = task->span };
    if (fault >= 0 && fault < emitted->fault_count)
        room->span = emitted->faults[fault].span;
    return room;
}

/* What the thread did, as a verb. */
static const char *verb_of(Arena *arena, const EmitSite *site, int access)
{
    if (access & CHECK_ATOMIC && access != CHECK_VOLATILE)
        return arena_printf(arena, "does %s on", site->what ? site->what : "an atomic operation");
    if ((access & CHECK_READ) && (access & CHECK_WRITE))
        return "reads and writes";
    if (access)
        return access & CHECK_WRITE ? "writes" : "reads";
    return site->what ? arena_printf(arena, "comes to %s", site->what) : "comes";
}

static void fill_event(kjit_check_place *to, Arena *arena, const EmitSite *site,
                       const CheckEvent *event)
{
    if (!site)
        return;
    const Span span = span_shown(site->span);
    to->file = arena_strdup(arena, span.source ? span.source->name : "");
    if (span.source) {
        SourcePlace begin = source_place(span.source, span.begin);
        SourcePlace end = source_place(span.source, span.end);
        to->line = begin.line;
        to->column = begin.column;
        to->end_line = end.line;
        to->end_column = end.column;
    }
    to->what = verb_of(arena, site, event->access);
    to->access = event->access != 0;
    to->known = event->known;
    for (int i = 0; i < 3; i++) {
        to->block[i] = (uint32_t)event->block[i];
        to->thread[i] = (uint32_t)event->thread[i];
    }
}

static const char *thread_text(Arena *arena, const kjit_check_place *place)
{
    const uint32_t *block = place->block, *thread = place->thread;

    if (!place->known)
        return "a thread";
    return arena_printf(arena, "thread (%u, %u, %u) of block (%u, %u, %u)", thread[0], thread[1],
                        thread[2], block[0], block[1], block[2]);
}

static void note_event(Diags *diags, const kjit_check_finding *shown, const EmitSite *site,
                       const kjit_check_place *place)
{
    const char *element = *shown->element ? shown->element : "an element";

    if (place->access)
        diag_note(diags, site->span, "%s %s %s here", thread_text(diags->arena, place), place->what,
                  element);
    else
        diag_note(diags, site->span, "%s %s here", thread_text(diags->arena, place), place->what);
}

/* Notes where the kernel called the function that contains an event, if that is known. */
static void note_call(Diags *diags, const FindingTask *task, const CheckEvent *event)
{
    const Emitted *emitted = task->kernel->emitted;

    if (event->called >= 0 && event->called < emitted->site_count)
        diag_note(diags, emitted->sites[event->called].span, "called here");
}

/* The finding as a diagnostic with source excerpts. */
static const char *render(Arena *arena, const FindingTask *task, const kjit_check_finding *shown)
{
    EmitSite room;
    const EmitSite *at = site_of(task, &task->found->at, &room);
    const EmitSite *other = site_of(task, &task->found->other, &room);
    Diags diags;

    diags_init(&diags, arena);
    Buf out = buf_in(arena);
    diag_finding(&diags, at ? at->span : (Span){ NULL, 0, 0 }, "%s%s: %s",
                 shown->advice ? "advice, " : "", shown->rule, shown->message);
    if (at && (shown->at.known || other))
        note_event(&diags, shown, at, &shown->at);
    note_call(&diags, task, &task->found->at);
    if (other)
        note_event(&diags, shown, other, &shown->other);
    note_call(&diags, task, &task->found->other);
    if (task->launched.source)
        diag_note(&diags, task->launched, "launched here");
    if (*shown->note)
        diag_note(&diags, (Span){ NULL, 0, 0 }, "%s", shown->note);
    diags_render(&diags, &out);
    return buf_text(&out);
}

static kjit_status tell(void *context, Arena *arena)
{
    const FindingTask *task = context;
    const CheckFinding *found = task->found;
    kjit_check_finding *shown = &task->stored->shown;

    *shown = (kjit_check_finding){
        .size = sizeof *shown,
        .rule = check_rule_name(found->rule),
        .advice = check_rule_is_advice(found->rule),
        .kernel = arena_strdup(arena, task->kernel->name),
        .message = arena_strdup(arena, found->message),
        .note = arena_strdup(arena, found->note),
        .element = arena_strdup(arena, found->element),
        .times = found->times,
    };
    EmitSite room;
    fill_event(&shown->at, arena, site_of(task, &found->at, &room), &found->at);
    fill_event(&shown->other, arena, site_of(task, &found->other, &room), &found->other);
    shown->text = render(arena, task, shown);
    return KJIT_OK;
}

/* ---- the list ------------------------------------------------------------------------------- */

static bool same_line(const kjit_check_place *a, const kjit_check_place *b)
{
    if (!a->file || !b->file)
        return !a->file && !b->file;
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Whether findings of a rule are identified by their first event alone. */
static bool has_one_event(CheckRule rule)
{
    return rule == FOUND_ABSENT_LANES || rule == FOUND_INDEX_OVERFLOW;
}

/* Whether both are of one rule at the same lines, in either order. */
static bool same_finding(const StoredFinding *a, const StoredFinding *b)
{
    const kjit_check_finding *x = &a->shown, *y = &b->shown;

    return a->rule == b->rule && strcmp(x->kernel, y->kernel) == 0 &&
           ((same_line(&x->at, &y->at) && has_one_event(a->rule)) ||
            (same_line(&x->at, &y->at) && same_line(&x->other, &y->other)) ||
            (same_line(&x->at, &y->other) && same_line(&x->other, &y->at)));
}

/* Whether `a` is a read of unwritten memory that follows from the race `b`. */
static bool follows(const StoredFinding *a, const StoredFinding *b)
{
    return a->rule == FOUND_UNWRITTEN && b->rule == FOUND_RACE &&
           strcmp(a->shown.kernel, b->shown.kernel) == 0 &&
           (same_line(&a->shown.at, &b->shown.at) || same_line(&a->shown.at, &b->shown.other));
}

/* Removes findings that follow from another. */
static void drop_followers(Findings *findings, const StoredFinding *from)
{
    size_t kept = 0;

    for (size_t i = 0; i < findings->count; i++) {
        if (follows(findings->list[i], from))
            stored_free(findings->list[i]);
        else
            findings->list[kept++] = findings->list[i];
    }
    findings->count = kept;
}

/* Appends a finding and takes it over; if it is there already, or follows from one that is, that
** one's count grows. The caller holds the lock and, after a failure, keeps the finding. */
static kjit_status store_finding(Findings *findings, StoredFinding *stored)
{
    drop_followers(findings, stored);
    for (size_t i = 0; i < findings->count; i++) {
        if (follows(stored, findings->list[i])) {
            stored_free(stored);
            return KJIT_OK;
        }
        if (!same_finding(findings->list[i], stored))
            continue;
        if (stored->shown.other.file && !findings->list[i]->shown.other.file) {
            StoredFinding *less = findings->list[i]; /* whose other event was unknown */
            findings->list[i] = stored;
            stored = less;
        }
        findings->list[i]->shown.times += stored->shown.times;
        stored_free(stored);
        return KJIT_OK;
    }
    if (!memory_more(findings->list, findings->count, findings->capacity))
        return error_memory();
    findings->list[findings->count++] = stored;
    return KJIT_OK;
}

static kjit_status hold(Findings *findings, StoredFinding *stored, const void *begin,
                        uint64_t bytes)
{
    if (!memory_more(findings->held, findings->held_count, findings->held_capacity))
        return error_memory();
    findings->held[findings->held_count++] = (HeldFinding){ stored, begin, bytes };
    return KJIT_OK;
}

/* With `bytes` it is held until that memory is copied. */
static kjit_status add_held(Findings *findings, const CheckedKernel *kernel,
                            const CheckFinding *found, Span span, const void *begin, uint64_t bytes)
{
    StoredFinding *stored = memory_zeroed(1, sizeof *stored);

    if (!stored)
        return error_memory();
    FindingTask task = { kernel, found, span, stored, findings->launched };
    stored->rule = found->rule;
    arena_init(&stored->arena, NULL);
    kjit_status status = arena_catch(&stored->arena, tell, &task);
    stored->arena.exhausted = NULL;
    if (status == KJIT_OK) {
        pthread_mutex_lock(&findings->lock);
        status = bytes ? hold(findings, stored, begin, bytes) : store_finding(findings, stored);
        pthread_mutex_unlock(&findings->lock);
    }
    if (status != KJIT_OK)
        stored_free(stored);
    return status;
}

static kjit_status add_one(Findings *findings, const CheckedKernel *kernel,
                           const CheckFinding *found, Span span)
{
    return add_held(findings, kernel, found, span, NULL, 0);
}

kjit_status findings_settle(Findings *findings, const void *memory, uint64_t bytes, bool freed)
{
    const char *begin = memory, *end = begin + bytes;
    kjit_status status = KJIT_OK;

    pthread_mutex_lock(&findings->lock);
    for (size_t i = findings->held_count; i-- > 0 && status == KJIT_OK;) {
        const HeldFinding held = findings->held[i];
        if (held.begin >= end || held.begin + held.bytes <= begin)
            continue;
        findings->held[i] = findings->held[--findings->held_count];
        if (freed || check_memory_is_written(held.begin, held.bytes))
            stored_free(held.stored);
        else if ((status = store_finding(findings, held.stored)) != KJIT_OK)
            stored_free(held.stored);
    }
    pthread_mutex_unlock(&findings->lock);
    return status;
}

void findings_launched_at(Findings *findings, Span span)
{
    if (findings)
        findings->launched = span;
}

kjit_status findings_add(Findings *findings, const CheckedKernel *kernel, const CheckReport *report)
{
    for (int i = 0; i < report->count; i++)
        KJIT_TRY(add_one(findings, kernel, &report->findings[i], kernel->span));
    return KJIT_OK;
}

static void copy_text(char to[CHECK_MESSAGE], const char *from, size_t length)
{
    memcpy(to, from, length < CHECK_MESSAGE ? length : CHECK_MESSAGE - 1);
}

kjit_status findings_add_widened(Findings *findings, const CheckedKernel *kernel)
{
    for (size_t i = 0; i < kernel->widened_count; i++) {
        const Diag *diag = &kernel->widened[i];
        CheckFinding found = { .rule = FOUND_WIDE_TYPE, .fault = -1, .times = 1 };
        const char *advice = strchr(diag->message, ';');
        size_t length = advice ? (size_t)(advice - diag->message) : strlen(diag->message);
        found.at.site = found.other.site = found.at.called = found.other.called = -1;
        copy_text(found.message, diag->message, length);
        if (advice)
            copy_text(found.note, advice + 2, strlen(advice + 2));
        KJIT_TRY(add_one(findings, kernel, &found, diag->span));
    }
    return KJIT_OK;
}

kjit_status findings_add_left_over(Findings *findings, const CheckedKernel *kernel,
                                   const char *name, const LaunchRequest *asked,
                                   const uint32_t enough[3], bool all, const void *begin,
                                   uint64_t bytes)
{
    CheckFinding found = { .rule = FOUND_LEFT_OVER, .fault = -1, .times = 1 };
    const uint32_t *grid = asked->grid;

    found.at.site = found.other.site = found.at.called = found.other.called = -1;
    snprintf(found.element, sizeof found.element, "%.40s", name);
    snprintf(found.message, sizeof found.message,
             "a launch of [%u, %u, %u] blocks writes only part of %.40s, and the rest was "
             "never written",
             grid[0], grid[1], grid[2], name);
    snprintf(found.note, sizeof found.note, "[%u, %u, %u] blocks of these threads write %s",
             enough[0], enough[1], enough[2], all ? "all of it" : "all that the kernel can");
    return add_held(findings, kernel, &found, kernel->span, begin, bytes);
}

/* ---- the public functions ------------------------------------------------------------------- */

kjit_status kjit_check_set(kjit_context *context, const kjit_check_options *options)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    Findings *findings = context->device->findings;
    kjit_check_options wanted = { .size = sizeof wanted };

    if (!findings)
        return error_set(KJIT_ARGUMENT,
                         "error: the device %s checks nothing\n"
                         "note: kjit_open() a context of the device check",
                         context->device->name);
    if (options->size < sizeof options->size)
        return error_set(KJIT_ARGUMENT, "error: the size of the kjit_check_options is not set\n"
                                        "note: .size = sizeof(kjit_check_options)");
    SIZED_TAKE(&wanted, options);
    pthread_mutex_lock(&findings->lock);
    findings->options = wanted;
    pthread_mutex_unlock(&findings->lock);
    return KJIT_OK;
}

size_t kjit_check_count(kjit_context *context)
{
    if (!HANDLE_IS(CONTEXT, context))
        return 0;
    Findings *findings = context->device->findings;

    if (!findings)
        return 0;
    pthread_mutex_lock(&findings->lock);
    size_t count = findings->count;
    pthread_mutex_unlock(&findings->lock);
    return count;
}

/* Copies as much of a struct as the caller's version of it holds. */
static void copy_sized(void *to, const void *from, size_t size)
{
    size_t wanted;

    memcpy(&wanted, to, sizeof wanted);
    if (wanted > sizeof wanted)
        memcpy((char *)to + sizeof wanted, (const char *)from + sizeof wanted,
               (wanted < size ? wanted : size) - sizeof wanted);
}

kjit_status kjit_check_finding_at(kjit_context *context, size_t index, kjit_check_finding *finding)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    Findings *findings = context->device->findings;
    bool there = false;

    if (findings) {
        pthread_mutex_lock(&findings->lock);
        there = index < findings->count;
        if (there)
            copy_sized(finding, &findings->list[index]->shown, sizeof *finding);
        pthread_mutex_unlock(&findings->lock);
    }
    return there ? KJIT_OK : error_set(KJIT_ARGUMENT, "error: there is no finding %zu", index);
}

void kjit_check_clear(kjit_context *context)
{
    if (!HANDLE_IS(CONTEXT, context))
        return;
    Findings *findings = context->device->findings;

    if (!findings)
        return;
    pthread_mutex_lock(&findings->lock);
    clear(findings);
    pthread_mutex_unlock(&findings->lock);
}

/* In the order of CheckRule. */
static const char *const rule_texts[FOUND_COUNT] = {
    [FOUND_RACE] = "Two threads touch a byte, one of them writes, and nothing orders them.",
    [FOUND_OUT_OF_BOUNDS] = "An index is out of the range of its axis.",
    [FOUND_MISALIGNED] = "An element lies at an address that its type must not lie at.",
    [FOUND_UNWRITTEN] = "Memory is read that was never written.",
    [FOUND_LEFT_OVER] = "A launch is too small to write all of an array that it is to fill.",
    [FOUND_DIVERGENT_BARRIER] = "Threads of a block wait at different barriers.",
    [FOUND_ABSENT_LANES] = "The mask of a warp operation names lanes that do not come to it.",
    [FOUND_DEADLOCK] = "Threads wait for ever.",
    [FOUND_ZERO_DIVISION] = "An integer is divided by zero.",
    [FOUND_INDEX_OVERFLOW] = "An index is computed that its integer type cannot hold.",
    [FOUND_INVALID_SHIFT] = "A shift is by a negative number of bits, or by all there are.",
    [FOUND_CAST_OVERFLOW] = "A float becomes an integer of a type that cannot hold it.",
    [FOUND_NAN_BORN] = "NaN is computed from numbers.",
    [FOUND_INFINITY_BORN] = "An infinity is computed from finite numbers.",
    [FOUND_ASSERTION] = "An assertion fails, or an exception is raised.",
    [FOUND_UNCOALESCED] = "The lanes of a warp touch more of global memory than they need.",
    [FOUND_BANK_CONFLICT] = "Lanes of a warp touch different words of one bank of shared memory.",
    [FOUND_DIVERGENT_BRANCH] = "Lanes of a warp go different ways.",
    [FOUND_CONTENTION] = "Many threads do atomic operations on one address.",
    [FOUND_PARTIAL_WARP] = "The threads of a block are no multiple of a warp.",
    [FOUND_WIDE_TYPE] = "Numbers are 64 bits wide where that was not asked for.",
};

int kjit_check_rule_at(size_t index, kjit_check_rule *rule)
{
    if (index >= FOUND_COUNT)
        return 0;
    const kjit_check_rule found = { .size = sizeof found,
                                    .name = check_rule_name((CheckRule)index),
                                    .about = rule_texts[index],
                                    .advice = check_rule_is_advice((CheckRule)index) };
    copy_sized(rule, &found, sizeof found);
    return 1;
}
