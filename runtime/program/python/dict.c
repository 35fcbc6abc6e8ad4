/* Dictionaries: found by hashes, gone over in the order in which keys came; and their methods. */
#include "runtime/program/arrays.h"

HostValue host_dict(Program *p)
{
    return host_object(host_new(p, HOST_DICT, sizeof(HostDict)));
}

HostValue dict_like(Program *p, const HostDict *like)
{
    const HostValue dict = host_dict(p);
    dict.dict->form = like->form;
    dict.dict->factory = like->factory;
    return dict;
}

HostValue dict_view(Program *p, HostDict *dict, HostViewOf of)
{
    HostView *view = host_new(p, HOST_VIEW, sizeof *view);
    view->dict = dict;
    view->of = of;
    return host_object(view);
}

const char *dict_path(const HostDict *dict)
{
    static const char *const paths[] = { [DICT_PLAIN] = "dict",
                                         [DICT_DEFAULT] = "collections.defaultdict",
                                         [DICT_COUNTER] = "collections.Counter",
                                         [DICT_ORDERED] = "collections.OrderedDict" };
    return paths[dict->form];
}

bool dict_missing(Program *p, HostValue key)
{
    HostValue args = host_items(p, HOST_TUPLE, &key, 1);
    return host_fail_exception(p, host_exception(p, "KeyError", args));
}

/* ---- the table ------------------------------------------------------------------------------ */

static size_t first_slot(const HostDict *dict, uint64_t hash)
{
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash ^ hash >> 32) & (2 * dict->capacity - 1);
}

/* The slot of a key, or the free one where it belongs. */
static bool find_slot(Program *p, const HostDict *dict, HostValue key, uint64_t hash, size_t *slot)
{
    const size_t mask = 2 * dict->capacity - 1;
    for (*slot = first_slot(dict, hash); dict->index[*slot]; *slot = (*slot + 1) & mask) {
        const HostEntry *entry = &dict->entries[dict->index[*slot] - 1];
        bool same = entry->key.kind != HOST_KINDS && entry->hash == hash;
        if (same && !host_same_or_equal(p, entry->key, key, &same))
            return false;
        if (same)
            return true;
    }
    return true;
}

/* Entries that were not removed, with room for as many more. */
static void rebuild(Program *p, HostDict *dict)
{
    HostDict bigger = *dict;
    bigger.count = 0;
    bigger.capacity = 8;
    while (bigger.capacity < 2 * dict->live)
        bigger.capacity *= 2;
    if (bigger.capacity > HOST_ITEMS_MOST)
        arena_give_up(p->arena);
    bigger.entries = memory_zeroed(bigger.capacity, DICT_ENTRY_BYTES);
    if (!bigger.entries)
        arena_give_up(p->arena);
    bigger.index = (uint32_t *)(bigger.entries + bigger.capacity);
    for (size_t i = 0; i < dict->count; i++) {
        if (dict->entries[i].key.kind == HOST_KINDS)
            continue;
        size_t slot = first_slot(&bigger, dict->entries[i].hash);
        while (bigger.index[slot])
            slot = (slot + 1) & (2 * bigger.capacity - 1);
        bigger.entries[bigger.count++] = dict->entries[i];
        bigger.index[slot] = (uint32_t)bigger.count;
    }
    p->bytes += bigger.capacity * DICT_ENTRY_BYTES;
    memory_free(dict->entries);
    bigger.live = bigger.taken = bigger.count;
    *dict = bigger;
}

/* The entry of a key; NULL: there is none. */
static bool find_entry(Program *p, const HostDict *dict, HostValue key, HostEntry **entry)
{
    uint64_t hash;
    size_t slot;
    *entry = NULL;
    if (!host_hash(p, key, &hash))
        return false;
    if (!dict->live)
        return true;
    if (!find_slot(p, dict, key, hash, &slot))
        return false;
    if (dict->index[slot])
        *entry = &dict->entries[dict->index[slot] - 1];
    return true;
}

bool dict_find(Program *p, const HostDict *dict, HostValue key, HostValue **found)
{
    HostEntry *entry;
    if (!find_entry(p, dict, key, &entry))
        return false;
    *found = entry ? &entry->value : NULL;
    return true;
}

bool dict_put(Program *p, HostDict *dict, HostValue key, HostValue value)
{
    uint64_t hash;
    size_t slot;
    HostValue *found;
    if (!dict_find(p, dict, key, &found))
        return false;
    if (dict->of && !object_put(p, host_object(dict->of), key, value))
        return false;
    if (found) {
        *found = value;
        return true;
    }
    if (dict->taken == dict->capacity)
        rebuild(p, dict);
    if (!host_hash(p, key, &hash) || !find_slot(p, dict, key, hash, &slot))
        return false;
    dict->entries[dict->count++] = (HostEntry){ hash, key, value };
    dict->index[slot] = (uint32_t)dict->count;
    dict->live++;
    dict->taken++;
    return true;
}

bool dict_index(Program *p, HostDict *dict, HostValue key, HostValue *out)
{
    HostValue *found;
    HostArgs none = { .count = 0 };
    if (!dict_find(p, dict, key, &found))
        return false;
    *out = found ? *found : host_int(0);
    if (found || dict->form == DICT_COUNTER)
        return true;
    if (dict->form != DICT_DEFAULT || dict->factory.kind == HOST_NONE)
        return dict_missing(p, key);
    return host_call(p, dict->factory, &none, out) && host_settle(p, out) &&
           dict_put(p, dict, key, *out);
}

/* The last entries that were removed make room, so that the last one left is found at once. */
static void remove_entry(HostDict *dict, HostEntry *entry)
{
    entry->key = (HostValue){ .kind = HOST_KINDS };
    entry->value = host_none();
    dict->live--;
    while (dict->count && dict->entries[dict->count - 1].key.kind == HOST_KINDS)
        dict->count--;
}

/* Names that vars() of an object loses are no attributes of it from then on. */
static bool lose_name(Program *p, HostDict *dict, HostValue key)
{
    const HostValue object = host_object(dict->of);
    if (object.kind == HOST_INSTANCE)
        return object_lose(p, object, key.string->text);
    return host_fail(p, "NotImplementedError",
                     "only vars() of an object of a class loses names: use `del`");
}

bool dict_remove(Program *p, HostDict *dict, HostValue key, HostValue *value, bool *found)
{
    HostEntry *entry;
    if (!find_entry(p, dict, key, &entry) || (entry && dict->of && !lose_name(p, dict, entry->key)))
        return false;
    *found = entry;
    if (entry && value)
        *value = entry->value;
    if (entry)
        remove_entry(dict, entry);
    return true;
}

void dict_clear(HostDict *dict)
{
    memory_free(dict->entries);
    *dict = (HostDict){ .head = dict->head, .form = dict->form, .factory = dict->factory };
}

bool dict_next(Program *p, HostIterator *it, HostValue *out)
{
    const HostDict *dict = dict_of(it->over);
    const HostViewOf of = it->over.kind == HOST_VIEW ? it->over.view->of : VIEW_KEYS;
    if (dict->live != it->live)
        return host_fail(p, "RuntimeError", "dictionary changed size during iteration");
    while (it->at < dict->count && dict->entries[it->at].key.kind == HOST_KINDS)
        it->at++;
    if (it->at >= dict->count)
        return false;
    const HostEntry *entry = &dict->entries[it->at++];
    const HostValue pair[2] = { entry->key, entry->value };
    return host_give(out, of == VIEW_ITEMS ? host_items(p, HOST_TUPLE, pair, 2)
                                           : pair[of == VIEW_VALUES]);
}

static bool entries_equal(Program *p, const HostDict *a, const HostDict *b, bool *equal)
{
    *equal = a->live == b->live;
    for (size_t i = 0; i < a->count && *equal; i++) {
        const HostEntry *entry = &a->entries[i];
        HostValue *other;
        if (entry->key.kind == HOST_KINDS)
            continue;
        if (!dict_find(p, b, entry->key, &other))
            return false;
        *equal = other;
        if (other && !host_same_or_equal(p, entry->value, *other, equal))
            return false;
    }
    return true;
}

bool dict_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    const DictForm form = a.dict->form == b.dict->form ? a.dict->form : DICT_PLAIN;
    HostValue pair[2] = { a, b }, truth;
    if (form < DICT_COUNTER)
        return entries_equal(p, a.dict, b.dict, equal);
    return modules_call(
               p, form == DICT_COUNTER ? "_methods.Counter_equal" : "_methods.OrderedDict_equal",
               pair, 2, &truth) &&
           host_truth(p, truth, equal);
}

bool views_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    const bool sets = a.view->of != VIEW_VALUES && b.view->of != VIEW_VALUES;
    HostIterator it = { .over = a, .live = a.view->dict->live };
    HostValue item;
    *equal = sets ? it.live == b.view->dict->live : a.view == b.view;
    while (sets && *equal && dict_next(p, &it, &item))
        if (!host_contains(p, item, b, equal))
            return false;
    return true;
}

/* ---- what dictionaries are made of ---------------------------------------------------------- */

static bool put_pair(Program *p, HostDict *dict, HostValue item, size_t number)
{
    HostValue pair;
    if (!host_is_iterable(item))
        return host_fail(p, "TypeError",
                         "cannot convert dictionary update sequence element #%zu to a sequence",
                         number);
    if (!host_collect(p, HOST_LIST, item, &pair))
        return false;
    if (pair.list->count != 2)
        return host_fail(p, "ValueError",
                         "dictionary update sequence element #%zu has length %zu; 2 is required",
                         number, pair.list->count);
    return dict_put(p, dict, pair.list->items[0], pair.list->items[1]);
}

/* What has keys() is asked for the values of these. */
static bool put_mapping(Program *p, HostDict *dict, HostValue from)
{
    HostIterator it;
    HostValue keys, key, value;
    if (!object_calls(p, from, "keys", NULL, 0, &keys) || !host_iterate(p, keys, &it))
        return false;
    while (host_next(p, &it, &key)) {
        host_keep(p, key);
        if (!host_index(p, from, key, &value) || !host_settle(p, &value) ||
            !dict_put(p, dict, key, value))
            return false;
    }
    return !p->failed;
}

bool dict_update(Program *p, HostDict *dict, HostValue from)
{
    HostIterator it;
    HostValue item;
    from = object_held(from);
    if (from.kind == HOST_DICT) {
        for (size_t i = 0; i < from.dict->count; i++) {
            const HostEntry entry = from.dict->entries[i];
            if (entry.key.kind != HOST_KINDS && !dict_put(p, dict, entry.key, entry.value))
                return false;
        }
        return true;
    }
    if (object_has(from, "keys"))
        return put_mapping(p, dict, from);
    if (!host_iterate(p, from, &it))
        return false;
    for (size_t i = 0; host_next(p, &it, &item); i++)
        if (!put_pair(p, dict, item, i))
            return false;
    return !p->failed;
}

bool dict_update_by(Program *p, HostDict *dict, const HostArgs *args)
{
    if (args->count && !dict_update(p, dict, args->values[0]))
        return false;
    for (size_t i = 0; i < args->named_count; i++)
        if (!dict_put(p, dict, host_name(p, args->names[i]), args->named[i]))
            return false;
    return true;
}

static bool builtin_dict(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_dict(p);
    return dict_update_by(p, out->dict, args);
}

static bool dict_fromkeys(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue value = args_get(args, 1, NULL, host_none());
    HostIterator it;
    HostValue key;
    *out = host_dict(p);
    if (!host_iterate(p, args->values[0], &it))
        return false;
    while (host_next(p, &it, &key))
        if (!dict_put(p, out->dict, key, value))
            return false;
    return !p->failed;
}

/* ---- methods -------------------------------------------------------------------------------- */

static bool method_update(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return dict_update_by(p, args->self.dict, args);
}

static bool method_get(Program *p, HostArgs *args, HostValue *out)
{
    HostValue *found;
    if (!dict_find(p, args->self.dict, args->values[0], &found))
        return false;
    return host_give(out, found ? *found : args_get(args, 1, NULL, host_none()));
}

static bool method_setdefault(Program *p, HostArgs *args, HostValue *out)
{
    HostValue *found;
    if (!dict_find(p, args->self.dict, args->values[0], &found))
        return false;
    *out = found ? *found : args_get(args, 1, NULL, host_none());
    return found || dict_put(p, args->self.dict, args->values[0], *out);
}

static bool method_pop(Program *p, HostArgs *args, HostValue *out)
{
    bool found;
    if (!dict_remove(p, args->self.dict, args->values[0], out, &found))
        return false;
    if (!found && args->count < 2)
        return dict_missing(p, args->values[0]);
    return host_give(out, found ? *out : args->values[1]);
}

static bool method_popitem(Program *p, HostArgs *args, HostValue *out)
{
    HostDict *dict = args->self.dict;
    if (!dict->live)
        return dict_missing(p, host_text(p, "popitem(): dictionary is empty"));
    HostEntry *last = &dict->entries[dict->count - 1];
    if (dict->of && !lose_name(p, dict, last->key))
        return false;
    const HostValue pair[2] = { last->key, last->value };
    *out = host_items(p, HOST_TUPLE, pair, 2);
    remove_entry(dict, last);
    return true;
}

static bool method_clear(Program *p, HostArgs *args, HostValue *out)
{
    HostDict *dict = args->self.dict;
    *out = host_none();
    for (size_t i = 0; dict->of && i < dict->count; i++)
        if (dict->entries[i].key.kind != HOST_KINDS && !lose_name(p, dict, dict->entries[i].key))
            return false;
    dict_clear(dict);
    return true;
}

static bool method_copy(Program *p, HostArgs *args, HostValue *out)
{
    *out = dict_like(p, args->self.dict);
    return dict_update(p, out->dict, args->self);
}

/* keys, values and items. */
static bool method_view(Program *p, HostArgs *args, HostValue *out)
{
    const char letter = args->builtin->name[strlen("dict.")];
    return host_give(out, dict_view(p, args->self.dict,
                                    letter == 'k'   ? VIEW_KEYS
                                    : letter == 'v' ? VIEW_VALUES
                                                    : VIEW_ITEMS));
}

const HostBuiltin dict_functions[] = {
    { "dict", 0, 1, builtin_dict, "*" },
    { "dict.fromkeys", 1, 2, dict_fromkeys, NULL },
    { "dict.update", 0, 1, method_update, "*" },
    { "dict.get", 1, 2, method_get, NULL },
    { "dict.setdefault", 1, 2, method_setdefault, NULL },
    { "dict.pop", 1, 2, method_pop, NULL },
    { "dict.popitem", 0, 0, method_popitem, NULL },
    { "dict.clear", 0, 0, method_clear, NULL },
    { "dict.copy", 0, 0, method_copy, NULL },
    { "dict.keys", 0, 0, method_view, NULL },
    { "dict.values", 0, 0, method_view, NULL },
    { "dict.items", 0, 0, method_view, NULL },
    { NULL, 0, 0, NULL, NULL },
};
