/* The command `kjit`: finds the subcommand and hands over. Each is a file of this folder. */
#include <argp.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/needed/needed.h"

typedef struct Command {
    const char *name;
    CommandMain *main;
    const char *what;
    bool asks; /* it says itself what is wrong with the environment */
} Command;

static const Command commands[] = {
    { "run", run_command, "launch a kernel once and show what it wrote", false },
    { "build", build_command, "show or save any stage of the compilation", false },
    { "check", check_command, "say which lines race, reach out of bounds, or wait for ever",
      false },
    { "test", test_command, "compare programs with the outputs beside them", false },
    { "bench", bench_command, "time kernels, and say how far from the device's best they are",
      false },
    { "tune", tune_command, "search for the fastest constants and block shapes", false },
    { "lsp", lsp_command, "a language server, for editors", false },
    { "cache", cache_command, "list, count or clear the compiled kernels on disk", true },
    { "doctor", doctor_command, "what was found on this machine, and what to do about the rest",
      true },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const char *command_name_at(size_t index)
{
    return index < COMMANDS ? commands[index].name : NULL;
}

static const Command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

CommandMain *command_named(const char *name)
{
    const Command *command = find_command(name);
    return command ? command->main : NULL;
}

static void print_help(void)
{
    fputs("Usage: kjit COMMAND [OPTION...] [ARGUMENT...]\n"
          "Compiles and runs GPU kernels written in numba's CUDA dialect.\n\n",
          stdout);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].what);
    fputs("\n'kjit help COMMAND' explains each. 'kjit --version' says which kjit this is.\n"
          "Exit status: 0 done, 1 the program is wrong, 2 the command line is wrong,\n"
          "3 it failed while running, 4 a test or check found a defect.\n",
          stdout);
}

static int no_such_command(const char *name)
{
    const char *names[COMMANDS + 2] = { "--help", "--version" };
    size_t count = 2;
    for (size_t i = 0; i < COMMANDS; i++)
        names[count++] = commands[i].name;

    const char *what = *name == '-' ? "option" : "command";
    const char *meant = nearest_name(name, names, count);
    if (meant)
        complain("there is no %s '%s'; did you mean '%s'?", what, name, meant);
    else
        complain("there is no %s '%s'; 'kjit --help' lists the commands", what, name);
    return EXIT_COMMAND;
}

/* A failure to write output is an error, whatever the status. */
static int flushed(int status)
{
    bool lost = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !lost)
        return status;
    complain("cannot write to the standard output");
    return status ? status : EXIT_FAILED;
}

/* Replaces -h by --help, the only form that argp has. */
static void lengthen_help(int argc, char **argv)
{
    static char help[] = "--help";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "-h"))
            argv[i] = help;
}

/* If a standard stream is closed (`kjit run f.k >&-`) the next file opened would get its
** descriptor, and the output. Occupies such descriptors with ones that cannot be read or
** written. */
static void occupy_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* argv[0] is the subcommand's name, of which its messages make "kjit run". */
static int run_subcommand(CommandMain *command, int argc, char **argv)
{
    char name[32];
    snprintf(name, sizeof name, "kjit %s", argv[0]);
    argv[0] = name;
    lengthen_help(argc, argv);
    return command(argc, argv);
}

/* `kjit help COMMAND` is `kjit COMMAND --help`. */
static int help_command(int argc, char **argv)
{
    static char help[] = "--help";
    if (argc < 2) {
        print_help();
        return EXIT_DONE;
    }
    CommandMain *command = command_named(argv[1]);
    char *words[] = { argv[1], help, NULL };
    return command ? run_subcommand(command, 2, words) : no_such_command(argv[1]);
}

int main(int argc, char **argv)
{
    occupy_streams();
    argp_err_exit_status = EXIT_COMMAND;
    needed_json_memory(must_alloc); /* so that its calls need no checks for failed allocations */
    if (argc < 2)
        return bad_usage("which command? 'kjit --help' lists them");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return flushed(help_command(argc - 1, argv + 1));
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("kjit %s\nCopyright (c) 2026, The kjit developers; BSD-2-Clause\n", kjit_version());
        return flushed(EXIT_DONE);
    }
    if (!strcmp(argv[1], "complete"))
        return flushed(complete_command(argc - 1, argv + 1));
    const Command *command = find_command(argv[1]);
    if (!command)
        return no_such_command(argv[1]);
    if (!command->asks && environment_check() != EXIT_DONE)
        return EXIT_COMMAND;
    return flushed(run_subcommand(command->main, argc - 1, argv + 1));
}
