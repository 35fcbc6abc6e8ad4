/* Findings: one for each rule and pair of lines, with a count. */
#include "runtime/check/run.h"
#include "runtime/runtime.h"

enum { FINDINGS_MAX = 1000, BUCKETS = 4096 }; /* BUCKETS is more than twice FINDINGS_MAX */

/* From rule and lines to the finding, by open addressing. */
typedef struct FindTable {
    struct {
        uint64_t key;
        int finding; /* 1 + its index; 0: empty */
    } buckets[BUCKETS];
} FindTable;

const char *check_rule_name(CheckRule rule)
{
    static const char *const names[] = {
#define RULE(name, text) [FOUND_##name] = text,
        CHECK_RULES(RULE)
#undef RULE
    };
    return names[rule];
}

bool check_rule_is_advice(CheckRule rule)
{
    return rule >= FOUND_UNCOALESCED;
}

void check_report_free(CheckReport *report)
{
    memory_free(report->findings);
    *report = (CheckReport){ .findings = NULL };
}

/* ---- the table ------------------------------------------------------------------------------- */

static uint64_t line_of(const CheckRun *run, int site)
{
    return site < 0 ? UINT64_MAX : run->sites[site].line;
}

/* Independent of the order of the two lines. */
static uint64_t key_of(CheckRule rule, uint64_t a, uint64_t b)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t key = ((uint64_t)rule + 1) * 0x9e3779b97f4a7c15;

    key = (key ^ low) * 0xbf58476d1ce4e5b9;
    key = (key ^ key >> 29 ^ high) * 0x94d049bb133111eb;
    return (key ^ key >> 32) | 1;
}

static int *find_bucket(FindTable *table, uint64_t key)
{
    size_t at = key % BUCKETS;

    while (table->buckets[at].finding && table->buckets[at].key != key)
        at = (at + 1) % BUCKETS;
    table->buckets[at].key = key;
    return &table->buckets[at].finding;
}

bool find_open(CheckRun *run)
{
    run->found = memory_zeroed(1, sizeof *run->found);
    if (!run->found)
        return false;
    for (int i = 0; i < run->report->count; i++) {
        const CheckFinding *found = &run->report->findings[i];
        uint64_t a = line_of(run, found->at.site), b = line_of(run, found->other.site);
        if (found->rule == FOUND_ASSERTION)
            a = (uint64_t)found->fault;
        *find_bucket(run->found, key_of(found->rule, a, b)) = i + 1;
    }
    return true;
}

void find_close(CheckRun *run)
{
    memory_free(run->found);
}

static CheckFinding *add_keyed(CheckRun *run, CheckRule rule, uint64_t key)
{
    CheckReport *report = run->report;
    int *number = find_bucket(run->found, key);

    if (*number) {
        report->findings[*number - 1].times++;
        return NULL;
    }
    if (report->count == FINDINGS_MAX)
        return NULL;
    if (!memory_more(report->findings, report->count, report->capacity)) {
        schedule_fail(run, KJIT_MEMORY);
        return NULL;
    }
    CheckFinding *found = &report->findings[report->count++];
    *number = report->count;
    *found = (CheckFinding){ .rule = rule, .times = 1, .fault = -1 };
    found->at.site = found->other.site = found->at.called = found->other.called = -1;
    return found;
}

CheckFinding *find_add(CheckRun *run, CheckRule rule, int site, int other)
{
    CheckFinding *found =
        add_keyed(run, rule, key_of(rule, line_of(run, site), line_of(run, other)));

    if (found) {
        found->at.site = site;
        found->other.site = other;
    }
    return found;
}

CheckEvent find_event(const Thread *t, int site, int access)
{
    CheckEvent event = { .site = site, .access = access, .called = -1, .known = true };

    if (site >= 0 && t->run->request->sites[site].inner)
        event.called = t->front.called;
    memcpy(event.block, t->block->position, sizeof event.block);
    memcpy(event.thread, t->front.thread, sizeof event.thread);
    return event;
}

CheckFinding *find_known(CheckRun *run, CheckRule rule, int site, int other)
{
    int number = *find_bucket(run->found, key_of(rule, line_of(run, site), line_of(run, other)));

    return number ? &run->report->findings[number - 1] : NULL;
}

/* The thread of a record may have ended. */
CheckEvent find_recorded(const CheckRun *run, uint64_t record, int access)
{
    CheckEvent event = { .site = rec_site(record), .access = access, .called = -1, .known = true };
    const uint32_t *grid = run->request->grid, *block = run->request->block;
    uint32_t number = run->phases[rec_phase(record) - run->phase_base].block;
    uint32_t thread = (uint32_t)rec_thread(record);

    if (event.site >= run->request->site_count)
        event.site = -1;
    event.block[0] = (int32_t)(number % grid[0]);
    event.block[1] = (int32_t)(number / grid[0] % grid[1]);
    event.block[2] = (int32_t)(number / grid[0] / grid[1]);
    event.thread[0] = (int32_t)(thread % block[0]);
    event.thread[1] = (int32_t)(thread / block[0] % block[1]);
    event.thread[2] = (int32_t)(thread / block[0] / block[1]);
    return event;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The indices of the element that contains the byte at `offset`; false if there is none. Axes are
** resolved from the largest stride down; negative strides from the end of their axis. */
static bool unravel(int rank, const int64_t *shape, const int64_t *strides, uint32_t item,
                    int64_t offset, int64_t *indices)
{
    bool done[16] = { false };

    if (rank > 16)
        return false;
    for (int k = 0; k < rank; k++)
        if (strides[k] < 0)
            offset -= strides[k] * (shape[k] - 1);
    for (int round = 0; round < rank; round++) {
        int axis = -1;
        for (int k = 0; k < rank; k++)
            if (!done[k] && (axis < 0 || llabs(strides[k]) > llabs(strides[axis])))
                axis = k;
        int64_t stride = llabs(strides[axis]), at = stride ? offset / stride : 0;
        if (at < 0 || at >= shape[axis])
            return false;
        offset -= at * stride;
        indices[axis] = strides[axis] < 0 ? shape[axis] - 1 - at : at;
        done[axis] = true;
    }
    return offset >= 0 && offset < item;
}

static void put_element(char *out, const char *name, int rank, const int64_t *indices)
{
    int used = snprintf(out, CHECK_ELEMENT, "%.40s%s", name, rank ? "[" : "");

    for (int k = 0; k < rank && used < CHECK_ELEMENT; k++)
        used += snprintf(out + used, (size_t)(CHECK_ELEMENT - used), "%s%lld%s", k ? ", " : "",
                         (long long)indices[k], k + 1 == rank ? "]" : "");
}

static bool element_of_array(const CheckArray *array, const void *address, char *out)
{
    int64_t indices[16];

    if (!array->data || !unravel(array->rank, array->shape, array->strides, array->item,
                                 (int64_t)((uintptr_t)address - (uintptr_t)array->data), indices))
        return false;
    put_element(out, array->name, array->rank, indices);
    return true;
}

/* The array named by the site is tried first: several may share memory. */
static bool element_of_arrays(const CheckRun *run, const char *name, const void *address, char *out)
{
    const CheckRequest *request = run->request;

    for (int i = 0; name && i < request->array_count; i++)
        if (strcmp(request->arrays[i].name, name) == 0 &&
            element_of_array(&request->arrays[i], address, out))
            return true;
    for (int i = 0; i < request->array_count; i++)
        if (element_of_array(&request->arrays[i], address, out))
            return true;
    return false;
}

static bool element_of_shared(const EmitShared *shared, uint64_t offset, char *out)
{
    int rank = shared->type ? shared->type->array.rank : 0;
    int64_t strides[16], indices[16], elements = 1;

    if (offset - shared->offset >= shared->bytes || rank > 16)
        return false;
    for (int k = 0; k < rank; k++)
        elements *= shared->shape[k];
    if (!elements)
        return false;
    int64_t item = (int64_t)shared->bytes / elements, stride = item;
    for (int k = rank - 1; k >= 0; k--) {
        strides[k] = stride;
        stride *= shared->shape[k];
    }
    if (!unravel(rank, shared->shape, strides, (uint32_t)item, (int64_t)(offset - shared->offset),
                 indices))
        return false;
    put_element(out, shared->name, rank, indices);
    return true;
}

bool find_is_shared(const CheckRun *run, const CheckBlock *block, const void *address)
{
    return block->shared &&
           (uintptr_t)address - (uintptr_t)block->shared < shared_bytes(run->request);
}

static void put_shared(const CheckRun *run, const CheckBlock *block, const void *address, char *out)
{
    const CheckRequest *request = run->request;
    uint64_t offset = (uintptr_t)address - (uintptr_t)block->shared;

    for (int i = 0; i < request->shared_count; i++)
        if (element_of_shared(&request->shared[i], offset, out))
            return;
    uint64_t first = shared_dynamic(request);
    if (offset >= first)
        snprintf(out, CHECK_ELEMENT, "byte %llu of dynamic shared memory",
                 (unsigned long long)(offset - first));
}

void find_element(const CheckRun *run, const CheckBlock *block, int site, const void *address,
                  char *out)
{
    const char *name = site >= 0 ? run->request->sites[site].array : NULL;

    *out = 0;
    if (is_stack(address))
        snprintf(out, CHECK_ELEMENT, "%.40s", name ? name : "local");
    else if (block && find_is_shared(run, block, address))
        put_shared(run, block, address, out);
    else if (!element_of_arrays(run, name, address, out) && name)
        snprintf(out, CHECK_ELEMENT, "%.40s", name);
}

/* ---- other findings -------------------------------------------------------------------------- */

void find_unwritten(Thread *t, int site, const void *address, uint32_t bytes, int access)
{
    CheckFinding *found = find_add(t->run, FOUND_UNWRITTEN, site, -1);

    (void)bytes;
    if (!found)
        return;
    found->at = find_event(t, site, access);
    find_element(t->run, t->block, site, address, found->element);
    bool shared = find_is_shared(t->run, t->block, address);
    snprintf(found->message, sizeof found->message, "%s is read, and was never written",
             *found->element ? found->element : "an element");
    snprintf(found->note, sizeof found->note, "%s",
             shared ? "shared memory has no values when a block starts: write it first, and "
                      "cuda.syncthreads() where other threads read it"
             : is_stack(address) ? "local arrays have no values when a thread starts"
                                 : "give the array values before the launch, or write it first");
}

void find_misaligned(Thread *t, int site, const void *address, uint32_t bytes, int access)
{
    CheckFinding *found = find_add(t->run, FOUND_MISALIGNED, site, -1);
    uint32_t alignment = t->run->sites[site].low + 1;

    if (!found)
        return;
    found->at = find_event(t, site, access);
    find_element(t->run, t->block, site, address, found->element);
    snprintf(found->message, sizeof found->message,
             "an element of %u bytes lies at an address that is %u more than a multiple of %u",
             bytes, (unsigned)((uintptr_t)address & (alignment - 1)), alignment);
    snprintf(found->note, sizeof found->note,
             "a view of other elements is to begin at a multiple of %u bytes", alignment);
}

/* Whether the array itself may have such an axis, rather than a field or a view of it. */
static bool has_axis(const CheckRun *run, const char *name, int axis, int64_t extent)
{
    const CheckRequest *request = run->request;

    for (int i = 0; i < request->array_count; i++)
        if (strcmp(request->arrays[i].name, name) == 0)
            return axis < request->arrays[i].rank && request->arrays[i].shape[axis] == extent;
    for (int i = 0; i < request->shared_count; i++)
        if (strcmp(request->shared[i].name, name) == 0 && request->shared[i].type)
            return axis < request->shared[i].type->array.rank &&
                   request->shared[i].shape[axis] == extent;
    return true;
}

/* Suggests a guard against the index. */
static void put_guard(const CheckRun *run, CheckFinding *found, const char *name, int axis,
                      int64_t index, int64_t extent)
{
    if (name && extent == 0)
        snprintf(found->note, sizeof found->note, "%.40s has no elements along this axis", name);
    else if (index < 0)
        snprintf(found->note, sizeof found->note,
                 "guard it by `if i >= 0`, i being the index: negative ones count from the end");
    else if (name && !has_axis(run, name, axis, extent))
        snprintf(found->note, sizeof found->note, "guard it by `if i < %lld`, i being the index",
                 (long long)extent);
    else if (name)
        snprintf(found->note, sizeof found->note,
                 "guard it by `if i < %.40s.shape[%d]`, i being the index", name, axis);
    else
        snprintf(found->note, sizeof found->note, "guard it by an if, or mend the index");
}

void *find_outside(KjitCheck *c, int site, int axis, int64_t index, int64_t extent, uint32_t bytes,
                   int access)
{
    Thread *t = (Thread *)c;
    const char *name = t->run->request->sites[site].array;

    schedule_count(t);
    CheckFinding *found = find_add(t->run, FOUND_OUT_OF_BOUNDS, site, -1);
    if (found) {
        found->at = find_event(t, site, access);
        snprintf(found->element, sizeof found->element, "%.40s", name ? name : "");
        snprintf(found->message, sizeof found->message,
                 "index %lld is out of range for axis %d of size %lld", (long long)index, axis,
                 (long long)extent);
        put_guard(t->run, found, name, axis, index, extent);
    }
    return shadow_scratch(t->run, bytes);
}

static double as_double(int64_t bits)
{
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

static void put_wrong(CheckFinding *found, int kind, int64_t a, int64_t b)
{
    char *message = found->message, *note = found->note;

    switch (kind) {
    case CHECK_ZERO_DIVISION:
        snprintf(message, CHECK_MESSAGE, "%lld is divided by zero", (long long)a);
        snprintf(note, CHECK_MESSAGE, "guard the division: on a GPU the quotient is undefined");
        break;
    case CHECK_INDEX_OVERFLOW:
        snprintf(message, CHECK_MESSAGE,
                 "the index overflows its type: it was computed of %lld and %lld", (long long)a,
                 (long long)b);
        snprintf(note, CHECK_MESSAGE, "%s",
                 a == (int32_t)a && b == (int32_t)b
                     ? "compute it in int64, as of numpy.int64(i)"
                     : "no integer is wide enough: look where the numbers come from");
        break;
    case CHECK_SHIFT:
        snprintf(message, CHECK_MESSAGE, "%lld is shifted by %lld bits", (long long)a,
                 (long long)b);
        snprintf(note, CHECK_MESSAGE,
                 "a shift is by 0 or more, and by less than the bits of the number");
        break;
    case CHECK_CAST:
        snprintf(message, CHECK_MESSAGE, "%g is beyond the integers of %lld bits it is made one of",
                 as_double(a), (long long)b);
        snprintf(note, CHECK_MESSAGE, "clamp it before, or use a wider integer");
        break;
    case CHECK_INDEX_CAST:
        snprintf(message, CHECK_MESSAGE,
                 "%lld is used as an index, and is beyond the integers of %lld bits it is made "
                 "one of",
                 (long long)a, (long long)b);
        snprintf(note, CHECK_MESSAGE, "leave it as wide as it is");
        break;
    case CHECK_UNSET:
        snprintf(message, CHECK_MESSAGE, "%s is read, and was never set", found->element);
        snprintf(note, CHECK_MESSAGE,
                 "give it a value on every path, as in front of the branch or the loop");
        break;
    default: /* NaN or infinity */
        snprintf(message, CHECK_MESSAGE, a == b ? "%s comes of %g" : "%s comes of %g and %g",
                 kind == CHECK_NAN ? "NaN" : "infinity", as_double(a), as_double(b));
        snprintf(note, CHECK_MESSAGE, "guard the operation, if that is not meant");
        break;
    }
}

void find_wrong(KjitCheck *c, int site, int kind, int64_t a, int64_t b)
{
    static const CheckRule rules[] = { [CHECK_ZERO_DIVISION] = FOUND_ZERO_DIVISION,
                                       [CHECK_INDEX_OVERFLOW] = FOUND_INDEX_OVERFLOW,
                                       [CHECK_SHIFT] = FOUND_INVALID_SHIFT,
                                       [CHECK_CAST] = FOUND_CAST_OVERFLOW,
                                       [CHECK_INDEX_CAST] = FOUND_INDEX_OVERFLOW,
                                       [CHECK_UNSET] = FOUND_UNWRITTEN,
                                       [CHECK_NAN] = FOUND_NAN_BORN,
                                       [CHECK_INFINITY] = FOUND_INFINITY_BORN };
    Thread *t = (Thread *)c;

    if (kind >= CHECK_NAN && !t->run->request->nan)
        return;
    if (rules[kind] == FOUND_INDEX_OVERFLOW)
        index_wrapped(t, site);
    CheckFinding *found = find_add(t->run, rules[kind], site, -1);
    if (!found)
        return;
    const char *name = t->run->request->sites[site].array;
    found->at = find_event(t, site, kind == CHECK_UNSET ? CHECK_READ : 0);
    snprintf(found->element, sizeof found->element, "%.40s", name ? name : "");
    put_wrong(found, kind, a, b);
}

void find_fault(KjitCheck *c, int fault, const int64_t *integers, const double *floats)
{
    Thread *t = (Thread *)c;
    t->failed = true;
    CheckFinding *found =
        add_keyed(t->run, FOUND_ASSERTION, key_of(FOUND_ASSERTION, (uint64_t)fault, UINT64_MAX));

    if (!found)
        return;
    found->fault = fault;
    found->at = find_event(t, -1, 0);
    found->at.called = t->run->request->faults[fault].inner ? t->front.called : -1;
    fault_print(found->message, sizeof found->message, t->run->request->faults[fault].message,
                integers, floats);
}
