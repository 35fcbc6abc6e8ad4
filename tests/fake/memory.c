/* Memory: a table of what is allocated, each block being malloc()'s so that sanitizers watch its
** ends. */
#include "tests/fake/work.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 8192, ALIGNMENT = 512, POISON = 0xa5, POISONED = 1 << 16 };

typedef enum Sort {
    SORT_DEVICE,
    SORT_POOLED,
    SORT_MANAGED,
    SORT_PINNED,
    SORT_MAPPED,
    SORT_REGISTERED /* the program's own, page-locked */
} Sort;

typedef struct Pool {
    size_t used, used_most, reserved;
    uint64_t keep;
} Pool;

static struct FakeBlock {
    char *start;
    size_t bytes;
    int device;
    Sort sort;
    Pool *pool;
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

/* Of what sort the memory is; -1: of none. */
static int sort_of(const void *memory, size_t bytes)
{
    pthread_mutex_lock(&fake.lock);
    const struct FakeBlock *block = find(memory, bytes);
    int sort = block ? (int)block->sort : -1;
    pthread_mutex_unlock(&fake.lock);
    return sort;
}

bool memory_on_device(const void *memory, size_t bytes)
{
    int sort = sort_of(memory, bytes);

    return sort == SORT_DEVICE || sort == SORT_POOLED || sort == SORT_MANAGED ||
           sort == SORT_MAPPED;
}

bool memory_pinned(const void *memory, size_t bytes)
{
    return sort_of(memory, bytes) >= SORT_MANAGED;
}

static void drop(struct FakeBlock *block)
{
    if (block->sort == SORT_DEVICE)
        fake.devices[block->device].used -= block->bytes;
    if (block->pool)
        block->pool->used -= block->bytes;
    if (block->sort != SORT_REGISTERED)
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
    fake.devices[device].used = 0;
    return before - block_count;
}

/* Takes bytes of the device, through a pool if there is one. */
static bool reserve(FakeDevice *device, Pool *pool, size_t bytes)
{
    size_t idle = pool ? pool->reserved - pool->used : 0, wanted = bytes > idle ? bytes - idle : 0;

    if (wanted > device->capacity || device->used > device->capacity - wanted)
        return false;
    device->used += wanted;
    if (pool) {
        pool->reserved += wanted;
        pool->used += bytes;
        pool->used_most = pool->used > pool->used_most ? pool->used : pool->used_most;
    }
    return true;
}

/* A new block. */
static CuResult make(FakeDevice *device, size_t bytes, Sort sort, Pool *pool, void **out)
{
    bool of_device = sort == SORT_DEVICE || sort == SORT_POOLED;
    void *start = NULL;
    CuResult result = bytes ? CU_OK : FAKE_INVALID_VALUE;

    pthread_mutex_lock(&fake.lock);
    if (result == CU_OK &&
        (block_count == BLOCKS_MAX || bytes > (size_t)1 << 40 ||
         (of_device && bytes > device->capacity) || posix_memalign(&start, ALIGNMENT, bytes) != 0))
        result = FAKE_NO_MEMORY;
    if (result == CU_OK && of_device && !reserve(device, pool, bytes)) {
        free(start);
        result = FAKE_NO_MEMORY;
    }
    if (result == CU_OK) {
        memset(start, POISON, bytes < POISONED ? bytes : POISONED);
        blocks[block_count++] =
            (struct FakeBlock){ start, bytes, (int)(device - fake.devices), sort, pool };
        *out = start;
    }
    pthread_mutex_unlock(&fake.lock);
    return result;
}

/* Gives a block back that starts there, even from a call that fails. */
static CuResult give_back(CuResult result, void *start, unsigned sorts)
{
    pthread_mutex_lock(&fake.lock);
    struct FakeBlock *block = find(start, 1);
    size_t bytes = block ? block->bytes : 0;
    bool right = block && block->start == start && sorts >> block->sort & 1;
    if (right)
        drop(block);
    pthread_mutex_unlock(&fake.lock);
    if (!right)
        return fake_misuse(FAKE_INVALID_VALUE, "freed what is not allocated: %p", start);
    fake_note("free %zu", bytes);
    return result;
}

/* ---- plain, page-locked and managed ------------------------------------------------------ */

static CuResult alloc(CuResult result, FakeDevice *device, size_t bytes, Sort sort, Pool *pool,
                      CuPointer *memory)
{
    void *start = NULL;

    if (result == CU_OK)
        result = make(device, bytes, sort, pool, &start);
    if (result == CU_OK)
        *memory = (CuPointer)(uintptr_t)start;
    fake_note("alloc %zu%s", bytes, result == CU_OK ? "" : ", refused");
    return result;
}

CuResult cu_mem_alloc(CuPointer *memory, size_t bytes)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_mem_alloc, &device);

    return alloc(result, device, bytes, SORT_DEVICE, NULL, memory);
}

CuResult cu_mem_alloc_managed(CuPointer *memory, size_t bytes, unsigned flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_mem_alloc_managed, &device);

    if (result == CU_OK && flags != 1 && flags != 2)
        result = FAKE_INVALID_VALUE;
    return alloc(result, device, bytes, SORT_MANAGED, NULL, memory);
}

/* Waits for all that the device still has to do. */
CuResult cu_mem_free(CuPointer memory)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_mem_free, &device);

    if (!device)
        return result;
    device_drain((int)(device - fake.devices));
    return give_back(result, (void *)(uintptr_t)memory, 1u << SORT_DEVICE | 1u << SORT_MANAGED);
}

CuResult cu_host_alloc(void **memory, size_t bytes, unsigned flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_host_alloc, &device);

    if (result == CU_OK)
        result = make(device, bytes, flags & 2 ? SORT_MAPPED : SORT_PINNED, NULL, memory);
    fake_note("alloc %zu of the host", bytes);
    return result;
}

CuResult cu_host_free(void *memory)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_host_free, &device);

    if (!device)
        return result;
    device_drain((int)(device - fake.devices));
    return give_back(result, memory, 1u << SORT_PINNED | 1u << SORT_MAPPED);
}

CuResult cu_host_register(void *memory, size_t bytes, unsigned flags)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_host_register, &device);

    if (result != CU_OK || !bytes || flags > 3)
        return result == CU_OK ? FAKE_INVALID_VALUE : result;
    if (sort_of(memory, 1) >= 0)
        return FAKE_ALREADY_PINNED;
    pthread_mutex_lock(&fake.lock);
    bool fits = block_count < BLOCKS_MAX;
    if (fits)
        blocks[block_count++] = (struct FakeBlock){ memory, bytes, (int)(device - fake.devices),
                                                    SORT_REGISTERED, NULL };
    pthread_mutex_unlock(&fake.lock);
    fake_note("pin %zu", bytes);
    return fits ? CU_OK : FAKE_NO_MEMORY;
}

CuResult cu_host_unregister(void *memory)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_host_unregister, &device);

    if (!device)
        return result;
    if (result == CU_OK && sort_of(memory, 1) != SORT_REGISTERED)
        return FAKE_NOT_PINNED;
    device_drain((int)(device - fake.devices));
    return give_back(result, memory, 1u << SORT_REGISTERED);
}

CuResult cu_mem_info(size_t *unused, size_t *total)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_mem_info, &device);

    if (result != CU_OK)
        return result;
    pthread_mutex_lock(&fake.lock);
    *unused = device->capacity - device->used;
    *total = device->capacity;
    pthread_mutex_unlock(&fake.lock);
    return CU_OK;
}

CuResult cu_pointer_attribute(void *value, int attribute, CuPointer pointer)
{
    CuResult result = fake_begin(CALL_pointer_attribute); /* needs no context */

    if (result != CU_OK)
        return result;
    int sort = sort_of((void *)(uintptr_t)pointer, 1);
    if (attribute != CU_POINTER_KIND || sort < 0)
        return FAKE_INVALID_VALUE;
    *(unsigned *)value = sort >= SORT_PINNED ? CU_MEMORY_HOST : CU_MEMORY_DEVICE;
    return CU_OK;
}

/* ---- pools ---------------------------------------------------------------------------- */

static CuResult enter_pool(Call call, CuPool handle, FakeDevice **device, Pool **pool)
{
    CuResult result = fake_enter(call, device);

    *pool = result == CU_OK ? handle_data(handle, KIND_POOL, "the pool") : NULL;
    return result == CU_OK && !*pool ? FAKE_INVALID_HANDLE : result;
}

CuResult cu_pool_create(CuPool *pool, const CuPoolProps *props)
{
    CuResult result = fake_begin(CALL_pool_create);

    if (result != CU_OK)
        return result;
    if (props->kind != CU_POOL_PINNED || props->location != CU_POOL_ON_DEVICE ||
        props->device < 0 || props->device >= FAKE_DEVICES)
        return FAKE_INVALID_VALUE;
    pthread_mutex_lock(&fake.lock);
    Handle *handle = handle_new(KIND_POOL, props->device, NULL, sizeof(Pool), NULL);
    pthread_mutex_unlock(&fake.lock);
    *pool = (CuPool)(void *)handle;
    return handle ? CU_OK : FAKE_NO_MEMORY;
}

CuResult cu_pool_destroy(CuPool handle)
{
    CuResult result = fake_begin(CALL_pool_destroy);
    const Pool *pool = handle_data(handle, KIND_POOL, "the pool");

    if (!pool)
        return FAKE_INVALID_HANDLE;
    Handle *of = (Handle *)(void *)handle;
    device_drain(of->device);
    pthread_mutex_lock(&fake.lock);
    for (int i = 0; i < block_count; i++) {
        if (blocks[i].pool == pool)
            blocks[i].pool = NULL;
    }
    fake.devices[of->device].used -= pool->reserved;
    handle_free(of);
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult cu_pool_set(CuPool handle, int attribute, void *value)
{
    CuResult result = fake_begin(CALL_pool_set);
    Pool *pool = result == CU_OK ? handle_data(handle, KIND_POOL, "the pool") : NULL;

    if (!pool)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    if (attribute != CU_POOL_KEEP)
        return FAKE_INVALID_VALUE;
    pool->keep = *(uint64_t *)value;
    return CU_OK;
}

CuResult cu_pool_get(CuPool handle, int attribute, void *value)
{
    CuResult result = fake_begin(CALL_pool_get);
    const Pool *pool = result == CU_OK ? handle_data(handle, KIND_POOL, "the pool") : NULL;

    if (!pool)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    pthread_mutex_lock(&fake.lock);
    if (attribute == CU_POOL_RESERVED)
        *(uint64_t *)value = pool->reserved;
    else if (attribute == CU_POOL_USED)
        *(uint64_t *)value = pool->used;
    else if (attribute == CU_POOL_USED_MOST)
        *(uint64_t *)value = pool->used_most;
    else
        result = FAKE_INVALID_VALUE;
    pthread_mutex_unlock(&fake.lock);
    return result;
}

CuResult cu_pool_trim(CuPool handle, size_t keep)
{
    CuResult result = fake_begin(CALL_pool_trim);
    Pool *pool = result == CU_OK ? handle_data(handle, KIND_POOL, "the pool") : NULL;

    if (!pool)
        return result == CU_OK ? FAKE_INVALID_HANDLE : result;
    pthread_mutex_lock(&fake.lock);
    size_t left = keep > pool->used ? keep : pool->used;
    if (left < pool->reserved) {
        fake.devices[((Handle *)(void *)handle)->device].used -= pool->reserved - left;
        pool->reserved = left;
    }
    pthread_mutex_unlock(&fake.lock);
    fake_note("trim");
    return CU_OK;
}

CuResult cu_pool_alloc(CuPointer *memory, size_t bytes, CuPool handle, CuStream stream)
{
    FakeDevice *device;
    Pool *pool;
    CuResult result = enter_pool(CALL_pool_alloc, handle, &device, &pool);

    if (result == CU_OK && !stream_of(stream))
        result = FAKE_INVALID_HANDLE;
    if (result == CU_OK && atomic_load(&stream_of(stream)->graph))
        fake_misuse(CU_OK, "memory of a stream that records: it is there while the graph runs");
    return alloc(result, device, bytes, SORT_POOLED, pool, memory);
}

CuResult memory_free_ordered(char *start)
{
    return give_back(CU_OK, start, 1u << SORT_POOLED);
}

CuResult cu_pool_free(CuPointer memory, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_pool_free, &device);
    Work work = { .kind = WORK_FREE, .to = (char *)(uintptr_t)memory };

    if (!device)
        return result;
    if (sort_of(work.to, 1) != SORT_POOLED)
        return fake_misuse(FAKE_INVALID_VALUE, "freed what is not of a pool");
    CuResult submitted = work_submit(stream, &work);
    return result == CU_OK ? submitted : result;
}

/* ---- copies --------------------------------------------------------------------------- */

/* Submits a copy whose ends are what they are said to be. */
static CuResult submit_copy(CuStream stream, const Work *work)
{
    size_t to_bytes = (work->height - 1) * work->to_pitch + work->width;
    size_t from_bytes = (work->height - 1) * work->from_pitch + work->width;

    if (!work->to_host && !memory_on_device(work->to, to_bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "copied %zu bytes to where no memory is", to_bytes);
    if (!work->from_host && !memory_on_device(work->from, from_bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "copied %zu bytes from where no memory is",
                           from_bytes);
    fake_note("%s %zu",
              work->from_host ? "copy_in"
              : work->to_host ? "copy_out"
                              : "copy",
              work->width * work->height);
    return work_submit(stream, work);
}

static Work line(void *to, const void *from, size_t bytes)
{
    return (Work){ .kind = WORK_COPY,
                   .to = to,
                   .from = from,
                   .width = bytes,
                   .height = 1,
                   .to_pitch = bytes,
                   .from_pitch = bytes };
}

CuResult cu_copy_in_async(CuPointer to, const void *from, size_t bytes, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_in_async, &device);
    Work work = line((void *)(uintptr_t)to, from, bytes);

    work.from_host = true;
    return result == CU_OK ? submit_copy(stream, &work) : result;
}

CuResult cu_copy_out_async(void *to, CuPointer from, size_t bytes, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_out_async, &device);
    Work work = line(to, (void *)(uintptr_t)from, bytes);

    work.to_host = true;
    return result == CU_OK ? submit_copy(stream, &work) : result;
}

/* Where both ends are may be found out: what is not the device's is the host's. */
CuResult cu_copy_async(CuPointer to, CuPointer from, size_t bytes, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_async, &device);
    Work work = line((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);

    work.to_host = !memory_on_device(work.to, bytes);
    work.from_host = !memory_on_device(work.from, bytes);
    return result == CU_OK ? submit_copy(stream, &work) : result;
}

/* The synchronous ones wait for everything first. */
CuResult cu_copy_rows_async(const CuCopyRows *rows, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_copy_rows_async, &device);
    Work work = { .kind = WORK_COPY,
                  .width = rows->width,
                  .height = rows->height,
                  .to_pitch = rows->to_pitch,
                  .from_pitch = rows->from_pitch,
                  .to_host = rows->to_kind == CU_MEMORY_HOST,
                  .from_host = rows->from_kind == CU_MEMORY_HOST };

    if (result != CU_OK || !rows->width || !rows->height)
        return result;
    if (rows->to_pitch < rows->width || rows->from_pitch < rows->width || rows->from_x ||
        rows->from_y || rows->to_x || rows->to_y)
        return fake_misuse(FAKE_INVALID_VALUE, "rows that overlap, or do not start at 0");
    work.to = work.to_host ? rows->to_host : (void *)(uintptr_t)rows->to_device;
    work.from = work.from_host ? rows->from_host : (void *)(uintptr_t)rows->from_device;
    return submit_copy(stream, &work);
}

CuResult cu_set_bytes_async(CuPointer to, unsigned char byte, size_t bytes, CuStream stream)
{
    FakeDevice *device;
    CuResult result = fake_enter(CALL_set_bytes_async, &device);
    Work work = { .kind = WORK_SET, .to = (void *)(uintptr_t)to, .width = bytes, .byte = byte };

    if (result != CU_OK)
        return result;
    if (!memory_on_device(work.to, bytes))
        return fake_misuse(FAKE_INVALID_VALUE, "set %zu bytes where no memory is", bytes);
    fake_note("set %zu", bytes);
    return work_submit(stream, &work);
}
