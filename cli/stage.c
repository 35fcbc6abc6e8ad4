#include "cli/stage.h"

/* "auto": for the GPU of this machine. */
static const Stage stages[] = {
    /* name    ending    of source  binary  device */
    { "tokens", "tokens", true, false, "cpu" },
    { "ast", "ast", true, false, "cpu" },
    { "remarks", "remarks", false, false, "cpu" },
    { "ir", "ir", false, false, "cpu" },
    { "ir-full", "full.ir", false, false, "cpu" },
    { "schedule", "schedule", false, false, "cpu" },
    { "estimate", "estimate", false, false, "cpu" },
    { "plan", "plan", false, false, "cpu" },
    { "cuda", "cu", false, false, "cpu" },
    { "c", "c", false, false, "cpu" },
    { "check", "check.c", false, false, "cpu" },
    { "ptx", "ptx", false, false, "auto" },
    { "cubin", "cubin", false, true, "auto" },
    { "sass", "sass", false, false, "auto" },
    { "so", "so", false, true, "cpu" },
};
enum { STAGES = sizeof stages / sizeof stages[0] };

const Stage *stage_at(size_t index)
{
    return index < STAGES ? &stages[index] : NULL;
}

const Stage *stage_find(const char *name)
{
    for (int i = 0; i < STAGES; i++)
        if (!strcmp(stages[i].name, name))
            return &stages[i];
    return NULL;
}

const Stage *stage_of_ending(const char *ending)
{
    for (int i = 0; i < STAGES; i++)
        if (!strcmp(stages[i].ending, ending))
            return &stages[i];
    return NULL;
}

void emissions_free(Emissions *emissions)
{
    for (size_t i = 0; i < emissions->count; i++) {
        free(emissions->list[i].kernel);
        kjit_free(emissions->list[i].data);
    }
    free(emissions->list);
    *emissions = (Emissions){ 0 };
}

static Emission *emissions_push(Emissions *emissions, const char *kernel)
{
    Emission *emission = &must_push(emissions->list, emissions->count);
    *emission = (Emission){ .kernel = kernel ? must_strndup(kernel, strlen(kernel)) : NULL };
    return emission;
}

/* ---- before kernels ------------------------------------------------------------------------- */

static int emit_source(const Target *target, const Stage *stage, Emissions *emissions)
{
    char *text = text_read(target->file);
    if (!text)
        return EXIT_FAILED;
    Emission *emission = emissions_push(emissions, NULL);
    kjit_status status =
        kjit_emit_source(text, target->file, stage->name, &emission->data, &emission->length);
    free(text);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- IR ------------------------------------------------------------------------------------- */

bool stage_is_ir(const char *file)
{
    size_t length = strlen(file);
    return length > 3 && !strcmp(file + length - 3, ".ir");
}

/* The text has a single kernel, with its name. */
static int emit_ir(const Target *target, const EmitRequest *request, Emissions *emissions)
{
    char *text = text_read(target->file);
    if (!text)
        return EXIT_FAILED;
    kjit_emit_options options = { .size = sizeof options,
                                  .stage = request->stage->name,
                                  .arch = request->arch,
                                  .facts = request->facts,
                                  .passes = request->session.passes,
                                  .without_lines = request->without_lines };
    Emission *emission = emissions_push(emissions, NULL);
    kjit_status status =
        kjit_emit_ir(text, target->file, &options, &emission->data, &emission->length);
    free(text);
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* The facts of launches: "launch" needs arguments and a shape, else it means "common". */
static const char *facts_for(const EmitRequest *request, bool known)
{
    const char *facts = request->facts;
    if (!facts && known && !strcmp(request->stage->name, "estimate"))
        return "hot";
    if (!facts && (request->after || !strcmp(request->stage->name, "schedule")))
        facts = "launch";
    return facts && !strcmp(facts, "launch") && !known ? "common" : facts;
}

/* The shape of the launch that a stage is of: the one that is given, else the @example's; of what
** is given without one, as for `kjit run`. */
static bool shape_of(kjit_kernel *kernel, const EmitRequest *request, const kjit_arg *args,
                     kjit_launch_config *config)
{
    bool chosen;
    if (request->launch && args)
        return launching_shape(request->launch, kernel, args, config, &chosen) == KJIT_OK;
    return kjit_example_config(kernel, config) == KJIT_OK && config->block[0];
}

static int emit_with(kjit_kernel *kernel, const EmitRequest *request, const kjit_arg *args,
                     Emission *emission)
{
    kjit_launch_config config = { .size = sizeof config };
    bool shaped = shape_of(kernel, request, args, &config);
    kjit_emit_options options = {
        .size = sizeof options,
        .stage = request->stage->name,
        .signature = request->signature,
        .args = args,
        .arg_count = args ? kjit_param_count(kernel) : 0,
        .arch = request->arch,
        .text = request->edited ? request->edited->text : NULL,
        .text_name = request->edited ? request->edited->file : NULL,
        .facts = facts_for(request, args != NULL),
        .after = request->after,
        .config = shaped ? &config : NULL,
        .without_lines = request->without_lines,
        .ranks = request->ranks,
        .wishes = request->many ? request->many->list : NULL,
        .wish_count = request->many ? request->many->count : 0,
    };
    kjit_status status = kjit_emit(kernel, &options, &emission->data, &emission->length);
    if (status != KJIT_OK && request->why) {
        const char *message = kjit_error_message();
        *request->why = must_strndup(message, strlen(message));
        return EXIT_FAILED;
    }
    bool defines = request->session.defines && request->session.defines->count;
    if (status == KJIT_ARGUMENT && !args && !request->signature && !defines)
        return bad_usage("%s has no @example to take its types from: say --sig '%s(TYPE, ...)'",
                         kjit_kernel_name(kernel), kjit_kernel_name(kernel));
    return status == KJIT_OK ? EXIT_DONE : complain_status(status);
}

/* The types are --sig's, else the example's, else the decorator's. */
static int emit_kernel(kjit_module *module, kjit_kernel *kernel, const EmitRequest *request,
                       Emission *emission)
{
    kjit_values *values = NULL;
    kjit_arg *args = NULL;
    bool has_example = false;
    int status = EXIT_DONE;

    bool given = request->launch && request->launch->values.count;
    if (!request->signature) {
        kjit_status made = kjit_values_new(&values);
        status = made != KJIT_OK ? complain_status(made)
                 : given         ? launching_values(request->launch, module, kernel, values)
                                 : session_example(kernel, values, &has_example);
    }
    if (status == EXIT_DONE && (has_example || given))
        status = session_args(kernel, values, &args);
    if (status == EXIT_DONE)
        status = emit_with(kernel, request, args, emission);
    free(args);
    kjit_values_close(values);
    return status;
}

/* How much of a signature stands before the parentheses around its types. */
static size_t length_before_types(const char *signature)
{
    size_t at = strlen(signature), depth = 0;

    while (at-- > 0) {
        depth += signature[at] == ')';
        if (signature[at] == '(' && depth && --depth == 0)
            return at;
    }
    return 0;
}

int kernel_of_signature(kjit_module *module, const char *signature, kjit_kernel **kernel)
{
    const size_t length = signature ? length_before_types(signature) : 0;
    char *name = length ? must_strndup(signature, length) : NULL;

    *kernel = NULL;
    kjit_status status = name ? kjit_get_kernel(module, name, kernel) : KJIT_OK;
    const bool expression = name && strpbrk(name, "[("); /* no result's type */
    free(name);
    return status != KJIT_OK && expression ? complain_status(status) : EXIT_DONE;
}

/* Continues after an error in a kernel, to report those of all. */
static int emit_all(const Session *session, const EmitRequest *request, Emissions *emissions)
{
    int worst = EXIT_DONE;
    for (size_t i = 0; i < kjit_kernel_count(session->module); i++) {
        kjit_kernel *kernel;
        const char *name = kjit_kernel_name_at(session->module, i);
        kjit_status status = kjit_get_kernel(session->module, name, &kernel);
        int emitted = status == KJIT_OK ? emit_kernel(session->module, kernel, request,
                                                      emissions_push(emissions, name))
                                        : complain_status(status);
        if (emitted > worst)
            worst = emitted;
    }
    return worst;
}

static int emit_kernels(const Session *session, const Target *target, const EmitRequest *request,
                        Emissions *emissions)
{
    kjit_kernel *kernel = NULL;
    size_t count = kjit_kernel_count(session->module);
    int status = target->kernel ? EXIT_DONE
                                : kernel_of_signature(session->module, request->signature, &kernel);
    if (status != EXIT_DONE)
        return status;
    if (!kernel && !target->kernel && count != 1 && !(count && request->signature)) {
        if (count)
            return emit_all(session, request, emissions);
        complain(kjit_module_is_program(session->module)
                     ? "%s has no kernels: kjit run %s --emit STAGE shows those of its expressions"
                     : "%s has no kernels",
                 target->file, target->file);
        return EXIT_PROGRAM;
    }
    status = kernel ? EXIT_DONE : session_kernel(session, target, &kernel);
    if (status != EXIT_DONE)
        return status;
    return emit_kernel(session->module, kernel, request,
                       emissions_push(emissions, kjit_kernel_name(kernel)));
}

int stage_emit(const Target *target, const EmitRequest *request, Emissions *emissions)
{
    if (request->stage->of_source)
        return emit_source(target, request->stage, emissions);
    if (stage_is_ir(target->file))
        return emit_ir(target, request, emissions);

    Session session;
    SessionOptions options = request->session;
    if (!options.device)
        options.device = request->arch ? "cpu" : request->stage->device;
    int status = session_open(&session, target->file, &options);
    if (status == EXIT_DONE)
        status = emit_kernels(&session, target, request, emissions);
    session_close(&session);
    return status;
}
