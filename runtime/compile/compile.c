/* The compiler in a page: from text to a bound module, and from a kernel and the types of its
** arguments to CUDA C or C. A stage that returns NULL or false has already said why.
**
**     text -- parse_module --> AST -- module_bind --> Module
**     Module, Signature -- ir_lower --> IR -- ir_run_passes --> IR -- emit_unit --> text */
#include "ir/schedule/schedule.h"
#include "runtime/array/array.h"
#include "runtime/compile/compile.h"

bool compile_module(Arena *arena, ModuleRequest *request)
{
    size_t errors_before = request->diags->errors;

    request->ast = parse_module(arena, request->diags, request->source);
    if (!request->ast || request->diags->errors > errors_before)
        return false;
    module_bind(request->module, request->diags, request->ast, request->is_main, request->finder,
                request->finder_context);
    return true;
}

typedef struct Library {
    Arena *arena;
    Diags *diags;
} Library;

/* A module of the standard library, for a kernel that uses a name it defines. */
static Module *find_library(void *context, const char *name, Span span, const char **why)
{
    Library *library = context;
    const char *text = stdlib_find(name);

    (void)span;
    (void)why;
    if (!text)
        return NULL;
    name = arena_printf(library->arena, "std:%s", name);
    ModuleRequest request = {
        .source = source_new(library->arena, name, text, strlen(text)),
        .module = module_new(library->arena, name),
        .finder = find_library,
        .finder_context = library,
        .diags = library->diags,
    };
    return compile_module(library->arena, &request) ? request.module : NULL;
}

/* A file that is linked, as a source. */
static const Source *read_linked(Arena *arena, const char *path, const char **why)
{
    jmp_buf exhausted, *outer = arena->exhausted;
    char *text;
    size_t length;
    kjit_status status = file_read(path, SOURCE_MAX, &text, &length);

    if (status == KJIT_MEMORY)
        arena_give_up(arena);
    if (status != KJIT_OK) {
        const char *message = kjit_error_message();
        *why = arena_strdup(arena, strncmp(message, "error: ", 7) ? message : message + 7);
        return NULL;
    }
    char *volatile held = text;
    if (setjmp(exhausted)) {
        memory_free(held);
        arena->exhausted = outer;
        arena_give_up(arena);
    }
    arena->exhausted = &exhausted;
    const Source *source = source_new(arena, path, held, length);
    arena->exhausted = outer;
    memory_free(held);
    return source;
}

/* The request to the lowering, but for the kernel. */
static LowerRequest lowering_in(const kjit_module *module, Library *library)
{
    return (LowerRequest){
        .module = module->main->module,
        .defines = module->defines,
        .define_count = module->define_count,
        .debug = module->debug,
        .fastmath = module->fastmath,
        .matmul = module->matmul,
        .library = find_library,
        .library_context = library,
        .read = read_linked,
    };
}

/* The same, but for the signature. */
static LowerRequest lowering_of(const KernelRequest *request, Library *library)
{
    LowerRequest lowering = lowering_in(request->kernel->module, library);

    lowering.kernel = request->kernel->info->name;
    lowering.signature = request->signature;
    lowering.checked = request->dialect == DIALECT_CHECK;
    lowering.remarks = request->want_remarks || request->dialect == DIALECT_CHECK;
    lowering.meanings = request->meanings;
    return lowering;
}

void compile_decide(Arena *arena, const kjit_module *module)
{
    Types types;
    Diags diags;

    types_init(&types, arena);
    diags_init(&diags, arena);
    Library library = { arena, &diags };
    LowerRequest lowering = lowering_in(module, &library);
    ir_decide_kernels(arena, &types, &lowering);
    module_settle_kernels(module->main->module);
}

bool compile_find(Arena *arena, Diags *diags, const kjit_module *module, const char *text,
                  KernelInfo *info)
{
    Types types;

    types_init(&types, arena);
    Library library = { arena, diags };
    LowerRequest lowering = lowering_in(module, &library);
    lowering.kernel = text;
    return ir_find_kernel(arena, &types, diags, &lowering, info);
}

static IrUnit *lower(Arena *arena, Types *types, Diags *diags, const KernelRequest *request)
{
    Library library = { arena, diags };
    LowerRequest lowering = lowering_of(request, &library);

    return ir_lower(arena, types, diags, &lowering);
}

/* The types of a signature that names the kernel as it was asked for, by any expression; else all
** of it. */
static const char *after_name(const char *signature, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(signature, name, length) == 0 && signature[length] == '(' ? signature + length
                                                                             : signature;
}

/* The signature that the caller wrote or, without one, the first that the decorator declares. */
static AstExpr *signature_ast(Arena *arena, Diags *diags, const KernelRequest *request)
{
    const char *text = request->signature_text, *from = text ? "<given signature>" : "<signature>";
    AstExpr *declared = request->kernel->info->signature;

    if (!text && declared->kind != AST_STRING)
        return declared;
    text = text ? after_name(text, request->kernel->info->name) : declared->string.text;
    return parse_expression(arena, diags, source_new(arena, from, text, strlen(text)));
}

/* numba writes what a kernel returns where kjit writes its name. */
static bool is_result(const char *name)
{
    return strcmp(name, "void") == 0 || strcmp(name, "none") == 0;
}

/* What a namedtuple of the module, called with types, means in a signature: their tuple. */
typedef struct TupleNamer {
    Types *types;
    Diags *diags;
    const Module *module;
} TupleNamer;

static const Type *named_type(void *context, const AstExpr *expr)
{
    const TupleNamer *names = context;
    bool call = expr->kind == AST_CALL && expr->call.function->kind == AST_NAME;

    return call && module_namedtuple(names->module, expr->call.function->name.name)
               ? types_from_ast(names->types, names->diags, &expr->call.args)
               : NULL;
}

/* Whether a signature's name is the kernel's, or that of the function that it is. */
static bool is_kernel(const KernelInfo *info, const char *name)
{
    return strcmp(name, info->name) == 0 || strcmp(name, info->ast->name) == 0;
}

/* Reads a signature as text: "name(types)", "void(types)" or "(types)". */
static bool read_signature(Arena *arena, Types *types, Diags *diags, KernelRequest *request)
{
    const char *name = NULL;
    const KernelInfo *info = request->kernel->info;
    AstExpr *expr = signature_ast(arena, diags, request);
    TupleNamer names = { types, diags, request->kernel->module->main->module };
    Library library = { arena, diags };
    LowerRequest lowering = lowering_of(request, &library);

    types->named = named_type;
    types->named_context = &names;
    bool read =
        expr && ir_read_signature(arena, types, diags, &lowering, expr, &name, &request->signature);
    types->named = NULL;
    if (!read)
        return false;
    if (request->signature_text && name && !is_kernel(info, name) && !is_result(name))
        return type_by_name(name)
                   ? diag_error(
                         diags, expr->span,
                         "a kernel returns nothing, and the signature says %s; write void(...)",
                         name)
                   : diag_error(diags, expr->span, "the signature is of '%s', the kernel is '%s'",
                                name, info->name);
    if (request->signature.count != request->kernel->param_count)
        return diag_error(diags, expr->span, "%d type%s for the %d parameter%s of '%s'",
                          request->signature.count, request->signature.count == 1 ? "" : "s",
                          request->kernel->param_count,
                          request->kernel->param_count == 1 ? "" : "s", info->name);
    return true;
}

static bool find_signature(Arena *arena, Types *types, Diags *diags, KernelRequest *request)
{
    if (!request->key)
        return read_signature(arena, types, diags, request);
    request->signature = signature_unpack(arena, types, request->key, request->key_length);
    return true;
}

static const char *call_text(Arena *arena, const KernelRequest *request)
{
    Buf out = buf_in(arena);
    signature_print(&out, request->kernel->info->name, request->signature);
    return buf_text(&out);
}

/* Kernels that are looked into, and those that say so, stay as they are written. */
static bool may_optimise(const IrOptions *options)
{
    return !options->debug && !options->deterministic && options->opt > 0;
}

/* After an error no stage emits anything, whatever it was that went on: that is seen to here. */
static kjit_status check_sound(const Diags *diags, const char *broken)
{
    if (diags->errors)
        return error_diags(diags);
    if (broken)
        return error_set(KJIT_INTERNAL, "error: internal error: %s; please report this", broken);
    return KJIT_OK;
}

/* Of a GPU that passes know something of: from the first on that has asynchronous copies. */
static int arch_number(const char *arch)
{
    enum { FIRST = 80 };
    int number;

    return arch && sscanf(arch, "sm_%d", &number) == 1 && number >= FIRST ? number : 0;
}

/* The schedule for the passes: the caller's, else the one of the kernel's decorator. */
static Schedule *read_schedule(Arena *arena, Diags *diags, const KernelRequest *request)
{
    const KernelInfo *info = request->kernel->info;
    const Source *given = request->kernel->module->schedule;
    Schedule *schedule = schedule_new(arena);
    bool processor = request->dialect == DIALECT_C;
    Span whole = { given, 0, given ? (uint32_t)given->length : 0 };

    if (given)
        schedule_read(schedule, diags, whole, info->name, processor);
    if (!schedule->is_given && info->schedule.source)
        schedule_read(schedule, diags, info->schedule, info->name, processor);
    schedule_begin(schedule, request->unit);
    return schedule;
}

/* The form that a kernel names for its products is used, or it is an error. */
static void judge_matmul(const IrUnit *unit, Diags *diags)
{
    if (!unit->unmet)
        return;
    diag_error(diags, unit->unmet_at,
               "tensor cores cannot multiply here, as matmul=\"%s\" asks: %s",
               ir_tile_name((TileForm)unit->kernel->options.matmul), unit->unmet);
    if (unit->unmet_by.source && unit->unmet_by.begin != unit->unmet_at.begin)
        diag_note(diags, unit->unmet_by, "it is this that forbids it");
}

static kjit_status optimise(Arena *arena, Diags *diags, KernelRequest *request)
{
    IrPlan plan = {
        .facts = request->facts,
        .processor = request->dialect == DIALECT_C,
        .set = request->kernel->module->passes,
        .arch = arch_number(request->arch),
        .unroll = request->kernel->module->unroll,
        .after = request->after,
        .remarks = request->want_remarks ? diags : NULL,
    };
    IrOptions *options = &request->unit->kernel->options;
    const char *broken;

    plan.set.without |= request->set.without;
    request->launch_bound = options->launch_threads;
    if (request->kernel->module->max_registers)
        options->max_registers = request->kernel->module->max_registers;
    if (!options->launch_threads)
        options->launch_threads = request->block_threads;
    if (may_optimise(options) && request->dialect != DIALECT_CHECK) {
        plan.schedule = plan.facts ? read_schedule(arena, diags, request) : NULL;
        if (diags->errors)
            return error_diags(diags);
        broken = ir_run_passes(request->unit, &plan);
        judge_matmul(request->unit, diags);
        if (plan.schedule && !plan.after && !broken)
            schedule_judge(plan.schedule, &plan, diags);
    } else {
        broken = ir_run_passes(request->unit, NULL);
        if (plan.remarks && plan.facts)
            diag_remark(diags, request->unit->kernel->span, "nothing is optimised: %s",
                        options->debug           ? "it is compiled for debug"
                        : options->deterministic ? "deterministic=True"
                                                 : "opt=False");
    }
    return check_sound(diags, broken);
}

kjit_status compile_signature(Arena *arena, KernelRequest *request)
{
    Types types;
    Diags diags;

    types_init(&types, arena);
    diags_init(&diags, arena);
    if (!request->signature_text && !request->kernel->info->signature)
        return error_set(KJIT_ARGUMENT, "error: %s declares no signature, and none is given",
                         request->kernel->info->name);
    return find_signature(arena, &types, &diags, request) ? KJIT_OK : error_diags(&diags);
}

/* Remarks of the types, which the checker reports in its own way. */
static void take_remarks(Arena *arena, Diags *diags, KernelRequest *request)
{
    Diag *taken = arena_array(arena, Diag, diags->count);

    if (diags->count)
        memcpy(taken, diags->list, diags->count * sizeof *taken);
    request->widened = taken;
    request->widened_count = diags->count;
    diags_truncate(diags, 0);
}

kjit_status compile_kernel(Arena *arena, KernelRequest *request)
{
    Types types;
    Diags diags;

    types_init(&types, arena);
    diags_init(&diags, arena);
    if (!find_signature(arena, &types, &diags, request))
        return error_diags(&diags);
    request->call = call_text(arena, request);
    request->unit = lower(arena, &types, &diags, request);
    if (!request->unit)
        return error_diags(&diags);
    if (request->dialect == DIALECT_CHECK)
        take_remarks(arena, &diags, request);
    KJIT_TRY(optimise(arena, &diags, request));
    if (request->want_remarks) {
        if (request->dialect == DIALECT_C) /* it has remarks too */
            emit_unit(arena, request->unit, DIALECT_C, &diags, &request->emitted);
        Buf out = buf_in(arena);
        diags_render(&diags, &out);
        request->remarks = buf_text(&out);
        return KJIT_OK;
    }
    if (request->stop_at_ir)
        return KJIT_OK;
    request->unit->nan = request->nan;
    request->unit->unlined = request->without_lines;
    return emit_unit(arena, request->unit, request->dialect, &diags, &request->emitted)
               ? KJIT_OK
               : error_diags(&diags);
}
