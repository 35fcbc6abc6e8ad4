/* Arrays with constant extents, of the block and of the thread, and where those of the block lie.
**
** CUDA: they are __shared__ where a block can have so much; else all of them lie in its dynamic
** shared memory, before the launch's own. */
#include "codegen/emit/emit.h"
#include "ir/analysis/points_to.h"

bool emit_has_own_arrays(const IrUnit *unit)
{
    bool any = ir_has_kind(unit->kernel, VAR_PRIVATE);
    for (int i = 0; i < unit->count; i++)
        any |= ir_has_kind(unit->functions[i], VAR_PRIVATE);
    return any;
}

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
        bool shared = ir_is_shared(var);
        if (var->kind == VAR_SHARED)
            emit_count_shared(&e->moved_shared, var);
        if (shared && var->alignment > e->dynamic_align)
            e->dynamic_align = var->alignment;
    }
}

void plan_shared(Emitter *e)
{
    enum { ALIGN = 16 };
    bool cooperative = e->unit->kernel->effects & EFFECT_GRID_SYNC;

    e->dynamic_align = ALIGN;
    for (int i = 0; i < e->unit->count; i++)
        measure_shared(e, e->unit->functions[i]);
    measure_shared(e, e->unit->kernel);
    const uint64_t align = (uint64_t)e->dynamic_align; /* the dynamic arrays lie behind it */
    e->moved_shared = (e->moved_shared + align - 1) / align * align;
    e->moves_shared = e->moved_shared + (cooperative ? GRID_SYNC_SHARED : 0) > SHARED_BYTES;
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
    Buf brackets = buf_in(e->arena);
    for (int i = 0; i < var->type->array.rank; i++)
        buf_printf(&brackets, "[%lld]", (long long)var->shape[i]);
    line(e, "%s (&%s)%s = *(%s (*)%s)%s;", element, name, buf_text(&brackets), element,
         buf_text(&brackets), address);
}

static const bool *private_among_others(Emitter *e)
{
    const IrPointsTo points_to = ir_points_to(e->arena, e->fn);

    return ir_private_among_others(&points_to);
}

/* Whether the compiler is not to know where an array of the function's own lies, which is for one
** of two reasons.
**
** Its elements are records with fields that may lie anywhere: ptxas 13.0 reads several 16-bit words
** of local and shared memory at once and puts them together wrongly, into the lower half of a
** 64-bit number what belongs into the upper. The compiler makes such words of fields where it knows
** where these lie, and bytes where not.
**
** It is a thread's own, and an access may be of it or of other memory, as in `h = own if c else
** rows`: NVRTC below sm_100 (12.9 to 13.0 at least) drops stores to what h points to if nothing
** reads `own` and something reads another array at an address that it does not know. */
static bool is_hidden(const Emitter *e, const IrVar *var, const bool *among_others)
{
    const Type *element = var->type->array.element;
    bool packed = type_is_record(element) && record_holds_packed(element);

    return e->dialect == DIALECT_CUDA && (packed || among_others[var->id]);
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

static void emit_fixed_array(Emitter *e, const IrVar *var, const bool *among_others)
{
    bool shared = var->kind == VAR_SHARED;
    uint64_t at = shared ? emit_count_shared(&e->static_shared, var) : 0;

    const char *words = shared && e->dialect == DIALECT_CUDA ? "__shared__ " : "";
    const char *address = NULL;

    if (is_dynamic(e, var))
        address = arena_printf(e->arena, "(dynamic_shared + %llu)", (unsigned long long)at);
    if (is_hidden(e, var, among_others))
        emit_hidden_array(e, var, words, address);
    else if (address)
        emit_array_at(e, var, address);
    else
        line(e, "%s%s;", words, declarator_text(e, var, e->vars[var->id].name));
}

void emit_fixed_arrays(Emitter *e, Storage storage)
{
    const bool *among_others = e->dialect == DIALECT_CUDA ? private_among_others(e) : NULL;
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
            emit_fixed_array(e, var, among_others);
    }
    for (int i = 0; i < e->fn->var_count && e->dialect == DIALECT_CUDA; i++)
        if (e->fn->vars[i]->kind == VAR_SHARED_DYNAMIC && e->vars[i].storage == storage)
            emit_dynamic_array(e, e->fn->vars[i]);
}
