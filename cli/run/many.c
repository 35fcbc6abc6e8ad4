/* `kjit run` over several ranks: those of a launcher, as mpirun, or threads of this process.
**
** Of several processes one speaks: what the others say is kept, and where one of them fails, goes
** to rank 0 with its reason. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
    complain("--devices %s: it takes cpu:N, N ranks that are threads of this process; a launch is "
             "not split over GPUs yet",
             text);
    return EXIT_COMMAND;
}

int many_devices(RunOptions *run, const char *text)
{
    static const char cpu[] = "cpu:";
    char *end;
    unsigned long ranks = strtoul(text + strlen(cpu) * !strncmp(text, cpu, strlen(cpu)), &end, 10);

    if (strncmp(text, cpu, strlen(cpu)) != 0 || *end || !ranks || text[strlen(cpu)] == '-')
        return wrong_devices(text);
    if (many.group) {
        complain("--devices %s: the launcher has made %d ranks of kjit already", text,
                 kjit_group_ranks(many.group));
        return EXIT_COMMAND;
    }
    kjit_status status = kjit_open_group(ranks > 100000 ? 100000
                                         : ranks        ? (int)ranks
                                                        : -1,
                                         &many.group);
    if (status != KJIT_OK)
        return complain_status(status);
    run->launch.session.device = "cpu";
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
    return run->times           ? "--time"
           : run->repeat > 1    ? "--repeat"
           : run->edited.file   ? "an edited text"
           : run->launch.replay ? "a captured launch"
                                : NULL;
}

int many_check(const RunOptions *run)
{
    if (!many.group && run->many.count) {
        complain("--%s is for a launch over several ranks: --devices cpu:N, or mpirun",
                 run->many.list[0].option);
        return EXIT_COMMAND;
    }
    const char *what = many.group ? not_over_ranks(run) : NULL;
    if (!what)
        return EXIT_DONE;
    complain("%s is not split over ranks yet: one launch is", what);
    return EXIT_COMMAND;
}

int many_refuse_program(const RunOptions *run)
{
    complain("%s is a program, which is not split over ranks yet: one launch is, of %s:KERNEL",
             run->target.file, run->target.file);
    return EXIT_COMMAND;
}

kjit_status many_launch(const RunOptions *run, const RunFacts *facts)
{
    kjit_status status =
        kjit_group_launch(many.group, facts->kernel, &facts->config, facts->args,
                          kjit_param_count(facts->kernel), run->many.list, run->many.count);
    many.done = true; /* all know how it ended */
    return status;
}

void many_end(void)
{
    if (!many.launched)
        kjit_close_group(many.group);
    if (!many.launched)
        many.group = NULL;
}
