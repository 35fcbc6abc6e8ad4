/* `kjit test`: golden outputs. The files `a.tokens`, `a.ast`, `a.ir`, `a.cu`, `a.c`, `a.err` and
** `a.out` beside `a.k` hold the expected outputs.
**
** Every program is tested in a process of its own, in its folder: a crash or a hang affects one
** program only, and outputs have no paths. A process writes to a file of its own, so that several
** can run in parallel and the report is in order.
**
** Kernels for the processor that the cache has not are compiled together, several by one call of
** the C compiler, which takes most of the time otherwise: what a process would compile waits in a
** file, and the program is tested again when it has been compiled. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/test/cases.h"
#include "cli/test/together.h"
#include "cli/cli.h"
#include "cli/measure/clock.h"
#include "cli/stage.h"

enum { SECONDS_MAX = 600 }; /* of a processor that others use too */

/* In memory shared with the test processes. */
typedef struct Score {
    int passed, failed;
    int waiting; /* compilations */
} Score;

typedef struct TestOptions {
    const char *device;
    bool update;
    uint64_t jobs;
    Cases cases;
    const Score *scores; /* so far, by case; or NULL */
    FILE *queue;         /* where compilations wait, or NULL */
} TestOptions;

extern char **environ;

/* ---- IR ------------------------------------------------------------------------------------- */

/* The passes in the first line, "# passes: forward, dce", without blanks; NULL if there are none.
** The caller's. */
static char *passes_of(const char *file)
{
    static const char head[] = "# passes:";
    char *text = text_read(file), *passes = NULL;
    if (text && !strncmp(text, head, sizeof head - 1)) {
        const char *line = text + sizeof head - 1;
        size_t length = strcspn(line, "\n"), used = 0;
        passes = must_strndup(line, length);
        for (size_t i = 0; i < length; i++)
            if (line[i] != ' ')
                passes[used++] = line[i];
        passes[used] = '\0';
    }
    free(text);
    return passes;
}

/* ---- producing an output -------------------------------------------------------------------- */

/* With `facts` optimised: by one pass and its prerequisites, or with NULL by all passes. */
static int produce_stage(const Target *target, const Stage *stage, const char *facts,
                         const char *after)
{
    EmitRequest request = {
        .stage = stage, .facts = facts, .after = after, .session.device = "cpu"
    };
    char passes[96];
    snprintf(passes, sizeof passes, "none,inlined,returns,%s", after ? after : "");
    request.session.passes = after ? passes : NULL;
    Emissions emissions = { 0 };
    int status = stage_emit(target, &request, &emissions);
    for (size_t i = 0; i < emissions.count && status == EXIT_DONE; i++) {
        if (emissions.count > 1)
            printf("== %s ==\n", emissions.list[i].kernel);
        fwrite(emissions.list[i].data, 1, emissions.list[i].length, stdout);
    }
    emissions_free(&emissions);
    return status;
}

/* A stage of a program that is IR, after the passes it names. */
static int produce_of_ir(const Target *target, const char *ending)
{
    bool ir = !strcmp(ending, "out.ir");
    char *passes = passes_of(target->file);
    EmitRequest request = { .stage = stage_of_ending(ir ? "ir" : ending),
                            .session.passes = passes };
    Emissions emissions = { 0 };
    int status = stage_emit(target, &request, &emissions);
    for (size_t i = 0; i < emissions.count && status == EXIT_DONE; i++)
        fwrite(emissions.list[i].data, 1, emissions.list[i].length, stdout);
    emissions_free(&emissions);
    free(passes);
    return status;
}

/* The errors of a program that must not compile, or with `optimised` not be optimised. */
static int produce_err(const Target *target, bool optimised)
{
    Emissions emissions = { 0 };
    char *passes = stage_is_ir(target->file) ? passes_of(target->file) : NULL;
    EmitRequest request = { .stage = stage_find("ir"),
                            .facts = optimised ? "launch" : NULL,
                            .session.device = "cpu",
                            .session.passes = passes };
    int status = stage_emit(target, &request, &emissions);
    emissions_free(&emissions);
    free(passes);
    if (status == EXIT_PROGRAM)
        return EXIT_DONE;
    if (status == EXIT_DONE)
        complain("an error was expected, but the program is right");
    return EXIT_DEFECT;
}

static int produce_out(const Target *target, const char *device)
{
    Session session;
    SessionOptions options = { .device = device };
    int status = session_open(&session, target->file, &options);
    size_t count = session.module ? kjit_kernel_count(session.module) : 0, ran = 0;
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        kjit_kernel *kernel;
        const char *name = kjit_kernel_name_at(session.module, i);
        kjit_status got = kjit_get_kernel(session.module, name, &kernel);
        status = got == KJIT_OK ? run_example(session.context, kernel, count > 1, &ran)
                                : complain_status(got);
    }
    if (status == EXIT_DONE && !ran && kjit_module_is_program(session.module)) {
        kjit_status done = kjit_program_run(session.module, NULL);
        status = done == KJIT_OK ? EXIT_DONE : complain_status(done);
        ran++;
    }
    session_close(&session);
    if (status == EXIT_DONE && !ran) {
        complain("there is nothing to run: put an @example(NAME=VALUE, ...) above a kernel");
        status = EXIT_COMMAND;
    }
    return status;
}

/* Runs a captured launch again; `kjit run` prints the differences. */
static int produce_replay(const Target *target, const char *device)
{
    char *argv[] = { "kjit run", target->file, "--quiet", "--device", (char *)device, NULL };
    return run_command(5, argv);
}

/* The findings; those of an option with its name before the ending. */
static int produce_check(const Target *target, const char *ending)
{
    char *nan = "--nan", *advise = "--advise", *plain = "--orders=3";
    char *more = *ending == 'n' ? nan : *ending == 'a' ? advise : plain;
    char *argv[] = { "kjit check", target->file, more, NULL };
    int status = check_command(3, argv);
    return status == EXIT_DEFECT ? EXIT_DONE : status;
}

static int produce(const Target *target, const char *ending, const char *device)
{
    const char *word = ending ? strstr(ending, "check") : NULL;
    if (!ending)
        return produce_replay(target, device);
    if (word && !strcmp(word, "check"))
        return produce_check(target, ending);
    if (!strcmp(ending, "err") || !strcmp(ending, "opt.err"))
        return produce_err(target, *ending == 'o');
    if (stage_is_ir(target->file))
        return produce_of_ir(target, ending);
    if (!strcmp(ending, "out"))
        return produce_out(target, device);
    const char *last = strrchr(ending, '.');
    if (!last || stage_of_ending(ending))
        return produce_stage(target, stage_of_ending(ending), NULL, NULL);
    char *pass = must_strndup(ending, (size_t)(last - ending));
    int status = produce_stage(target, stage_of_ending(last + 1), "launch",
                               strcmp(pass, "opt") ? pass : NULL);
    free(pass);
    return status;
}

/* Runs produce() with standard output and standard error redirected to `got`. */
static int capture(FILE *got, const Target *target, const char *ending, const char *device)
{
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    fflush(NULL);
    dup2(fileno(got), STDOUT_FILENO);
    dup2(fileno(got), STDERR_FILENO);
    int status = produce(target, ending, device);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static bool same_text(FILE *a, FILE *b)
{
    int x, y;
    rewind(a);
    rewind(b);
    do {
        x = getc(a);
        y = getc(b);
    } while (x == y && x != EOF);
    return x == y;
}

static void copy_text(FILE *from, FILE *to)
{
    int c;
    rewind(from);
    while ((c = getc(from)) != EOF)
        putc(c, to);
}

static void show_difference(const char *name, const char *shown, FILE *got)
{
    char *argv[] = { "diff",           "-u", "--label",    (char *)shown, "--label",
                     "what it is now", "--", (char *)name, "-",           NULL };
    posix_spawn_file_actions_t actions;
    pid_t process;

    fflush(stdout);
    rewind(got);
    lseek(fileno(got), 0, SEEK_SET);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(got), STDIN_FILENO);
    if (posix_spawnp(&process, "diff", &actions, NULL, argv, environ) == 0)
        waitpid(process, NULL, 0);
    else
        printf("(diff is not installed, so the lines cannot be shown)\n");
    posix_spawn_file_actions_destroy(&actions);
}

static bool rewrite(const char *name, const char *shown, const char *ending, FILE *got)
{
    if (!expected_is_ours(name, ending, got)) {
        printf("%s: not updated: it is not what kjit wrote; empty it to have it filled\n", shown);
        return false;
    }
    Draft out;
    draft_open(&out);
    copy_text(got, out.file);
    bool written = draft_close(&out, NULL, name);
    if (written)
        printf("%s: updated\n", shown);
    return written;
}

static bool compare(const char *name, const char *shown, const char *ending, FILE *got, bool update)
{
    FILE *want = fopen(name, "rb");
    bool same = want && same_text(want, got);
    if (want)
        fclose(want);
    if (same)
        return true;
    if (update)
        return rewrite(name, shown, ending, got);
    printf("%s: differs\n", shown);
    show_difference(name, shown, got);
    return false;
}

static bool test_one(const Target *target, const char *stem, const char *shown, const char *ending,
                     const TestOptions *test)
{
    char name[4096], path[4096];
    FILE *got = tmpfile();
    if (!got)
        return complain("cannot make a temporary file: %s", strerror(errno));
    snprintf(name, sizeof name, "%s.%s", stem, ending);
    snprintf(path, sizeof path, "%s.%s", shown, ending);
    int status = capture(got, target, ending, test->device);
    bool passed = false;
    if (together_waits()) {
        passed = true; /* nothing is known yet */
    } else if (status == EXIT_DONE) {
        passed = compare(name, path, ending, got, test->update);
    } else {
        printf("%s: it failed with exit status %d:\n", path, status);
        copy_text(got, stdout);
    }
    fclose(got);
    if (passed && !strcmp(ending, "out"))
        passed = measured_examples(stdout, target->file, test->device) == EXIT_DONE;
    return passed;
}

/* A captured launch must have the captured outputs. */
static bool test_replay(const Case *tested, const TestOptions *test)
{
    const Target target = { tested->stem, NULL };
    FILE *got = tmpfile();
    if (!got)
        return complain("cannot make a temporary file: %s", strerror(errno));
    int status = capture(got, &target, NULL, test->device);
    if (status != EXIT_DONE) {
        printf("%s:\n", tested->stem);
        copy_text(got, stdout);
    }
    fclose(got);
    return status == EXIT_DONE;
}

/* ---- processes ------------------------------------------------------------------------------ */

/* The body of a test process. */
static void test_case(const Case *tested, const TestOptions *test, Score *score)
{
    const char *stem = basename(tested->stem);
    char *folder = must_strndup(tested->stem, (size_t)(stem - tested->stem));
    char *file = must_alloc(strlen(stem) + strlen(tested->source) + 2);
    Target target = { file, NULL };

    sprintf(file, "%s.%s", stem, tested->source);
    if (*folder && chdir(folder) != 0) {
        complain("cannot enter %s: %s", folder, strerror(errno));
        exit(EXIT_FAILED);
    }
    char ending[32];
    for (int i = 0; i < ENDINGS && ending_at(i, ending); i++)
        if (tested->expects[i]) {
            bool passed = test_one(&target, stem, tested->stem, ending, test);
            ++*(passed ? &score->passed : &score->failed);
        }
    free(folder);
    free(file);
}

static void start(Case *started, const TestOptions *test, Score *score)
{
    started->report = tmpfile();
    fflush(NULL);
    started->process = started->report ? fork() : -1;
    if (started->process < 0) {
        complain("cannot start a process: %s", strerror(errno));
        exit(EXIT_FAILED);
    }
    started->began = clock_seconds();
    if (started->process > 0)
        return;
    dup2(fileno(started->report), STDOUT_FILENO);
    dup2(fileno(started->report), STDERR_FILENO);
    together_begin(started->again ? NULL : test->queue, &score->waiting, SECONDS_MAX);
    if (started->replay)
        ++*(test_replay(started, test) ? &score->passed : &score->failed);
    else
        test_case(started, test, score);
    exit(EXIT_DONE);
}

static int expectations(const Case *counted)
{
    int count = counted->replay;
    for (int i = 0; i < ENDINGS; i++)
        count += counted->expects[i];
    return count;
}

/* When a process crashes, its remaining expectations count as failed. */
static void finish(Case *cases, size_t count, Score *scores)
{
    int status;
    pid_t process = wait(&status);
    for (size_t i = 0; i < count; i++) {
        if (cases[i].process != process)
            continue;
        cases[i].process = 0;
        if (interrupted()) /* by which it was ended, too */
            return;
        cases[i].again = scores[i].waiting > 0;
        if (cases[i].again) {
            scores[i] = (Score){ 0 };
            fclose(cases[i].report);
            return;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE)
            continue;
        const char *dot = cases[i].replay ? "" : ".";
        const char *ending = cases[i].replay ? "" : cases[i].source;
        fseek(cases[i].report, 0, SEEK_END);
        if (!WIFSIGNALED(status))
            fprintf(cases[i].report, "%s%s%s: exit status %d\n", cases[i].stem, dot, ending,
                    WEXITSTATUS(status));
        else if (WTERMSIG(status) == SIGALRM)
            fprintf(cases[i].report, "%s%s%s: stopped after %d s\n", cases[i].stem, dot, ending,
                    SECONDS_MAX);
        else
            fprintf(cases[i].report, "%s%s%s: %s\n", cases[i].stem, dot, ending,
                    strsignal(WTERMSIG(status)));
        int rest = expectations(&cases[i]) - scores[i].passed - scores[i].failed;
        scores[i].failed += rest > 0 ? rest : 1;
    }
}

/* Progress: the longest-running case, and how many are finished. */
static void show_running(const Cases *cases, size_t over, size_t running)
{
    const Case *oldest = cases->list;
    while (running && !oldest->process)
        oldest++;
    if (!running)
        return;
    const char *dot = oldest->replay ? "" : ".", *ending = oldest->replay ? "" : oldest->source;
    if (running > 1)
        doing_say("testing %s%s%s and %zu more", oldest->stem, dot, ending, running - 1);
    else
        doing_say("testing %s%s%s", oldest->stem, dot, ending);
    doing_since(oldest->began);
    doing_count(over, cases->count, "programs");
}

/* After an interrupt: what is under way is neither passed nor failed. */
static void stop_running(Cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        if (cases->list[i].process)
            kill(cases->list[i].process, SIGTERM);
    complain("interrupted");
}

/* Tests the cases, or with `again` those that were left for later. */
static void run_cases(const TestOptions *test, Cases *cases, Score *scores, bool again)
{
    size_t running = 0;

    for (size_t i = 0; i < cases->count && !interrupted(); i++) {
        if (cases->list[i].again != again)
            continue;
        if (running == test->jobs) {
            finish(cases->list, cases->count, scores);
            running--;
        }
        start(&cases->list[i], test, &scores[i]);
        running++;
        show_running(cases, i + 1 - running, running);
    }
    for (; running && !interrupted(); running--) {
        show_running(cases, cases->count - running, running);
        finish(cases->list, cases->count, scores);
    }
}

static int test_all(TestOptions *test)
{
    Cases *cases = &test->cases;
    size_t bytes = cases->count * sizeof(Score);
    Score total = { 0 };
    Score *scores = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (scores == MAP_FAILED)
        return complain_failed("out of memory");
    test->scores = scores;
    test->queue = strcmp(test->device, "cpu") ? NULL : together_open();
    run_cases(test, cases, scores, false);
    if (together_compile(test->queue, test->jobs))
        run_cases(test, cases, scores, true);
    doing_say(NULL);

    if (interrupted())
        stop_running(cases);
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->list[i].report) {
            copy_text(cases->list[i].report, stdout);
            fclose(cases->list[i].report);
        }
        total.passed += scores[i].passed;
        total.failed += scores[i].failed;
    }
    interrupted(); /* no other thread reads what is gone now */
    test->scores = NULL;
    munmap(scores, bytes);
    printf("%d passed, %d failed\n", total.passed, total.failed);
    return total.failed ? EXIT_DEFECT : EXIT_DONE;
}

/* ---- the command line ----------------------------------------------------------------------- */

enum { OPTION_DEVICE = 256 };

#define SETS(field) OPTION_SETS(TestOptions, field)

static const struct argp_option options[] = {
    { "update", SETS(update), NULL, 0, "rewrite the expected outputs that differ", 0 },
    { "device", SETS(device), "DEVICE", 0, "where things run: cpu (the default) or cuda", 0 },
    { "jobs", 'j', "N", 0, "how many programs at once (a processor each)", 0 },
    { 0 }
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    TestOptions *test = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case 'j':
        status = count_parse("-j", text, 1, 1024, &test->jobs);
        break;
    case ARGP_KEY_ARG:
        status = cases_add(&test->cases, text);
        break;
    case ARGP_KEY_NO_ARGS:
        usage_error("which PATH?");
        break;
    default:
        return option_set(options, key, text, test);
    }
    return option_result(status);
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "PATH...",
    .doc =
        "Compares programs with the outputs beside them.\v"
        "A PATH is a program, one of its outputs, or a directory, of which programs named .py are "
        "left out. Beside a.k, a.tokens, a.ast, "
        "a.ir, a.schedule, a.cu and a.c hold what each stage makes of it, a.err the errors "
        "if it is wrong (a.opt.err: if its @schedule is), a.out what its kernels write on their "
        "@example, or what it prints, a.check what the checker finds "
        "in them (a.nan.check and a.advise.check: with that option). Several kernels follow one "
        "another under == NAME ==. To add a case: touch the files wanted, --update, read them. "
        "Where there is no a.k, a.ir is the program, text of the IR: the first line names the "
        "passes that it goes through, '# passes: forward, dce', and a.out.ir, a.remarks, a.cu, "
        "a.c or a.err hold what comes of it. "
        "A launch that KJIT_CAPTURE captured, a folder with a launch.txt, is launched again and "
        "has to leave the same. "
        "--update fills empty files and rewrites those that kjit wrote; others stay.",
};

/* Where a case is so long under way that no tally has been printed. */
static void tell_interrupted(void *context)
{
    const TestOptions *test = context;
    Score total = { 0 };
    for (size_t i = 0; test->scores && i < test->cases.count; i++) {
        total.passed += test->scores[i].passed;
        total.failed += test->scores[i].failed;
    }
    printf("%d passed, %d failed\n", total.passed, total.failed);
    complain("interrupted");
}

int test_command(int argc, char **argv)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    TestOptions test = { .device = "cpu", .jobs = processors > 1 ? (uint64_t)processors : 1 };
    options_parse(&parser, argc, argv, &test);
    interrupt_open(tell_interrupted, &test);
    doing_open(false, false);

    int status;
    if (test.cases.count) {
        cases_sort(&test.cases);
        if (test.update)
            cases_say_left(&test.cases);
        status = test_all(&test);
    } else {
        complain("no program there has an expected output beside it");
        status = EXIT_COMMAND;
    }
    cases_free(&test.cases);
    return interrupt_end(status);
}
