/* Keys of the disk cache: a digest of everything that the machine code depends on. */
#include "runtime/cache.h"
#include "runtime/runtime.h"

#include <sys/stat.h>

#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

struct KeyState {
    XXH3_state_t hash;
    void *block; /* the allocation that contains it */
};

KeyState *key_begin(void)
{
    enum { ALIGNMENT = 64 }; /* required by XXH3's state, not guaranteed by malloc */
    char *block = memory_alloc(sizeof(KeyState) + ALIGNMENT);

    if (!block)
        return NULL;
    KeyState *state = (KeyState *)(void *)(block + ALIGNMENT - (uintptr_t)block % ALIGNMENT);
    state->block = block;
    XXH3_128bits_reset(&state->hash);
    key_text(state, kjit_version());
    return state;
}

void key_field(KeyState *state, const void *data, size_t length)
{
    uint64_t prefix = length;

    if (!state)
        return;
    XXH3_128bits_update(&state->hash, &prefix, sizeof prefix);
    XXH3_128bits_update(&state->hash, data, length);
}

void key_text(KeyState *state, const char *text)
{
    key_field(state, text, strlen(text));
}

void key_words(KeyState *state, const char *const *words, int count)
{
    key_number(state, (uint64_t)count);
    for (int i = 0; i < count; i++)
        key_text(state, words[i]);
}

void key_number(KeyState *state, uint64_t number)
{
    key_field(state, &number, sizeof number);
}

void key_file(KeyState *state, const char *path)
{
    struct stat info = { 0 };

    key_text(state, path);
    if (stat(path, &info) != 0)
        return;
    key_number(state, (uint64_t)info.st_size);
    key_number(state, (uint64_t)info.st_mtim.tv_sec);
    key_number(state, (uint64_t)info.st_mtim.tv_nsec);
}

static void print_key(XXH128_hash_t digest, CacheKey *key)
{
    snprintf(key->name, sizeof key->name, "%016llx%016llx", (unsigned long long)digest.high64,
             (unsigned long long)digest.low64);
}

void key_of_bytes(const void *data, size_t length, CacheKey *key)
{
    print_key(XXH3_128bits(data, length), key);
}

bool key_end(KeyState *state, CacheKey *key)
{
    key->name[0] = '\0';
    if (!state)
        return false;
    print_key(XXH3_128bits_digest(&state->hash), key);
    memory_free(state->block);
    return true;
}
