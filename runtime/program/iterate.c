/* Going over what has items, and what Python has that gives them one by one. */
#include "runtime/program/arrays.h"

bool host_is_iterable(HostValue value)
{
    return value.kind == HOST_LIST || value.kind == HOST_TUPLE || value.kind == HOST_RANGE ||
           value.kind == HOST_STRING || dict_of(value) || is_set(value) ||
           value.kind == HOST_PRODUCER ||
           (value.kind == HOST_CLASS && value.class_->form >= CLASS_ENUM) ||
           value.kind == HOST_EXPRESSION ||
           (value.kind == HOST_ARRAY &&
            (value.array->view.rank || value.array->view.dtype == KJIT_DTYPE_RECORD)) ||
           enum_has_flags(value) || object_has(value, "__iter__") ||
           object_has(value, "__next__") || object_has(value, "__getitem__");
}

/* One record is its fields. */
static bool record_settle(Program *p, HostValue *value)
{
    HostValue record = *value;
    return record.kind != HOST_ARRAY || record.array->view.rank ||
           record.array->view.dtype != KJIT_DTYPE_RECORD ||
           modules_call(p, "_methods.record_fields", &record, 1, value);
}

bool host_iterate(Program *p, HostValue value, HostIterator *it)
{
    HostValue given;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (!host_settle(p, &value))
        return false;
    if (value.kind == HOST_CLASS && value.class_->form >= CLASS_ENUM)
        value = host_object(value.class_->members);
    else if (enum_has_flags(value))
        value = enum_members(p, value);
    if (value.kind == HOST_INSTANCE && object_calls(p, value, "__iter__", NULL, 0, &given)) {
        const char *type = host_type_name(p, given);
        value = given;
        if (value.kind != HOST_PRODUCER && !object_has(value, "__next__"))
            return host_fail(p, "TypeError", "iter() returned non-iterator of type '%s'", type);
    } else if (object_has(value, "__getitem__") && !p->failed) {
        return modules_call(p, "_methods.object_items", &value, 1, &given) &&
               host_iterate(p, given, it);
    }
    if (p->failed || !record_settle(p, &value))
        return false;
    host_keep(p, value);
    *it = (HostIterator){ .over = value, .live = dict_of(value) ? dict_of(value)->live : 0 };
    if (is_set(value))
        it->live = value.set->used;
    if (!host_is_iterable(value))
        return host_fail(p, "TypeError", "'%s' object is not iterable", host_type_name(p, value));
    return value.kind != HOST_ARRAY || host_array_read(p, value.array);
}

static bool next_character(Program *p, HostIterator *it, HostValue *out)
{
    const HostString *string = it->over.string;
    if (it->at >= string->length) /* bytes */
        return false;
    size_t bytes = utf8_length(string->text + it->at, string->text + string->length);
    bytes = bytes ? bytes : 1;
    *out = host_string(p, string->text + it->at, bytes);
    it->at += bytes;
    return true;
}

/* What is done gives nothing any more, and holds nothing, but where what it calls asked it for the
** last item, as a function given to filter() may. */
static bool produce(Program *p, HostProducer *self, HostValue *out)
{
    const bool within = self->running;
    if (self->finished)
        return false;
    if (within && self->body)
        return host_fail(p, "ValueError", "generator already executing");
    self->running = true;
    const bool given = self->next(p, self, out);
    self->running = within;
    self->finished |= !given;
    if (self->finished && !within) {
        self->count = 0;
        self->env = NULL;
    }
    return given;
}

/* What its __next__ gives, until that raises StopIteration. */
static bool next_of_object(Program *p, HostValue object, HostValue *out)
{
    const bool given = object_calls(p, object, "__next__", NULL, 0, out);
    if (p->failed && !host_is_final(p) && exception_is(p->exception, "StopIteration"))
        host_forget(p);
    return given;
}

bool host_next(Program *p, HostIterator *it, HostValue *out)
{
    const HostValue over = it->over;
    const size_t at = it->at;
    if (over.kind == HOST_PRODUCER)
        return produce(p, over.producer, out);
    if (over.kind == HOST_INSTANCE)
        return next_of_object(p, over, out);
    if (over.kind == HOST_STRING)
        return next_character(p, it, out);
    if (dict_of(over))
        return dict_next(p, it, out);
    if (is_set(over))
        return host_set_next(p, it, out);
    it->at++;
    if (over.kind == HOST_ARRAY)
        return (int64_t)at < over.array->view.shape[0] &&
               host_array_index(p, over.array, host_int((int64_t)at), out);
    if (over.kind == HOST_RANGE) {
        if ((int64_t)at >= over.range->count)
            return false;
        return host_give(out, host_int(over.range->start + (int64_t)at * over.range->step));
    }
    if (at >= over.list->count)
        return false;
    return host_give(out, over.list->items[at]);
}

bool host_collect(Program *p, HostKind kind, HostValue value, HostValue *out)
{
    HostIterator it;
    HostValue item;
    if (!host_iterate(p, value, &it))
        return false;
    if (value.kind == HOST_RANGE && value.range->count > HOST_ITEMS_MOST)
        return host_lacks(p, "MemoryError", "a list of %lld items is too long",
                          (long long)value.range->count);
    *out = host_items(p, kind, NULL, 0);
    while (host_next(p, &it, &item)) {
        if (out->list->count == HOST_ITEMS_MOST)
            return host_lacks(p, "MemoryError", "a list of more than %d items is too long",
                              HOST_ITEMS_MOST);
        host_append(p, out->list, item);
    }
    return !p->failed;
}

/* ---- enumerate, zip and the like ------------------------------------------------------------ */

HostProducer *host_producer(Program *p, const char *class_, HostProduce *next)
{
    HostProducer *self = host_new(p, HOST_PRODUCER, sizeof *self);
    self->class_ = class_;
    self->next = next;
    self->function = self->passed = host_none();
    return self;
}

/* Notes what it goes over; false after a TypeError. */
static bool producer_over(Program *p, HostProducer *self, HostValue value)
{
    HostPoint point = { .at = 0 };
    if (!host_iterate(p, value, &point.it))
        return false;
    if (!memory_more(self->points, self->count, self->capacity))
        arena_give_up(p->arena);
    self->points[self->count++] = point;
    return true;
}

static bool next_number(Program *p, HostProducer *self, HostValue *out)
{
    HostValue pair[2] = { host_int(self->number) };
    if (!host_next(p, &self->points[0].it, &pair[1]))
        return false;
    self->number++;
    return host_give(out, host_items(p, HOST_TUPLE, pair, 2));
}

static bool builtin_enumerate(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = host_producer(p, "enumerate", next_number);
    *out = host_object(self);
    return host_integer(p, args_get(args, 1, "start", host_int(0)), &self->number) &&
           producer_over(p, self, args->values[0]);
}

/* An item of each: as many as the shortest has. */
static bool next_row(Program *p, HostProducer *self, HostValue *out)
{
    HostValue row = host_room(p, HOST_TUPLE, self->count), item;
    for (size_t i = 0; i < self->count; i++) {
        if (!host_next(p, &self->points[i].it, &item))
            return false;
        host_append(p, row.list, item);
    }
    *out = row;
    return self->count > 0;
}

/* What goes over the arguments from `first` on. */
static bool go_over(Program *p, HostProducer *self, const HostArgs *args, size_t first,
                    HostValue *out)
{
    *out = host_object(self);
    for (size_t i = first; i < args->count; i++)
        if (!producer_over(p, self, args->values[i]))
            return false;
    return true;
}

static bool builtin_zip(Program *p, HostArgs *args, HostValue *out)
{
    return go_over(p, host_producer(p, "zip", next_row), args, 0, out);
}

static bool next_mapped(Program *p, HostProducer *self, HostValue *out)
{
    HostValue row;
    if (!next_row(p, self, &row))
        return false;
    HostArgs call = { .values = row.list->items, .count = row.list->count };
    return host_call(p, self->function, &call, out) && host_settle(p, out);
}

static bool builtin_map(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = host_producer(p, "map", next_mapped);
    self->function = args->values[0];
    return go_over(p, self, args, 1, out);
}

static bool next_wanted(Program *p, HostProducer *self, HostValue *out)
{
    bool wanted = false;
    while (!wanted && host_next(p, &self->points[0].it, out)) {
        HostValue value = *out;
        if ((self->function.kind != HOST_NONE && !host_call_one(p, self->function, *out, &value)) ||
            !host_truth(p, value, &wanted))
            return false;
    }
    return wanted;
}

static bool builtin_filter(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = host_producer(p, "filter", next_wanted);
    self->function = args->values[0];
    return go_over(p, self, args, 1, out);
}

static bool next_backwards(Program *p, HostProducer *self, HostValue *out)
{
    return self->number-- > 0 &&
           host_index(p, self->points[0].it.over, host_int(self->number), out);
}

static bool builtin_reversed(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = host_producer(p, "reversed", next_backwards);
    if (object_calls(p, args->values[0], "__reversed__", NULL, 0, out) || p->failed)
        return !p->failed;
    if (object_has(args->values[0], "__getitem__") && object_has(args->values[0], "__len__"))
        return modules_call(p, "_methods.object_backwards", args->values, 1, out);
    if (args->values[0].kind == HOST_PRODUCER || args->values[0].kind == HOST_INSTANCE)
        return host_fail(p, "TypeError", "'%s' object is not reversible",
                         host_type_name(p, args->values[0]));
    if (dict_of(args->values[0]) && !host_collect(p, HOST_LIST, args->values[0], &args->values[0]))
        return false;
    return go_over(p, self, args, 0, out) && host_length(p, self->points[0].it.over, &self->number);
}

static bool next_item(Program *p, HostProducer *self, HostValue *out)
{
    return host_next(p, &self->points[0].it, out);
}

/* iter(function, last): what calls give, until one gives `last`. */
static bool next_called(Program *p, HostProducer *self, HostValue *out)
{
    HostArgs nothing = { .count = 0 };
    bool last = false;
    if (!host_call(p, self->function, &nothing, out) || !host_settle(p, out))
        return false;
    host_keep(p, *out);
    return host_same_or_equal(p, *out, self->passed, &last) && !last;
}

static bool builtin_iter(Program *p, HostArgs *args, HostValue *out)
{
    *out = args->values[0];
    if (args->count == 2) {
        HostProducer *self = host_producer(p, "callable_iterator", next_called);
        self->function = args->values[0];
        self->passed = args->values[1];
        return host_give(out, host_object(self));
    }
    if (out->kind == HOST_PRODUCER ||
        (object_has(*out, "__next__") && !object_has(*out, "__iter__")))
        return true;
    if (object_calls(p, *out, "__iter__", NULL, 0, out) || p->failed)
        return !p->failed;
    const char *class_ = arena_printf(p->arena, "%s_iterator", host_type_name(p, *out));
    return go_over(p, host_producer(p, class_, next_item), args, 0, out);
}

/* The error that there are no more items: with what a generator has returned. */
static bool stopped(Program *p, HostProducer *self)
{
    const bool returns = self->body && self->passed.kind != HOST_NONE;
    const HostValue args = host_items(p, HOST_TUPLE, &self->passed, returns);
    self->passed = host_none();
    return !p->failed && host_fail_exception(p, host_exception(p, "StopIteration", args));
}

static bool builtin_next(Program *p, HostArgs *args, HostValue *out)
{
    HostValue given;
    if (object_has(args->values[0], "__next__")) {
        const bool found = object_calls(p, args->values[0], "__next__", NULL, 0, &given);
        const bool ends = p->failed && args->count == 2 && !host_is_final(p) &&
                          exception_is(p->exception, "StopIteration");
        if (ends)
            host_forget(p);
        *out = ends ? args->values[1] : given;
        return found || ends;
    }
    if (args->values[0].kind != HOST_PRODUCER)
        return host_fail(p, "TypeError", "'%s' object is not an iterator",
                         host_type_name(p, args->values[0]));
    if (produce(p, args->values[0].producer, out))
        return true;
    *out = args_get(args, 1, NULL, host_none());
    return !p->failed && (args->count == 2 || stopped(p, args->values[0].producer));
}

/* ---- methods of generators ------------------------------------------------------------------ */

static bool generator_send(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = args->self.producer;
    if (!self->started && args->values[0].kind != HOST_NONE)
        return host_fail(p, "TypeError", "can't send non-None value to a just-started generator");
    self->passed = args->values[0];
    return produce(p, self, out) || stopped(p, self);
}

/* Raises an exception where the generator stopped. */
static bool generator_throw(Program *p, HostArgs *args, HostValue *out)
{
    HostProducer *self = args->self.producer;
    HostException *exception;
    if (!exception_of(p, args->values[0], &exception))
        return false;
    if (!exception)
        return host_fail(p, "TypeError",
                         "exceptions must be classes or instances deriving from BaseException, "
                         "not %s",
                         host_type_name(p, args->values[0]));
    if (self->running)
        return host_fail(p, "ValueError", "generator already executing");
    if (self->finished || !self->started) {
        self->finished = true;
        return host_fail_exception(p, exception);
    }
    self->thrown = exception;
    return produce(p, self, out) || stopped(p, self);
}

bool generator_end(Program *p, HostProducer *self)
{
    HostValue value;
    if (self->running)
        return host_fail(p, "ValueError", "generator already executing");
    if (!self->started || self->finished || !self->body) {
        self->finished = true;
        return true;
    }
    self->thrown = host_exception(p, "GeneratorExit", host_items(p, HOST_TUPLE, NULL, 0));
    if (produce(p, self, &value))
        return host_fail(p, "RuntimeError", "generator ignored GeneratorExit");
    if (p->failed && !exception_is(p->exception, "GeneratorExit") &&
        !exception_is(p->exception, "StopIteration"))
        return false;
    host_forget(p);
    return true;
}

static bool generator_close(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return generator_end(p, args->self.producer);
}

const HostBuiltin iterator_functions[] = {
    { "enumerate", 1, 2, builtin_enumerate, "start" },
    { "zip", 0, -1, builtin_zip, NULL },
    { "map", 2, -1, builtin_map, NULL },
    { "filter", 2, 2, builtin_filter, NULL },
    { "reversed", 1, 1, builtin_reversed, NULL },
    { "iter", 1, 2, builtin_iter, NULL },
    { "next", 1, 2, builtin_next, NULL },
    { "generator.send", 1, 1, generator_send, NULL },
    { "generator.close", 0, 0, generator_close, NULL },
    { "generator.throw", 1, 1, generator_throw, NULL },
    { NULL, 0, 0, NULL, NULL },
};
