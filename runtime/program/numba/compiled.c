/* Functions of @njit that the host calls, and loops of them, as kernels of one thread: compiled.h
** has the idea. */
#include "runtime/array/array.h"
#include "runtime/program/compiled.h"
#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

/* A unit for one list of types. */
typedef struct Compiled {
    kjit_kernel *kernel; /* NULL: it cannot be compiled */
    enum { GIVES_NOTHING, GIVES_ONE, GIVES_TUPLE } gives;
    kjit_dtype results[UNIT_RESULTS];
    int count;
    uint32_t line; /* of a loop's first line in the text that was compiled */
} Compiled;

/* ---- types ----------------------------------------------------------------------------------- */

/* What is compiled, by which it is found again; NULL: its arguments are none of a kernel's. */
static const char *unit_key(Program *p, const Unit *unit)
{
    Buf key = buf_in(&p->scratch);
    buf_printf(&key, "compiled %p",
               unit->loop ? (const void *)unit->loop : (const void *)unit->function->code->ast);
    for (int i = 0; i < unit->count; i++) {
        buf_printf(&key, " %s", unit->names[i]);
        if (!kernel_put_type(&key, unit->values[i]))
            return NULL;
    }
    return buf_text(&key);
}

/* ---- what it gives --------------------------------------------------------------------------- */

typedef struct Asked {
    Program *program;
    uint32_t line;
    const char *type; /* of what the function gives; NULL: not found */
    bool prints;
} Asked;

static void note_meaning(void *context, const kjit_meaning *meaning)
{
    Asked *asked = context;
    if (meaning->line == asked->line && meaning->column == 5 && !asked->type)
        asked->type = arena_strdup(&asked->program->scratch, meaning->what);
    asked->prints |= strcmp(meaning->what, "the function print") == 0;
}

/* What stands in a line of a kernel's text behind four blanks, for arguments of these types. */
static bool ask_line(Program *p, kjit_kernel *kernel, const kjit_arg *args, int count, Asked *asked)
{
    asked->program = p;
    kjit_status status = kjit_meanings(kernel, args, (size_t)count, note_meaning, asked);
    return status == KJIT_OK || host_failed(p, status);
}

kjit_dtype compiled_type(Program *p, kjit_kernel *kernel, const kjit_arg *args, int count,
                         uint32_t line)
{
    Asked asked = { .line = line };
    return ask_line(p, kernel, args, count, &asked) && asked.type ? value_dtype_named(asked.type)
                                                                  : KJIT_DTYPE_NONE;
}

static bool add_result(Program *p, Compiled *made, const char *name, size_t length)
{
    const kjit_dtype dtype = value_dtype_named(arena_strndup(&p->scratch, name, length));
    if (dtype == KJIT_DTYPE_NONE || made->count == UNIT_RESULTS)
        return false;
    made->results[made->count++] = dtype;
    return true;
}

/* "none", "float64", "(float32, int64)" */
static bool read_results(Program *p, Compiled *made, const char *type)
{
    made->gives = strcmp(type, "none") == 0 ? GIVES_NOTHING
                  : *type == '('            ? GIVES_TUPLE
                                            : GIVES_ONE;
    if (made->gives == GIVES_NOTHING)
        return true;
    if (made->gives == GIVES_ONE)
        return add_result(p, made, type, strlen(type));
    for (const char *at = type + 1; *at && *at != ')';) {
        const size_t length = strcspn(at, ",)");
        if (!add_result(p, made, at, length))
            return false;
        at += length;
        at += strspn(at, ", ");
    }
    return made->count > 0;
}

/* ---- its text -------------------------------------------------------------------------------- */

static void put_args(Buf *text, int count, const char *before)
{
    for (int i = 0; i < count; i++)
        buf_printf(text, "%sa%d", i ? ", " : before, i);
}

/* The module's text and the loop, if it is one, behind it. */
static bool begin_text(Program *p, const Unit *unit, Buf *text, uint32_t *line)
{
    const kjit_module *module = env_module(unit->function->closure)->module;
    const char *whole = module->main->source->text;
    *line = 0;
    *text = buf_in(&p->scratch);
    if (!lifted_source(p, unit, 0, (uint32_t)strlen(whole), text))
        return false;
    if (strstr(whole, "prange")) /* of one thread it is range */
        buf_puts(text, "\n\n\nprange = range\n");
    if (unit->loop)
        *line = lifted_text(p, unit, text);
    buf_puts(text, "\n\n\nfrom numba import cuda\n\n\n@cuda.jit(fma=False)\n");
    return true;
}

static void put_call(const Unit *unit, Buf *text)
{
    buf_printf(text, "%s(", unit->loop ? "loop_" : unit->function->code->ast->name);
    put_args(text, unit->count, "");
    buf_puts(text, ")\n");
}

static bool load(Program *p, const Unit *unit, const Buf *text, const char *name,
                 kjit_kernel **kernel)
{
    const KernelText wanted = { .context = p->processor,
                                .debug = true,
                                .text = buf_text(text),
                                .reader = unit->function,
                                .name = name };
    return kernel_of_text(p, &wanted, kernel);
}

/* What the unit gives for arguments of these types. */
static bool ask(Program *p, const Unit *unit, const kjit_arg *args, Compiled *made)
{
    Asked asked = { .line = 0 };
    kjit_kernel *kernel;
    Buf text;
    if (!begin_text(p, unit, &text, &made->line))
        return false;
    buf_puts(&text, "def typed_(");
    put_args(&text, unit->count, "");
    buf_puts(&text, "):\n");
    asked.line = lifted_line(&text);
    buf_puts(&text, "    r_ = ");
    put_call(unit, &text);
    if (!load(p, unit, &text, "typed_", &kernel))
        return false;
    if (!ask_line(p, kernel, args, unit->count, &asked))
        return false;
    if (asked.prints)
        return host_fail(p, "TypeError", "it prints");
    return (asked.type && read_results(p, made, asked.type)) ||
           host_fail(p, "TypeError", "it gives %s, which no kernel stores",
                     asked.type ? asked.type : "something without a type");
}

static bool make(Program *p, const Unit *unit, Compiled *made)
{
    Buf text;
    if (!begin_text(p, unit, &text, &made->line))
        return false;
    buf_puts(&text, "def compiled_(");
    for (int i = 0; i < made->count; i++)
        buf_printf(&text, "%so%d", i ? ", " : "", i);
    put_args(&text, unit->count, made->count ? ", " : "");
    buf_printf(&text, "):\n    %s", made->gives == GIVES_NOTHING ? "" : "r_ = ");
    put_call(unit, &text);
    for (int i = 0; i < made->count; i++) {
        buf_printf(&text, "    o%d[0] = r_", i);
        if (made->gives == GIVES_TUPLE)
            buf_printf(&text, "[%d]", i);
        buf_putc(&text, '\n');
    }
    return load(p, unit, &text, "compiled_", &made->kernel);
}

/* ---- running it ------------------------------------------------------------------------------ */

static bool processor(Program *p)
{
    const kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    if (p->processor)
        return true;
    if (p->context->device->ops->host_memory && !p->context->device->findings) {
        p->processor = p->context;
        return true;
    }
    kjit_status status = kjit_open(&options, &p->processor);
    return status == KJIT_OK || host_failed(p, status);
}

static bool read_arrays(Program *p, HostValue value)
{
    for (size_t i = 0; value.kind == HOST_TUPLE && i < value.list->count; i++)
        if (!read_arrays(p, value.list->items[i]))
            return false;
    return value.kind != HOST_ARRAY || host_array_read(p, value.array);
}

static void pack(Program *p, HostValue value, kjit_arg *out)
{
    if (host_is_number(value)) {
        *out = host_scalar(value);
    } else if (value.kind == HOST_ARRAY) {
        *out = kjit_arg_array(value.array->view);
        out->as.array.flags |= value.array->block->unwritten ? KJIT_UNWRITTEN : 0;
    } else {
        kjit_arg *items = arena_array(&p->scratch, kjit_arg, value.list->count + 1);
        for (size_t i = 0; i < value.list->count; i++)
            pack(p, value.list->items[i], &items[i]);
        *out = kjit_arg_tuple(items, value.list->count);
    }
}

static bool written(Program *p, HostValue value)
{
    for (size_t i = 0; value.kind == HOST_TUPLE && i < value.list->count; i++)
        if (!written(p, value.list->items[i]))
            return false;
    return value.kind != HOST_ARRAY || (value.array->view.flags & KJIT_READONLY) ||
           host_array_write(p, value.array);
}

static Span line_span(const Source *source, unsigned line)
{
    uint32_t begin = 0, end;
    for (unsigned i = 1; i < line && source->text[begin]; i++) {
        begin += (uint32_t)strcspn(source->text + begin, "\n");
        begin += source->text[begin] == '\n';
    }
    begin += (uint32_t)strspn(source->text + begin, " ");
    end = begin + (uint32_t)strcspn(source->text + begin, "\n");
    return (Span){ source, begin, end };
}

/* Says where a kernel has failed, in the function, as Python does. */
static bool raise_fault(Program *p, const Unit *unit, const Compiled *made)
{
    const Source *source = unit->function->code->ast->name_span.source;
    const HostFault fault = host_fault(p, kjit_error_message());
    unsigned line = fault.line;
    if (unit->loop && line >= made->line)
        line += source_place(source, unit->loop->span.begin).line - made->line;
    const Span span = line_span(source, line);
    if (fault.class_ && !*fault.text)
        return host_raise_exception(
            p, span, host_exception(p, fault.class_, host_items(p, HOST_TUPLE, NULL, 0)));
    return host_raise(p, span, fault.class_ ? fault.class_ : "RuntimeError", "%s", fault.text);
}

HostValue compiled_result(Program *p, HostValue value)
{
    const kjit_dtype dtype = value.dtype;
    if (value.kind == HOST_TUPLE) {
        HostValue tuple = host_items(p, HOST_TUPLE, value.list->items, value.list->count);
        tuple.list->class_ = value.list->class_;
        for (size_t i = 0; i < value.list->count; i++)
            tuple.list->items[i] = compiled_result(p, value.list->items[i]);
        return tuple;
    }
    if (value.kind != HOST_NUMBER || (dtype == KJIT_DTYPE_UINT64 && value.integer < 0))
        return value; /* no int here holds 2**63 and more */
    if (dtype == KJIT_DTYPE_BOOL)
        return host_bool(value.integer != 0);
    if (dtype_is_complex(dtype))
        return host_complex(value.number, value.imaginary);
    return dtype_is_float(dtype) ? host_float(value.number) : host_int(value.integer);
}

/* What a loop leaves has the type that it had: Python's where that has it. */
static HostValue result_of(Program *p, const Unit *unit, HostValue value)
{
    const kjit_dtype dtype = value.dtype;
    const bool python = dtype == KJIT_DTYPE_INT64 || dtype == KJIT_DTYPE_FLOAT64 ||
                        dtype == KJIT_DTYPE_BOOL || dtype == KJIT_DTYPE_COMPLEX128;
    return unit->loop && !python ? value : compiled_result(p, value);
}

typedef struct Cells {
    _Alignas(16) char bytes[UNIT_RESULTS][16];
} Cells;

/* Launches it, and takes what it gives. */
static bool launch(Program *p, const Unit *unit, const Compiled *made, HostValue *results)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 1, 1, 1 },
                                        .block = { 1, 1, 1 } };
    const int64_t one = 1, first = 0;
    kjit_arg args[UNIT_RESULTS + UNIT_ARGS];
    uint32_t access[UNIT_RESULTS + UNIT_ARGS];
    kjit_array cells[UNIT_RESULTS];
    Cells memory;
    const size_t count = (size_t)(made->count + unit->count);
    for (int i = 0; i < made->count; i++) {
        cells[i] = kjit_host_array(memory.bytes[i], made->results[i], 1, &one);
        args[i] = kjit_arg_array(cells[i]);
    }
    for (int i = 0; i < unit->count; i++)
        pack(p, unit->values[i], &args[made->count + i]);
    const bool shares = host_shares(p);
    kjit_status status = shares ? KJIT_OK : kjit_access(made->kernel, args, count, access);
    for (int i = 0; status == KJIT_OK && i < unit->count; i++)
        if ((shares || access[made->count + i] & KJIT_WRITES) && !written(p, unit->values[i]))
            return false;
    if (status == KJIT_OK)
        status = kjit_launch(made->kernel, &config, args, count);
    if (status != KJIT_OK)
        return status == KJIT_FAULT ? raise_fault(p, unit, made) : host_failed(p, status);
    for (int i = 0; i < made->count; i++)
        results[i] = result_of(p, unit, host_array_element(&cells[i], &first));
    return true;
}

/* ---- finding it ------------------------------------------------------------------------------ */

/* Compiles it; what cannot be compiled is remarked, and remembered. */
static bool prepare(Program *p, const Unit *unit, Compiled *made)
{
    kjit_arg args[UNIT_ARGS];
    for (int i = 0; i < unit->count; i++)
        pack(p, unit->values[i], &args[i]);
    if (ask(p, unit, args, made) && make(p, unit, made))
        return true;
    made->kernel = NULL;
    if (p->status == KJIT_MEMORY)
        return false;
    Buf why = buf_in(&p->scratch);
    host_str(p, &why, p->exception->args.list->items[0]);
    host_forget(p);
    launches_interpreted(p, unit->function->code->ast, unit->loop, buf_text(&why));
    return true;
}

static CompiledFlow run(Program *p, const Unit *unit, const Compiled **out, HostValue *results)
{
    const char *key = unit_key(p, unit);
    Compiled *made = key ? table_get(&p->kernels, key) : NULL;
    if (!key)
        return COMPILED_NOT;
    if (!made) {
        made = arena_new(p->arena, Compiled);
        if (!program_context(p) || !processor(p) || !prepare(p, unit, made))
            return COMPILED_FAILED;
        table_put(&p->kernels, arena_strdup(p->arena, key), made);
    }
    *out = made;
    if (!made->kernel)
        return COMPILED_NOT;
    for (int i = 0; i < unit->count; i++)
        if (!read_arrays(p, unit->values[i]))
            return COMPILED_FAILED;
    return launch(p, unit, made, results) ? COMPILED_DONE : COMPILED_FAILED;
}

/* Whether the module's text calls it by its name. */
static bool is_named(const HostFunction *function)
{
    const HostName *slot = env_find(function->closure, function->code->ast->name);
    return !function->closure->outer && slot && slot->bound && slot->value.kind == HOST_FUNCTION &&
           slot->value.function->code == function->code;
}

CompiledFlow compiled_call(Program *p, HostValue *out)
{
    const HostFunction *function = p->frame->compiled;
    const AstParams *params = &function->code->ast->params;
    Unit unit = { .function = function, .count = params->count };
    HostValue results[UNIT_RESULTS];
    const Compiled *made;
    if (!is_named(function) || params->count > UNIT_ARGS)
        return COMPILED_NOT;
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        if (param->star || param->double_star || param->keyword_only)
            return COMPILED_NOT;
        unit.names[i] = param->name;
        unit.values[i] = env_find(p->frame->env, param->name)->value;
    }
    const CompiledFlow flow = run(p, &unit, &made, results);
    if (flow == COMPILED_DONE)
        *out = made->gives == GIVES_NOTHING ? host_none()
               : made->gives == GIVES_ONE   ? results[0]
                                          : host_items(p, HOST_TUPLE, results, (size_t)made->count);
    return flow;
}

CompiledFlow compiled_loop(Program *p, const AstStmt *loop)
{
    Unit *unit = arena_new(&p->scratch, Unit);
    HostValue results[UNIT_RESULTS];
    const Compiled *made;
    unit->function = p->frame->compiled;
    if (!lifted_unit(p, loop, unit))
        return COMPILED_NOT;
    const CompiledFlow flow = run(p, unit, &made, results);
    for (int i = 0; flow == COMPILED_DONE && i < unit->result_count; i++)
        env_write(p, unit->results[i], results[i]);
    return flow;
}

/* njit(f), or njit(...)(f): a function beside f that is compiled. */
static bool numba_jit(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue function = args_get(args, 0, NULL, host_none());
    if (function.kind != HOST_FUNCTION)
        return host_give(out, (HostValue){ .kind = HOST_BUILTIN, .builtin = args->builtin });
    *out = host_py_func(p, function.function);
    out->function->compiles = true;
    return true;
}

const HostBuiltin compiled_functions[] = {
    { "numba.jit", 0, -1, numba_jit, "*" },
    { "numba.njit", 0, -1, numba_jit, "*" },
    { NULL, 0, 0, NULL, NULL },
};
