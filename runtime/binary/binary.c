/* Serialisation of binary.h's container: a put_ and a get_ function for each structure. The
** reader's cursor is marked bad at the first error and then yields zeros, so that errors need be
** checked only at the end. */
#include "runtime/binary/binary.h"
#include "runtime/array/array.h"

#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static const char magic[8] = "kjit\x7f"
                             "bin";

typedef struct BinaryHeader {
    char magic[8];
    uint32_t version, spare;
    uint64_t length;
    uint64_t checksum[2];
    uint64_t spares;
} BinaryHeader;

_Static_assert(sizeof(BinaryHeader) == BINARY_HEADER, "the header's size is part of the format");
_Static_assert(sizeof(IrCover) == 20 && sizeof(IrLimit) == 32 && sizeof(IrNeed) == 16 &&
                   sizeof(IrFit) == 24 && sizeof(IrTerm) == 40 && sizeof(IrFact) == 8,
               "and so is that of what says when arrays are overwritten");

bool is_binary(const void *data, size_t length)
{
    return length >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

/* The last bytes of a shared object with an appended binary. */
typedef struct Tail {
    uint64_t offset; /* of the binary */
    char magic[8];
} Tail;

const void *binary_inside(const void *data, size_t *length)
{
    const char *bytes = data;
    Tail tail;

    if (*length < sizeof tail || is_binary(data, *length))
        return data;
    memcpy(&tail, bytes + *length - sizeof tail, sizeof tail);
    if (memcmp(tail.magic, magic, sizeof magic) != 0 || tail.offset > *length - sizeof tail)
        return data;
    *length -= sizeof tail + (size_t)tail.offset;
    return bytes + tail.offset;
}

/* The checksum of everything but itself. */
static XXH128_hash_t checksum(const void *data, size_t length)
{
    BinaryHeader header;
    XXH3_state_t hash;

    memcpy(&header, data, sizeof header);
    header.checksum[0] = header.checksum[1] = 0;
    XXH3_128bits_reset(&hash);
    XXH3_128bits_update(&hash, &header, sizeof header);
    XXH3_128bits_update(&hash, (const char *)data + sizeof header, length - sizeof header);
    return XXH3_128bits_digest(&hash);
}

void binary_seal(void *data, size_t length)
{
    BinaryHeader header;

    memcpy(&header, data, sizeof header);
    header.length = length;
    memcpy(data, &header, sizeof header);
    XXH128_hash_t digest = checksum(data, length);
    header.checksum[0] = digest.low64;
    header.checksum[1] = digest.high64;
    memcpy(data, &header, sizeof header);
}

void binary_get_seal(const void *data, uint64_t seal[2])
{
    memcpy(seal, (const char *)data + offsetof(BinaryHeader, checksum), 2 * sizeof *seal);
}

bool binary_has_seal(const void *data, const uint64_t seal[2])
{
    return memcmp((const char *)data + offsetof(BinaryHeader, checksum), seal, 2 * sizeof *seal) ==
           0;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void put_number(Buf *out, uint32_t number)
{
    buf_put(out, (const char *)&number, sizeof number);
}

static void put_size(Buf *out, uint64_t size)
{
    buf_put(out, (const char *)&size, sizeof size);
}

static void put_text(Buf *out, const char *text)
{
    put_number(out, (uint32_t)strlen(text));
    buf_puts(out, text);
}

static void put_fault(Buf *out, const FaultPlace *fault)
{
    put_text(out, fault->message);
    put_text(out, fault->file ? fault->file : "");
    put_number(out, fault->place.line);
    put_number(out, fault->place.column);
}

static void put_list(Buf *out, const void *list, int count, size_t bytes)
{
    put_number(out, (uint32_t)count);
    buf_put(out, list, (size_t)count * bytes);
}

/* Lists of plain structs, which are copied as they are. */
static void put_covers(Buf *out, const IrCovers *covers)
{
    put_list(out, covers->ways, covers->way_count, sizeof *covers->ways);
    put_list(out, covers->needs, covers->need_count, sizeof *covers->needs);
    put_list(out, covers->limits, covers->limit_count, sizeof *covers->limits);
    put_list(out, covers->fits, covers->fit_count, sizeof *covers->fits);
    put_list(out, covers->terms, covers->term_count, sizeof *covers->terms);
}

static void put_facts(Buf *out, const Specialisation *facts, int params)
{
    put_text(out, facts->call);
    put_list(out, facts->key, facts->key_length, sizeof *facts->key);
    put_covers(out, &facts->covers);
    for (int i = 0; i < params; i++) {
        put_number(out, (uint32_t)facts->access[i]);
        put_number(out, facts->strided[i]);
    }
    put_number(out, (uint32_t)facts->launch_bound);
    put_number(out, (uint32_t)facts->axes);
    put_number(out, facts->threads_asked);
    put_number(out, facts->blocks_asked);
    put_number(out, facts->debug);
    put_size(out, facts->static_shared);
    put_size(out, facts->moved_shared);
    put_number(out, (uint32_t)facts->fault_count);
    for (int i = 0; i < facts->fault_count; i++)
        put_fault(out, &facts->faults[i]);
}

static void put_image(Buf *out, const BinaryImage *image, int params)
{
    static const char zeros[BINARY_ALIGN];

    put_text(out, image->target);
    put_text(out, image->machine);
    put_text(out, image->build.entry);
    put_number(out, (uint32_t)image->build.options.carveout);
    put_number(out, image->build.cooperative);
    put_number(out, image->build.recursive);
    put_facts(out, &image->facts, params);
    put_size(out, image->length);
    buf_put(out, zeros, (BINARY_ALIGN - out->length % BINARY_ALIGN) % BINARY_ALIGN);
    buf_put(out, image->bytes, image->length);
}

static void put_kernel(Buf *out, const BinaryKernel *kernel)
{
    put_text(out, kernel->name);
    put_number(out, (uint32_t)kernel->param_count);
    for (int i = 0; i < kernel->param_count; i++)
        put_text(out, kernel->params[i]);
    put_number(out, (uint32_t)kernel->image_count);
    for (int i = 0; i < kernel->image_count; i++)
        put_image(out, &kernel->images[i], kernel->param_count);
}

void binary_write(Buf *out, const Binary *binary)
{
    BinaryHeader header = { .version = BINARY_VERSION };

    memcpy(header.magic, magic, sizeof magic);
    buf_put(out, (const char *)&header, sizeof header);
    put_text(out, binary->made_by);
    put_number(out, (uint32_t)binary->kernel_count);
    for (int i = 0; i < binary->kernel_count; i++)
        put_kernel(out, &binary->kernels[i]);
    binary_seal(out->text, out->length);
}

void binary_append(Buf *object, const Binary *binary)
{
    static const char zeros[BINARY_ALIGN];
    Tail tail = { 0 };

    memcpy(tail.magic, magic, sizeof magic);
    buf_put(object, zeros, (BINARY_ALIGN - object->length % BINARY_ALIGN) % BINARY_ALIGN);
    tail.offset = object->length;
    Buf own = buf_in(object->arena);
    binary_write(&own, binary);
    buf_put(object, own.text, own.length);
    buf_put(object, (const char *)&tail, sizeof tail);
}

/* ---- reading ---------------------------------------------------------------------------- */

typedef struct Cursor {
    Arena *arena;
    const char *begin, *at, *end;
    bool bad;
} Cursor;

/* The next bytes; NULL if there are not as many. */
static const char *take(Cursor *cursor, uint64_t bytes)
{
    const char *at = cursor->at;

    if (cursor->bad || bytes > (uint64_t)(cursor->end - at)) {
        cursor->bad = true;
        return NULL;
    }
    cursor->at += bytes;
    return at;
}

static uint64_t get_size(Cursor *cursor)
{
    uint64_t size = 0;
    const char *from = take(cursor, sizeof size);

    if (from)
        memcpy(&size, from, sizeof size);
    return size;
}

/* A number of at most `most`. */
static int get_number(Cursor *cursor, uint32_t most)
{
    uint32_t number = 0;
    const char *from = take(cursor, sizeof number);

    if (from)
        memcpy(&number, from, sizeof number);
    if (number <= most)
        return (int)number;
    cursor->bad = true;
    return 0;
}

/* A count of elements of at least `least` bytes, limited by the remaining bytes. */
static int get_count(Cursor *cursor, size_t least)
{
    return get_number(cursor, (uint32_t)((size_t)(cursor->end - cursor->at) / least));
}

static const char *get_text(Cursor *cursor)
{
    size_t length = (size_t)get_count(cursor, 1);
    const char *text = take(cursor, length);

    if (!text || memchr(text, '\0', length)) {
        cursor->bad = true;
        return "";
    }
    return arena_strndup(cursor->arena, text, length);
}

static FaultPlace get_fault(Cursor *cursor)
{
    FaultPlace fault = { .message = get_text(cursor), .file = get_text(cursor) };

    if (!*fault.file)
        fault.file = NULL;
    fault.place.line = (uint32_t)get_number(cursor, INT32_MAX);
    fault.place.column = (uint32_t)get_number(cursor, INT32_MAX);
    return fault;
}

/* A list of elements of so many bytes, in the arena. */
static void *get_list(Cursor *cursor, int *count, size_t bytes)
{
    *count = get_count(cursor, bytes);
    void *list = arena_alloc(cursor->arena, (size_t)*count * bytes);
    const char *from = take(cursor, (size_t)*count * bytes);

    if (from && *count)
        memcpy(list, from, (size_t)*count * bytes);
    return list;
}

static void get_key(Cursor *cursor, Specialisation *facts)
{
    facts->key = get_list(cursor, &facts->key_length, sizeof *facts->key);
    cursor->bad = cursor->bad || facts->key_length > KEY_MAX;
}

/* Whether `count` indices from `first` on are in a list. */
static bool in_list(int first, int count, int length)
{
    return first >= 0 && count >= 0 && first <= length && count <= length - first;
}

static bool fact_makes_sense(const IrFact *fact, int params)
{
    if (fact->kind == FACT_NONE)
        return true;
    if (fact->kind == FACT_BLOCK || fact->kind == FACT_GRID)
        return fact->axis < 3;
    return fact->kind <= FACT_SCALAR && fact->axis < KJIT_RANK_MAX && fact->index >= 0 &&
           fact->index < params;
}

static bool covers_make_sense(const IrCovers *covers, int params)
{
    bool sense = true;

    for (int i = 0; i < covers->way_count; i++)
        sense = sense && in_list(covers->ways[i].first, covers->ways[i].count, covers->need_count);
    for (int i = 0; i < covers->need_count; i++) {
        const IrNeed *need = &covers->needs[i];
        sense = sense && in_list(need->left, need->left_count, covers->term_count) &&
                in_list(need->right, need->right_count, covers->term_count);
    }
    for (int i = 0; i < covers->limit_count; i++) {
        const IrLimit *limit = &covers->limits[i];
        sense = sense && limit->axis >= 0 && limit->axis < 3 &&
                in_list(limit->weight, limit->weight_count, covers->term_count) &&
                in_list(limit->bound, limit->bound_count, covers->term_count);
    }
    for (int i = 0; i < covers->fit_count; i++) {
        const IrFit *fit = &covers->fits[i];
        sense = sense && fit->kind >= FIT_EQUAL && fit->kind <= FIT_LEAST &&
                in_list(fit->first, fit->count, covers->term_count);
    }
    for (int i = 0; i < covers->term_count; i++) {
        for (int k = 0; k < TERM_FACTS; k++)
            sense = sense && fact_makes_sense(&covers->terms[i].facts[k], params);
    }
    return sense;
}

static void get_covers(Cursor *cursor, IrCovers *covers, int params)
{
    covers->ways = get_list(cursor, &covers->way_count, sizeof *covers->ways);
    covers->needs = get_list(cursor, &covers->need_count, sizeof *covers->needs);
    covers->limits = get_list(cursor, &covers->limit_count, sizeof *covers->limits);
    covers->fits = get_list(cursor, &covers->fit_count, sizeof *covers->fits);
    covers->terms = get_list(cursor, &covers->term_count, sizeof *covers->terms);
    if (!covers_make_sense(covers, params))
        cursor->bad = true;
}

enum { AXIS_BITS = 7 };

static void get_facts(Cursor *cursor, Specialisation *facts, int params)
{
    facts->call = get_text(cursor);
    get_key(cursor, facts);
    get_covers(cursor, &facts->covers, params);
    facts->access = arena_array(cursor->arena, int, params);
    facts->strided = arena_array(cursor->arena, bool, params);
    for (int i = 0; i < params; i++) {
        facts->access[i] = get_number(cursor, INT32_MAX);
        facts->strided[i] = get_number(cursor, 1);
    }
    facts->launch_bound = get_number(cursor, INT32_MAX);
    facts->axes = get_number(cursor, 3);
    facts->threads_asked = (unsigned)get_number(cursor, AXIS_BITS);
    facts->blocks_asked = (unsigned)get_number(cursor, AXIS_BITS);
    facts->debug = get_number(cursor, 1);
    facts->static_shared = get_size(cursor);
    facts->moved_shared = get_size(cursor);
    facts->fault_count = get_count(cursor, 16);
    facts->faults = arena_array(cursor->arena, FaultPlace, facts->fault_count);
    for (int i = 0; i < facts->fault_count; i++)
        facts->faults[i] = get_fault(cursor);
    facts->fixed = true;
}

/* Whether the code is of its target's kind, and delimits itself: the driver gets no length. */
static bool right_code(const char *bytes, size_t length, TargetKind kind)
{
    if (kind == TARGET_PTX)
        return length && bytes[length - 1] == '\0';
    return length > 64 && memcmp(bytes,
                                 "\x7f"
                                 "ELF",
                                 4) == 0;
}

static BinaryImage get_image(Cursor *cursor, int params)
{
    BinaryImage image = { .target = get_text(cursor),
                          .machine = get_text(cursor),
                          .build.entry = get_text(cursor) };
    CodeTarget target;

    image.build.options.carveout = get_number(cursor, UINT32_MAX);
    image.build.cooperative = get_number(cursor, 1);
    image.build.recursive = get_number(cursor, 1);
    get_facts(cursor, &image.facts, params);
    image.build.call = image.facts.call;
    image.build.static_shared = image.facts.static_shared;
    image.length = (size_t)get_size(cursor);
    size_t past = (size_t)(cursor->at - cursor->begin) % BINARY_ALIGN;
    take(cursor, (BINARY_ALIGN - past) % BINARY_ALIGN);
    image.bytes = take(cursor, image.length);
    if (!image.bytes || !target_read(image.target, &target) ||
        !right_code(image.bytes, image.length, target.kind))
        cursor->bad = true;
    return image;
}

static BinaryKernel get_kernel(Cursor *cursor)
{
    BinaryKernel kernel = { .name = get_text(cursor) };

    kernel.param_count = get_count(cursor, 4);
    kernel.params = arena_array(cursor->arena, const char *, kernel.param_count);
    for (int i = 0; i < kernel.param_count; i++)
        kernel.params[i] = get_text(cursor);
    kernel.image_count = get_count(cursor, 64 + 8 * (size_t)kernel.param_count);
    kernel.images = arena_array(cursor->arena, BinaryImage, kernel.image_count);
    for (int i = 0; i < kernel.image_count && !cursor->bad; i++)
        kernel.images[i] = get_image(cursor, kernel.param_count);
    return kernel;
}

static kjit_status refuse(const char *name, const char *reason)
{
    return error_set(KJIT_FILE, "error: %s is no kjit binary that can be loaded: %s", name, reason);
}

static kjit_status check_header(const char *data, size_t length, const char *name)
{
    BinaryHeader header;

    if (!is_binary(data, length))
        return refuse(name, "it does not begin like one");
    if (length < sizeof header)
        return refuse(name, "it is cut short");
    memcpy(&header, data, sizeof header);
    if (header.version != BINARY_VERSION)
        return error_set(KJIT_FILE,
                         "error: %s is a kjit binary of format %u, and kjit %s reads format %d\n"
                         "note: build it again with the kjit that is to load it",
                         name, header.version, kjit_version(), BINARY_VERSION);
    if (header.length != length)
        return refuse(name, header.length > length ? "it is cut short" : "something follows it");
    XXH128_hash_t digest = checksum(data, length);
    if (header.checksum[0] != digest.low64 || header.checksum[1] != digest.high64)
        return refuse(name, "it is damaged, its checksum is another");
    return KJIT_OK;
}

kjit_status binary_read(Arena *arena, const void *data, size_t length, const char *name,
                        Binary *out)
{
    Cursor cursor = { .arena = arena, .begin = data, .end = (const char *)data + length };

    *out = (Binary){ 0 };
    KJIT_TRY(check_header(data, length, name));
    cursor.at = cursor.begin + sizeof(BinaryHeader);
    out->made_by = get_text(&cursor);
    out->kernel_count = get_count(&cursor, 12);
    out->kernels = arena_array(arena, BinaryKernel, out->kernel_count);
    for (int i = 0; i < out->kernel_count && !cursor.bad; i++)
        out->kernels[i] = get_kernel(&cursor);
    if (!cursor.bad && cursor.at == cursor.end)
        return KJIT_OK;
    return refuse(name, "its parts do not fit together");
}
