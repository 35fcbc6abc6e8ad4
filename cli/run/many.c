/* `kjit run` over several ranks: those of a launcher, as mpirun, or of this process.
**
** Of several processes one speaks: what the others say is kept, and where one of them fails, goes
** to rank 0 with its reason. */
#include <fcntl.h>
#include <unistd.h>

#include "cli/run/run.h"

static struct {
    kjit_group *group;
    bool launched; /* by a launcher */
    bool done;     /* this rank is not waited for any more */
    FILE *said;    /* on standard error, of another rank than 0; else NULL */
} many;

/* What a rank has said, without the name of the command in front of it. */
static void tell_why(void)
{
    static const char name[] = "kjit: ";
    char text[1500] = "";
    size_t length = 0;

    fflush(stderr);
    if (many.said) {
        rewind(many.said);
        length = fread(text, 1, sizeof text - 1, many.said);
    }
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    bool named = !strncmp(text, name, strlen(name));
    kjit_group_fail(many.group, length ? text + (named ? strlen(name) : 0) : "it ended early");
}

static void end_rank(void)
{
    if (!many.done)
        tell_why();
    kjit_close_group(many.group);
    many.group = NULL;
}

/* Another rank than 0 is silent. */
static void hide(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    many.said = tmpfile();
    fflush(stdout);
    if (nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    if (many.said)
        dup2(fileno(many.said), STDERR_FILENO);
    else if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

int many_begin(void)
{
    if (kjit_launched_ranks() < 2)
        return EXIT_DONE;
    kjit_status status = kjit_open_group(0, &many.group);
    if (status != KJIT_OK)
        return complain_status(status);
    many.launched = true;
    if (kjit_group_rank(many.group) > 0)
        hide();
    atexit(end_rank);
    return EXIT_DONE;
}

static int wrong_devices(const char *text)
{
    return bad_usage(
        "--devices %s: it takes cpu:N, N ranks that the processor serves; all, each GPU of "
        "this machine; or numbers of GPUs, as in 0,1",
        text);
}

static int open_ranks(const char *text, const char *number)
{
    char *end;
    unsigned long ranks = strtoul(number, &end, 10);
    if (*end || !ranks || *number == '-')
        return wrong_devices(text);
    kjit_status status = kjit_open_group(ranks > 100000 ? 100000 : (int)ranks, &many.group);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

enum { GPUS = 64 };

/* The numbers in a list, -1 if it is none. */
static int read_gpus(const char *text, int gpus[GPUS])
{
    int count = 0;
    for (const char *at = text; count < GPUS; at++) {
        char *end;
        long gpu = strtol(at, &end, 10);
        if (end == at || *at < '0' || *at > '9' || gpu > 4095 || (*end && *end != ','))
            return -1;
        gpus[count++] = (int)gpu;
        at = end;
        if (!*at)
            return count;
    }
    return -1;
}

static int open_gpus(RunOptions *run, const char *text)
{
    int gpus[GPUS], count = 0;
    static char first[16]; /* the session's, to the end */

    if (!strcmp(text, "all")) {
        while (count < kjit_gpu_count() && count < GPUS) {
            gpus[count] = count;
            count++;
        }
        if (!count)
            return complain_failed(
                "--devices all: there is no GPU (kjit doctor says why); cpu:N has the "
                "processor serve N ranks");
    } else {
        count = read_gpus(text, gpus);
    }
    if (count < 1)
        return wrong_devices(text);
    kjit_status status = kjit_open_gpus(gpus, count, &many.group);
    snprintf(first, sizeof first, "cuda:%d", gpus[0]);
    run->launch.session.device = first;
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

int many_devices(RunOptions *run)
{
    static const char cpu[] = "cpu:";
    const char *text = run->devices;

    if (run->launch.session.device)
        return bad_usage("--devices says which devices, and makes no sense with --device");
    if (many.group)
        return bad_usage("--devices %s: the launcher has made %d ranks of kjit already", text,
                         kjit_group_ranks(many.group));
    if (strncmp(text, cpu, strlen(cpu)) != 0)
        return open_gpus(run, text);
    run->launch.session.device = "cpu";
    return open_ranks(text, text + strlen(cpu));
}

int many_place(RunOptions *run)
{
    static char own[32];
    const char *asked = run->launch.session.device;
    int gpus, local = kjit_launched_local_rank(), locals = kjit_launched_local_ranks();
    bool any = !asked || !strcmp(asked, "auto");

    if (!many.launched || (!any && strcmp(asked, "cuda") != 0))
        return EXIT_DONE;
    gpus = kjit_gpu_count();
    if (!gpus)
        return EXIT_DONE;
    if (locals > gpus && !run->share)
        return bad_usage(
            "%d ranks of this host would share %d GPU%s: start as many as there are, or say "
            "--share, or --device cpu",
            locals, gpus, gpus == 1 ? "" : "s");
    snprintf(own, sizeof own, "cuda:%d", local % gpus);
    run->launch.session.device = own;
    return EXIT_DONE;
}

bool many_ranks(void)
{
    return many.group != NULL;
}

bool many_speaks(void)
{
    return !many.group || kjit_group_rank(many.group) == 0;
}

/* What is for one device alone. */
static const char *not_over_ranks(const RunOptions *run)
{
    return run->edited.file ? "an edited text" : run->launch.replay ? "a captured launch" : NULL;
}

int many_check(const RunOptions *run)
{
    if (!many.group && run->many.count)
        return bad_usage("--%s is for a launch over several ranks: --devices, or mpirun",
                         run->many.list[0].option);
    if (many.group && run->times)
        return bad_usage("--time is for one device, not for --devices");
    const char *what = many.group ? not_over_ranks(run) : NULL;
    if (!what)
        return EXIT_DONE;
    return bad_usage("%s is not split over ranks: launches of a kernel are", what);
}

int many_check_program(const RunOptions *run)
{
    const char *what = run->profile               ? "--profile"
                       : run->many.count          ? "what is said of arrays"
                       : pictures_want_steps(run) ? "a movie"
                                                  : NULL;
    if (!many.group || !what)
        return EXIT_DONE;
    return bad_usage("%s is not for a program over several ranks", what);
}

kjit_group *many_group(void)
{
    return many.group;
}

void many_ran(bool fine)
{
    many.done |= fine;
}

/* What ranks write stays with them as long as launches follow. */
static kjit_status hold(const RunOptions *run, const RunFacts *facts)
{
    if (run->repeat < 2)
        return KJIT_OK;
    return kjit_group_hold_args(many.group, facts->context, facts->args,
                                kjit_param_count(facts->kernel));
}

kjit_status many_launch(const RunOptions *run, const RunFacts *facts)
{
    kjit_status status = hold(run, facts);
    if (status == KJIT_OK)
        status = many_launch_again(run, facts, facts->args);
    many.done = run->repeat < 2; /* all know how it ended */
    return status;
}

kjit_status many_launch_again(const RunOptions *run, const RunFacts *facts, const kjit_arg *args)
{
    kjit_status status =
        kjit_group_launch(many.group, facts->kernel, &facts->config, args,
                          kjit_param_count(facts->kernel), run->many.list, run->many.count);
    if (status == KJIT_OK && pictures_want_steps(run))
        status = kjit_group_fetch(many.group, NULL);
    return status;
}

kjit_status many_launched(void)
{
    kjit_status status = kjit_group_fetch(many.group, NULL);
    if (status == KJIT_OK)
        status = kjit_group_synchronize(many.group);
    many.done = true;
    return status;
}

void many_leave(void)
{
    if (many.group)
        kjit_group_leave(many.group);
}

void many_end(void)
{
    if (!many.launched)
        kjit_close_group(many.group);
    if (!many.launched)
        many.group = NULL;
}
