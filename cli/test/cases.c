/* Finds programs and the files with their expected outputs. */
#include "cli/test/cases.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* In pipeline order: the first difference is the most informative. */
static const char *const endings[PLAIN_ENDINGS] = {
    "tokens",   "ast",  "remarks",     "ir",     "schedule",  "cu",           "c",
    "err",      "out",  "opt.remarks", "opt.ir", "opt.cu",    "opt.c",        "opt.err",
    "estimate", "plan", "check.c",     "check",  "nan.check", "advise.check", "out.ir"
};

/* Expectations of a program that is IR. */
static bool is_of_ir(const char *ending)
{
    static const char *const those[] = { "out.ir", "remarks", "cu", "c", "err" };
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (!strcmp(those[i], ending))
            return true;
    return false;
}

/* The endings above, then NAME.ir for each pass. */
bool ending_at(int index, char room[32])
{
    const char *pass =
        kjit_pass_name_at((size_t)(index < PLAIN_ENDINGS ? 0 : index - PLAIN_ENDINGS));
    if (index < PLAIN_ENDINGS)
        snprintf(room, 32, "%s", endings[index]);
    else if (pass)
        snprintf(room, 32, "%s.ir", pass);
    return index < PLAIN_ENDINGS || pass;
}

enum { PATH = 4096 };

/* Is there a file of that ending? Then `path` is its. */
static bool find(const char *stem, const char *ending, char path[PATH])
{
    int length = snprintf(path, PATH, "%s.%s", stem, ending);
    return length > 0 && length < PATH && access(path, F_OK) == 0;
}

static bool exists(const char *stem, const char *ending)
{
    char path[PATH];
    return find(stem, ending, path);
}

static bool expects(const char *stem, const char *ending)
{
    char path[PATH];
    return find(stem, ending, path) && !expected_is_program(path, ending);
}

void cases_say_left(const Cases *cases)
{
    char path[PATH], ending[32];
    for (size_t k = 0; k < cases->count; k++)
        for (int i = 0; i < ENDINGS && ending_at(i, ending); i++)
            if (!cases->list[k].replay && find(cases->list[k].stem, ending, path) &&
                expected_is_program(path, ending))
                fprintf(stderr,
                        "%s: left alone: it is not what kjit wrote; empty it to have it filled\n",
                        path);
}

/* The ending of the program: as the path has it, or of those that are there; "": none is. */
static const char *source_of(const char *stem, const char *ending)
{
    static const char *const sources[] = { "k", "ir", "py" };
    if (!strcmp(ending, ".py"))
        return "py";
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (exists(stem, sources[i]))
            return sources[i];
    return "";
}

/* Adds a program with its expectations; with `only`, just the one of that ending. */
static bool add_case(Cases *cases, const char *path, size_t stem_length, const char *only)
{
    Case added = { .stem = must_strndup(path, stem_length) };
    added.source = source_of(added.stem, path + stem_length);
    bool any = false, ir = !strcmp(added.source, "ir"), program = *added.source && !ir;
    char ending[32];
    if (ir && only && !strcmp(only, "ir"))
        only = NULL;
    for (int i = 0; i < ENDINGS && ending_at(i, ending); i++) {
        bool may = ir ? is_of_ir(ending) : program && strcmp(ending, "out.ir") != 0;
        added.expects[i] = may && (!only || !strcmp(only, ending)) && expects(added.stem, ending);
        any = any || added.expects[i];
    }
    if (!any) {
        free(added.stem);
        return false;
    }
    must_push(cases->list, cases->count) = added;
    return true;
}

static void add_replay(Cases *cases, const char *path)
{
    must_push(cases->list, cases->count) =
        (Case){ .stem = must_strndup(path, strlen(path)), .replay = true };
}

static bool is_replay(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "launch.txt");
}

/* IR beside a program is an expectation. */
static bool is_ir_alone(const char *path, size_t length)
{
    if (length <= 3 || strcmp(path + length - 3, ".ir") != 0)
        return false;
    char *stem = must_strndup(path, length - 3);
    bool alone = !exists(stem, "k");
    free(stem);
    return alone;
}

static Cases *walked; /* nftw() has no context to pass */

static int visit(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)where;
    size_t length = strlen(path);
    if (type == FTW_F && length > 2 && !strcmp(path + length - 2, ".k"))
        add_case(walked, path, length - 2, NULL);
    if (type == FTW_F && is_ir_alone(path, length))
        add_case(walked, path, length - 3, NULL);
    if (type == FTW_F && is_replay(path))
        add_replay(walked, path);
    return 0;
}

/* The ending, from its dot, the longest of kjit's own: a.narrow.ir belongs to a.k. */
static const char *ending_of(const char *path)
{
    char ending[32];
    for (int i = ENDINGS; i-- > 0;) {
        size_t length = strlen(path);
        if (!ending_at(i, ending) || !strchr(ending, '.') || length <= strlen(ending) + 1)
            continue;
        const char *dot = path + length - strlen(ending) - 1;
        if (*dot == '.' && !strcmp(dot + 1, ending))
            return dot;
    }
    return strrchr(path, '.');
}

int cases_add(Cases *cases, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return complain_failed("cannot find %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode)) {
        walked = cases;
        return nftw(path, visit, 16, 0) == 0 ? EXIT_DONE : EXIT_FAILED;
    }
    if (is_replay(path)) {
        add_replay(cases, path);
        return EXIT_DONE;
    }
    const char *dot = ending_of(path);
    const bool source = dot && (!strcmp(dot, ".k") || !strcmp(dot, ".py"));
    if (!dot || !add_case(cases, path, (size_t)(dot - path), source ? NULL : dot + 1))
        return bad_usage("%s has no expected outputs beside it (.tokens, .ast, .remarks, .ir, "
                         ".schedule, .cu, .c, .err, .out, .check)",
                         path);
    return EXIT_DONE;
}

static int compare_cases(const void *a, const void *b)
{
    return strcmp(((const Case *)a)->stem, ((const Case *)b)->stem);
}

void cases_sort(Cases *cases)
{
    qsort(cases->list, cases->count, sizeof *cases->list, compare_cases);
}

void cases_free(Cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        free(cases->list[i].stem);
    free(cases->list);
}
