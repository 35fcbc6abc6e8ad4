/* `kjit complete WORD...`: what a shell may put for the last of the words behind `kjit`, a line
** each. cli/shell/ calls it; it is not for people, and no help lists it.
**
** Options come from the commands' own help, so that nothing names them twice. What cannot be found
** out, as in a file that is wrong, has no completions and no message. */
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/stage.h"

static void offer(const char *word, const char *candidate, const char *behind)
{
    if (!strncmp(candidate, word, strlen(word)))
        printf("%s%s\n", candidate, behind);
}

/* ---- options --------------------------------------------------------------------------------- */

/* "  -D, --define=NAME=VALUE  ..." offers --define=. */
static void offer_option(const char *word, char *line)
{
    char *option = strncmp(line, "  ", 2) == 0 ? strstr(line, "--") : NULL;
    if (!option || option - line > 6)
        return;
    option[strcspn(option, " =[\n") + (option[strcspn(option, " =[\n")] == '=')] = '\0';
    offer(word, option, "");
}

/* The lines of a command's help, by a child that prints it. */
static void offer_options(const char *word, CommandMain *command, char *name)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        char *argv[] = { name, "--help", NULL };
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        exit(command(2, argv));
    }
    close(ends[1]);
    FILE *help = child > 0 ? fdopen(ends[0], "r") : NULL;
    char line[256];
    while (help && fgets(line, sizeof line, help))
        offer_option(word, line);
    if (help)
        fclose(help);
    else
        close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* OPTION, its value as far as it is kept, and `value`. */
static void offer_value(const char *word, const char *kept, const char *value)
{
    char candidate[256];
    snprintf(candidate, sizeof candidate, "%s%s", kept, value);
    offer(word, candidate, "");
}

/* The values of options that are words: "--device=cpu", "--emit=ir", "--passes=none,rows". */
static void offer_values(const char *word)
{
    static const char *const devices[] = { "auto", "cuda", "cpu", "check" };
    size_t option = strcspn(word, "=") + 1;

    if (!strncmp(word, "--device=", option))
        for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
            offer_value(word, "--device=", devices[i]);
    if (!strncmp(word, "--emit=", option))
        for (size_t i = 0; stage_at(i); i++)
            offer_value(word, "--emit=", stage_at(i)->name);
    const char *last = strrchr(word, ',');
    char *kept = strndup(word, last ? (size_t)(last - word) + 1 : option);
    if (kept && !strncmp(word, "--passes=", option))
        for (size_t i = 0; kjit_pass_name_at(i); i++)
            offer_value(word, kept, kjit_pass_name_at(i));
    free(kept);
}

/* ---- kernels and parameters ------------------------------------------------------------------ */

static kjit_module *load_quietly(kjit_context **context, const char *file)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .no_disk_cache = 1 };
    kjit_module *module = NULL;

    if (kjit_open(&options, context) == KJIT_OK)
        kjit_load_file(*context, file, NULL, &module);
    return module;
}

/* std:NAME for the library's modules. */
static void offer_standard(const char *word)
{
    for (size_t i = 0; kjit_standard_name_at(i); i++)
        offer_value(word, "std:", kjit_standard_name_at(i));
}

/* FILE:NAME for what begins so: the kernels of the file and, where they can be `called`, the
** functions that it lists. An underscore says of a kernel that it is the file's own. */
static void offer_kernels(const char *word, bool called)
{
    char *kept = strndup(word, (size_t)(strrchr(word, ':') - word) + 1);
    char *file = kept ? strndup(kept, strlen(kept) - 1) : NULL;
    kjit_context *context = NULL;
    kjit_module *module = file ? load_quietly(&context, file) : NULL;
    const char *name;

    for (size_t i = 0; called && (name = kjit_module_function_at(module, i, NULL)) != NULL; i++)
        offer_value(word, kept, name);
    for (size_t i = 0; module && i < kjit_kernel_count(module); i++)
        if (*(name = kjit_kernel_name_at(module, i)) != '_' || word[strlen(kept)] == '_')
            offer_value(word, kept, name);
    kjit_close(context);
    free(file);
    free(kept);
}

/* NAME= for the parameters of FILE[:KERNEL]. */
static void offer_parameters(const char *word, const char *text)
{
    Target target = target_parse(text);
    kjit_context *context = NULL;
    kjit_module *module = load_quietly(&context, target.file);
    kjit_kernel *kernel = NULL;

    if (module && kjit_get_kernel(module, target.kernel, &kernel) == KJIT_OK)
        for (size_t i = 0; i < kjit_param_count(kernel); i++)
            offer(word, kjit_param_name(kernel, i), "=");
    kjit_close(context);
    target_free(&target);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The first word that is a file of kernels; NULL if there is none before the last. */
static const char *target_of(int count, char **words)
{
    for (int i = 0; i < count; i++)
        if (words[i][0] != '-' && !strchr(words[i], '='))
            return words[i];
    return NULL;
}

int complete_command(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[argc - 1] : "";
    char *name = argc > 2 ? argv[1] : NULL;
    CommandMain *command = name ? command_named(name) : NULL;

    if (argc <= 2 || (argc == 3 && !strcmp(name, "help"))) {
        for (size_t i = 0; command_name_at(i); i++)
            offer(word, command_name_at(i), "");
        return EXIT_DONE;
    }
    if (!command)
        return EXIT_DONE;
    const char *target = target_of(argc - 3, argv + 2);
    if (word[0] == '-' && strchr(word, '='))
        offer_values(word);
    else if (word[0] == '-')
        offer_options(word, command, name);
    else if (!target && !strncmp(word, "std:", 4) && !strchr(word + 4, ':'))
        offer_standard(word);
    else if (!target && strrchr(word, ':'))
        offer_kernels(word, !strcmp(name, "run"));
    else if (target && !strchr(word, '='))
        offer_parameters(word, target);
    return EXIT_DONE;
}
