/* `kjit build`: any stage of the compilation, shown or saved. No GPU is needed for any of them. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/stage.h"

typedef struct BuildOptions {
    const char **files;
    size_t file_count;
    SessionOptions session;
    Pairs defines;
    const Stage *stage;
    const char *signature, *arch, *output;
    bool remarks;
} BuildOptions;

enum { OPTION_EMIT = 256, OPTION_SIG, OPTION_ARCH, OPTION_DEBUG, OPTION_FASTMATH, OPTION_REMARKS };

static const struct argp_option options[] = {
    { "emit", OPTION_EMIT, "STAGE", 0, "tokens, ast, remarks, ir, cuda, c, ptx, cubin or sass", 0 },
    { "sig", OPTION_SIG, "SIGNATURE", 0, "argument types: 'hist(float32[::1], int32[::1])'", 0 },
    { "arch", OPTION_ARCH, "sm_NN", 0, "the GPU to compile for: sm_90", 0 },
    { "output", 'o', "FILE", 0, "write here, or into this directory; - is the standard output", 0 },
    { "define", 'D', "NAME=VALUE", 0, "override a constant of the file", 0 },
    { "debug", OPTION_DEBUG, NULL, 0, "check assert, raise and indices", 0 },
    { "fastmath", OPTION_FASTMATH, NULL, 0, "as @cuda.jit(fastmath=True)", 0 },
    { "remarks", OPTION_REMARKS, NULL, 0, "say where types became 64 bits wide", 0 },
    { 0 }
};

static int check_stage(BuildOptions *build, const char *name)
{
    build->stage = stage_find(name);
    if (build->stage)
        return EXIT_DONE;
    complain("--emit wants tokens, ast, remarks, ir, cuda, c, ptx, cubin or sass, not '%s'", name);
    return EXIT_COMMAND;
}

static int check_arch(BuildOptions *build, const char *arch)
{
    build->arch = arch;
    if (!strncmp(arch, "sm_", 3) && arch[3] >= '1' && arch[3] <= '9')
        return EXIT_DONE;
    complain("--arch wants the name of a GPU architecture, as sm_90, not '%s'", arch);
    return EXIT_COMMAND;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    BuildOptions *build = state->input;
    int status = EXIT_DONE;

    switch (key) {
    case OPTION_EMIT:
        status = check_stage(build, text);
        break;
    case OPTION_SIG:
        build->signature = text;
        break;
    case OPTION_ARCH:
        status = check_arch(build, text);
        break;
    case OPTION_DEBUG:
        build->session.debug = true;
        break;
    case OPTION_FASTMATH:
        build->session.fastmath = true;
        break;
    case OPTION_REMARKS:
        build->remarks = true;
        break;
    case 'o':
        build->output = strcmp(text, "-") ? text : NULL; /* where it goes without -o */
        break;
    case 'D':
        status = pairs_add(&build->defines, text, "-D", "NAME=VALUE");
        break;
    case ARGP_KEY_ARG:
        build->files = must_grow(build->files, (build->file_count + 1) * sizeof *build->files);
        build->files[build->file_count++] = text;
        break;
    case ARGP_KEY_END:
        if (!build->file_count)
            argp_error(state, "which FILE?");
        if (!build->stage && !build->remarks)
            argp_error(state, "which stage? say --emit STAGE");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (status != EXIT_DONE)
        exit(status);
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE[:KERNEL]...",
    .doc = "Shows or saves any stage of the compilation.\v"
           "The argument types are those of --sig, else of the kernel's @example, else those its "
           "decorator names. A file's kernels come one after the other unless one is named; into "
           "a directory, a file each.",
};

/* ---- output --------------------------------------------------------------------------------- */

static bool is_directory(const char *path)
{
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int write_to(FILE *out, const char *path, const Emission *emission)
{
    size_t written = fwrite(emission->data, 1, emission->length, out);
    bool closed = out == stdout || fclose(out) == 0;
    if (written == emission->length && closed)
        return EXIT_DONE;
    complain("cannot write %s: %s", path, strerror(errno));
    return EXIT_FAILED;
}

static int write_file(const char *path, const Emission *emission)
{
    FILE *out = fopen(path, "wb");
    if (out)
        return write_to(out, path, emission);
    complain("cannot write %s: %s", path, strerror(errno));
    return EXIT_FAILED;
}

/* DIRECTORY/NAME.ENDING, NAME being the kernel's, or the file's for what comes before kernels. */
static int write_into(const BuildOptions *build, const char *file, const Emission *emission)
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    int length = emission->kernel ? (int)strlen(emission->kernel) : (int)strcspn(base, ".");
    const char *name = emission->kernel ? emission->kernel : base;
    size_t room = strlen(build->output) + (size_t)length + 16;
    char *path = must_alloc(room);
    snprintf(path, room, "%s/%.*s.%s", build->output, length, name, build->stage->ending);
    int status = write_file(path, emission);
    free(path);
    return status;
}

static int put_out(const BuildOptions *build, const char *file, Emissions *emissions)
{
    int status = EXIT_DONE;
    if (is_directory(build->output)) {
        for (size_t i = 0; i < emissions->count && status == EXIT_DONE; i++)
            status = write_into(build, file, &emissions->list[i]);
        return status;
    }
    if (build->output && emissions->count > 1) {
        complain("%s has %zu kernels: name one as %s:%s, or give -o a directory", file,
                 emissions->count, file, emissions->list[0].kernel);
        return EXIT_COMMAND;
    }
    if (build->output)
        return write_file(build->output, &emissions->list[0]);
    for (size_t i = 0; i < emissions->count && status == EXIT_DONE; i++) {
        if (emissions->count > 1)
            printf("== %s ==\n", emissions->list[i].kernel);
        status = write_to(stdout, "the standard output", &emissions->list[i]);
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* What the compiler has to say goes to stderr, beside what is built. */
static int show_remarks(const BuildOptions *build, const Target *target)
{
    EmitRequest request = {
        .stage = stage_find("remarks"),
        .signature = build->signature,
        .session = build->session,
    };
    Emissions emissions = { 0 };
    int status = stage_emit(target, &request, &emissions);
    for (size_t i = 0; i < emissions.count && status == EXIT_DONE; i++)
        fputs(emissions.list[i].data, stderr);
    emissions_free(&emissions);
    return status;
}

static int build_file(const BuildOptions *build, const char *argument)
{
    Target target = target_parse(argument);
    if (build->remarks) {
        int told = show_remarks(build, &target);
        if (told != EXIT_DONE || !build->stage) {
            target_free(&target);
            return told;
        }
    }
    EmitRequest request = {
        .stage = build->stage,
        .signature = build->signature,
        .arch = build->arch,
        .session = build->session,
    };
    Emissions emissions = { 0 };
    int status = stage_emit(&target, &request, &emissions);
    if (status == EXIT_DONE)
        status = put_out(build, target.file, &emissions);
    emissions_free(&emissions);
    target_free(&target);
    return status;
}

static int check_output(const BuildOptions *build)
{
    if (build->stage && build->stage->binary && !build->output && isatty(STDOUT_FILENO)) {
        complain("a cubin is no text for a terminal: say -o FILE");
        return EXIT_COMMAND;
    }
    if (build->output && build->file_count > 1 && !is_directory(build->output)) {
        complain("-o %s: for several files it must be a directory that exists", build->output);
        return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

int build_command(int argc, char **argv)
{
    BuildOptions build = { 0 };
    argp_parse(&parser, argc, argv, 0, NULL, &build);
    build.session.defines = &build.defines;

    int worst = check_output(&build);
    for (size_t i = 0; worst != EXIT_COMMAND && i < build.file_count; i++) {
        int status = build_file(&build, build.files[i]);
        if (status > worst)
            worst = status;
    }
    free(build.files);
    pairs_free(&build.defines);
    return worst;
}
