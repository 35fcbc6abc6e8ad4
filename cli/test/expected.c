/* Which files beside a program are expectations that `kjit test` may overwrite: empty ones, and
** those that kjit wrote. Others may be the user's: hist.c that embeds hist.k, hist.out made by a
** compiler, a log called hist.err.
**
** Output of kjit is recognised by its form: #line in C, locations of diagnostics, names and types
** of results. For other outputs, such as trees, one line in common with the new output suffices. */
#include <regex.h>

#include "cli/cli.h"

typedef struct Mark {
    const char *ending, *pattern; /* an extended regular expression that matches a line */
    bool program;                 /* such files may be a user's program */
} Mark;

static const Mark marks[] = {
    { "tokens", "^[0-9]+:[0-9]+ [A-Z]+", false },
    { "remarks", "[.](k|ir):[0-9]+:[0-9]+: ", false },
    { "ir", "^kernel [^ (]+[(]", false },
    { "cu", "^#line [0-9]+ \"(kjit prelude|.*[.](k|ir))\"$", true },
    { "c", "^#line [0-9]+ \"(kjit prelude|.*[.](k|ir))\"$", true },
    { "err", "[.](k|ir):[0-9]+:[0-9]+: ", false },
    { "out", "^[^ ]+  [a-z][a-z0-9]+(\\[[a-zA-Z]+\\])?\\[[0-9, ]*\\](  |$)", false },
};

static const Mark *mark_of(const char *ending)
{
    const char *last = strrchr(ending, '.'); /* "narrow.ir" counts as "ir" */
    ending = last ? last + 1 : ending;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (!strcmp(marks[i].ending, ending))
            return &marks[i];
    return NULL;
}

/* The next line without its end; NULL at the end of the file. */
static char *next_line(FILE *in, char **line, size_t *room)
{
    ssize_t length = getline(line, room, in);
    if (length < 0)
        return NULL;
    (*line)[strcspn(*line, "\n")] = '\0';
    return *line;
}

static bool has_match(FILE *in, const char *pattern)
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    rewind(in);
    while (!found && next_line(in, &line, &room))
        found = regexec(&compiled, line, 0, NULL, 0) == 0;
    free(line);
    regfree(&compiled);
    return found;
}

static bool has_line(FILE *in, const char *wanted)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    rewind(in);
    while (!found && next_line(in, &line, &room))
        found = !strcmp(line, wanted);
    free(line);
    return found;
}

/* Do they share a line that is not blank? */
static bool share_line(FILE *old, FILE *now)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    rewind(old);
    while (!found && next_line(old, &line, &room))
        found = line[strspn(line, " \t\r")] && has_line(now, line);
    free(line);
    return found;
}

static bool is_empty(FILE *in)
{
    rewind(in);
    return getc(in) == EOF;
}

bool expected_is_ours(const char *path, const char *ending, FILE *now)
{
    const Mark *mark = mark_of(ending);
    FILE *old = fopen(path, "rb");
    if (!old)
        return true;
    bool ours = is_empty(old) || (mark && has_match(old, mark->pattern)) ||
                (!(mark && mark->program) && share_line(old, now));
    fclose(old);
    return ours;
}

bool expected_is_program(const char *path, const char *ending)
{
    const Mark *mark = mark_of(ending);
    return mark && mark->program && !expected_is_ours(path, ending, NULL);
}
