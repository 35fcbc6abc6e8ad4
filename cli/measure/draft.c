/* Files that the command writes, whole or not at all. */
#include <stdlib.h>
#include <string.h>

#include "cli/measure/complain.h"
#include "cli/measure/draft.h"
#include "include/kjit_tools.h"

void draft_open(Draft *draft)
{
    *draft = (Draft){ 0 };
    draft->file = open_memstream(&draft->text, &draft->length);
    if (draft->file)
        return;
    complain("out of memory");
    exit(EXIT_FAILED);
}

static void complain_of(const char *option, const char *why)
{
    complain("%s%s%s", option ? option : "", option ? ": " : "",
             why + (strncmp(why, "error: ", 7) ? 0 : 7));
}

bool draft_check(const char *option, const char *path)
{
    bool fine = kjit_save_check(path) == KJIT_OK;
    if (!fine)
        complain_of(option, kjit_error_message());
    return fine;
}

bool draft_close(Draft *draft, const char *option, const char *path)
{
    bool whole = ferror(draft->file) == 0;
    whole = fclose(draft->file) == 0 && whole;
    fflush(stdout); /* which the path may stand for */
    bool written = whole && kjit_save_file(path, draft->text, draft->length) == KJIT_OK;
    if (!written)
        complain_of(option, whole ? kjit_error_message() : "out of memory");
    free(draft->text);
    *draft = (Draft){ 0 };
    return written;
}

void draft_drop(Draft *draft)
{
    fclose(draft->file);
    free(draft->text);
    *draft = (Draft){ 0 };
}
