/* `kjit tune --schedules`: values of the parameter `schedule`, around the schedule that passes
** choose for the launch: with a number twice or half as large, without a line, and two such changes
** at once. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tune/child.h"

enum { SCHEDULES_MOST = 96, CHANGES_MOST = 48 };

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

/* Appends a schedule with two changes, of which the second lies behind the first or is NULL, in one
** line and in quotes. */
static void put_schedule(FILE *out, const char *schedule, const Change *first, const Change *second)
{
    fputs(", '", out);
    for (size_t at = 0; schedule[at];) {
        const Change *change = at == first->begin              ? first
                               : second && at == second->begin ? second
                                                               : NULL;
        if (change) {
            fputs(change->text, out);
            at = change->end;
        } else if (schedule[at] == '\n') {
            fputs(schedule[++at] ? "; " : "", out);
        } else {
            fputc(schedule[at++], out);
        }
    }
    fputc('\'', out);
}

/* [None, 'jam x 2; ...', ...], to be free()d; None is what passes choose. */
static char *values_around(const char *schedule)
{
    Changes changes = { .count = 0 };
    char *text = NULL;
    size_t length, count = 0;
    FILE *out = open_memstream(&text, &length);
    find_changes(schedule, &changes);
    fputs("[None", out);
    for (size_t i = 0; i < changes.count; i++, count++)
        put_schedule(out, schedule, &changes.list[i], NULL);
    for (size_t i = 0; i < changes.count; i++)
        for (size_t k = i + 1; k < changes.count && count < SCHEDULES_MOST; k++)
            if (changes.list[k].begin >= changes.list[i].end) {
                put_schedule(out, schedule, &changes.list[i], &changes.list[k]);
                count++;
            }
    fputs("]", out);
    fclose(out);
    return text;
}

int child_find_schedules(Child *child)
{
    kjit_launch_config config = { .size = sizeof config };
    bool processor = strncmp(kjit_device_name(child->context), "cuda", 4) != 0;
    char *chosen = NULL;
    size_t length;
    if (child->command->launch.has_grid)
        config = child->command->launch.config;
    else if (kjit_example_config(child->kernel, &config) != KJIT_OK)
        config = (kjit_launch_config){ .size = sizeof config };
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = "schedule",
                                  .args = child->args,
                                  .arg_count = child->count,
                                  .arch = processor ? "cpu" : NULL,
                                  .facts = "launch",
                                  .config = config.block[0] ? &config : NULL };
    kjit_status status = kjit_emit(child->kernel, &options, &chosen, &length);
    if (status != KJIT_OK)
        return complain_status(status);
    child->schedules = values_around(chosen);
    bool empty = !*chosen;
    kjit_free(chosen);
    if (empty) {
        complain("--schedules: passes do nothing to %s that could be done otherwise",
                 kjit_kernel_name(child->kernel));
        return EXIT_COMMAND;
    }
    status = kjit_space_set(child->space, "schedule", child->schedules);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}
