/* The objects of a program: made, kept while an expression works on them, swept. */
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

enum { FIRST_SWEEP = 64 << 20, SCRATCH_MOST = 1 << 20 };

void host_keep(Program *p, HostValue value)
{
    if (value.kind < HOST_OBJECTS)
        return;
    if (!memory_more(p->temps, p->temp_count, p->temp_capacity))
        arena_give_up(p->arena);
    p->temps[p->temp_count++] = value;
}

void *host_new(Program *p, HostKind kind, size_t bytes)
{
    HostObject *object = memory_zeroed(1, bytes);
    if (!object)
        arena_give_up(p->arena);
    object->kind = kind;
    object->next = p->objects;
    p->objects = object;
    p->bytes += bytes;
    host_keep(p, host_object(object));
    return object;
}

HostValue host_string(Program *p, const char *text, size_t length)
{
    HostString *string = host_new(p, HOST_STRING, sizeof *string + length + 1);
    string->length = length;
    if (text)
        memcpy(string->text, text, length);
    return host_object(string);
}

HostValue host_text(Program *p, const char *text)
{
    return host_string(p, text, strlen(text));
}

HostValue host_constant(HostValue value)
{
    value.object->constant = true;
    return value;
}

HostValue host_name(Program *p, const char *name)
{
    return host_constant(host_text(p, name));
}

HostValue host_buf(Program *p, const Buf *buf)
{
    return host_string(p, buf_text(buf), buf->length);
}

static void reserve(Program *p, HostList *list, size_t capacity)
{
    HostValue *items = memory_resize(list->items, capacity * sizeof *items);
    if (!items)
        arena_give_up(p->arena);
    p->bytes += (capacity - list->capacity) * sizeof *items;
    list->items = items;
    list->capacity = capacity;
}

HostValue host_items(Program *p, HostKind kind, const HostValue *items, size_t count)
{
    HostList *list = host_new(p, kind, sizeof *list);
    if (count) {
        reserve(p, list, count);
        memcpy(list->items, items, count * sizeof *items);
    }
    list->count = count;
    return host_object(list);
}

HostValue host_room(Program *p, HostKind kind, size_t count)
{
    HostList *list = host_new(p, kind, sizeof *list);
    if (count)
        reserve(p, list, count);
    return host_object(list);
}

void host_append(Program *p, HostList *list, HostValue value)
{
    if (list->count == list->capacity)
        reserve(p, list, list->capacity ? 2 * list->capacity : 8);
    list->items[list->count++] = value;
}

/* ---- sweeping ------------------------------------------------------------------------------- */

/* What is marked but not looked into yet: lists may lie in lists as deep as they like. */
typedef struct Marks {
    Program *program;
    HostObject **list;
    size_t count, capacity;
} Marks;

static void mark(Marks *marks, HostObject *object)
{
    if (!object || object->marked)
        return;
    object->marked = true;
    if (!memory_more(marks->list, marks->count, marks->capacity)) {
        memory_free(marks->list);
        arena_give_up(marks->program->arena);
    }
    marks->list[marks->count++] = object;
}

static void mark_value(Marks *marks, HostValue value)
{
    if (value.kind >= HOST_OBJECTS && value.kind < HOST_KINDS)
        mark(marks, value.object);
}

static void mark_values(Marks *marks, const HostValue *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mark_value(marks, values[i]);
}

static void mark_environment(Marks *marks, HostEnv *env)
{
    mark(marks, (HostObject *)env->outer);
    for (size_t i = 0; i < env->capacity; i++)
        if (env->slots[i].name && env->slots[i].bound)
            mark_value(marks, env->slots[i].value);
}

static void mark_producer(Marks *marks, const HostProducer *producer)
{
    mark(marks, (HostObject *)producer->env);
    mark_value(marks, producer->function);
    mark_value(marks, producer->passed);
    mark(marks, (HostObject *)producer->thrown);
    for (size_t i = 0; i < producer->count; i++)
        mark_value(marks, producer->points[i].it.over);
}

static void mark_dict(Marks *marks, const HostDict *dict)
{
    for (size_t i = 0; i < dict->count; i++) {
        mark_value(marks, dict->entries[i].key);
        mark_value(marks, dict->entries[i].value);
    }
    mark(marks, dict->of);
    mark_value(marks, dict->factory);
}

static void mark_set(Marks *marks, const HostSet *set)
{
    for (size_t i = 0; i < set->slots; i++)
        mark_value(marks, set->table[i].item);
}

static void mark_function(Marks *marks, const HostFunction *function)
{
    mark(marks, (HostObject *)function->closure);
    mark(marks, (HostObject *)function->fields);
    mark(marks, (HostObject *)function->setter);
    mark(marks, (HostObject *)function->deleter);
    mark_values(marks, function->defaults, (size_t)function->code->ast->params.count);
}

static void mark_partial(Marks *marks, const HostPartial *partial)
{
    mark_value(marks, partial->function);
    mark_value(marks, partial->values);
    mark_value(marks, partial->named);
    mark_value(marks, partial->names);
}

static void mark_exception(Marks *marks, const HostException *exception)
{
    mark_value(marks, exception->args);
    mark(marks, (HostObject *)exception->fields);
    mark(marks, (HostObject *)exception->cause);
    mark(marks, (HostObject *)exception->context);
}

static void mark_kernel(Marks *marks, const HostKernel *kernel)
{
    mark(marks, (HostObject *)kernel->closure);
    mark(marks, (HostObject *)kernel->last);
    for (const HostVersion *at = kernel->versions; at; at = at->next)
        mark_values(marks, at->captured, at->captured_count);
    mark_value(marks, kernel->function);
}

static void mark_inside(Marks *marks, HostObject *object)
{
    switch (object->kind) {
    case HOST_TUPLE:
    case HOST_LIST:
        mark_values(marks, ((HostList *)object)->items, ((HostList *)object)->count);
        break;
    case HOST_DICT:
        mark_dict(marks, (HostDict *)object);
        break;
    case HOST_SET:
    case HOST_FROZEN_SET:
        mark_set(marks, (HostSet *)object);
        break;
    case HOST_VIEW:
        mark(marks, (HostObject *)((HostView *)object)->dict);
        break;
    case HOST_SLICE:
        mark_values(marks, ((HostSlice *)object)->parts, 3);
        break;
    case HOST_FUNCTION:
        mark_function(marks, (HostFunction *)object);
        break;
    case HOST_METHOD:
        mark_value(marks, ((HostMethod *)object)->self);
        mark_value(marks, ((HostMethod *)object)->function);
        break;
    case HOST_INSTANCE:
        mark(marks, (HostObject *)((HostInstance *)object)->fields);
        mark_value(marks, ((HostInstance *)object)->held);
        break;
    case HOST_SUPER:
        mark_value(marks, ((HostSuper *)object)->self);
        break;
    case HOST_PARTIAL:
        mark_partial(marks, (HostPartial *)object);
        break;
    case HOST_EXCEPTION:
        mark_exception(marks, (HostException *)object);
        break;
    case HOST_ARRAY:
        mark(marks, (HostObject *)((HostArray *)object)->block);
        break;
    case HOST_EXPRESSION:
        mark_values(marks, ((HostExpression *)object)->operands,
                    (size_t)((HostExpression *)object)->count);
        break;
    case HOST_PRODUCER:
        mark_producer(marks, (HostProducer *)object);
        break;
    case HOST_UFUNC:
        mark_value(marks, ((HostUfunc *)object)->function);
        break;
    case HOST_KERNEL:
        mark_kernel(marks, (HostKernel *)object);
        break;
    case HOST_LAUNCH:
        mark_value(marks, ((HostLaunch *)object)->kernel);
        mark_value(marks, ((HostLaunch *)object)->stream);
        break;
    case HOST_ENVIRONMENT:
        mark_environment(marks, (HostEnv *)object);
        break;
    default:
        break;
    }
}

static void mark_class(Marks *marks, const HostClass *class_)
{
    const HostList *members = class_->members;
    mark(marks, (HostObject *)class_->make);
    mark(marks, (HostObject *)(uintptr_t)members);
    mark(marks, (HostObject *)class_->names);
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].kind == HOST_MEMBER) {
            mark_value(marks, members->items[i].member->value);
            mark(marks, (HostObject *)members->items[i].member->fields);
        }
}

static void mark_all(Program *p)
{
    Marks marks = { .program = p };
    mark(&marks, (HostObject *)p->globals);
    for (const HostFile *file = p->files; file; file = file->next)
        mark(&marks, (HostObject *)file->globals);
    for (const HostFile *file = p->libraries; file; file = file->next)
        mark(&marks, (HostObject *)file->globals);
    for (const HostClass *class_ = p->classes; class_; class_ = class_->next)
        mark_class(&marks, class_);
    mark(&marks, (HostObject *)p->exception);
    mark(&marks, (HostObject *)p->handling);
    mark(&marks, (HostObject *)p->formatters);
    mark_value(&marks, p->result);
    mark_values(&marks, p->streams, ARRAY_COUNT(p->streams));
    mark_values(&marks, p->temps, p->temp_count);
    for (const HostFrame *frame = p->frame; frame; frame = frame->caller)
        mark(&marks, (HostObject *)frame->env);
    while (marks.count)
        mark_inside(&marks, marks.list[--marks.count]);
    memory_free(marks.list);
}

static size_t object_bytes(const HostObject *object)
{
    switch (object->kind) {
    case HOST_STRING:
        return sizeof(HostString) + ((const HostString *)object)->length + 1;
    case HOST_TUPLE:
    case HOST_LIST:
        return sizeof(HostList) + ((const HostList *)object)->capacity * sizeof(HostValue);
    case HOST_DICT:
        return sizeof(HostDict) + ((const HostDict *)object)->capacity * DICT_ENTRY_BYTES;
    case HOST_SET:
    case HOST_FROZEN_SET:
        return sizeof(HostSet) + ((const HostSet *)object)->slots * sizeof(HostSlot);
    case HOST_BLOCK:
        return sizeof(HostBlock) + ((const HostBlock *)object)->bytes;
    case HOST_ENVIRONMENT:
        return sizeof(HostEnv) + ((const HostEnv *)object)->capacity * sizeof(HostName);
    default:
        return sizeof(HostArray);
    }
}

static void free_object(Program *p, HostObject *object)
{
    if (object->kind == HOST_PRODUCER)
        p->dropped |= producer_waits((HostProducer *)object);
    if (object->kind == HOST_TUPLE || object->kind == HOST_LIST)
        memory_free(((HostList *)object)->items);
    else if (object->kind == HOST_DICT)
        memory_free(((HostDict *)object)->entries);
    else if (object->kind == HOST_SET || object->kind == HOST_FROZEN_SET)
        memory_free(((HostSet *)object)->table);
    else if (object->kind == HOST_ENVIRONMENT)
        memory_free(((HostEnv *)object)->slots);
    else if (object->kind == HOST_BLOCK)
        block_free(p, (HostBlock *)object);
    else if (object->kind == HOST_STREAM || object->kind == HOST_EVENT)
        stream_free(object);
    else if (object->kind == HOST_PRODUCER)
        memory_free(((HostProducer *)object)->points);
    else if (object->kind == HOST_FUNCTION)
        memory_free(((HostFunction *)object)->defaults);
    else if (object->kind == HOST_EXCEPTION)
        memory_free(((HostException *)object)->traces);
    memory_free(object);
}

void host_sweep(Program *p)
{
    const bool loads = p->frame->env->library; /* amid an expression, which has texts there */
    if (p->scratch.total > SCRATCH_MOST && !loads && !p->texts) {
        arena_free(&p->scratch);
        arena_init(&p->scratch, p->arena->exhausted);
    }
    if (p->bytes >= p->limit)
        host_sweep_all(p);
}

void host_sweep_all(Program *p)
{
    mark_all(p);
    p->bytes = 0;
    for (HostObject **link = &p->objects; *link;) {
        HostObject *object = *link;
        if (object->marked) {
            object->marked = false;
            p->bytes += object_bytes(object);
            link = &object->next;
        } else {
            *link = object->next;
            free_object(p, object);
        }
    }
    p->limit = 2 * p->bytes > FIRST_SWEEP ? 2 * p->bytes : FIRST_SWEEP;
}

void host_module(Program *p, kjit_module *module)
{
    kjit_module **modules = memory_resize(p->modules, (p->module_count + 1) * sizeof *modules);
    if (!modules) {
        kjit_close_module(module);
        arena_give_up(p->arena);
    }
    p->modules = modules;
    modules[p->module_count++] = module;
}

void host_free_all(Program *p)
{
    repeats_free(p);
    while (p->objects) {
        HostObject *next = p->objects->next;
        free_object(p, p->objects);
        p->objects = next;
    }
    for (size_t i = 0; i < p->module_count; i++)
        kjit_close_module(p->modules[i]);
    if (p->processor != p->context)
        kjit_close(p->processor);
    if (p->own_context)
        kjit_close(p->context);
    memory_free(p->modules);
    memory_free(p->temps);
    arena_free(&p->scratch);
}
