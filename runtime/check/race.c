/* The texts of races: the two accesses, and a remedy that depends on the distance of the threads
** and on the source lines. */
#include "runtime/check/run.h"

enum { REMEDY = CHECK_MESSAGE - 96 };

/* "writes x[3]", "changes x[3] atomically". */
static void put_action(char *out, size_t size, int access, const char *what)
{
    if (access & CHECK_ATOMIC && access != CHECK_VOLATILE)
        snprintf(out, size, "changes %s atomically", what);
    else
        snprintf(out, size, "%s %s", access & CHECK_WRITE ? "writes" : "reads", what);
}

static void put_message(CheckFinding *found)
{
    const char *element = *found->element ? found->element : "the same element";
    bool far = found->distance == RACE_GRID;
    char action[CHECK_ELEMENT + 32], other[32];

    if (found->at.access == found->other.access)
        snprintf(found->message, sizeof found->message,
                 "two threads %s write %s, and nothing orders them",
                 far ? "of different blocks" : "of a block", element);
    else {
        put_action(action, sizeof action, found->at.access, element);
        put_action(other, sizeof other, found->other.access, "it");
        snprintf(found->message, sizeof found->message,
                 "a thread %s, %s %s, and nothing orders them", action,
                 far ? "one of another block" : "another of its block", other);
    }
}

/* ---- updates --------------------------------------------------------------------------------- */

/* A line that reads and writes one element: `x[i] += 1`, `x[i] = x[i] + 1`. */
typedef struct ElementUpdate {
    const char *element; /* its text; NULL: not an update */
    size_t length;
    char operator; /* the first character */
} ElementUpdate;

/* The source text of a site, or NULL. */
static const char *text_of(const CheckRun *run, int site, size_t *length)
{
    Span span = run->request->sites[site].span;

    *length = span.end - span.begin;
    return span.source ? span.source->text + span.begin : NULL;
}

static bool does(const CheckRun *run, int site, const char *what)
{
    return strcmp(run->request->sites[site].what, what) == 0;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* The update that a store is, if its element has the given text. The site of `x += 1` is all of
** it. */
static ElementUpdate read_update(const char *store, const char *element, size_t length)
{
    static const char operators[] = "+-*/%&|^<>@";
    ElementUpdate update = { element, length, 0 };

    if (strncmp(store, element, length) != 0)
        return (ElementUpdate){ NULL, 0, 0 };
    const char *after = skip_blanks(store + length);
    if (*after == '=') {
        const char *value = skip_blanks(after + 1);
        after = strncmp(value, element, length) == 0 ? skip_blanks(value + length) : "";
    } else if (!*after || !strchr(operators, *after) || !strchr("=*/<>", after[1])) {
        after = "";
    }
    update.operator= * after;
    return *after && strchr(operators, *after) ? update : (ElementUpdate){ NULL, 0, 0 };
}

/* The update whose load or store a site is. */
static ElementUpdate update_at(const CheckRun *run, int site)
{
    int count = run->request->site_count;
    ElementUpdate none = { NULL, 0, 0 };
    size_t length, whole;

    for (int load = 0; site >= 0 && load < count; load++) {
        if (run->sites[load].line != run->sites[site].line || !does(run, load, "load"))
            continue;
        const char *element = text_of(run, load, &length);
        for (int store = 0; element && store < count; store++) {
            const char *written = text_of(run, store, &whole);
            if (run->sites[store].line != run->sites[site].line || !does(run, store, "store") ||
                !written)
                continue;
            ElementUpdate update = read_update(written, element, length);
            const char *own = text_of(run, site, &whole);
            if (update.element &&
                (site == store || (own && whole == length && memcmp(own, element, length) == 0)))
                return update;
        }
    }
    return none;
}

/* The text between the last brackets of the element; NULL if it is no index. */
static const char *index_of(const ElementUpdate *update, bool *tuple)
{
    const char *index = memchr(update->element, '[', update->length);
    int depth = 0;

    *tuple = false;
    for (const char *at = index; at && at < update->element + update->length; at++) {
        depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
        *tuple |= depth == 1 && *at == ',';
        if (!depth && at + 1 < update->element + update->length)
            return NULL;
    }
    return index ? index + 1 : NULL;
}

/* Suggests an atomic operation in place of an update. */
static void put_atomic(const ElementUpdate *update, char *out)
{
    const char *operation = update->operator== '+' ? "add" : update->operator== '-' ? "sub" : NULL;
    bool tuple;
    const char *index = index_of(update, &tuple);

    if (!operation || !index || update->length > 48) {
        snprintf(out, REMEDY, "an operation of cuda.atomic, which reads and writes as one");
        return;
    }
    snprintf(out, REMEDY, "cuda.atomic.%s(%.*s, %s%.*s%s, ...), which reads and writes as one",
             operation, (int)(index - 1 - update->element), update->element, tuple ? "(" : "",
             (int)(update->element + update->length - 1 - index), index, tuple ? ")" : "");
}

/* ---- remedies -------------------------------------------------------------------------------- */

static const char *remedy_for(const Thread *t, const CheckFinding *found)
{
    bool far = found->distance == RACE_GRID;

    if ((found->at.access | found->other.access) & CHECK_ATOMIC)
        return far ? "make both accesses atomic, or do one of them in another kernel"
                   : "make both accesses atomic, or put a barrier between them";
    if (far && t->block->atomics)
        return "cuda.threadfence() between the write and the atomic operation that tells of it; or "
               "a kernel for each step";
    if (far)
        return "blocks run in any order: use cuda.atomic, or a kernel for each step";
    return found->distance == RACE_BLOCK ? "cuda.syncthreads() between the two"
                                         : "cuda.syncwarp() or cuda.syncthreads() between the two; "
                                           "the lanes of a warp run independently";
}

/* `first`: about the two threads of the message. */
static void put_note(const Thread *t, CheckFinding *found, bool first)
{
    ElementUpdate at = update_at(t->run, found->at.site),
                  other = update_at(t->run, found->other.site);
    bool far = found->distance == RACE_GRID;
    bool writes = found->at.access == found->other.access && found->at.access == CHECK_WRITE;
    char atomic[REMEDY];

    if (at.element && other.element) {
        put_atomic(&at, atomic);
        snprintf(found->note, sizeof found->note, "%s%s", atomic,
                 far && t->block->atomics
                     ? "; under a lock, cuda.threadfence() before it is given back"
                     : "");
        return;
    }
    snprintf(found->note, sizeof found->note, "%s%s%s",
             far && !first ? "threads of other blocks do it, too: " : "", remedy_for(t, found),
             !writes ? ""
             : far   ? "; it is a race even if both write the same value"
                     : "; or let one thread write, even if all write the same value");
}

void find_race(Thread *t, int site, const void *address, int access, uint64_t record, bool read)
{
    CheckRun *run = t->run;
    int earlier = read                  ? CHECK_READ
                  : record & REC_ATOMIC ? CHECK_READ | CHECK_WRITE | CHECK_ATOMIC
                                        : CHECK_WRITE;
    CheckEvent other = find_recorded(run, record, earlier);
    bool far = memcmp(t->block->position, other.block, sizeof other.block) != 0;
    RaceDistance distance = far                                        ? RACE_GRID
                            : rec_thread(record) / 32 == t->index / 32 ? RACE_LANES
                                                                       : RACE_BLOCK;
    CheckFinding *found = find_add(run, FOUND_RACE, site, other.site);

    if (!found) {
        found = find_known(run, FOUND_RACE, site, other.site);
        if (found && found->distance < distance) {
            found->distance = distance;
            put_note(t, found, false);
        }
        return;
    }
    found->at = find_event(t, site, access);
    found->other = other;
    found->distance = distance;
    find_element(run, t->block, site, address, found->element);
    put_message(found);
    put_note(t, found, true);
}
