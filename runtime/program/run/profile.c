/* What a program's launches took, by kernel and line, and how near that is to what the device could
** do. Each is waited for, so that none is charged with what another does; the program as a whole is
** slower for it. */
#include "runtime/program/kernels.h"

/* The least time that a row's launches need. Their work is counted again where the grid or a shape
** is another than at the launch before, so often at the most: of a shape that always changes it is
** not given. */
enum { COUNTS_MOST = 8 };

typedef struct Roof {
    uint64_t key; /* of the launch that was counted last */
    double ms;    /* that it takes at the least */
    double total;
    const char *what;
    int counts; /* beyond COUNTS_MOST: nothing is known */
} Roof;

typedef struct Row {
    const char *name;
    uint32_t line;
    double *ms;
    size_t count, capacity;
    double total, median;
    Roof roof;
} Row;

struct Profile {
    Row *rows;
    size_t count, capacity;
    kjit_event *begin, *end;
};

bool profile_start(Program *p)
{
    p->profile = arena_new(p->arena, Profile);
    kjit_status status = kjit_event_new(p->context, true, &p->profile->begin);
    if (status == KJIT_OK)
        status = kjit_event_new(p->context, true, &p->profile->end);
    return status == KJIT_OK || host_failed(p, status);
}

static Row *row_of(Program *p, const char *name)
{
    Profile *profile = p->profile;
    const Span at = p->at;
    uint32_t line = at.source ? source_place(at.source, at.begin).line : 0;
    for (size_t i = 0; i < profile->count; i++)
        if (profile->rows[i].line == line && strcmp(profile->rows[i].name, name) == 0)
            return &profile->rows[i];
    if (!memory_more(profile->rows, profile->count, profile->capacity))
        arena_give_up(p->arena);
    Row *row = &profile->rows[profile->count++];
    *row = (Row){ .name = arena_strdup(p->arena, name), .line = line };
    return row;
}

/* Of what the work of a launch goes by, but for numbers. */
static uint64_t key_of(const HostWork *work)
{
    uint64_t key = HASH_FIRST;
    for (int i = 0; i < 3; i++)
        key = hash_with(hash_with(key, work->config->grid[i]), work->config->block[i]);
    for (size_t i = 0; i < work->count; i++)
        for (int k = 0; work->args[i].kind == KJIT_ARG_ARRAY && k < work->args[i].as.array.rank;
             k++)
            key = hash_with(key, (uint64_t)work->args[i].as.array.shape[k]);
    return key;
}

/* Counts what the launch is to do, before it changes what it reads. */
static void add_roof(Program *p, const HostWork *work, Roof *roof)
{
    kjit_work counted = { .size = sizeof counted };
    const uint64_t key = key_of(work);
    if (!p->options->peaks || roof->counts > COUNTS_MOST)
        return;
    if (!roof->counts || roof->key != key) {
        roof->counts++;
        roof->key = key;
        if (kjit_count_work(work->kernel, work->config, work->args, work->count, &counted) ==
            KJIT_OK)
            roof->ms = kjit_roof(&counted, p->options->peaks, &roof->what);
        else
            roof->counts = COUNTS_MOST + 1;
    }
    roof->total += roof->ms;
}

static void add(Program *p, const char *name, double ms)
{
    Row *row = row_of(p, name);
    if (!memory_more(row->ms, row->count, row->capacity))
        arena_give_up(p->arena);
    row->ms[row->count++] = ms;
    row->total += ms;
}

kjit_status profile_launch(Program *p, const HostWork *work)
{
    const Profile *profile = p->profile;
    kjit_stream *stream = work->config->stream;
    double ms = 0;
    KJIT_TRY(kjit_compile(work->kernel, work->args, work->count)); /* is not what is measured */
    add_roof(p, work, &row_of(p, work->name)->roof);
    KJIT_TRY(kjit_event_record(profile->begin, stream));
    KJIT_TRY(kjit_launch(work->kernel, work->config, work->args, work->count));
    KJIT_TRY(kjit_event_record(profile->end, stream));
    KJIT_TRY(kjit_event_synchronize(profile->end));
    KJIT_TRY(kjit_event_elapsed(profile->begin, profile->end, &ms));
    add(p, work->name, ms);
    return KJIT_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int by_total(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return x->total > y->total ? -1 : x->total < y->total ? 1 : x->line < y->line ? -1 : 1;
}

static void put_time(Buf *out, double ms)
{
    char text[32];
    if (ms >= 1000)
        snprintf(text, sizeof text, "%.3g s", ms / 1000);
    else if (ms >= 1)
        snprintf(text, sizeof text, "%.4g ms", ms);
    else
        snprintf(text, sizeof text, "%.4g us", ms * 1000);
    buf_printf(out, "  %10s", text);
}

static void put_roof(Buf *out, const Row *row)
{
    const Roof *roof = &row->roof;
    if (roof->what && roof->counts <= COUNTS_MOST && row->total > 0)
        buf_printf(out, "  %5.1f%% %s\n", 100 * roof->total / row->total, roof->what);
    else
        buf_puts(out, "       -\n");
}

void profile_print(Program *p)
{
    Profile *profile = p->profile;
    double all = 0;
    int width = (int)strlen("kernel");
    if (!profile)
        return;
    Buf out = buf_in(p->arena);
    for (size_t i = 0; i < profile->count; i++) {
        Row *row = &profile->rows[i];
        qsort(row->ms, row->count, sizeof *row->ms, by_size);
        row->median = row->ms[row->count / 2];
        all += row->total;
        width = (int)strlen(row->name) > width ? (int)strlen(row->name) : width;
    }
    if (profile->count)
        qsort(profile->rows, profile->count, sizeof *profile->rows, by_total);
    buf_printf(&out, "%-*s  line    calls       total      median   share  of the roof\n", width,
               "kernel");
    for (size_t i = 0; i < profile->count; i++) {
        const Row *row = &profile->rows[i];
        buf_printf(&out, "%-*s  %4u  %7zu", width, row->name, row->line, row->count);
        put_time(&out, row->total);
        put_time(&out, row->median);
        buf_printf(&out, "  %5.1f%%", all > 0 ? 100 * row->total / all : 0);
        put_roof(&out, row);
    }
    fflush(stdout);
    fputs(buf_text(&out), stderr);
}

void profile_free(Program *p)
{
    Profile *profile = p->profile;
    if (!profile)
        return;
    for (size_t i = 0; i < profile->count; i++)
        memory_free(profile->rows[i].ms);
    memory_free(profile->rows);
    kjit_event_close(profile->begin);
    kjit_event_close(profile->end);
}
