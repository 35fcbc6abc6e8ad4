/* Launches with the tuned configuration.
**
** A choice depends on the types of the arguments, the extents of arrays, and the scalars that sizes
** and restrictions read. It is cached by a digest of these, so that a launch costs a digest and a
** lock more than one with an explicit shape. A module's file is read at its first look-up. */
#include "runtime/tuning/tuned.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- results of a thread ------------------------------------------------------------------ */

/* The texts of a thread's last kjit_tuned, concatenated. */
static _Thread_local char *answer;
static pthread_key_t answer_key;
static pthread_once_t answer_once = PTHREAD_ONCE_INIT;
static bool answer_ready;

static void free_answer(void *unused)
{
    (void)unused;
    memory_free(answer);
    answer = NULL;
}

static void make_answer_key(void)
{
    answer_ready = pthread_key_create(&answer_key, free_answer) == 0;
}

static const char *append(char **at, const char *text)
{
    const char *begin = *at;

    if (!text)
        return NULL;
    *at = stpcpy(*at, text) + 1;
    return begin;
}

/* Two texts as one; NULL if both are empty. */
static const char *append_both(char **at, const char *one, const char *other)
{
    const char *begin = *at;

    if (!one && !*other)
        return NULL;
    *at = stpcpy(stpcpy(*at, one ? one : ""), other) + 1;
    return begin;
}

/* Copies the texts of a choice to memory of the thread. */
static kjit_status give_answer(const TunedChoice *choice, kjit_tuned *tuned)
{
    const char *damage = choice->wisdom ? choice->wisdom->complaints : NULL;
    const char *configuration = choice->configuration ? choice->configuration : "";
    size_t room = strlen(choice->why) + strlen(configuration) + (damage ? strlen(damage) : 0) +
                  strlen(choice->complaints) + (choice->objective ? strlen(choice->objective) : 0) +
                  4;
    char *made = memory_alloc(room), *at = made;

    if (!made)
        return error_memory();
    pthread_once(&answer_once, make_answer_key);
    memory_free(answer);
    answer = made;
    if (answer_ready)
        pthread_setspecific(answer_key, &answer);
    const kjit_tuned all = { .size = tuned->size,
                             .how = choice->how,
                             .why = append(&at, choice->why),
                             .configuration = append(&at, configuration),
                             .complaints = append_both(&at, damage, choice->complaints),
                             .kernel = choice->kernel,
                             .shape = choice->shape,
                             .objective = append(&at, choice->objective) };
    SIZED_GIVE(tuned, &all);
    return KJIT_OK;
}

/* ---- what a choice depends on ------------------------------------------------------------- */

enum { FACTS_MOST = KEY_MAX + 1024 };

typedef struct TunedKey {
    uint64_t words[FACTS_MOST];
    size_t count;
} TunedKey;

static void digest_words(const TunedKey *key, uint64_t digest[2])
{
    XXH128_hash_t hash = XXH3_128bits(key->words, sizeof *key->words * key->count);

    digest[0] = hash.low64;
    digest[1] = hash.high64;
}

/* When the key is full it is replaced by its digest. */
static void push(TunedKey *key, uint64_t word)
{
    uint64_t digest[2];

    if (key->count == FACTS_MOST) {
        digest_words(key, digest);
        memcpy(key->words, digest, sizeof digest);
        key->count = 2;
    }
    key->words[key->count++] = word;
}

static void push_arg(TunedKey *key, const kjit_arg *arg, bool read)
{
    for (int i = 0; arg->kind == KJIT_ARG_ARRAY && i < arg->as.array.rank; i++)
        push(key, (uint64_t)arg->as.array.shape[i]);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        push_arg(key, &arg->as.tuple.items[i], read);
    if (arg->kind == KJIT_ARG_SCALAR && read) {
        uint64_t parts[2] = { 0 };
        memcpy(parts, &arg->as, dtype_is_complex(arg->dtype) ? sizeof parts : sizeof *parts);
        push(key, parts[0]);
        push(key, parts[1]);
    }
}

static kjit_status digest_arguments(const kjit_kernel *kernel, const kjit_arg *args, size_t count,
                                    uint64_t reads, uint64_t digest[2])
{
    uint32_t types[KEY_MAX];
    int length = 0;
    TunedKey key = { .count = 0 };

    KJIT_TRY(check_count(kernel, count));
    KJIT_TRY(signature_pack(args, count, kernel->param_names, types, &length));
    for (int i = 0; i < length; i++)
        push(&key, types[i]);
    for (size_t i = 0; i < count; i++)
        push_arg(&key, &args[i], reads >> (i < READS_MOST ? i : READS_MOST) & 1);
    digest_words(&key, digest);
    return KJIT_OK;
}

static TunedEntry *find_entry(TunedKernel *tuned, const uint64_t key[2])
{
    for (size_t i = 0; i < TUNED_ENTRIES; i++) {
        TunedEntry *entry = &tuned->entries[i];
        if (entry->kernel && entry->key[0] == key[0] && entry->key[1] == key[1])
            return entry;
    }
    return NULL;
}

/* Caches a choice. If it depends on more scalars than those before, these are discarded. */
static void keep(TunedKernel *tuned, const TunedChoice *choice, const uint64_t key[2])
{
    if (choice->reads & ~tuned->reads) {
        tuned->reads |= choice->reads;
        memset(tuned->entries, 0, sizeof tuned->entries);
        return;
    }
    TunedEntry *entry = &tuned->entries[tuned->next++ % TUNED_ENTRIES];
    *entry = (TunedEntry){ .key = { key[0], key[1] },
                           .kernel = choice->kernel,
                           .shared_bytes = choice->shape.shared_bytes };
    memcpy(entry->grid, choice->shape.grid, sizeof entry->grid);
    memcpy(entry->block, choice->shape.block, sizeof entry->block);
}

/* ---- choosing ----------------------------------------------------------------------------- */

typedef struct PathTask {
    const kjit_module *module;
    const char *path;
} PathTask;

static kjit_status find_path(void *context, Arena *arena)
{
    PathTask *task = context;

    task->path = wisdom_path(arena, task->module);
    return KJIT_OK;
}

/* Reads the module's wisdom once. The caller holds the lock, here and below. */
static kjit_status read_once(kjit_module *module)
{
    PathTask task = { .module = module };
    Arena arena;

    if (module->wisdom || !module->from_file)
        return KJIT_OK;
    arena_init(&arena, NULL);
    kjit_status status = arena_catch(&arena, find_path, &task);
    if (status == KJIT_OK)
        status = wisdom_read(task.path, &module->wisdom);
    arena_free(&arena);
    return status;
}

static kjit_status choose(TunedChoice *choice)
{
    kjit_kernel *kernel = choice->asked;

    if (!kernel->tuned)
        kernel->tuned = memory_zeroed(1, sizeof *kernel->tuned);
    if (!kernel->tuned)
        return error_memory();
    KJIT_TRY(read_once(kernel->module));
    choice->wisdom = kernel->module->wisdom;
    return tuned_choose(choice, kernel->tuned);
}

static kjit_status refuse_binary(const kjit_kernel *kernel)
{
    if (!kernel->module->compiled)
        return KJIT_OK;
    return error_set(KJIT_UNSUPPORTED,
                     "error: %s comes from a binary, and has no source that was tuned",
                     kernel->info->name);
}

kjit_status kjit_tuned_find(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                            kjit_tuned *tuned)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    TunedChoice choice = { .asked = kernel, .args = args, .count = count };
    kjit_module *module = kernel->module;

    if (!tuned)
        return error_set(KJIT_ARGUMENT, "error: kjit_tuned_find() needs a kjit_tuned to fill in");
    KJIT_TRY(refuse_binary(kernel));
    arena_init(&choice.arena, NULL);
    choice.shape.size = sizeof choice.shape;
    forks_lock(&module->tuning);
    kjit_status status = choose(&choice);
    kjit_status given = give_answer(&choice, tuned);
    status = status == KJIT_OK ? given : status;
    forks_unlock(&module->tuning);
    memory_free(choice.configuration);
    arena_free(&choice.arena);
    return status;
}

/* A launch's kernel and shape, cached or chosen now. The caller holds the lock. */
static kjit_status choose_once(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                               TunedEntry *found)
{
    TunedChoice choice = { .asked = kernel, .args = args, .count = count };
    TunedKernel *tuned = kernel->tuned;
    uint64_t key[2];

    KJIT_TRY(digest_arguments(kernel, args, count, tuned ? tuned->reads : 0, key));
    const TunedEntry *entry = tuned ? find_entry(tuned, key) : NULL;
    if (entry) {
        *found = *entry;
        return KJIT_OK;
    }
    arena_init(&choice.arena, NULL);
    kjit_status status = choose(&choice);
    if (status == KJIT_OK) {
        keep(kernel->tuned, &choice, key);
        *found = (TunedEntry){ .kernel = choice.kernel, .shared_bytes = choice.shape.shared_bytes };
        memcpy(found->grid, choice.shape.grid, sizeof found->grid);
        memcpy(found->block, choice.shape.block, sizeof found->block);
    }
    memory_free(choice.configuration);
    arena_free(&choice.arena);
    return status;
}

kjit_status kjit_launch_tuned(kjit_kernel *kernel, kjit_stream *stream, const kjit_arg *args,
                              size_t count)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_launch_config config = { .size = sizeof config, .stream = stream };
    kjit_module *module = kernel->module;
    TunedEntry found;

    KJIT_TRY(refuse_binary(kernel));
    forks_lock(&module->tuning);
    kjit_status status = choose_once(kernel, args, count, &found);
    forks_unlock(&module->tuning);
    KJIT_TRY(status);
    memcpy(config.grid, found.grid, sizeof config.grid);
    memcpy(config.block, found.block, sizeof config.block);
    config.shared_bytes = found.shared_bytes;
    return kjit_launch(found.kernel, &config, args, count);
}

/* ---- freeing ------------------------------------------------------------------------------ */

void tuned_forget(kjit_module *module)
{
    forks_lock(&module->tuning);
    wisdom_free(module->wisdom);
    module->wisdom = NULL;
    for (kjit_kernel *kernel = NULL; (kernel = module_next_kernel(module, kernel));)
        if (kernel->tuned)
            memset(kernel->tuned->entries, 0, sizeof kernel->tuned->entries);
    forks_unlock(&module->tuning);
}

void tuned_close(kjit_module *module)
{
    for (kjit_kernel *kernel = NULL; (kernel = module_next_kernel(module, kernel));)
        tuned_free(kernel->tuned);
    wisdom_free(module->wisdom);
}
