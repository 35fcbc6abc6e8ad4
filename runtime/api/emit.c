/* What a kernel looks like after each stage, for people and for builds ahead of time. */
#include "ir/schedule/cost.h"
#include "ir/schedule/schedule.h"
#include "ir/text/text.h"
#include "runtime/api/emit.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/launch/hot.h"
#include "runtime/launch/variant.h"
#include "runtime/array/array.h"
#include "runtime/many/plan.h"

typedef struct EmitRequest {
    kjit_kernel *kernel;
    const kjit_emit_options *options;
    const uint32_t *key;
    int key_length;
    const char *arch;  /* of a GPU */
    CodeTarget target; /* the processor, for "so" */
    char *data;        /* out */
    size_t length;
    IrFacts facts;
    HotValues values; /* that `facts` points to */
    bool optimised;
    KernelRequest translation;
} EmitRequest;

static bool is_stage(const EmitRequest *request, const char *stage)
{
    return strcmp(request->options->stage, stage) == 0;
}

static bool is_ir(const EmitRequest *request)
{
    return is_stage(request, "ir") || is_stage(request, "ir-full") ||
           is_stage(request, "schedule") || is_stage(request, "estimate");
}

/* What a launch of the kernel would cost on a GPU. */
static void print_estimate(const EmitRequest *request, Buf *out)
{
    const kjit_launch_config *config = request->options->config;
    const Machine *machine = machine_of(request->arch);
    CostLaunch launch = { &request->facts, { 1, 1, 1 }, { 1, 1, 1 } };

    for (int k = 0; k < 3 && config; k++) {
        launch.grid[k] = config->grid[k] ? config->grid[k] : 1;
        launch.block[k] = config->block[k] ? config->block[k] : 1;
    }
    const Cost cost = cost_of(request->translation.unit, machine, &launch);
    cost_print(out, &cost, machine);
}

void emit_put_ir(Buf *out, const IrUnit *unit, const char *stage)
{
    ir_print(out, unit, strcmp(stage, "ir") == 0 ? IR_TEXT_PLAIN : IR_TEXT_FULL);
}

static void print_unit(const EmitRequest *request, Buf *out)
{
    const IrUnit *unit = request->translation.unit;

    if (is_stage(request, "estimate"))
        print_estimate(request, out);
    else if (is_stage(request, "schedule"))
        schedule_print(out, unit->schedule);
    else
        emit_put_ir(out, unit, request->options->stage);
}

/* Whether the stage is on the way to the processor, or wanted as it is there. */
static bool is_c(const EmitRequest *request)
{
    return is_stage(request, "c") || is_stage(request, "so") ||
           (request->target.kind == TARGET_CPU && !is_stage(request, "cuda"));
}

bool emit_is_text(const char *stage)
{
    static const char *const texts[] = { "cuda", "c", "check" };

    return TEXT_IS_AMONG(stage, texts);
}

Dialect emit_dialect(const char *stage, bool c)
{
    if (strcmp(stage, "check") == 0)
        return DIALECT_CHECK;
    return c || strcmp(stage, "c") == 0 ? DIALECT_C : DIALECT_CUDA;
}

kjit_status give_text(const char *text, size_t length, char **data, size_t *out_length)
{
    *data = memory_alloc(length + 1);
    if (!*data)
        return error_memory();
    memcpy(*data, text, length);
    (*data)[length] = '\0';
    *out_length = length;
    return KJIT_OK;
}

/* How the launch would be split over ranks. */
static kjit_status emit_plan(EmitRequest *request, Arena *arena)
{
    const kjit_emit_options *options = request->options;
    ManyWish *wishes;
    SplitPlan plan;

    if (!request->key || !options->config)
        return error_set(KJIT_ARGUMENT, "error: a plan needs a launch: its arguments and its grid");
    KJIT_TRY(plan_read_wishes(arena, request->kernel, options->args, options->wishes,
                              options->wish_count, &wishes));
    KJIT_TRY(plan_make(arena, request->kernel, options->config, options->args, options->arg_count,
                       wishes, options->ranks ? options->ranks : 4, NULL, &plan));
    Buf out = buf_in(arena);
    split_print(&out, &plan);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

/* The front end's part, in an arena that outlives it. */
static kjit_status translate(void *context, Arena *arena)
{
    EmitRequest *request = context;
    KernelRequest *translation = &request->translation;

    if (is_stage(request, "plan"))
        return emit_plan(request, arena);
    *translation = (KernelRequest){
        .kernel = request->kernel,
        .key = request->key,
        .key_length = request->key_length,
        .signature_text = request->options->signature,
        .dialect = emit_dialect(request->options->stage, is_c(request)),
        .arch = request->arch,
        .facts = request->optimised ? &request->facts : NULL,
        .after = request->options->after,
        .without_lines = request->options->without_lines,
        .stop_at_ir = is_ir(request),
        .want_remarks = is_stage(request, "remarks"),
    };
    KJIT_TRY(compile_kernel(arena, translation));
    if (translation->want_remarks)
        return give_text(translation->remarks, strlen(translation->remarks), &request->data,
                         &request->length);
    if (!translation->stop_at_ir)
        return KJIT_OK;
    Buf out = buf_in(arena);
    print_unit(request, &out);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

/* ---- machine code ------------------------------------------------------------------------ */

kjit_status emit_gpu(const BuildRequest *build, const char *arch, const char *stage, char **data,
                     size_t *length)
{
    bool ptx = strcmp(stage, "ptx") == 0;
    char *image;

    KJIT_TRY(
        nvrtc_compile(build, arch, ptx ? NVRTC_PTX : NVRTC_CUBIN, false, &image, length, NULL));
    if (strcmp(stage, "sass") == 0) {
        kjit_status status = cubin_disassemble(image, *length, data, length);
        memory_free(image);
        return status;
    }
    *data = image;
    *length = ptx ? strlen(image) : *length;
    return KJIT_OK;
}

/* A shared object, with what kjit needs to launch it. */
static kjit_status emit_object(EmitRequest *request, const BuildRequest *build)
{
    char *object;
    size_t length;

    KJIT_TRY(target_compile(build, request->arch, &request->target, &object, &length));
    kjit_status status =
        object_wrap(request->kernel, &request->translation, request->arch, build->edited, object,
                    length, &request->data, &request->length);
    memory_free(object);
    return status;
}

static kjit_status emit_code(EmitRequest *request, const BuildRequest *build)
{
    return is_stage(request, "so") ? emit_object(request, build)
                                   : emit_gpu(build, request->arch, request->options->stage,
                                              &request->data, &request->length);
}

static kjit_status emit_machine(EmitRequest *request)
{
    const kjit_emit_options *options = request->options;
    BuildRequest build = build_request(&request->translation);
    char *edited;

    if (!options->text)
        return emit_code(request, &build);
    build.edited = options->text_name ? options->text_name : "edited text";
    KJIT_TRY(edited_text(&request->translation.emitted, options->text, build.edited, &edited));
    build.text = edited;
    build.length = strlen(edited);
    kjit_status status = emit_code(request, &build);
    memory_free(edited);
    return status;
}

static kjit_status emit_after_front(EmitRequest *request)
{
    const Emitted *emitted = &request->translation.emitted;

    if (is_ir(request) || is_stage(request, "remarks") || is_stage(request, "plan"))
        return KJIT_OK;
    if (emit_is_text(request->options->stage))
        return give_text(emitted->text, emitted->length, &request->data, &request->length);
    return emit_machine(request);
}

static bool known_stage(const char *stage)
{
    static const char *const stages[] = { "remarks", "ir", "ir-full", "schedule", "estimate",
                                          "cuda",    "c",  "check",   "ptx",      "cubin",
                                          "sass",    "so", "plan" };

    return stage && TEXT_IS_AMONG(stage, stages);
}

static kjit_status check_source(const kjit_kernel *kernel)
{
    if (!kernel->module->compiled)
        return KJIT_OK;
    return error_set(KJIT_UNSUPPORTED, "error: %s comes from a binary, and has no stages to show",
                     kernel->info->name);
}

/* What machine code is for. */
static kjit_status choose_arch(EmitRequest *request, const Device *device)
{
    const char *arch = request->options->arch;
    bool so = is_stage(request, "so");

    if (!arch)
        arch = so ? "cpu" : device->arch[0] ? device->arch : "sm_75";
    request->arch = arch;
    bool either = is_ir(request) || is_stage(request, "remarks") || is_stage(request, "plan");
    bool known = target_read(arch, &request->target);
    bool cpu = request->target.kind == TARGET_CPU;
    if (known && (so == cpu || (either && cpu)))
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     so ? "error: a shared object is for cpu, cpu:x86-64-v2, cpu:x86-64-v3, "
                          "cpu:x86-64-v4 or cpu:native, not for '%s'"
                        : "error: that stage is for GPUs, sm_90 and the like, not for '%s'",
                     arch);
}

/* Of the launch, and with `hot` as of one like many before it. */
static kjit_status launch_facts(EmitRequest *request, const Device *device, bool hot)
{
    const kjit_emit_options *options = request->options;

    if (!request->key)
        return error_set(KJIT_ARGUMENT, "error: facts of a launch need its arguments");
    facts_of_launch(options->args, options->arg_count, options->config, device, &request->facts);
    if (is_c(request) && device->ops->host_memory) /* as the launch itself is compiled */
        request->facts.grid_size = grid_size_of_processor(options->config, device->limits.workers);
    if (!hot)
        return KJIT_OK;
    hot_values(options->args, options->arg_count, &request->values);
    request->facts.values = request->values.count > 0 ? request->values.of : NULL;
    request->facts.value_count = request->values.count;
    return KJIT_OK;
}

kjit_status emit_read_facts(const char *text, const char *others, IrFacts *facts)
{
    const char *wrong = facts_read(text, facts);
    size_t length = wrong ? strcspn(wrong, ",") : 0;

    for (const char *other = others; wrong && *other; other += strcspn(other, " ") + 1)
        if (strncmp(other, wrong, length) == 0 && other[length] == ',')
            return error_set(KJIT_ARGUMENT,
                             "error: '%.*s' stands for all facts, and has none beside it",
                             (int)length, wrong);
    return wrong ? error_set(KJIT_ARGUMENT, "error: no fact is called '%.*s': they are %s%s",
                             (int)length, wrong, others, launch_fact_names)
                 : KJIT_OK;
}

static kjit_status read_facts(EmitRequest *request, const Device *device)
{
    const kjit_emit_options *options = request->options;

    request->optimised = options->facts != NULL;
    if (options->after && !ir_is_pass(options->after)) {
        char names[PASS_NAMES], says[PASS_WRONG];
        ir_pass_names(names);
        ir_pass_wrong(says, options->after);
        return error_set(KJIT_ARGUMENT, "error: %s\nnote: there are %s", says, names);
    }
    if (!options->facts)
        return KJIT_OK;
    bool hot = strcmp(options->facts, "hot") == 0;
    if (hot || strcmp(options->facts, "launch") == 0)
        return launch_facts(request, device, hot);
    return emit_read_facts(options->facts, "launch, hot, ", &request->facts);
}

kjit_status kjit_emit(kjit_kernel *kernel, const kjit_emit_options *options, char **data,
                      size_t *length)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_emit_options own = { .size = sizeof own };
    kjit_module *module = kernel->module;
    const Device *device = module->context->device;
    uint32_t key[KEY_MAX];
    Arena arena;

    *data = NULL;
    *length = 0;
    SIZED_TAKE(&own, options);
    EmitRequest request = { .kernel = kernel, .options = &own };
    KJIT_TRY(check_source(kernel));
    if (!known_stage(own.stage))
        return error_set(
            KJIT_ARGUMENT,
            "error: there is no stage '%s': it is remarks, ir, ir-full, schedule, estimate, "
            "plan, cuda, c, "
            "check, ptx, cubin, sass or so",
            own.stage ? own.stage : "");
    KJIT_TRY(choose_arch(&request, device));
    bool declared = own.arg_count == 0 && kernel->info->signature;
    if (!own.signature && !declared) {
        if (own.arg_count != (size_t)kernel->param_count)
            return error_set(KJIT_ARGUMENT,
                             "error: %s has %d parameters, and %zu arguments say their types",
                             kernel->info->name, kernel->param_count, own.arg_count);
        KJIT_TRY(
            signature_pack(own.args, own.arg_count, kernel->param_names, key, &request.key_length));
        request.key = key;
    }
    KJIT_TRY(read_facts(&request, device));
    WatchPlace *place =
        watch_begin(&module->context->watch, KJIT_COMPILING, kernel->info->name, clock_ms());
    arena_init(&arena, NULL);
    forks_lock(&module->lock);
    kjit_status status = arena_catch(&arena, translate, &request);
    forks_unlock(&module->lock);
    if (status == KJIT_OK)
        status = emit_after_front(&request);
    arena_free(&arena);
    watch_end(place);
    *data = request.data;
    *length = request.length;
    return status;
}

/* ---- tokens and trees ------------------------------------------------------------------- */

typedef struct SourceRequest {
    const char *text, *name;
    bool tokens;
    char *data;
    size_t length;
} SourceRequest;

static kjit_status print_source(void *context, Arena *arena)
{
    SourceRequest *request = context;
    Diags diags;

    diags_init(&diags, arena);
    Buf out = buf_in(arena);
    const Source *source = source_new(arena, request->name, request->text, strlen(request->text));
    if (request->tokens) {
        tokens_print(arena, &out, &diags, source);
    } else {
        const AstModule *module = parse_module(arena, &diags, source);
        if (module && !diags.errors)
            ast_print_module(&out, module);
    }
    if (diags.errors)
        return error_diags(&diags);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

kjit_status kjit_emit_source(const char *text, const char *name, const char *stage, char **data,
                             size_t *length)
{
    SourceRequest request = { .text = text, .name = name, .tokens = strcmp(stage, "tokens") == 0 };

    *data = NULL;
    *length = 0;
    if (!request.tokens && strcmp(stage, "ast") != 0)
        return error_set(KJIT_ARGUMENT, "error: there is no stage '%s': it is tokens or ast",
                         stage);
    KJIT_TRY(arena_run(print_source, &request));
    *data = request.data;
    *length = request.length;
    return KJIT_OK;
}
