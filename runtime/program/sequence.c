/* What has items: indices, slices, order. */
#include "runtime/program/arrays.h"
#include "runtime/program/kernels.h"
#include "runtime/array/array.h"

/* ---- texts by their characters -------------------------------------------------------------- */

static size_t string_count(const HostString *string)
{
    size_t count = 0;
    for (size_t i = 0; i < string->length; i++)
        count += ((unsigned char)string->text[i] & 0xc0) != 0x80;
    return count;
}

/* The byte that character `index` begins at. */
static size_t string_offset(const HostString *string, size_t index)
{
    size_t at = 0;
    if (string_count(string) == string->length)
        return index;
    for (; index && at < string->length; index--) {
        size_t bytes = utf8_length(string->text + at, string->text + string->length);
        at += bytes ? bytes : 1;
    }
    return at;
}

static HostValue string_part(Program *p, const HostString *string, size_t from, size_t count)
{
    size_t begin = string_offset(string, from), end = string_offset(string, from + count);
    return host_string(p, string->text + begin, end - begin);
}

bool host_length(Program *p, HostValue value, int64_t *length)
{
    HostValue special;
    if (!host_settle(p, &value))
        return false;
    switch (value.kind) {
    case HOST_ARRAY:
        *length = value.array->view.shape[0];
        return value.array->view.rank || host_fail(p, "TypeError", "len() of unsized object");
    case HOST_STRING:
        *length = (int64_t)string_count(value.string);
        return true;
    case HOST_LIST:
    case HOST_TUPLE:
        *length = (int64_t)value.list->count;
        return true;
    case HOST_DICT:
    case HOST_VIEW:
        *length = (int64_t)dict_of(value)->live;
        return true;
    case HOST_SET:
    case HOST_FROZEN_SET:
        *length = (int64_t)value.set->used;
        return true;
    case HOST_RANGE:
        *length = value.range->count;
        return true;
    case HOST_CLASS:
        *length = (int64_t)value.class_->members->count;
        return value.class_->form >= CLASS_ENUM ||
               host_fail(p, "TypeError", "object of type 'type' has no len()");
    default:
        if (enum_has_flags(value)) {
            *length = (int64_t)enum_members(p, value).list->count;
            return true;
        }
        if (object_calls(p, value, "__len__", NULL, 0, &special))
            return host_integer(p, special, length) &&
                   (*length >= 0 || host_fail(p, "ValueError", "__len__() should return >= 0"));
        return !p->failed && host_fail(p, "TypeError", "object of type '%s' has no len()",
                                       host_type_name(p, value));
    }
}

/* ---- indices -------------------------------------------------------------------------------- */

static bool slice_part(Program *p, HostValue value, int64_t missing, int64_t *out)
{
    *out = missing;
    if (value.kind == HOST_NONE)
        return true;
    if (value.kind == HOST_WIDE) { /* as far beyond as any index */
        *out = value.wide->negative ? INT64_MIN : INT64_MAX;
        return true;
    }
    if (!host_is_integer(value))
        return host_fail(p, "TypeError",
                         "slice indices must be integers or None or have an "
                         "__index__ method");
    *out = value.integer;
    return true;
}

/* Brings a start or a stop into the sequence. */
static int64_t clamp(int64_t at, int64_t length, bool backward)
{
    int64_t low = backward ? -1 : 0, high = backward ? length - 1 : length;
    if (at < 0)
        at += length;
    return at < low ? low : at > high ? high : at;
}

/* Where a slice of `length` begins, what step it takes, and how many it takes. */
static bool slice_indices(Program *p, const HostSlice *slice, int64_t length, int64_t *start,
                          int64_t *step, int64_t *count)
{
    int64_t stop;
    if (!slice_part(p, slice->parts[2], 1, step))
        return false;
    if (*step == 0)
        return host_fail(p, "ValueError", "slice step cannot be zero");
    bool back = *step < 0;
    if (!slice_part(p, slice->parts[0], back ? INT64_MAX : 0, start) ||
        !slice_part(p, slice->parts[1], back ? INT64_MIN : INT64_MAX, &stop))
        return false;
    *start = clamp(*start, length, back);
    stop = stop == INT64_MIN ? -1 : clamp(stop, length, back);
    int64_t size = *step == INT64_MIN ? INT64_MAX : back ? -*step : *step;
    int64_t distance = back ? *start - stop : stop - *start;
    *count = distance > 0 ? (distance - 1) / size + 1 : 0;
    return true;
}

static bool index_slice(Program *p, HostValue object, const HostSlice *slice, HostValue *out)
{
    int64_t length, start, step, count;
    if (!host_length(p, object, &length) || !slice_indices(p, slice, length, &start, &step, &count))
        return false;
    if (object.kind == HOST_RANGE) {
        HostRange *range = host_new(p, HOST_RANGE, sizeof *range);
        range->start = object.range->start + start * object.range->step;
        range->step = object.range->step * step;
        range->count = count;
        range->stop = range->start + count * range->step;
        return host_give(out, host_object(range));
    }
    if (object.kind == HOST_STRING && step == 1)
        return host_give(out, string_part(p, object.string, (size_t)start, (size_t)count));
    if (object.kind == HOST_STRING) {
        Buf text = buf_in(&p->scratch);
        for (int64_t i = 0; i < count; i++) {
            size_t at = string_offset(object.string, (size_t)(start + i * step));
            size_t end = string_offset(object.string, (size_t)(start + i * step) + 1);
            buf_put(&text, object.string->text + at, end - at);
        }
        return host_give(out, host_buf(p, &text));
    }
    *out = host_items(p, object.kind, NULL, 0);
    for (int64_t i = 0; i < count; i++)
        host_append(p, out->list, object.list->items[start + i * step]);
    return true;
}

static bool no_index(Program *p, HostValue object, HostValue index)
{
    const char *name = host_type_name(p, index);
    if (object.kind == HOST_STRING)
        return host_fail(p, "TypeError", "string indices must be integers, not '%s'", name);
    return host_fail(p, "TypeError", "%s indices must be integers or slices, not %s",
                     host_type_name(p, object), name);
}

/* Wraps a negative index; false after an error. */
static bool find_index(Program *p, HostValue object, HostValue index, const char *what, int64_t *at)
{
    int64_t length;
    if (!object_number(p, "__index__", &index) || !host_length(p, object, &length))
        return false;
    if (index.kind == HOST_WIDE)
        return host_fail(p, "IndexError", "cannot fit 'int' into an index-sized integer");
    if (!host_is_integer(index))
        return no_index(p, object, index);
    *at = index.integer;
    if (index_wrap(at, length))
        return true;
    const char *name = object.kind == HOST_STRING  ? "string"
                       : object.kind == HOST_RANGE ? "range object"
                       : object.kind == HOST_TUPLE ? "tuple"
                                                   : "list";
    return host_fail(p, "IndexError", "%s %sindex out of range", name, what);
}

/* np.mgrid[0:3, 0:4]: a function of what stands in the brackets. */
static bool call_with_index(Program *p, HostValue module, HostValue index, HostValue *out)
{
    HostValue function;
    return modules_find(p, module.text, &function) ? host_call_one(p, function, index, out)
           : p->failed                             ? false
                       : host_fail(p, "TypeError", "'module' object is not subscriptable");
}

bool host_index(Program *p, HostValue object, HostValue index, HostValue *out)
{
    if (object.kind == HOST_MODULE)
        return call_with_index(p, object, index, out);
    int64_t at;
    if (!host_settle(p, &object))
        return false;
    if (object.kind == HOST_NUMBER && index.kind == HOST_TUPLE && !index.list->count) {
        *out = object; /* x[()], as of an array without axes */
        return true;
    }
    host_keep(p, object);
    if (object.kind == HOST_FOREIGN)
        return host_give(out, foreign_item(p, object, index));
    if (object.kind == HOST_ARRAY)
        return host_array_index(p, object.array, index, out);
    if (object.kind == HOST_FLAGS && index.kind == HOST_STRING)
        return host_flag(object, index.string->text, true, out) ||
               host_fail(p, "KeyError", "Unknown flag");
    if (object.kind == HOST_DTYPE)
        return numba_type_index(p, object, index, out);
    if (object.kind == HOST_KERNEL)
        return kernel_index(p, object, index, out);
    if (object.kind == HOST_CLASS && object.class_->form >= CLASS_ENUM)
        return enum_index(p, object.class_, index, out);
    if (object.kind == HOST_INSTANCE &&
        (object_calls(p, object, "__getitem__", &index, 1, out) || p->failed))
        return !p->failed;
    if (object.kind == HOST_DICT)
        return host_settle(p, &index) && dict_index(p, object.dict, index, out);
    if (object.kind < HOST_STRING || object.kind > HOST_RANGE || object.kind == HOST_VIEW ||
        is_set(object))
        return host_fail(p, "TypeError", "'%s' object is not subscriptable%s",
                         host_type_name(p, object),
                         object.kind == HOST_FUNCTION && index.kind == HOST_TUPLE
                             ? ": a kernel has @cuda.jit above it"
                             : "");
    if (index.kind == HOST_SLICE)
        return index_slice(p, object, index.slice, out);
    if (!find_index(p, object, index, "", &at))
        return false;
    if (object.kind == HOST_RANGE)
        *out = host_int(object.range->start + at * object.range->step);
    else if (object.kind == HOST_STRING)
        *out = string_part(p, object.string, (size_t)at, 1);
    else
        *out = object.list->items[at];
    return true;
}

/* list[a:b] = items */
static bool set_slice(Program *p, HostList *list, const HostSlice *slice, HostValue value)
{
    int64_t start, step, count;
    HostValue items;
    if (!host_is_iterable(value))
        return host_fail(p, "TypeError", "can only assign an iterable");
    if (!host_collect(p, HOST_LIST, value, &items))
        return false;
    if (!slice_indices(p, slice, (int64_t)list->count, &start, &step, &count))
        return false;
    size_t given = items.list->count;
    if (step != 1) {
        if (given != (size_t)count)
            return host_fail(p, "ValueError",
                             "attempt to assign sequence of size %zu to extended slice of size "
                             "%lld",
                             given, (long long)count);
        for (int64_t i = 0; i < count; i++)
            list->items[start + i * step] = items.list->items[i];
        return true;
    }
    HostValue after = host_items(p, HOST_LIST, list->items, (size_t)start);
    for (size_t i = 0; i < given; i++)
        host_append(p, after.list, items.list->items[i]);
    for (size_t i = (size_t)(start + count); i < list->count; i++)
        host_append(p, after.list, list->items[i]);
    list->count = 0;
    for (size_t i = 0; i < after.list->count; i++)
        host_append(p, list, after.list->items[i]);
    return true;
}

bool host_set_index(Program *p, HostValue object, HostValue index, HostValue value)
{
    int64_t at;
    if (object.kind == HOST_FOREIGN)
        return true;
    if (object.kind == HOST_ARRAY)
        return host_array_set_index(p, object.array, index, value);
    if (!host_settle(p, &value))
        return false;
    const HostValue pair[2] = { index, value };
    if (object.kind == HOST_INSTANCE &&
        (object_calls(p, object, "__setitem__", pair, 2, &value) || p->failed))
        return !p->failed;
    if (object.kind == HOST_DICT)
        return host_settle(p, &index) && dict_put(p, object.dict, index, value);
    if (object.kind != HOST_LIST)
        return host_fail(p, "TypeError", "'%s' object does not support item assignment",
                         host_type_name(p, object));
    if (index.kind == HOST_SLICE)
        return set_slice(p, object.list, index.slice, value);
    if (!find_index(p, object, index, "assignment ", &at))
        return false;
    object.list->items[at] = value;
    return true;
}

/* del list[a:b:c] */
static bool delete_slice(Program *p, HostList *list, const HostSlice *slice)
{
    int64_t start, step, count;
    size_t kept = 0;
    if (!slice_indices(p, slice, (int64_t)list->count, &start, &step, &count))
        return false;
    if (count < 2)
        step = 1; /* it may be any number */
    if (step < 0) {
        start += (count - 1) * step;
        step = -step;
    }
    for (size_t i = 0; i < list->count; i++) {
        int64_t behind = (int64_t)i - start;
        if (behind < 0 || behind % step || behind / step >= count)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return true;
}

bool host_delete_index(Program *p, HostValue object, HostValue index)
{
    int64_t at;
    bool found;
    HostValue none;
    if (object_calls(p, object, "__delitem__", &index, 1, &none) || p->failed)
        return !p->failed;
    if (object.kind == HOST_DICT)
        return host_settle(p, &index) && dict_remove(p, object.dict, index, NULL, &found) &&
               (found || dict_missing(p, index));
    if (object.kind != HOST_LIST)
        return host_fail(p, "TypeError", "'%s' object doesn't support item deletion",
                         host_type_name(p, object));
    if (index.kind == HOST_SLICE)
        return delete_slice(p, object.list, index.slice);
    if (!find_index(p, object, index, "assignment ", &at))
        return false;
    HostList *list = object.list;
    memmove(list->items + at, list->items + at + 1,
            (list->count - (size_t)at - 1) * sizeof *list->items);
    list->count--;
    return true;
}

/* Whether a dictionary has a key, or a view of its items a pair. */
static bool dict_contains(Program *p, HostValue item, HostValue in, bool *has)
{
    const bool pair = in.kind == HOST_VIEW && in.view->of == VIEW_ITEMS;
    HostValue *found;
    if (!host_settle(p, &item))
        return false;
    if (pair && (item.kind != HOST_TUPLE || item.list->count != 2))
        return true;
    if (!dict_find(p, dict_of(in), pair ? item.list->items[0] : item, &found))
        return false;
    *has = found;
    return !found || !pair || host_same_or_equal(p, *found, item.list->items[1], has);
}

bool host_contains(Program *p, HostValue item, HostValue in, bool *found)
{
    HostIterator it;
    HostValue other;
    *found = false;
    if (in.kind == HOST_STRING && item.kind != HOST_STRING)
        return host_fail(p, "TypeError", "'in <string>' requires string as left operand, not %s",
                         host_type_name(p, item));
    if (in.kind == HOST_STRING) {
        *found = !item.string->length ||
                 memmem(in.string->text, in.string->length, item.string->text, item.string->length);
        return true;
    }
    if (in.kind == HOST_DICT || (in.kind == HOST_VIEW && in.view->of != VIEW_VALUES))
        return dict_contains(p, item, in, found);
    if (object_calls(p, in, "__contains__", &item, 1, &other))
        return host_truth(p, other, found);
    if (p->failed)
        return false;
    if (is_set(in))
        return host_set_contains(p, in.set, item, found);
    if (in.kind == HOST_CLASS && in.class_->form >= CLASS_ENUM)
        return enum_contains(p, in.class_, item, found);
    if (enum_has_flags(in) && class_of(item) == class_of(in)) {
        *found = (enum_bits(item) & enum_bits(in)) == enum_bits(item);
        return true;
    }
    if (!host_iterate(p, in, &it))
        return host_fail(p, "TypeError", "argument of type '%s' is not iterable",
                         host_type_name(p, in));
    while (!*found && host_next(p, &it, &other))
        if (!host_same_or_equal(p, other, item, found))
            return false;
    return true;
}

/* ---- order ---------------------------------------------------------------------------------- */

typedef struct Keyed {
    HostValue key, item;
} Keyed;

/* Merges two runs that are in order; equal items stay as they were. */
static bool merge(Program *p, const Keyed *from, Keyed *to, size_t begin, size_t middle, size_t end,
                  bool reverse)
{
    size_t a = begin, b = middle;
    for (size_t i = begin; i < end; i++) {
        bool second = a == middle;
        if (a < middle && b < end) {
            bool fine = reverse ? host_less(p, from[a].key, from[b].key, &second)
                                : host_less(p, from[b].key, from[a].key, &second);
            if (!fine)
                return false;
        }
        to[i] = second ? from[b++] : from[a++];
    }
    return true;
}

static bool sort_keyed(Program *p, Keyed *items, Keyed *room, size_t count, bool reverse)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t middle = at + width < count ? at + width : count;
            size_t end = middle + width < count ? middle + width : count;
            if (!merge(p, items, room, at, middle, end, reverse))
                return false;
        }
        memcpy(items, room, count * sizeof *items);
    }
    return true;
}

bool host_sort(Program *p, HostList *list, HostValue key, bool reverse)
{
    size_t count = list->count;
    HostValue keys = host_items(p, HOST_LIST, list->items, count);
    for (size_t i = 0; key.kind != HOST_NONE && i < count; i++)
        if (!host_call_one(p, key, list->items[i], &keys.list->items[i]))
            return false;
    if (list->count != count)
        return host_fail(p, "ValueError", "list modified during sort");
    Keyed *items = memory_zeroed(2 * count + 1, sizeof *items);
    if (!items)
        arena_give_up(p->arena);
    for (size_t i = 0; i < count; i++)
        items[i] = (Keyed){ keys.list->items[i], list->items[i] };
    bool fine = sort_keyed(p, items, items + count, count, reverse);
    for (size_t i = 0; i < count; i++)
        list->items[i] = items[i].item;
    memory_free(items);
    return fine;
}

/* ---- methods of lists ----------------------------------------------------------------------- */

static bool list_append(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    host_append(p, args->self.list, args->values[0]);
    return true;
}

static bool list_extend(Program *p, HostArgs *args, HostValue *out)
{
    HostValue items;
    *out = host_none();
    if (!host_collect(p, HOST_LIST, args->values[0], &items))
        return false;
    for (size_t i = 0, count = items.list->count; i < count; i++)
        host_append(p, args->self.list, items.list->items[i]);
    return true;
}

static bool list_insert(Program *p, HostArgs *args, HostValue *out)
{
    int64_t at;
    HostSlice slice = { .parts = { args->values[0], args->values[0] } };
    (void)out;
    if (!host_integer(p, args->values[0], &at))
        return false;
    return set_slice(p, args->self.list, &slice, host_items(p, HOST_LIST, &args->values[1], 1));
}

static bool list_pop(Program *p, HostArgs *args, HostValue *out)
{
    HostList *list = args->self.list;
    HostValue index = args_get(args, 0, NULL, host_int(-1));
    int64_t at;
    if (!list->count)
        return host_fail(p, "IndexError", "pop from empty list");
    if (!host_integer(p, index, &at))
        return false;
    if (!index_wrap(&at, (int64_t)list->count))
        return host_fail(p, "IndexError", "pop index out of range");
    *out = list->items[at];
    host_keep(p, *out);
    return host_delete_index(p, args->self, host_int(at));
}

static bool list_find(Program *p, const HostList *list, HostValue value, int64_t *at)
{
    bool equal = false;
    for (*at = 0; *at < (int64_t)list->count; ++*at) {
        if (!host_same_or_equal(p, list->items[*at], value, &equal))
            return false;
        if (equal)
            return true;
    }
    *at = -1;
    return true;
}

static bool list_index(Program *p, HostArgs *args, HostValue *out)
{
    int64_t at;
    if (!list_find(p, args->self.list, args->values[0], &at))
        return false;
    *out = host_int(at);
    if (at >= 0)
        return true;
    Buf text = buf_in(&p->scratch);
    host_repr(p, &text, args->values[0]);
    return args->self.kind == HOST_TUPLE
               ? host_fail(p, "ValueError", "tuple.index(x): x not in tuple")
               : host_fail(p, "ValueError", "%s is not in list", buf_text(&text));
}

static bool list_remove(Program *p, HostArgs *args, HostValue *out)
{
    int64_t at;
    (void)out;
    if (!list_find(p, args->self.list, args->values[0], &at))
        return false;
    if (at < 0)
        return host_fail(p, "ValueError", "list.remove(x): x not in list");
    return host_delete_index(p, args->self, host_int(at));
}

static bool list_count(Program *p, HostArgs *args, HostValue *out)
{
    int64_t count = 0;
    bool equal;
    for (size_t i = 0; i < args->self.list->count; i++) {
        if (!host_same_or_equal(p, args->self.list->items[i], args->values[0], &equal))
            return false;
        count += equal;
    }
    return host_give(out, host_int(count));
}

static bool list_reverse(Program *p, HostArgs *args, HostValue *out)
{
    HostList *list = args->self.list;
    (void)p;
    (void)out;
    for (size_t i = 0; i < list->count / 2; i++) {
        HostValue first = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = first;
    }
    return true;
}

static bool list_sort(Program *p, HostArgs *args, HostValue *out)
{
    bool reverse = false;
    (void)out;
    return host_truth(p, args_get(args, 1, "reverse", host_bool(false)), &reverse) &&
           host_sort(p, args->self.list, args_get(args, 1, "key", host_none()), reverse);
}

static bool list_copy(Program *p, HostArgs *args, HostValue *out)
{
    return host_give(out, host_items(p, HOST_LIST, args->self.list->items, args->self.list->count));
}

static bool list_clear(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)out;
    args->self.list->count = 0;
    return true;
}

const HostBuiltin list_methods[] = {
    { "list.append", 1, 1, list_append, NULL },      { "list.extend", 1, 1, list_extend, NULL },
    { "list.insert", 2, 2, list_insert, NULL },      { "list.pop", 0, 1, list_pop, NULL },
    { "list.index", 1, 1, list_index, NULL },        { "list.remove", 1, 1, list_remove, NULL },
    { "list.count", 1, 1, list_count, NULL },        { "list.reverse", 0, 0, list_reverse, NULL },
    { "list.sort", 0, 0, list_sort, "key reverse" }, { "list.copy", 0, 0, list_copy, NULL },
    { "list.clear", 0, 0, list_clear, NULL },        { "tuple.index", 1, 1, list_index, NULL },
    { "tuple.count", 1, 1, list_count, NULL },       { NULL, 0, 0, NULL, NULL },
};
