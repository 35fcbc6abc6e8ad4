/* `kjit build`: shows or saves any stage of the compilation. None needs a GPU. */
#include <argp.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/build/ahead.h"
#include "cli/build/candidates.h"
#include "cli/build/report.h"

/* Outputs made of all kernels together. */
typedef struct Form {
    const char *name, *ending;
    bool binary;
} Form;

static const Form forms[] = { { "binary", "kjit", true },
                              { "c-header", "h", false },
                              { "tvm-ffi", "so", true } };

/* Texts from repeated options or comma-separated lists. */
typedef struct TextList {
    char **list;
    size_t count;
} TextList;

typedef struct BuildOptions {
    const char **files;
    size_t file_count;
    SessionOptions session;
    Pairs defines;
    const Stage *stage;
    const Form *form; /* instead of a stage */
    TextList signatures, archs;
    EditedText edited;
    const char *output, *facts, *after, *report;
    bool remarks, without_lines;
    LaunchOptions launch; /* of the stage "plan": values and a grid */
    ManyOptions many;
    uint64_t ranks; /* 0: not said */
} BuildOptions;

enum {
    OPTION_EMIT = 256,
    OPTION_SIG,
    OPTION_ARCH,
    OPTION_CUDA,
    OPTION_C,
    OPTION_GRID,
    OPTION_RANKS
};

#define STAGE_NAMES                                                                                \
    "tokens, ast, remarks, ir, ir-full, schedule, estimate, plan, cuda, c, check, ptx, cubin, "    \
    "sass, so, binary, "                                                                           \
    "c-header or tvm-ffi"

#define SETS(field) OPTION_SETS(BuildOptions, field)

static const struct argp_option options[] = {
    { "emit", OPTION_EMIT, "STAGE", 0, STAGE_NAMES, 0 },
    { "sig", OPTION_SIG, "SIGNATURE", OPTION_REPEATS,
      "argument types: 'hist(float32[::1], int32[::1])'; several compile the kernel for each", 0 },
    { "arch", OPTION_ARCH, "ARCH", OPTION_REPEATS,
      "what to compile for: sm_90; sm_80,sm_90,compute_75,cpu", 0 },
    { "cuda", OPTION_CUDA, "FILE.cu", OPTION_REPEATS,
      "compile this, the text of --emit cuda edited", 0 },
    { "c", OPTION_C, "FILE.c", OPTION_REPEATS, "compile this, the text of --emit c edited", 0 },
    { "output", 'o', "FILE", 0, "write here, or into this directory; - is the standard output", 0 },
    { "define", 'D', "NAME=VALUE", OPTION_REPEATS, "override a constant of the file", 0 },
    { "debug", SETS(session.debug), NULL, 0, "check assert, raise and indices", 0 },
    { "fastmath", SETS(session.fastmath), NULL, 0, "as @cuda.jit(fastmath=True)", 0 },
    { "matmul", SETS(session.matmul), "NAME", 0,
      "products by tensor cores, rounded: tf32, tf32x3, f16, bf16, bf16x9", 0 },
    { "remarks", SETS(remarks), NULL, 0,
      "say where types became 64 bits wide, what was optimised, and what prevents more", 0 },
    { "facts", SETS(facts), "FACTS", 0,
      "what is known of launches: launch (as the @example's), hot (its values too), common, none, "
      "or a list of facts as narrow,aligned,block=16x16 (docs/optimisation.md)",
      0 },
    { "after", SETS(after), "PASS", 0,
      "show the IR after this pass, or after lower; implies --facts=launch", 0 },
    { "passes", SETS(session.passes), "LIST", 0,
      "which passes optimise: none, -PASS, PASS, all; of a FILE.ir: which run", 0 },
    { "schedule", SETS(session.schedule), "FILE", 0,
      "how work is moved: as --emit schedule prints it; with --facts", 0 },
    { "no-line", SETS(without_lines), NULL, 0,
      "for readers: no #line in the text of --emit cuda, c or check", 0 },
    { "report", SETS(report), "FILE.html", 0,
      "write a page: a kernel's source, IR, CUDA C, PTX and SASS beside each other", 0 },
    { "ranks", OPTION_RANKS, "N", 0, "of --emit plan: how many share the launch (4)", 0 },
    { "grid", OPTION_GRID, "GxB", 0, "of --emit plan: G blocks of B threads: 64x256, 16,16x32,8",
      0 },
    { 0 }
};

/* The stage or form whose name is most similar to a misspelt one; NULL if none is. */
static const char *near_stage(const char *name)
{
    const char *names[32];
    size_t count = 0;
    for (const Stage *stage; (stage = stage_at(count)); count++)
        names[count] = stage->name;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        names[count++] = forms[i].name;
    return nearest_name(name, names, count);
}

static int check_stage(BuildOptions *build, const char *name)
{
    build->stage = stage_find(name);
    build->form = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (!strcmp(forms[i].name, name))
            build->form = &forms[i];
    if (build->stage || build->form)
        return EXIT_DONE;
    const char *near = near_stage(name);
    return bad_usage("--emit wants " STAGE_NAMES ", not '%s'%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Whether it is a text with #line directives. */
static bool has_lines(const Stage *stage)
{
    return stage && (!strcmp(stage->name, "cuda") || !strcmp(stage->name, "c") ||
                     !strcmp(stage->name, "check"));
}

static void list_push(TextList *list, const char *text, size_t length)
{
    must_push(list->list, list->count) = must_strndup(text, length);
}

static void list_free(TextList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i]);
    free(list->list);
}

/* Only the form is checked; compilers know which ones exist. */
static bool looks_like_arch(const char *arch)
{
    const char *digits = strchr(arch, '_') ? strchr(arch, '_') + 1 : "";
    bool gpu = !strncmp(arch, "sm_", 3) || !strncmp(arch, "compute_", 8);
    return gpu ? *digits >= '1' && *digits <= '9'
               : !strcmp(arch, "cpu") || !strncmp(arch, "cpu:", 4);
}

static int add_archs(BuildOptions *build, const char *text)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        list_push(&build->archs, at, length);
        const char *arch = build->archs.list[build->archs.count - 1];
        if (!looks_like_arch(arch))
            return bad_usage(
                "--arch wants the name of a GPU architecture, as sm_90 or compute_75, or cpu, "
                "not '%s'",
                arch);
        at += length;
        if (!*at)
            return EXIT_DONE;
    }
}

/* NAME=VALUE, where no file is called so. */
static bool is_value(const char *text)
{
    size_t name = strcspn(text, "=/.:");
    return name && text[name] == '=' && access(text, F_OK) != 0;
}

static bool asks_of_launch(const BuildOptions *build)
{
    return build->launch.values.count || build->launch.has_grid || build->ranks ||
           build->many.count;
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
        list_push(&build->signatures, text, strlen(text));
        break;
    case OPTION_ARCH:
        status = add_archs(build, text);
        break;
    case OPTION_CUDA:
        status = edited_option(&build->edited, "cuda", text);
        break;
    case OPTION_C:
        status = edited_option(&build->edited, "c", text);
        break;
    case OPTION_RANKS:
        status = count_parse("--ranks", text, 1, 256, &build->ranks);
        break;
    case OPTION_GRID:
        build->launch.has_grid = true;
        status = grid_parse(text, &build->launch.config);
        break;
    case 'o':
        build->output = strcmp(text, "-") ? text : NULL; /* as without -o */
        break;
    case 'D':
        status = pairs_add(&build->defines, text, "-D", "NAME=VALUE");
        break;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &build->many;
        break;
    case ARGP_KEY_ARG:
        if (is_value(text)) {
            status = pairs_add(&build->launch.values, text, "an argument", "NAME=VALUE");
            break;
        }
        must_push(build->files, build->file_count) = text;
        break;
    case ARGP_KEY_END:
        if (!build->file_count)
            usage_error("which FILE?");
        if (asks_of_launch(build) && (!build->stage || strcmp(build->stage->name, "plan") != 0))
            usage_error("NAME=VALUE, --grid, --ranks, --split, --halo, --reduce and --copy are for "
                        "--emit plan; types of arguments are given by --sig");
        if (!build->stage && !build->form && !build->remarks && !build->report)
            usage_error("which stage? say --emit STAGE, of " STAGE_NAMES);
        if (build->without_lines && !has_lines(build->stage))
            usage_error("--no-line is for --emit cuda, c or check");
        break;
    default:
        return option_set(options, key, text, build);
    }
    return option_result(status);
}

static const struct argp_child shared_options[] = { { &many_parser, 0, "Of --emit plan:", 1 },
                                                    { 0 } };

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .children = shared_options,
    .args_doc = "FILE[:KERNEL]... [NAME=VALUE...]",
    .doc =
        "Shows or saves any stage of the compilation.\v"
        "The argument types are those of --sig, else of the kernel's @example, else those its "
        "decorator names. A file's kernels come one after the other unless one is named; into "
        "a directory, a file each. With several --arch or --sig, the files' names have them in "
        "front of the ending: hist.sm_80.cubin, hist.2.sm_80.cubin.\n"
        "For programs that run where there is no compiler: 'binary' is a file that kjit run and "
        "kjit_load_file() take, with machine code for each --arch (compute_75,sm_80,sm_90,cpu "
        "unless said); 'c-header' is the same inside of a C header, with a function for each "
        "kernel and signature. They hold every kernel whose types are known. sm_90 is for GPUs "
        "of that kind, compute_75 for all newer ones too, through the driver; cpu for any "
        "x86-64 processor, cpu:x86-64-v3 and the like for later ones, cpu:native for this one. "
        "'so' is a shared object of one kernel for the processor, which kjit run takes too. "
        "'tvm-ffi' is a shared object that PyTorch, JAX and others load through TVM FFI, without "
        "kjit: a function KERNEL(GRID, BLOCK, ...) for each kernel of arrays and numbers.\n"
        "A FILE.ir is the text of --emit ir, or of ir-full, which has source lines too: the passes "
        "that --passes names run on it, in that order, none unless it is said.\n"
        "--cuda and --c compile a text of --emit cuda or --emit c that you edited, in place of "
        "what kjit would make.\n"
        "--emit plan says how a launch, with the values and the grid that are given, else those of "
        "the @example, is split over --ranks ranks (kjit run --devices, mpirun): what each holds, "
        "sends and receives; docs/many.md.",
};

/* ---- output --------------------------------------------------------------------------------- */

static bool is_directory(const char *path)
{
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int print_all(const Emission *emission)
{
    if (fwrite(emission->data, 1, emission->length, stdout) == emission->length)
        return EXIT_DONE;
    return complain_failed("cannot write to the standard output: %s", strerror(errno));
}

static int write_file(const char *path, const Emission *emission)
{
    fflush(stdout); /* the path may be the standard output */
    kjit_status status = kjit_save_file(path, emission->data, emission->length);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* Signatures, architectures and kernels called make(6/2) name no folders. */
static void make_plain(char *name)
{
    for (; *name; name++)
        if (*name == ':' || *name == '/')
            *name = '-';
}

/* The part of a file name before the ending: number of the signature, architecture. */
static void put_variant(char *to, size_t room, const BuildOptions *build, const Emission *emission)
{
    int used = 0;
    *to = '\0';
    if (emission->number)
        used = snprintf(to, room, ".%d", emission->number);
    if (build->archs.count > 1 && (size_t)used < room)
        snprintf(to + used, room - (size_t)used, ".%s", emission->arch);
    make_plain(to);
}

/* DIRECTORY/NAME.ENDING, with the name of the kernel, or of the file for stages before kernels; or
** FILE itself. */
static int write_named(const BuildOptions *build, const char *file, const Emission *emission)
{
    bool directory = is_directory(build->output);
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const char *name = directory ? emission->kernel ? emission->kernel : base : build->output;
    const char *folder = directory ? build->output : "";
    const char *dot = strrchr(name, '.');
    size_t length = strlen(name);
    char variant[64], *path;

    put_variant(variant, sizeof variant, build, emission);
    if (directory && !emission->kernel)
        length = strcspn(base, ".");
    else if (!directory && *variant && dot && !strchr(dot, '/'))
        length = (size_t)(dot - name);
    const char *ending = directory ? build->stage->ending : name[length] ? name + length + 1 : "";
    size_t room = strlen(folder) + length + strlen(variant) + strlen(ending) + 8;
    path = must_alloc(room);
    snprintf(path, room, "%s%s%.*s%s%s%s", folder, directory ? "/" : "", (int)length, name, variant,
             *ending ? "." : "", ending);
    if (directory)
        make_plain(path + strlen(folder) + 1);
    int status = write_file(path, emission);
    free(path);
    return status;
}

/* Are they all of one kernel? */
static bool one_kernel(const Emissions *emissions)
{
    const char *first = emissions->list[0].kernel;
    for (size_t i = 1; i < emissions->count; i++)
        if (!first || strcmp(first, emissions->list[i].kernel) != 0)
            return false;
    return true;
}

static void print_heading(const BuildOptions *build, const Emission *emission)
{
    printf("== %s", emission->kernel);
    if (emission->number)
        printf(" %s", build->signatures.list[emission->number - 1]);
    if (build->archs.count > 1)
        printf(" %s", emission->arch);
    printf(" ==\n");
}

static int put_out(const BuildOptions *build, const char *file, Emissions *emissions)
{
    int status = EXIT_DONE;
    if (build->output && !is_directory(build->output) && !one_kernel(emissions))
        return bad_usage("%s has %zu kernels: name one as %s:%s, or give -o a directory", file,
                         emissions->count, file, emissions->list[0].kernel);
    for (size_t i = 0; i < emissions->count && status == EXIT_DONE; i++) {
        const Emission *emission = &emissions->list[i];
        if (build->output) {
            status = write_named(build, file, emission);
            continue;
        }
        if (emissions->count > 1)
            print_heading(build, emission);
        if (!emission->length && !strcmp(build->stage->name, "schedule"))
            puts("# nothing is moved: the kernel runs as it is written");
        status = print_all(emission);
    }
    return status;
}

/* ---- binaries and headers ------------------------------------------------------------------- */

/* Builds all files into one output: NAME.kjit or NAME.h; in a directory NAME is the first
** file's. */
static int build_ahead(const BuildOptions *build)
{
    AheadRequest request = {
        .form = build->form->name,
        .signatures = (const char *const *)build->signatures.list,
        .signature_count = build->signatures.count,
        .archs = (const char *const *)build->archs.list,
        .arch_count = build->archs.count,
        .session = build->session,
    };
    Emission emission = { 0 };
    bool directory = is_directory(build->output);
    int status = ahead_build(build->files, build->file_count, &request,
                             directory ? NULL : build->output, &emission);
    if (status == EXIT_DONE && directory) {
        size_t room = strlen(build->output) + strlen(emission.kernel) + 16;
        char *path = must_alloc(room);
        snprintf(path, room, "%s/%s.%s", build->output, emission.kernel, build->form->ending);
        make_plain(path + strlen(build->output) + 1);
        status = write_file(path, &emission);
        free(path);
    } else if (status == EXIT_DONE) {
        status = build->output ? write_file(build->output, &emission) : print_all(&emission);
    }
    free(emission.kernel);
    kjit_free(emission.data);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Remarks go to stderr. */
static int show_remarks(const BuildOptions *build, const Target *target)
{
    EmitRequest request = {
        .stage = stage_find("remarks"),
        .signature = build->signatures.count ? build->signatures.list[0] : NULL,
        .arch = build->archs.count ? build->archs.list[0] : NULL,
        .facts = build->facts ? build->facts : "launch",
        .session = build->session,
    };
    Emissions emissions = { 0 };
    int status = stage_emit(target, &request, &emissions);
    for (size_t i = 0; i < emissions.count && status == EXIT_DONE; i++)
        fputs(emissions.list[i].data, stderr);
    emissions_free(&emissions);
    if (status == EXIT_DONE)
        candidates_show(target, request);
    return status;
}

/* Each signature for each architecture, one after the other. */
static int emit_variants(const BuildOptions *build, const Target *target, Emissions *emissions)
{
    size_t signatures = build->signatures.count, archs = build->archs.count;
    int status = EXIT_DONE;
    for (size_t i = 0; i < (signatures ? signatures : 1) && status == EXIT_DONE; i++) {
        for (size_t k = 0; k < (archs ? archs : 1) && status == EXIT_DONE; k++) {
            size_t before = emissions->count;
            EmitRequest request = {
                .stage = build->stage,
                .signature = signatures ? build->signatures.list[i] : NULL,
                .arch = archs ? build->archs.list[k] : NULL,
                .edited = &build->edited,
                .facts = build->facts,
                .after = build->after,
                .without_lines = build->without_lines,
                .session = build->session,
                .launch = asks_of_launch(build) ? &build->launch : NULL,
                .many = &build->many,
                .ranks = (int)build->ranks,
            };
            status = stage_emit(target, &request, emissions);
            for (size_t at = before; at < emissions->count; at++) {
                emissions->list[at].arch = request.arch;
                emissions->list[at].number = signatures > 1 ? (int)i + 1 : 0;
            }
        }
    }
    return status;
}

static int build_file(BuildOptions *build, const char *argument)
{
    Target target = target_parse(argument);
    build->launch.file = target.file;
    const EmitRequest request = {
        .signature = build->signatures.count ? build->signatures.list[0] : NULL,
        .arch = build->archs.count ? build->archs.list[0] : NULL,
        .facts = build->facts,
        .session = build->session,
    };
    int reported = build->report ? report_build(&target, request, build->report) : EXIT_DONE;
    if (reported != EXIT_DONE || (build->report && !build->stage && !build->remarks)) {
        target_free(&target);
        return reported;
    }
    if (build->remarks) {
        int shown = show_remarks(build, &target);
        if (shown != EXIT_DONE || !build->stage) {
            target_free(&target);
            return shown;
        }
    }
    Emissions emissions = { 0 };
    int status = emit_variants(build, &target, &emissions);
    if (status == EXIT_DONE)
        status = put_out(build, target.file, &emissions);
    emissions_free(&emissions);
    target_free(&target);
    return status;
}

/* An edited text is for one kernel, and for a stage after it. */
static int check_edited(const BuildOptions *build)
{
    const EditedText *edited = &build->edited;
    const char *stage = build->stage ? build->stage->name : "";
    bool gpu = !strcmp(stage, "ptx") || !strcmp(stage, "cubin") || !strcmp(stage, "sass");
    if (!edited->file || (!strcmp(edited->stage, "cuda") ? gpu : !strcmp(stage, "so")))
        return EXIT_DONE;
    return bad_usage("--%s goes with --emit %s", edited->stage,
                     !strcmp(edited->stage, "cuda") ? "ptx, cubin or sass" : "so");
}

/* A page has one kernel, of one file, for one signature and one architecture. */
static int check_report(const BuildOptions *build)
{
    if (!build->report)
        return EXIT_DONE;
    if (build->form || build->edited.file || build->after || build->file_count > 1 ||
        build->signatures.count > 1 || build->archs.count > 1 || stage_is_ir(build->files[0]))
        return bad_usage(
            "--report shows a kernel of one file, for one --sig and one --arch, without "
            "--after, --cuda and --c, and no binary");
    return draft_check("--report", build->report) ? EXIT_DONE : EXIT_FAILED;
}

static int check_output(const BuildOptions *build)
{
    bool binary = build->form ? build->form->binary : build->stage && build->stage->binary;
    if (binary && !build->output && isatty(STDOUT_FILENO))
        return bad_usage("a %s is no text for a terminal: say -o FILE",
                         build->form ? build->form->name : build->stage->name);
    if (!build->form && build->output && build->file_count > 1 && !is_directory(build->output))
        return bad_usage("-o %s: for several files it must be a directory that exists",
                         build->output);
    if (build->output && !is_directory(build->output) && !draft_check("-o", build->output))
        return EXIT_FAILED;
    int status = check_report(build);
    return status == EXIT_DONE ? check_edited(build) : status;
}

static int build_all(BuildOptions *build)
{
    int worst = EXIT_DONE;
    if (build->form) {
        for (size_t i = 0; build->remarks && i < build->file_count; i++) {
            Target target = target_parse(build->files[i]);
            show_remarks(build, &target);
            target_free(&target);
        }
        return build_ahead(build);
    }
    for (size_t i = 0; worst != EXIT_COMMAND && i < build->file_count; i++) {
        int status = build_file(build, build->files[i]);
        if (status > worst)
            worst = status;
    }
    return worst;
}

int build_command(int argc, char **argv)
{
    BuildOptions build = { 0 };
    options_parse(&parser, argc, argv, &build);
    build.session.defines = &build.defines;

    doing_open(false, false);
    int status = check_output(&build);
    if (status == EXIT_DONE)
        status = edited_read(&build.edited);
    if (status == EXIT_DONE)
        status = build_all(&build);
    free(build.files);
    list_free(&build.signatures);
    list_free(&build.archs);
    edited_free(&build.edited);
    pairs_free(&build.defines);
    launching_free(&build.launch);
    many_free(&build.many);
    return status;
}
