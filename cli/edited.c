/* Edited texts of an emitted stage, and reading text files. */
#include <errno.h>

#include "cli/cli.h"

char *text_read(const char *path)
{
    const char *standard = strncmp(path, "std:", 4) ? NULL : kjit_standard_text(path + 4);
    if (standard)
        return must_strndup(standard, strlen(standard));
    FILE *in = fopen(path, "rb");
    size_t length = 0, room = 1 << 14, got;
    char *text = must_alloc(room);

    while (in && (got = fread(text + length, 1, room - length - 1, in)) > 0) {
        length += got;
        if (length + 1 == room)
            text = must_grow(text, room *= 2);
    }
    text[length] = '\0';
    bool failed = !in || ferror(in);
    if (failed)
        complain("cannot read %s: %s", path, strerror(errno));
    if (in)
        fclose(in);
    if (!failed && strlen(text) == length)
        return text;
    if (!failed)
        complain("%s has a zero byte: it is not a program", path);
    free(text);
    return NULL;
}

int edited_option(EditedText *edited, const char *stage, const char *file)
{
    if (edited->file)
        return bad_usage("--%s %s: there is already --%s %s", stage, file, edited->stage,
                         edited->file);
    edited->stage = stage;
    edited->file = file;
    return EXIT_DONE;
}

int edited_read(EditedText *edited)
{
    if (!edited->file)
        return EXIT_DONE;
    edited->text = text_read(edited->file);
    return edited->text ? EXIT_DONE : EXIT_FAILED;
}

void edited_free(EditedText *edited)
{
    free(edited->text);
    edited->text = NULL;
}
