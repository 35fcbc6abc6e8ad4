/* Error messages on stderr: the library's, with colours on a terminal, and the command's own with
** the prefix `kjit:`. */
#include <unistd.h>

#include "cli/cli.h"

static bool wants_color(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

/* One line of a message, with the severity and the underlining in colour. */
static void print_colored(const char *line, int length)
{
    static const struct {
        const char *word, *color;
    } words[] = { { ": error: ", "\033[1;31m" },
                  { ": warning: ", "\033[1;35m" },
                  { ": note: ", "\033[1;36m" } };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *word = memmem(line, (size_t)length, words[i].word, strlen(words[i].word));
        if (!word)
            continue;
        int head = (int)(word - line) + 2, width = (int)strlen(words[i].word) - 3;
        fprintf(stderr, "\033[1m%.*s%s%.*s\033[0m\033[1m%.*s\033[0m\n", head, line, words[i].color,
                width, line + head, length - head - width, line + head + width);
        return;
    }
    int blank = (int)strspn(line, " |");
    if (blank < length && line[blank] == '^')
        fprintf(stderr, "%.*s\033[1;32m%.*s\033[0m\n", blank, line, length - blank, line + blank);
    else
        fprintf(stderr, "%.*s\n", length, line);
}

/* Truncates lines that are very long because of an argument. */
static void print_message(const char *message)
{
    enum { LINE_MAX_SHOWN = 4000 };
    bool color = wants_color();
    while (*message) {
        int length = (int)strcspn(message, "\n");
        if (length > LINE_MAX_SHOWN)
            fprintf(stderr, "%.*s ...\n", LINE_MAX_SHOWN, message);
        else if (color)
            print_colored(message, length);
        else
            fprintf(stderr, "%.*s\n", length, message);
        message += length + (message[length] == '\n');
    }
}

int complain_status(kjit_status status)
{
    /* A message begins with a location only if it is about a text, or with a program's frames. */
    static const char placeless[] = "error: ", frames[] = "Traceback ";
    const char *message = kjit_error_message();
    bool has_place = status == KJIT_INVALID || !strncmp(message, frames, strlen(frames));
    if (interrupted()) /* which ended a compiler, too */
        return EXIT_FAILED;
    fflush(stdout);
    if (!strncmp(message, placeless, strlen(placeless))) {
        message += strlen(placeless);
        has_place = false;
    }
    if (!has_place)
        fputs("kjit: ", stderr);
    print_message(message);
    return status == KJIT_INVALID    ? EXIT_PROGRAM
           : status == KJIT_ARGUMENT ? EXIT_COMMAND
                                     : EXIT_FAILED;
}
