/* Schedules around one: see around.h. */
#include <ctype.h>

#include "cli/build/around.h"
#include "cli/cli.h"

enum { CHANGES_MOST = 48 };

/* A change of the chosen text: the bytes [begin, end) become `text`. */
typedef struct Change {
    size_t begin, end;
    char text[24];
} Change;

typedef struct Changes {
    Change list[CHANGES_MOST];
    size_t count;
} Changes;

static void add_change(Changes *changes, size_t begin, size_t end, const char *text)
{
    if (changes->count == CHANGES_MOST)
        return;
    Change *change = &changes->list[changes->count++];
    *change = (Change){ .begin = begin, .end = end };
    snprintf(change->text, sizeof change->text, "%s", text);
}

static void add_number(Changes *changes, size_t begin, size_t end, unsigned long number)
{
    char text[24];
    snprintf(text, sizeof text, "%lu", number * 2);
    add_change(changes, begin, end, text);
    snprintf(text, sizeof text, "%lu", number / 2);
    if (number >= 2)
        add_change(changes, begin, end, text);
}

/* Numbers stand by themselves or in sizes, 32x8; those behind a dot belong to a name. */
static void find_changes(const char *schedule, Changes *changes)
{
    for (size_t at = 0, line = 0; schedule[at]; at++) {
        bool before =
            at > 0 && (schedule[at - 1] == ' ' || (schedule[at - 1] == 'x' && at > 1 &&
                                                   isdigit((unsigned char)schedule[at - 2])));
        if (isdigit((unsigned char)schedule[at]) && before) {
            char *end;
            unsigned long number = strtoul(schedule + at, &end, 10);
            add_number(changes, at, (size_t)(end - schedule), number);
            at = (size_t)(end - schedule) - 1;
        } else if (schedule[at] == '\n') {
            add_change(changes, line, at, "");
            line = at + 1;
        }
    }
}

/* A schedule with two changes, of which the second lies behind the first; NULL: fewer. */
static char *changed(const char *schedule, const Change *first, const Change *second)
{
    char *text = NULL;
    size_t length;
    bool any = false, between = false;
    FILE *out = open_memstream(&text, &length);
    for (size_t at = 0; schedule[at];) {
        const Change *change = first && at == first->begin     ? first
                               : second && at == second->begin ? second
                                                               : NULL;
        if (change) {
            fputs(change->text, out);
            at = change->end;
            any |= *change->text;
        } else if (schedule[at] == '\n') {
            at++;
            between = true;
        } else {
            fputs(between && any ? "; " : "", out);
            fputc(schedule[at++], out);
            between = false;
            any = true;
        }
    }
    fclose(out);
    return text;
}

char *schedule_in_line(const char *schedule)
{
    return changed(schedule, NULL, NULL);
}

Around schedules_around(const char *schedule, size_t most)
{
    Changes changes = { .count = 0 };
    find_changes(schedule, &changes);
    Around around = { must_alloc((most + changes.count) * sizeof(char *)), 0 };
    for (size_t i = 0; i < changes.count; i++)
        around.list[around.count++] = changed(schedule, &changes.list[i], NULL);
    for (size_t i = 0; i < changes.count; i++)
        for (size_t k = i + 1; k < changes.count && around.count < most; k++)
            if (changes.list[k].begin >= changes.list[i].end)
                around.list[around.count++] = changed(schedule, &changes.list[i], &changes.list[k]);
    return around;
}

void around_free(Around *around)
{
    for (size_t i = 0; i < around->count; i++)
        free(around->list[i]);
    free(around->list);
}
