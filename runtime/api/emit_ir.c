/* Stages of a kernel that is given as IR, for work on passes and their tests. */
#include "ir/text/text.h"
#include "runtime/api/emit.h"

typedef struct IrRequest {
    const char *text, *name;
    const kjit_emit_options *options;
    const IrFacts *facts; /* NULL: those of the text */
    char *data;           /* out */
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

static kjit_status give_code(IrRequest *request, Arena *arena, IrUnit *unit, Diags *diags)
{
    const kjit_emit_options *options = request->options;
    Emitted emitted = { 0 };

    unit->unlined = options->without_lines;
    if (!emit_unit(arena, unit, emit_dialect(options->stage, false), diags, &emitted))
        return error_diags(diags);
    if (emit_is_text(options->stage))
        return give_text(emitted.text, emitted.length, &request->data, &request->length);
    const BuildRequest build = build_emitted(&emitted, &unit->kernel->options, unit->kernel->name);
    return emit_gpu(&build, options->arch ? options->arch : "sm_75", options->stage, &request->data,
                    &request->length);
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
    Buf out = buf_in(arena);
    if (is_stage(request, "remarks"))
        diags_render(&diags, &out);
    else if (is_stage(request, "ir") || is_stage(request, "ir-full"))
        emit_put_ir(&out, unit, request->options->stage);
    else
        return give_code(request, arena, unit, &diags);
    return give_text(buf_text(&out), out.length, &request->data, &request->length);
}

static kjit_status check_stage(const char *stage)
{
    static const char *const stages[] = { "remarks", "ir",  "ir-full", "cuda", "c",
                                          "check",   "ptx", "cubin",   "sass" };
    if (stage && TEXT_IS_AMONG(stage, stages))
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: IR has no stage '%s': it is remarks, ir, ir-full, cuda, c, check, "
                     "ptx, cubin or sass",
                     stage ? stage : "");
}

static kjit_status check_passes(const char *passes)
{
    char names[PASS_NAMES], says[PASS_WRONG];
    const char *wrong = passes ? ir_list_wrong(passes) : NULL;
    if (!wrong)
        return KJIT_OK;
    ir_pass_names(names);
    ir_pass_wrong(says, wrong);
    return error_set(KJIT_ARGUMENT,
                     "error: %s\n"
                     "note: there are all, forward, dce, exact, effects, cover, range, uniform, "
                     "unroll_ask, %s",
                     says, names);
}

static kjit_status read_facts(IrRequest *request, IrFacts *facts)
{
    const char *text = request->options->facts;
    if (!text)
        return KJIT_OK;
    if (strcmp(text, "launch") == 0 || strcmp(text, "hot") == 0)
        return error_set(KJIT_ARGUMENT, "error: facts of a launch need its arguments, and IR has "
                                        "none: it has a line 'launch' of its own");
    request->facts = facts;
    return emit_read_facts(text, "", facts);
}

kjit_status kjit_emit_ir(const char *text, const char *name, const kjit_emit_options *options,
                         char **data, size_t *length)
{
    kjit_emit_options own = { .size = sizeof own };
    IrRequest request = { .text = text, .name = name, .options = &own };
    IrFacts facts = { 0 };

    *data = NULL;
    *length = 0;
    SIZED_TAKE(&own, options);
    KJIT_TRY(check_stage(own.stage));
    KJIT_TRY(check_passes(own.passes));
    KJIT_TRY(read_facts(&request, &facts));
    KJIT_TRY(arena_run(emit, &request));
    *data = request.data;
    *length = request.length;
    return KJIT_OK;
}
