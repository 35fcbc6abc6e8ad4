/* The unit: the prelude's pieces, the structs, device functions with callees first, the kernel.
**
** Functions are written first, since only they tell which pieces and structs the unit needs; the
** text is put together at the end. */
#include "codegen/emit/emit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------- */

/* How well a line may be broken behind `text[i]`: 2 well, 1 if need be, 0 not at all. */
static int break_worth(const char *text, int i)
{
    if (text[i] != ' ' || i == 0)
        return 0;
    if (strchr(",;", text[i - 1]))
        return 2;
    if (i < 2 || !strchr(" &|", text[i - 2]))
        return 0;
    return strchr("?:+-|&", text[i - 1]) ? 2 : strchr("=*/", text[i - 1]) ? 1 : 0;
}

/* Where a line that is too long for `columns` is best broken: where the fewest brackets are open,
** and late; 0 if nowhere. */
static int break_column(const char *text, int columns)
{
    int depth = 0, best = 0, best_score = INT_MAX;
    bool quoted = false;

    for (int i = 0; text[i] && i < columns; i++) {
        int worth = quoted ? 0 : break_worth(text, i), score;
        if (text[i] == '\\' && quoted)
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (strchr("([{", text[i]) != NULL) - (strchr(")]}", text[i]) != NULL);
        score = 2 * depth - worth;
        if (i < columns / 3 || !worth || score > best_score)
            continue;
        best = i;
        best_score = score;
    }
    return best;
}

/* Puts a line at the depth, in pieces if it is beyond 100 columns. */
static void put_broken(Emitter *e, const char *text)
{
    enum { COLUMNS = 100 };
    int indent = 4 * e->depth;
    bool whole = *text == '#' || strchr(text, '\n') || (*text && text[strlen(text) - 1] == '\\');

    for (;;) {
        int length = (int)strlen(text), at = 0;
        if (!whole && indent + length > COLUMNS)
            at = break_column(text, COLUMNS - indent);
        buf_printf(e->out, "%*s", indent, "");
        buf_put(e->out, text, (size_t)(at ? at : length));
        buf_putc(e->out, '\n');
        e->line++;
        if (!at)
            return;
        text += at + 1;
        indent = 4 * e->depth + 8;
    }
}

static void put_line(Emitter *e, const char *text)
{
    if (*text) {
        put_broken(e, text);
    } else {
        buf_putc(e->out, '\n');
        e->line++;
    }
    while ((text = strchr(text, '\n'))) {
        text++;
        e->line++;
    }
}

static void put_formatted(Emitter *e, const char *format, va_list args, const char *after)
{
    put_line(e, arena_printf(e->arena, "%s%s", arena_vprintf(e->arena, format, args), after));
}

void line(Emitter *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_formatted(e, format, args, "");
    va_end(args);
}

void open_block(Emitter *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_formatted(e, format, args, " {");
    va_end(args);
    e->depth++;
}

void close_block(Emitter *e, const char *after)
{
    e->depth--;
    line(e, "}%s", after);
}

/* Puts #line; the name becomes a C string. */
static void put_location(Emitter *e, uint32_t number, const char *name)
{
    buf_printf(e->out, "#line %u \"", number);
    for (const char *p = name; *p; p++)
        if (*p == '"' || *p == '\\')
            buf_printf(e->out, "\\%c", *p);
        else if ((unsigned char)*p >= ' ')
            buf_putc(e->out, *p);
    buf_puts(e->out, "\"\n");
    e->line = number;
}

/* As emit_location(), but up to `late` lines too far is near enough. */
static void locate(Emitter *e, Span span, uint32_t late)
{
    enum { BLANKS_MAX = 3 };
    uint32_t wanted;

    if (!span.source)
        return;
    wanted = source_place(span.source, span.begin).line;
    if (e->source == span.source && e->line >= wanted && e->line - wanted <= late)
        return;
    if (e->source != span.source || e->line > wanted || wanted - e->line > BLANKS_MAX)
        put_location(e, wanted, span.source->name);
    while (e->line < wanted)
        put_line(e, "");
    e->source = span.source;
}

void emit_location(Emitter *e, Span span)
{
    locate(e, span, 0);
}

void emit_place_near(Emitter *e, Span span)
{
    locate(e, span, 1);
}

bool emit_is_next_line(const Emitter *e, Span span)
{
    uint32_t wanted;

    if (!span.source || e->source != span.source)
        return true;
    wanted = source_place(span.source, span.begin).line;
    return wanted <= e->line + 1 || wanted - e->line > 4;
}

void emit_place_none(Emitter *e, const char *name)
{
    put_location(e, 1, name);
    e->source = NULL;
}

/* ---- variables ------------------------------------------------------------------------- */

/* Whether an array's parts can all have this name. */
static bool parts_free(const Emitter *e, const IrVar *var, const char *name)
{
    char part[160];

    for (int axis = 0; axis < var->type->array.rank; axis++)
        for (int strides = 0; strides < 2; strides++) {
            snprintf(part, sizeof part, strides ? "%s_s%d" : "%s_%d", name, axis);
            if (name_taken(&e->locals, part))
                return false;
        }
    return true;
}

/* A name for a variable of which there are also NAME_0, NAME_s0 and so on. */
static const char *parts_name(Emitter *e, const IrVar *var)
{
    const char *name = local_name(e, var->name);

    while (!parts_free(e, var, name))
        name = local_name(e, arena_printf(e->arena, "%s_", name));
    for (int axis = 0; axis < var->type->array.rank; axis++) {
        local_name(e, arena_printf(e->arena, "%s_%d", name, axis));
        local_name(e, arena_printf(e->arena, "%s_s%d", name, axis));
    }
    return name;
}

static void count_sets(Emitter *e, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        int count = ir_regions((IrStmt *)stmt, regions);
        VarInfo *info = stmt->kind == IR_SET   ? &e->vars[stmt->set.var->id]
                        : stmt->kind == IR_FOR ? &e->vars[stmt->for_.var->id]
                                               : NULL;
        if (info) {
            info->only = !info->sets && stmt->kind == IR_SET ? stmt->set.value : NULL;
            info->sets++;
            VarSet *set = arena_new(e->arena, VarSet);
            *set = (VarSet){ stmt, info->all_sets };
            info->all_sets = set;
        }
        for (int i = 0; i < count; i++)
            count_sets(e, regions[i]);
    }
}

/* Decides how one variable is written, and names it. */
static void enter_variable(Emitter *e, const IrVar *var)
{
    VarInfo *info = &e->vars[var->id];
    bool array = type_is_array(var->type);

    if (var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC)
        info->storage = STORAGE_BLOCK;
    if (var->kind == VAR_CONSTANT) {
        info->form = FORM_FIXED;
        info->name = emit_table_name(e, var->table);
        return;
    }
    if (var->kind == VAR_SHARED || var->kind == VAR_PRIVATE)
        info->form = FORM_FIXED;
    else if (var->kind == VAR_SHARED_DYNAMIC || (array && var->kind == VAR_PARAM && e->fn->kernel))
        info->form = FORM_PARTS;
    if (!array || info->form != FORM_PARTS) {
        info->name = local_name(e, var->name);
        return;
    }
    info->name = info->parts = parts_name(e, var);
    if (info->sets) { /* a parameter that is set becomes a variable of its own */
        info->form = FORM_STRUCT;
        info->name = local_name(e, var->name);
    }
}

void emit_enter_function(Emitter *e, const IrFunc *fn)
{
    e->fn = fn;
    e->vars = arena_array(e->arena, VarInfo, fn->var_count + 1);
    e->locals = (NameSet){ 0 };
    e->thread_index = "t";
    e->frame = "f";
    count_sets(e, &fn->body);
    for (int i = 0; i < fn->var_count; i++)
        enter_variable(e, fn->vars[i]);
    e->fault_name = emit_function_faults(e, fn) ? local_name(e, "fault") : NULL;
    exact_enter(e);
    if (e->dialect == DIALECT_CHECK)
        check_enter_function(e);
    emit_place_variables(e);
}

/* ---- parameters ------------------------------------------------------------------------ */

/* Puts ", " before all but the first. */
static void separate(Buf *out)
{
    if (out->length)
        buf_puts(out, ", ");
}

static void put_array_parts(Emitter *e, Buf *out, const IrVar *var)
{
    const VarInfo *info = &e->vars[var->id];
    const int *access = e->fn->access;
    bool written = !access || (access[var->param] & (ACCESS_WRITE | ACCESS_ATOMIC));
    const char *alone = e->dialect == DIALECT_CUDA ? "__restrict__ " : "restrict ";

    buf_printf(out, "%s%s *%s%s", written ? "" : "const ", type_text(e, var->type->array.element),
               var->restricted && !info->led_to ? alone : "", info->parts);
    for (int i = 0; i < var->type->array.rank; i++)
        buf_printf(out, ", %s %s_%d", emit_extents_are_int(e) ? "int" : "long long", info->parts,
                   i);
    for (int i = 0; i < var->type->array.rank && var->type->array.layout == LAYOUT_A; i++)
        buf_printf(out, ", long long %s_s%d", info->parts, i);
}

const char *emit_parameters_of(Emitter *e, const bool *wanted)
{
    Buf out;

    buf_init(&out, e->arena);
    if ((!e->fn->kernel || e->dialect == DIALECT_CHECK) && e->context_param)
        buf_puts(&out, e->context_param);
    for (int i = 0; i < e->fn->param_count; i++) {
        const IrVar *var = e->fn->vars[i];
        if (wanted && !wanted[i])
            continue;
        separate(&out);
        if (e->vars[i].parts)
            put_array_parts(e, &out, var);
        else
            buf_puts(&out, declarator_text(e, var, e->vars[i].name));
    }
    if (e->fault_name) {
        separate(&out);
        buf_printf(&out, "%s *%s", prelude(e, "KjitFault", NULL), e->fault_name);
    }
    if (exact_any(e)) {
        separate(&out);
        buf_puts(&out, exact_parameters(e));
    }
    return out.length ? buf_text(&out) : e->dialect == DIALECT_C ? "void" : "";
}

const char *emit_parameters(Emitter *e)
{
    return emit_parameters_of(e, NULL);
}

void emit_signature(Emitter *e, const char *head, const char *parameters)
{
    line(e, "%s(%s)", head, parameters);
}

/* Makes variables of the array parameters that are set. */
static void emit_set_parameters(Emitter *e)
{
    for (int i = 0; i < e->fn->param_count; i++) {
        VarInfo *info = &e->vars[i];
        const IrVar *var = e->fn->vars[i];
        const IrValue whole = { .op = OP_var, .type = var->type, .var = e->fn->vars[i] };
        const char *name = info->name, *made;
        if (!info->parts || info->form != FORM_STRUCT)
            continue;
        info->form = FORM_PARTS;
        made = array_text(e, &whole, PREC_ARGUMENT);
        info->form = FORM_STRUCT;
        line(e, "%s %s = %s;", type_text(e, var->type), name, made);
    }
}

enum { GRID_SYNC_SHARED = 16 }; /* bytes that grid_sync() has for itself */

/* ---- fixed arrays ---------------------------------------------------------------------- */

uint64_t emit_count_shared(uint64_t *total, const IrVar *var)
{
    const Type *element = var->type->array.element;
    uint64_t bytes = type_size(element), align = type_align(element), at;

    for (int i = 0; i < var->type->array.rank; i++)
        bytes *= var->shape[i] > 0 ? (uint64_t)var->shape[i] : 1;
    if ((uint64_t)var->alignment > align)
        align = (uint64_t)var->alignment;
    at = (*total + align - 1) / align * align;
    *total = at + bytes;
    return at;
}

/* CUDA: the shared arrays of a function, in the order that they will be written in. */
static void measure_shared(Emitter *e, const IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        bool shared = var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC;
        if (var->kind == VAR_SHARED)
            emit_count_shared(&e->moved_shared, var);
        if (shared && var->alignment > e->dynamic_align)
            e->dynamic_align = var->alignment;
    }
}

/* CUDA: more shared memory than a block can have fixed is taken from the dynamic one, as the
** programming guide has it for devices from sm_70 on. */
static void plan_shared(Emitter *e)
{
    enum { STATIC_MAX = 48 * 1024, ALIGN = 16 };
    bool cooperative = e->unit->kernel->effects & EFFECT_GRID_SYNC;

    e->dynamic_align = ALIGN;
    for (int i = 0; i < e->unit->count; i++)
        measure_shared(e, e->unit->functions[i]);
    measure_shared(e, e->unit->kernel);
    const uint64_t align = (uint64_t)e->dynamic_align; /* the dynamic arrays lie behind it */
    e->moved_shared = (e->moved_shared + align - 1) / align * align;
    e->moves_shared = e->moved_shared + (cooperative ? GRID_SYNC_SHARED : 0) > STATIC_MAX;
    if (!e->moves_shared)
        e->moved_shared = 0;
}

/* CUDA: the declaration of dynamic shared memory, the same in every function. */
static void emit_dynamic_shared(Emitter *e)
{
    line(e, "extern __shared__ __align__(%d) unsigned char dynamic_shared[];", e->dynamic_align);
}

/* `float (&tile)[16][16] = *(float (*)[16][16])PLACE;` */
static void emit_array_at(Emitter *e, const IrVar *var, const char *address)
{
    const char *element = type_text(e, var->type->array.element), *name = e->vars[var->id].name;
    Buf brackets;

    buf_init(&brackets, e->arena);
    for (int i = 0; i < var->type->array.rank; i++)
        buf_printf(&brackets, "[%lld]", (long long)var->shape[i]);
    line(e, "%s (&%s)%s = *(%s (*)%s)%s;", element, name, buf_text(&brackets), element,
         buf_text(&brackets), address);
}

/* Whether the elements of an array of the function's own are records with fields that may lie
** anywhere. ptxas 13.0 reads several 16-bit words of local and shared memory at once and puts them
** together wrongly, into the lower half of a 64-bit number what belongs into the upper. The
** compiler makes such words of fields where it knows where these lie, and bytes where not. */
static bool is_hidden(const Emitter *e, const IrVar *var)
{
    const Type *element = var->type->array.element;

    return e->dialect == DIALECT_CUDA && type_is_record(element) && record_holds_packed(element);
}

/* `record own_at[4];`, and the array there: the compiler does not know where. */
static void emit_hidden_array(Emitter *e, const IrVar *var, const char *words, const char *address)
{
    const char *name = local_name(e, arena_printf(e->arena, "%s_at", e->vars[var->id].name));

    if (!address) {
        line(e, "%s%s;", words, declarator_text(e, var, name));
        address = name;
    }
    emit_array_at(e, var,
                  arena_printf(e->arena, "%s(%s)", prelude(e, "hidden_address", NULL), address));
}

/* The launch's dynamic shared memory as an array (CUDA). */
static void emit_dynamic_array(Emitter *e, const IrVar *var)
{
    const char *name = e->vars[var->id].name;
    const char *element = type_text(e, var->type->array.element);
    const char *size = prelude(e, "dynamic_shared_size", NULL);
    int bytes = (int)type_size(var->type->array.element);
    unsigned long long moved = e->moved_shared;

    if (!moved) {
        line(e, "%s *const %s = (%s *)dynamic_shared;", element, name, element);
        line(e, "const long long %s_0 = %s() / %d;", name, size, bytes);
        return;
    }
    line(e, "%s *const %s = (%s *)(dynamic_shared + %llu);", element, name, element, moved);
    line(e, "const long long %s_0 = (%s() - %llu) / %d;", name, size, moved, bytes);
}

/* Whether an array of the function at hand lies in dynamic shared memory (CUDA). */
static bool is_dynamic(const Emitter *e, const IrVar *var)
{
    return e->dialect == DIALECT_CUDA &&
           (var->kind == VAR_SHARED_DYNAMIC || (var->kind == VAR_SHARED && e->moves_shared));
}

static void emit_fixed_array(Emitter *e, const IrVar *var)
{
    bool shared = var->kind == VAR_SHARED;
    uint64_t at = shared ? emit_count_shared(&e->static_shared, var) : 0;

    const char *words = shared && e->dialect == DIALECT_CUDA ? "__shared__ " : "";
    const char *address = NULL;

    if (is_dynamic(e, var))
        address = arena_printf(e->arena, "(dynamic_shared + %llu)", (unsigned long long)at);
    if (is_hidden(e, var))
        emit_hidden_array(e, var, words, address);
    else if (address)
        emit_array_at(e, var, address);
    else
        line(e, "%s%s;", words, declarator_text(e, var, e->vars[var->id].name));
}

void emit_fixed_arrays(Emitter *e, Storage storage)
{
    bool dynamic = false;

    for (int i = 0; i < e->fn->var_count; i++)
        dynamic |= e->vars[i].storage == storage && is_dynamic(e, e->fn->vars[i]);
    if (dynamic)
        emit_dynamic_shared(e);
    for (int i = 0; i < e->fn->var_count; i++) {
        const IrVar *var = e->fn->vars[i];
        if (e->vars[i].storage != storage)
            continue;
        if (e->dialect == DIALECT_CHECK)
            check_fixed_array(e, var);
        else if (var->kind == VAR_SHARED || var->kind == VAR_PRIVATE)
            emit_fixed_array(e, var);
    }
    for (int i = 0; i < e->fn->var_count && e->dialect == DIALECT_CUDA; i++)
        if (e->fn->vars[i]->kind == VAR_SHARED_DYNAMIC && e->vars[i].storage == storage)
            emit_dynamic_array(e, e->fn->vars[i]);
}

/* ---- functions ------------------------------------------------------------------------- */

static int function_index(const Emitter *e, const IrFunc *fn)
{
    for (int i = 0; i < e->unit->count; i++)
        if (e->unit->functions[i] == fn)
            return i;
    return -1;
}

const char *emit_function_name(Emitter *e, const IrFunc *fn)
{
    return e->function_names[function_index(e, fn)];
}

bool emit_function_faults(Emitter *e, const IrFunc *fn)
{
    return fn->kernel ? fn->options.debug : e->faulting[function_index(e, fn)];
}

/* A search for what reports faults. */
typedef struct FaultSearch {
    Emitter *e;
    bool found;
} FaultSearch;

static void search_value(void *context, IrValue *value)
{
    FaultSearch *search = context;

    if (value->op == OP_call && emit_function_faults(search->e, value->callee))
        search->found = true;
    for (int i = 0; i < value->count; i++)
        search_value(context, value->operands[i]);
}

static void search_faults(FaultSearch *search, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt && !search->found; stmt = stmt->next) {
        IrRegion *regions[2];
        int count = ir_regions((IrStmt *)stmt, regions);
        search->found = stmt->kind == IR_FAULT;
        ir_each_value(stmt, search_value, search);
        for (int i = 0; i < count; i++)
            search_faults(search, regions[i]);
    }
}

/* Names the device functions, and finds which take the KjitFault: callees come first. */
static void enter_functions(Emitter *e)
{
    e->function_names = arena_array(e->arena, const char *, e->unit->count + 1);
    e->faulting = arena_array(e->arena, bool, e->unit->count + 1);
    for (int i = 0; i < e->unit->count; i++) {
        FaultSearch search = { .e = e };
        e->function_names[i] = name_unique(e, &e->globals, e->unit->functions[i]->name);
        search_faults(&search, &e->unit->functions[i]->body);
        e->faulting[i] = search.found && e->unit->kernel->options.debug;
    }
}

static const char *device_head(Emitter *e, const IrFunc *fn)
{
    const char *words = e->dialect == DIALECT_CUDA ? "static __device__" : "static";
    bool inlined = fn->options.inline_always && !fn->recursive;

    return arena_printf(e->arena, "%s%s %s %s", words,
                        !inlined                     ? ""
                        : e->dialect == DIALECT_CUDA ? " __forceinline__"
                                                     : " inline",
                        type_text(e, fn->result), emit_function_name(e, fn));
}

/* The body of a function in braces, as the plain walk writes it. */
static void emit_body(Emitter *e)
{
    line(e, "{");
    e->depth++;
    emit_fixed_arrays(e, STORAGE_BLOCK);
    emit_fixed_arrays(e, STORAGE_PLAIN);
    emit_set_parameters(e);
    check_recursion(e);
    emit_region(e, &e->fn->body);
    close_block(e, "");
    line(e, "%s", "");
}

static void emit_device_function(Emitter *e, const IrFunc *fn)
{
    const char *head = device_head(e, fn), *parameters;

    emit_enter_function(e, fn);
    parameters = emit_parameters(e);
    if (fn->recursive)
        line(e, "%s(%s);", head, parameters);
    emit_location(e, fn->span);
    emit_signature(e, head, parameters);
    emit_body(e);
}

static const char *kernel_head(Emitter *e, const IrFunc *fn, const char *name)
{
    const char *bounds = "";

    if (fn->options.launch_threads > 0 && fn->options.launch_cluster > 0)
        bounds = arena_printf(e->arena, "%s(%d, %d, %d) ", prelude(e, "CLUSTER_BOUNDS", NULL),
                              fn->options.launch_threads, fn->options.launch_blocks,
                              fn->options.launch_cluster);
    else if (fn->options.launch_threads > 0 && fn->options.launch_blocks > 0)
        bounds = arena_printf(e->arena, "__launch_bounds__(%d, %d) ", fn->options.launch_threads,
                              fn->options.launch_blocks);
    else if (fn->options.launch_threads > 0)
        bounds = arena_printf(e->arena, "__launch_bounds__(%d) ", fn->options.launch_threads);
    return arena_printf(e->arena, "extern \"C\" __global__ void %s%s", bounds, name);
}

static void emit_cuda_kernel(Emitter *e, const IrFunc *fn, const char *name)
{
    const char *parameters;

    emit_enter_function(e, fn);
    parameters = emit_parameters(e);
    emit_location(e, fn->span);
    emit_signature(e, kernel_head(e, fn, name), parameters);
    emit_body(e);
}

static void emit_checked_kernel(Emitter *e, const IrFunc *fn, const char *name)
{
    emit_enter_function(e, fn);
    const char *parameters = emit_parameters(e);
    emit_location(e, fn->span);
    emit_signature(e, arena_printf(e->arena, "static void %s", name), parameters);
    emit_body(e);
    check_entry(e, fn, name);
}

/* ---- the unit -------------------------------------------------------------------------- */

static void name_records(Emitter *e, const Type *type)
{
    if (type_is_array(type))
        name_records(e, type->array.element);
    else if (type_is_record(type))
        type_text(e, type);
    else if (type_has_items(type))
        for (int i = 0; i < type->tuple.count; i++)
            name_records(e, type->tuple.items[i]);
}

/* The functions, in order, into the emitter's text. First come the names of the records that the
** kernel's parameters have, so that these are the same whatever passes made of the body: by them
** an edited text is known to be the kernel's. */
static void emit_functions(Emitter *e, Emitted *out)
{
    const char *name = name_unique(e, &e->globals, e->unit->kernel->name);

    for (int i = 0; i < e->unit->kernel->param_count; i++)
        name_records(e, e->unit->kernel->vars[i]->type);
    enter_functions(e);
    emit_enter_tables(e);
    if (e->dialect == DIALECT_CUDA)
        plan_shared(e);
    if (e->dialect == DIALECT_C)
        emit_threads_begin(e);
    if (e->dialect == DIALECT_CHECK)
        check_begin(e);
    for (int i = 0; i < e->unit->count; i++)
        emit_device_function(e, e->unit->functions[i]);
    if (e->dialect == DIALECT_CUDA) {
        out->entry = name;
        emit_cuda_kernel(e, e->unit->kernel, name);
        exact_cuda_round(e, out);
    } else if (e->dialect == DIALECT_CHECK) {
        emit_checked_kernel(e, e->unit->kernel, name);
        check_finish(e, out);
    } else {
        out->entry = "kjit_entry";
        emit_threads_kernel(e, e->unit->kernel);
    }
}

void emit_unit(Arena *arena, const IrUnit *unit, Dialect dialect, Emitted *out)
{
    Emitter e = { .arena = arena, .dialect = dialect };
    Buf text, tables, functions;

    e.unit = dialect == DIALECT_C ? emit_threads_unit(arena, unit) : unit;
    buf_init(&text, arena);
    buf_init(&tables, arena);
    buf_init(&functions, arena);
    e.out = &functions;
    emit_functions(&e, out);
    e.out = &tables;
    emit_tables(&e);
    e.out = &text;
    emit_place_none(&e, "kjit prelude");
    emit_prelude(&e);
    emit_structs(&e);
    buf_put(&text, buf_text(&tables), tables.length);
    buf_put(&text, buf_text(&functions), functions.length);
    out->text = buf_text(&text);
    out->length = text.length;
    out->faults = e.faults;
    out->fault_count = e.fault_count;
    out->ordered_sums = prelude_wrote(&e, "HAS_FMA");
    out->static_shared = e.static_shared;
    out->moved_shared = e.moved_shared;
    out->cooperative = e.unit->kernel->effects & EFFECT_GRID_SYNC;
    for (int i = 0; i < e.unit->count; i++)
        out->recursive |= e.unit->functions[i]->recursive;
    if (out->cooperative && dialect == DIALECT_CUDA)
        out->static_shared += GRID_SYNC_SHARED;
}
