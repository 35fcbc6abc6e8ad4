/* Programs that are open: kjit_program_open() runs the statements of a file's level, and C programs
** then call the file's functions, which see the module's names as the calls before have left them.
**
** Arrays. A host array of the caller's is lent: the function works in the caller's memory, on a GPU
** in a copy of it that comes back when the function returns. Of arrays that overlap the memory is
** lent as one block, so that what is written through one is read through the other. What the
** function keeps of an array beyond the call, in a name of the module, gets memory of its own.
** What a function returns is the program's until its next call; a view of an argument stays in the
** argument's memory. */
#include "runtime/array/array.h"
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

/* Memory of arguments, from the first to the last byte of arrays that overlap. */
typedef struct Lent {
    char *begin, *end;
    bool on_device; /* in memory that the host does not have */
    bool unwritten;
    HostBlock *block;
} Lent;

struct kjit_program {
    HandleHead self;
    pthread_mutex_t lock; /* one call at a time */
    Program state;
    kjit_program_options options;
    Arena arena; /* of the program */
    Arena call;  /* of the last call: what was lent, and what came back */
    HostFrame frame;
    Lent *lent;
    size_t lent_count, lent_capacity;
    bool broken; /* memory ran out for the list of what was lent */
};

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_apart(const kjit_program *program, const kjit_array *array)
{
    return (array->flags & KJIT_ON_DEVICE) && !program->state.context->device->ops->host_memory;
}

/* Adds memory to what is lent: all that overlaps becomes one. */
static void lend_memory(kjit_program *program, Lent memory)
{
    for (size_t i = 0; i < program->lent_count;) {
        Lent *other = &program->lent[i];
        if (!(other->on_device == memory.on_device && other->begin < memory.end &&
              memory.begin < other->end)) {
            i++;
            continue;
        }
        memory.begin = other->begin < memory.begin ? other->begin : memory.begin;
        memory.end = other->end > memory.end ? other->end : memory.end;
        memory.unwritten &= other->unwritten;
        *other = program->lent[--program->lent_count];
        i = 0;
    }
    array_push(&program->call, program->lent, program->lent_count, program->lent_capacity) = memory;
}

static kjit_status lend_all(kjit_program *program, const kjit_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kjit_array *array = &args[i].as.array;
        int64_t low, high;
        uint64_t bytes;
        if (args[i].kind == KJIT_ARG_TUPLE)
            KJIT_TRY(lend_all(program, args[i].as.tuple.items, args[i].as.tuple.count));
        if (args[i].kind != KJIT_ARG_ARRAY)
            continue;
        if (!array_check(array, arena_printf(&program->call, "argument %zu", i + 1), &bytes))
            return KJIT_ARGUMENT;
        array_span(array, &low, &high);
        char *data = array->data;
        if (high > low)
            lend_memory(program, (Lent){ .begin = data + low,
                                         .end = data + high,
                                         .on_device = is_apart(program, array),
                                         .unwritten = (array->flags & KJIT_UNWRITTEN) != 0 });
    }
    return KJIT_OK;
}

static kjit_status block_of(Program *p, Lent *lent)
{
    const int64_t bytes = lent->end - lent->begin;
    HostBlock *block = block_new(p);
    block->begin = lent->begin;
    block->bytes = (uint64_t)bytes;
    block->unwritten = lent->unwritten;
    lent->block = block;
    if (!lent->on_device)
        return KJIT_OK;
    void *raw, *begin; /* so that views have addresses on the host, too */
    KJIT_TRY(block_alloc((uint64_t)bytes, false, &raw, &begin));
    block_adopt(p, block, raw, begin, (uint64_t)bytes);
    block->device = kjit_host_array(lent->begin, KJIT_DTYPE_UINT8, 1, &bytes);
    block->device.flags = KJIT_ON_DEVICE;
    block->device_current = true;
    block->host_current = false;
    return KJIT_OK;
}

static HostValue value_of_array(kjit_program *program, const kjit_array *array)
{
    Program *p = &program->state;
    kjit_array view = *array;
    int64_t low, high;
    array_span(array, &low, &high);
    char *begin = (char *)array->data + low;
    const bool on_device = is_apart(program, array);
    view.flags &= KJIT_READONLY;
    for (size_t i = 0; high > low && i < program->lent_count; i++) {
        const Lent *lent = &program->lent[i];
        if (lent->on_device != on_device || begin < lent->begin || begin >= lent->end)
            continue;
        view.data = lent->block->begin + ((char *)array->data - lent->begin);
        return host_object(host_array_of(p, lent->block, &view));
    }
    return host_object(host_array_of(p, block_new(p), &view)); /* of no elements */
}

static HostValue value_of(kjit_program *program, const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_SCALAR)
        /* C's int is Python's; its long and double are as elements of arrays. */
        return arg->dtype == KJIT_DTYPE_INT32 ? host_int(arg->as.integer) : value_of_scalar(arg);
    if (arg->kind == KJIT_ARG_ARRAY)
        return value_of_array(program, &arg->as.array);
    HostValue tuple = host_items(&program->state, HOST_TUPLE, NULL, 0);
    for (size_t i = 0; i < arg->as.tuple.count; i++)
        host_append(&program->state, tuple.list, value_of(program, &arg->as.tuple.items[i]));
    return tuple;
}

/* ---- results -------------------------------------------------------------------------------- */

static const Lent *lent_of(const kjit_program *program, const HostBlock *block)
{
    for (size_t i = 0; i < program->lent_count; i++)
        if (program->lent[i].block == block)
            return &program->lent[i];
    return NULL;
}

static bool array_result(kjit_program *program, HostArray *array, kjit_arg *out)
{
    Program *p = &program->state;
    const Lent *lent = lent_of(program, array->block);
    *out = kjit_arg_array(array->view);
    if (array->block->unwritten)
        out->as.array.flags |= KJIT_UNWRITTEN;
    if (lent && lent->on_device) {
        out->as.array.data = lent->begin + ((char *)array->view.data - array->block->begin);
        out->as.array.flags |= KJIT_ON_DEVICE;
    }
    if (lent)
        return true; /* what is written comes back to the caller's memory */
    host_append(p, p->result.list, host_object(array));
    return !array->block->raw || host_array_read(p, array);
}

/* What C gets of a value: a number, an array, a tuple of such. */
static bool result_of(kjit_program *program, HostValue value, kjit_arg *out)
{
    Program *p = &program->state;
    HostArray *array;
    if (!host_settle(p, &value))
        return false;
    if (host_is_number(value)) {
        *out = host_scalar(value);
        return true;
    }
    if (value.kind == HOST_ARRAY || value.kind == HOST_LIST || value.kind == HOST_RANGE)
        return host_array_from(p, value, KJIT_DTYPE_NONE, &array) &&
               array_result(program, array, out);
    if (value.kind != HOST_TUPLE && value.kind != HOST_NONE)
        return host_fail(p, "TypeError", "C gets numbers, arrays and tuples of such, not '%s'",
                         host_type_name(p, value));
    const size_t count = value.kind == HOST_TUPLE ? value.list->count : 0;
    kjit_arg *items = arena_array(&program->call, kjit_arg, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!result_of(program, value.list->items[i], &items[i]))
            return false;
    *out = kjit_arg_tuple(items, count);
    return true;
}

/* ---- after a call --------------------------------------------------------------------------- */

/* Brings what was written in lent memory to where the caller has it. */
static kjit_status bring_back(kjit_program *program)
{
    kjit_context *context = program->state.context;
    KJIT_TRY(repeats_flush(&program->state));
    for (size_t i = 0; i < program->lent_count; i++) {
        HostBlock *block = program->lent[i].block;
        if (!block || (program->lent[i].on_device ? block->device_current : block->host_current))
            continue;
        const int64_t bytes = (int64_t)block->bytes;
        const kjit_array host = kjit_host_array(block->begin, KJIT_DTYPE_UINT8, 1, &bytes);
        if (program->lent[i].on_device)
            KJIT_TRY(kjit_copy(context, &block->device, &host));
        else
            KJIT_TRY(kjit_copy_to_host(context, &block->device, &host));
        block->host_current = block->device_current = true;
    }
    return KJIT_OK;
}

/* Whether something of the program still holds the block, once all else is swept. */
static bool is_held(const Program *p, const HostBlock *block)
{
    for (const HostObject *object = p->objects; object; object = object->next)
        if (object->kind == HOST_ARRAY && ((const HostArray *)object)->block == block)
            return true;
    return false;
}

/* Memory of the program's own in place of what was lent. */
static kjit_status keep_copy(Program *p, HostBlock *block, bool on_device)
{
    char *before = block->begin;
    if (on_device) {
        const int64_t bytes = (int64_t)block->bytes;
        const kjit_array host = kjit_host_array(before, KJIT_DTYPE_UINT8, 1, &bytes);
        if (!block->host_current)
            KJIT_TRY(kjit_copy_to_host(p->context, &block->device, &host));
        block->host_current = true;
        block->device_current = false;
        block->device = (kjit_array){ 0 };
        return KJIT_OK;
    }
    void *raw, *begin;
    KJIT_TRY(block_alloc(block->bytes, false, &raw, &begin));
    memcpy(begin, before, block->bytes);
    block_adopt(p, block, raw, begin, block->bytes);
    for (HostObject *object = p->objects; object; object = object->next) {
        HostArray *array = (HostArray *)object;
        if (object->kind == HOST_ARRAY && array->block == block)
            array->view.data = block->begin + ((char *)array->view.data - before);
    }
    return KJIT_OK;
}

static kjit_status part(void *context, Arena *arena)
{
    kjit_program *program = context;
    Program *p = &program->state;
    p->scratch.exhausted = program->call.exhausted = arena->exhausted;
    p->frame = &program->frame; /* those of a call that memory ran out in are gone */
    p->temp_count = 0;
    for (size_t i = 0; i < program->lent_count; i++) /* memory that is not the program's to free */
        if (program->lent[i].on_device && program->lent[i].block)
            host_keep(p, host_object(program->lent[i].block));
    host_sweep_all(p);
    p->temp_count = 0;
    for (size_t i = 0; i < program->lent_count; i++) {
        const Lent *lent = &program->lent[i];
        if (lent->block && is_held(p, lent->block))
            KJIT_TRY(keep_copy(p, lent->block, lent->on_device));
        else if (lent->on_device && lent->block)
            lent->block->device = (kjit_array){ 0 };
    }
    program->lent_count = 0;
    return KJIT_OK;
}

/* Parts what the program keeps from what the caller has. */
static kjit_status part_from_caller(kjit_program *program)
{
    if (!program->lent_count)
        return KJIT_OK;
    kjit_status status = arena_catch(&program->arena, part, program);
    for (size_t i = 0; i < program->lent_count; i++) /* as it failed: this is not its to free */
        if (program->lent[i].on_device && program->lent[i].block)
            program->lent[i].block->device = (kjit_array){ 0 };
    program->lent_count = 0;
    program->broken |= status != KJIT_OK;
    return status;
}

/* ---- calling -------------------------------------------------------------------------------- */

typedef struct CallRequest {
    kjit_program *program;
    const char *name;
    const kjit_arg *args;
    size_t count;
    kjit_arg *result;
} CallRequest;

/* As it was before anything was called. */
static Program *rested(kjit_program *program, Arena *arena)
{
    Program *p = &program->state;
    p->scratch.exhausted = program->call.exhausted = arena->exhausted;
    p->failed = false;
    p->exception = p->handling = NULL;
    p->shown = NULL;
    p->texts = 0;
    p->status = KJIT_OK;
    p->trace_count = 0;
    p->traced = NULL;
    p->frame = &program->frame;
    p->temp_count = 0;
    p->loops = 0;
    p->ufunc = NULL;
    p->called = NULL;
    program_stack(p);
    return p;
}

static kjit_status call(void *context, Arena *arena)
{
    const CallRequest *request = context;
    kjit_program *program = request->program;
    Program *p = rested(program, arena);
    HostValue out;
    const HostName *slot = env_find(p->globals, request->name);
    if (!slot || !slot->bound)
        return error_set(KJIT_ARGUMENT, "error: %s has no function '%s'", p->module->main->path,
                         request->name);
    KJIT_TRY(lend_all(program, request->args, request->count));
    for (size_t i = 0; i < program->lent_count; i++)
        KJIT_TRY(block_of(p, &program->lent[i]));
    HostArgs args = { .count = request->count };
    args.values = arena_array(&program->call, HostValue, request->count + 1);
    for (size_t i = 0; i < request->count; i++)
        args.values[i] = value_of(program, &request->args[i]);
    const bool fine = host_call(p, slot->value, &args, &out) && host_settle(p, &out);
    host_keep(p, out);
    p->result = host_items(p, HOST_LIST, NULL, 0);
    if (!fine || (request->result && !result_of(program, out, request->result)))
        return program_report(p);
    return KJIT_OK;
}

kjit_status kjit_program_call(kjit_program *program, const char *function, const kjit_arg *args,
                              size_t count, kjit_arg *result)
{
    KJIT_TRY(HANDLE(PROGRAM, program));
    if (!function || (count && !args))
        return error_set(KJIT_ARGUMENT, "error: the %s is NULL",
                         function ? "list of arguments" : "name of the function");
    CallRequest request = { program, function, args, count, result };
    pthread_mutex_lock(&program->lock);
    kjit_status status =
        program->broken ? error_set(KJIT_MEMORY, "error: memory ran out in a call before, and the "
                                                 "program has to be opened anew")
                        : KJIT_OK;
    if (status == KJIT_OK) {
        arena_free(&program->call);
        arena_init(&program->call, NULL);
        program->lent = NULL;
        program->lent_count = program->lent_capacity = 0;
        status = arena_catch(&program->arena, call, &request);
        kjit_status back = bring_back(program);
        status = status == KJIT_OK ? back : status;
        back = part_from_caller(program);
        status = status == KJIT_OK ? back : status;
    }
    pthread_mutex_unlock(&program->lock);
    if (status != KJIT_OK && result)
        *result = kjit_arg_tuple(NULL, 0);
    return status;
}

static kjit_status get(void *context, Arena *arena)
{
    const CallRequest *request = context;
    Program *p = rested(request->program, arena);
    const HostName *slot = env_find(p->globals, request->name);
    if (!slot || !slot->bound)
        return error_set(KJIT_ARGUMENT, "error: %s has nothing called '%s'", p->module->main->path,
                         request->name);
    HostValue value = slot->value;
    if (p->result.kind != HOST_LIST)
        p->result = host_items(p, HOST_LIST, NULL, 0);
    return result_of(request->program, value, request->result) ? KJIT_OK : program_report(p);
}

kjit_status kjit_program_get(kjit_program *program, const char *name, kjit_arg *value)
{
    KJIT_TRY(HANDLE(PROGRAM, program));
    if (!name || !value)
        return error_set(KJIT_ARGUMENT, "error: the %s is NULL", name ? "value" : "name");
    CallRequest request = { .program = program, .name = name, .result = value };
    pthread_mutex_lock(&program->lock);
    kjit_status status = arena_catch(&program->arena, get, &request);
    pthread_mutex_unlock(&program->lock);
    if (status != KJIT_OK)
        *value = kjit_arg_tuple(NULL, 0);
    return status;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* "heat" of "cases/heat.py", as an import names it. */
static const char *name_of(Arena *arena, const char *path)
{
    const char *base = basename(path), *dot = strrchr(base, '.');
    return dot && dot > base ? arena_strndup(arena, base, (size_t)(dot - base)) : base;
}

static kjit_status begin(void *context, Arena *arena)
{
    kjit_program *program = context;
    Program *p = &program->state;
    kjit_status status = program_level(rested(program, arena),
                                       name_of(&program->arena, program->state.module->main->path));
    return status != KJIT_OK && p->failed ? program_report(p) : status;
}

typedef struct Opening {
    kjit_program *program;
    kjit_module *module;
} Opening;

static kjit_status start(void *context, Arena *arena)
{
    const Opening *opening = context;
    kjit_program *program = opening->program;
    return program_begin(&program->state, opening->module, &program->options, arena,
                         &program->frame);
}

/* The strings of the options, which the program's own names refer to. */
static void take_options(kjit_program *program, const kjit_program_open_options *options)
{
    kjit_program_open_options wanted = { .size = sizeof wanted };
    SIZED_TAKE(&wanted, options);
    program->options = (kjit_program_options){ .size = sizeof program->options,
                                               .print = wanted.print,
                                               .context = wanted.context,
                                               .values = wanted.values,
                                               .value_count = wanted.value_count };
}

kjit_status kjit_program_open(kjit_module *module, const kjit_program_open_options *options,
                              kjit_program **out)
{
    if (!out)
        return error_set(KJIT_ARGUMENT, "error: there is no place for the program");
    *out = NULL;
    KJIT_TRY(HANDLE(MODULE, module));
    if (!module->main || !module->main->ast)
        return error_set(KJIT_ARGUMENT, "error: a binary holds kernels alone, and no program");
    kjit_program *program = memory_zeroed(1, sizeof *program);
    if (!program)
        return error_memory();
    head_open(&program->self, HANDLE_PROGRAM, module);
    pthread_mutex_init(&program->lock, NULL);
    arena_init(&program->arena, NULL);
    arena_init(&program->call, NULL);
    take_options(program, options);
    Opening opening = { program, module };
    kjit_status status = arena_catch(&program->arena, start, &opening);
    if (status == KJIT_OK)
        status = arena_catch(&program->arena, begin, program);
    program->options.values = NULL;
    program->options.value_count = 0;
    if (status != KJIT_OK)
        kjit_program_close(program);
    else
        *out = program;
    return status;
}

void kjit_program_close(kjit_program *program)
{
    if (!program || !HANDLE_IS(PROGRAM, program))
        return;
    host_free_all(&program->state);
    kjit_values_close(program->state.values);
    arena_free(&program->arena);
    arena_free(&program->call);
    pthread_mutex_destroy(&program->lock);
    head_free(&program->self);
}
