/* Compilations that wait for others, in a file, so that several kernels can be compiled by one call
** of the C compiler. Only where it is not to optimise much: else starting it is the least of its
** work, and how it inlines would depend on what stands beside a kernel. */
#include "include/kjit_tools.h"
#include "runtime/cpu/join.h"
#include "runtime/cpu/queue.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* A compilation in the file. Behind it, each with a NUL: the words that start the compiler, "" for
** the object's path, the key, the entry, the call and the text. */
typedef struct Waiting {
    uint64_t bytes;
    uint32_t word_count, words_length;
} Waiting;

enum {
    WORDS_MAX = 160,
    PIECES = WORDS_MAX + 8,
    TOGETHER = 8,
    TEXT_MAX = 256 << 10,
    ENTRY_MAX = 48
};

static int queue = -1;
static int *queued;

void kjit_queue_compilations(int file, int *count)
{
    queue = file;
    queued = count;
}

int queue_run_nothing(void *const *params, const KjitHostLaunch *launch)
{
    (void)params, (void)launch;
    return 0;
}

/* The name of the entry in an object of several kernels. */
static void name_entry(const CacheKey *key, char name[ENTRY_MAX])
{
    snprintf(name, ENTRY_MAX, "kjit$%s", key->name);
}

void *queue_find_entry(void *library, const char *entry, const CacheKey *key)
{
    void *found = dlsym(library, entry);
    char name[ENTRY_MAX];

    if (found || !key)
        return found;
    name_entry(key, name);
    return dlsym(library, name);
}

/* Adds a piece, with its NUL; its length. */
static uint32_t add(struct iovec *pieces, int *count, const char *text)
{
    size_t length = strlen(text) + 1;

    pieces[(*count)++] = (struct iovec){ (char *)(uintptr_t)text, length };
    return (uint32_t)length;
}

bool queue_put(char *const *words, const BuildRequest *request, const CacheKey *key)
{
    static const char padding[8];
    struct iovec pieces[PIECES];
    Waiting waiting = { .bytes = sizeof waiting };
    int count = 1;

    if (queue < 0 || request->length != strlen(request->text) || request->length > TEXT_MAX)
        return false;
    pieces[0] = (struct iovec){ &waiting, sizeof waiting };
    for (; words[waiting.word_count]; waiting.word_count++) {
        if (waiting.word_count == WORDS_MAX)
            return false;
        waiting.words_length += add(pieces, &count, words[waiting.word_count]);
    }
    waiting.bytes += waiting.words_length + add(pieces, &count, key->name) +
                     add(pieces, &count, request->entry) + add(pieces, &count, request->call) +
                     add(pieces, &count, request->text);
    size_t rest = -waiting.bytes % sizeof padding;
    pieces[count++] = (struct iovec){ (char *)(uintptr_t)padding, rest };
    waiting.bytes += rest;
    if (writev(queue, pieces, count) != (ssize_t)waiting.bytes)
        return false;
    ++*queued;
    return true;
}

/* ---- compiling ----------------------------------------------------------------------------- */

/* A compilation as it was put. */
typedef struct CompileTask {
    const Waiting *waiting;
    const char *words, *key, *entry, *call, *text;
} CompileTask;

static const char *behind(const char *text)
{
    return text + strlen(text) + 1;
}

static CompileTask task_at(const void *at)
{
    CompileTask task = { .waiting = at };

    task.words = (const char *)(task.waiting + 1);
    task.key = task.words + task.waiting->words_length;
    task.entry = behind(task.key);
    task.call = behind(task.entry);
    task.text = behind(task.call);
    return task;
}

static int compare_words(const CompileTask *a, const CompileTask *b)
{
    uint32_t one = a->waiting->words_length, other = b->waiting->words_length;

    return one != other ? (one > other) - (one < other) : memcmp(a->words, b->words, one);
}

/* Those that are started alike beside each other, of these those of one kernel, which have more in
** common than others; then by their keys. */
static int compare_tasks(const void *left, const void *right)
{
    const CompileTask *a = left, *b = right;
    int order = compare_words(a, b);

    order = order ? order : strcmp(a->entry, b->entry);
    return order ? order : strcmp(a->key, b->key);
}

typedef struct Batch {
    const CompileTask *tasks;
    int count;
    const char *text; /* of all */
    size_t length;
} Batch;

static CacheKey key_of(const CompileTask *task)
{
    CacheKey key;

    snprintf(key.name, sizeof key.name, "%s", task->key);
    return key;
}

static void join_batch(Arena *arena, Batch *batch)
{
    TextJoin join;
    Buf out = buf_in(arena);
    join_init(&join, &out);
    for (int i = 0; i < batch->count; i++) {
        const CacheKey key = key_of(&batch->tasks[i]);
        char name[ENTRY_MAX];
        name_entry(&key, name);
        join_text(&join, batch->tasks[i].text, batch->tasks[i].entry, name);
    }
    batch->text = buf_text(&out);
    batch->length = out.length;
}

/* Starts the compiler. */
static bool compile(const Batch *batch, char *path)
{
    const char *word = batch->tasks->words;
    char *list[WORDS_MAX + 1];
    uint32_t count = batch->tasks->waiting->word_count;

    for (uint32_t i = 0; i < count; i++, word = behind(word))
        list[i] = *word ? (char *)(uintptr_t)word : path;
    list[count] = NULL;
    return spawn_run(list, batch->text, batch->length, NULL, NULL, NULL) == 0;
}

/* The same object for each: its path in the cache is what it is loaded from. */
static void store(Cache *cache, const Batch *batch, const char *object)
{
    char *bytes, path[CACHE_PATH_MAX];
    size_t length;

    if (file_read(object, SOURCE_MAX, &bytes, &length) != KJIT_OK)
        return;
    for (int i = 0; i < batch->count; i++) {
        const CacheKey key = key_of(&batch->tasks[i]);
        cache_write(cache, &key, bytes, length, batch->tasks[i].call, "cpu", path);
    }
    memory_free(bytes);
}

static void compile_batch(Cache *cache, Batch batch)
{
    char object[CACHE_PATH_MAX];
    Scratch scratch;
    Arena arena;
    jmp_buf exhausted;

    if (!scratch_open(&scratch, NULL))
        return;
    scratch_path(&scratch, "kernels.so", object);
    arena_init(&arena, &exhausted);
    if (setjmp(exhausted) == 0) {
        join_batch(&arena, &batch);
        if (compile(&batch, object))
            store(cache, &batch, object);
    }
    arena_free(&arena);
    scratch_close(&scratch);
}

/* How many of the tasks go together; those of one key are one. */
static int batch_size(const CompileTask *tasks, size_t count)
{
    size_t bytes = 0;
    int size = 0;

    while ((size_t)size < count && size < TOGETHER && bytes < TEXT_MAX &&
           compare_words(tasks, &tasks[size]) == 0)
        bytes += strlen(tasks[size++].text);
    return size;
}

/* The tasks of the file, sorted, each key once; NULL: there are none, or no memory. */
static CompileTask *read_tasks(const char *bytes, size_t length, size_t *count)
{
    size_t capacity = 0, kept = 0;
    CompileTask *tasks = NULL;

    *count = 0;
    for (size_t at = 0; at < length; at += ((const Waiting *)(bytes + at))->bytes) {
        if (!memory_more(tasks, *count, capacity))
            break;
        tasks[(*count)++] = task_at(bytes + at);
    }
    if (*count)
        qsort(tasks, *count, sizeof *tasks, compare_tasks);
    for (size_t i = 0; i < *count; i++)
        if (!kept || strcmp(tasks[kept - 1].key, tasks[i].key) != 0)
            tasks[kept++] = tasks[i];
    *count = kept;
    return tasks;
}

void kjit_compile_queued(int file, size_t share, size_t shares)
{
    size_t count, number = 0;
    struct stat info;
    Cache cache;

    if (fstat(file, &info) != 0 || !info.st_size || cache_open(&cache, false) != KJIT_OK)
        return;
    const size_t length = (size_t)info.st_size;
    char *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
    CompileTask *tasks = bytes != MAP_FAILED ? read_tasks(bytes, length, &count) : NULL;
    for (size_t i = 0; tasks && i < count; number++) {
        Batch batch = { tasks + i, batch_size(tasks + i, count - i), NULL, 0 };
        if (number % shares == share)
            compile_batch(&cache, batch);
        i += (size_t)batch.count;
    }
    memory_free(tasks);
    if (bytes != MAP_FAILED)
        munmap(bytes, length);
    cache_close(&cache);
}
