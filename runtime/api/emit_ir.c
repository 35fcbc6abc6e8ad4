/* Stages of a kernel that is given as IR: for those who work on passes, and for their tests. */
#include "ir/text/text.h"
#include "runtime/binary/binary.h"
#include "runtime/cuda/nvrtc.h"

#include <string.h>

typedef struct IrRequest {
    const char *text, *name;
    const kjit_emit_options *options;
    const IrFacts *facts; /* NULL: those of the text */
    Dialect dialect;
    char *data; /* out */
    size_t length;
} IrRequest;

static bool is_stage(const IrRequest *request, const char *stage)
{
    return strcmp(request->options->stage, stage) == 0;
}

/* ---- text ---------------------------------------------------------------------------------- */

static kjit_status run_passes(const IrRequest *request, IrUnit *unit, Diags *diags)
{
    if (request->facts) {
        unit->launch = arena_new(unit->arena, IrLaunch);
        unit->launch->facts = *request->facts;
    }
    const char *broken =
        request->options->passes ? ir_run_listed(unit, request->options->passes, diags) : NULL;
    unit->remarks = NULL;
    return broken
               ? error_set(KJIT_INTERNAL, "error: internal error: %s; please report this", broken)
               : KJIT_OK;
}

static kjit_status give_ir(IrRequest *request, Arena *arena, const IrUnit *unit)
{
    Buf out;
    buf_init(&out, arena);
    ir_print(&out, unit, is_stage(request, "ir") ? IR_TEXT_PLAIN : IR_TEXT_FULL);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

static kjit_status give_remarks(IrRequest *request, Arena *arena, const Diags *diags)
{
    Buf out;
    buf_init(&out, arena);
    diags_render(diags, &out, false);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

/* ---- machine code -------------------------------------------------------------------------- */

static kjit_status give_machine(IrRequest *request, const IrUnit *unit, const Emitted *emitted)
{
    const BuildRequest build = {
        .text = emitted->text,
        .length = emitted->length,
        .entry = emitted->entry,
        .rounding = emitted->rounding,
        .call = unit->kernel->name,
        .options = unit->kernel->options,
        .static_shared = emitted->static_shared,
        .cooperative = emitted->cooperative,
        .recursive = emitted->recursive,
        .ordered_sums = emitted->ordered_sums,
    };
    const char *arch = request->options->arch ? request->options->arch : "sm_75";
    bool ptx = is_stage(request, "ptx");
    char *image;
    size_t length;

    KJIT_TRY(
        nvrtc_compile(&build, arch, ptx ? NVRTC_PTX : NVRTC_CUBIN, false, &image, &length, NULL));
    if (is_stage(request, "sass")) {
        kjit_status status = cubin_disassemble(image, length, &request->data, &request->length);
        memory_free(image);
        return status;
    }
    request->data = image;
    request->length = ptx ? strlen(image) : length;
    return KJIT_OK;
}

static kjit_status give_code(IrRequest *request, Arena *arena, IrUnit *unit, Diags *diags)
{
    Emitted emitted = { 0 };

    unit->unlined = request->options->without_lines;
    if (!emit_unit(arena, unit, request->dialect, diags, &emitted))
        return error_diags(diags);
    if (is_stage(request, "cuda") || is_stage(request, "c") || is_stage(request, "check"))
        return give_text(emitted.text, emitted.length, &request->data, &request->length);
    return give_machine(request, unit, &emitted);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static kjit_status emit(void *context, Arena *arena)
{
    IrRequest *request = context;
    Types types;
    Diags diags;

    types_init(&types, arena);
    diags_init(&diags, arena);
    const Source *source = source_new(arena, request->name, request->text, strlen(request->text));
    IrUnit *unit = ir_read(arena, &types, &diags, source);
    if (!unit)
        return error_diags(&diags);
    KJIT_TRY(run_passes(request, unit, &diags));
    if (is_stage(request, "remarks"))
        return give_remarks(request, arena, &diags);
    if (is_stage(request, "ir") || is_stage(request, "ir-full"))
        return give_ir(request, arena, unit);
    return give_code(request, arena, unit, &diags);
}

static kjit_status check_stage(const IrRequest *request)
{
    static const char *const stages[] = { "remarks", "ir",  "ir-full", "cuda", "c",
                                          "check",   "ptx", "cubin",   "sass" };
    for (size_t i = 0; request->options->stage && i < ARRAY_COUNT(stages); i++)
        if (is_stage(request, stages[i]))
            return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: IR has no stage '%s': it is remarks, ir, ir-full, cuda, c, check, "
                     "ptx, cubin or sass",
                     request->options->stage ? request->options->stage : "");
}

static kjit_status check_passes(const char *passes)
{
    char names[PASS_NAMES];
    const char *wrong = passes ? ir_list_wrong(passes) : NULL;
    if (!wrong)
        return KJIT_OK;
    ir_pass_names(names);
    return error_set(KJIT_ARGUMENT,
                     "error: there is no pass '%.*s'\n"
                     "note: there are all, forward, dce, exact, effects, cover, range, uniform, "
                     "unroll_ask, %s",
                     (int)strcspn(wrong, ","), wrong, names);
}

static kjit_status read_facts(IrRequest *request, IrFacts *facts)
{
    const char *text = request->options->facts, *wrong;
    if (!text)
        return KJIT_OK;
    if (strcmp(text, "launch") == 0 || strcmp(text, "hot") == 0)
        return error_set(KJIT_ARGUMENT, "error: facts of a launch need its arguments, and IR has "
                                        "none: it has a line 'launch' of its own");
    wrong = facts_read(text, facts);
    request->facts = facts;
    if (!wrong)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: no fact is called '%.*s': they are none, common, narrow, alone, "
                     "aligned, few_elements, tiny_arrays, small_scalars, positive_scalars, "
                     "multiples_4, multiples_16, shorts, longs, "
                     "many_blocks, large_grid "
                     "and block=16x16",
                     (int)strcspn(wrong, ","), wrong);
}

kjit_status kjit_emit_ir(const char *text, const char *name, const kjit_emit_options *options,
                         char **data, size_t *length)
{
    kjit_emit_options own = { .size = sizeof own };
    IrRequest request = { .text = text, .name = name, .options = &own };
    IrFacts facts = { 0 };

    *data = NULL;
    *length = 0;
    memcpy(&own, options, options->size < sizeof own ? options->size : sizeof own);
    KJIT_TRY(check_stage(&request));
    KJIT_TRY(check_passes(own.passes));
    KJIT_TRY(read_facts(&request, &facts));
    request.dialect = is_stage(&request, "check") ? DIALECT_CHECK
                      : is_stage(&request, "c")   ? DIALECT_C
                                                  : DIALECT_CUDA;
    KJIT_TRY(arena_run(emit, &request));
    *data = request.data;
    *length = request.length;
    return KJIT_OK;
}
