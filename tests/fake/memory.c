/* Memory: a table of what is allocated, each block being malloc()'s so that sanitizers watch its
** ends. */
#include "tests/fake/cuda.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 8192, ALIGNMENT = 512, POISON = 0xa5, POISONED = 1 << 16 };

typedef enum Sort { SORT_DEVICE } Sort;

static struct FakeBlock {
    char *start;
    size_t bytes;
    int device;
    Sort sort;
} blocks[BLOCKS_MAX];
static int block_count;

/* The block that has all these bytes; NULL if none has. The caller has the lock. */
static struct FakeBlock *find(const void *from, size_t bytes)
{
    const char *at = from;

    for (int i = block_count; i-- > 0;) {
        struct FakeBlock *block = &blocks[i];
        if (at >= block->start && at - block->start <= (ptrdiff_t)block->bytes &&
            bytes <= block->bytes - (size_t)(at - block->start))
            return block;
    }
    return NULL;
}

bool memory_holds(CuPointer pointer, size_t bytes)
{
    return find((void *)(uintptr_t)pointer, bytes) != NULL;
}

static void drop(struct FakeBlock *block)
{
    if (block->sort == SORT_DEVICE)
        fake.devices[block->device].used -= block->bytes;
    free(block->start);
    *block = blocks[--block_count];
}

int memory_count(void)
{
    return block_count;
}

int memory_end(int device)
{
    int before = block_count;

    for (int i = block_count; i-- > 0;) {
        if (blocks[i].device == device)
            drop(&blocks[i]);
    }
    return before - block_count;
}

/* A new block. The caller has the lock. */
static CuResult make(FakeDevice *device, size_t bytes, Sort sort, void **out)
{
    void *start;

    if (!bytes)
        return FAKE_INVALID_VALUE;
    bool fits = sort != SORT_DEVICE || bytes <= device->capacity - device->used;
    if (!fits || block_count == BLOCKS_MAX || posix_memalign(&start, ALIGNMENT, bytes) != 0)
        return FAKE_NO_MEMORY;
    memset(start, POISON, bytes < POISONED ? bytes : POISONED);
    blocks[block_count++] = (struct FakeBlock){ start, bytes, (int)(device - fake.devices), sort };
    if (sort == SORT_DEVICE)
        device->used += bytes;
    *out = start;
    return CU_OK;
}

CuResult cu_mem_alloc(CuPointer *memory, size_t bytes)
{
    FakeDevice *device;
    void *start;
    CuResult result = fake_enter(CALL_mem_alloc, &device);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    result = make(device, bytes, SORT_DEVICE, &start);
    pthread_mutex_unlock(&fake.lock);
    if (result == CU_OK)
        *memory = (CuPointer)(uintptr_t)start;
    fake_note("alloc %zu%s", bytes, result == CU_OK ? "" : ", refused");
    return result;
}

/* Gives a block back that starts there, even from a call that fails. */
static CuResult give_back(CuResult result, void *start, Sort sort)
{
    pthread_mutex_lock(&fake.lock);
    struct FakeBlock *block = find(start, 1);
    size_t bytes = block ? block->bytes : 0;
    bool right = block && block->start == start && block->sort == sort;
    if (right)
        drop(block);
    pthread_mutex_unlock(&fake.lock);
    if (!right)
        return fake_misuse(FAKE_INVALID_VALUE, "freed what is not allocated: %p", start);
    fake_note("free %zu", bytes);
    return result;
}

CuResult cu_mem_free(CuPointer memory)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_mem_free, &device);

    return device ? give_back(result, (void *)(uintptr_t)memory, SORT_DEVICE) : result;
}

/* ---- copies --------------------------------------------------------------------------- */

/* Whether the driver takes it for memory of the device. */
static bool on_device(CuPointer pointer, size_t bytes)
{
    pthread_mutex_lock(&fake.lock);
    bool holds = memory_holds(pointer, bytes);
    pthread_mutex_unlock(&fake.lock);
    return holds;
}

CuResult cu_copy_in(CuPointer to, const void *from, size_t bytes)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_in, &device);

    if (result != CU_OK)
        return result;
    if (!on_device(to, bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "copied %zu bytes to where no memory is", bytes);
    memcpy((void *)(uintptr_t)to, from, bytes);
    fake_note("copy_in %zu", bytes);
    return CU_OK;
}

CuResult cu_copy_out(void *to, CuPointer from, size_t bytes)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_out, &device);

    if (result != CU_OK)
        return result;
    if (!on_device(from, bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "copied %zu bytes from where no memory is", bytes);
    memcpy(to, (void *)(uintptr_t)from, bytes);
    fake_note("copy_out %zu", bytes);
    return CU_OK;
}
