/* Arrays in files: NumPy's .npy, and raw elements.
**
** A .npy file is a magic number, a version, the length of a header, the header (a Python dict of
** dtype, order and shape) and the elements. Everything in it is validated. */
#include "runtime/array/array.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPPED_ALIGN = 64 }; /* as memory of arrays is: NumPy's files have their elements so */

enum { HEADER_MAX = 1 << 20 };

/* A header being read. */
typedef struct NpyHeader {
    const char *file;
    const char *at, *end;
    kjit_dtype dtype;
    kjit_record *record;    /* memory_alloc()ed, or NULL */
    const char *characters; /* a dtype of such, while it is read */
    bool swapped, columns;
    int rank;
    int64_t shape[KJIT_RANK_MAX];
    bool has_descr, has_order, has_shape;
} NpyHeader;

kjit_status file_bad(const char *file, const char *fact)
{
    return error_set(KJIT_FILE, "error: %s: %s", file, fact);
}

/* ---- the header ------------------------------------------------------------------------- */

static void skip_space(NpyHeader *header)
{
    while (header->at < header->end && strchr(" \t\n\r", *header->at) && *header->at)
        header->at++;
}

static bool take(NpyHeader *header, char c)
{
    skip_space(header);
    if (header->at == header->end || *header->at != c)
        return false;
    header->at++;
    return true;
}

/* A quoted string without escapes. */
static bool take_string(NpyHeader *header, char *out, size_t size)
{
    skip_space(header);
    char quote = header->at < header->end ? *header->at : 0;
    if (quote != '\'' && quote != '"')
        return false;
    const char *begin = header->at + 1, *end = memchr(begin, quote, (size_t)(header->end - begin));
    if (!end || (size_t)(end - begin) >= size)
        return false;
    memcpy(out, begin, (size_t)(end - begin));
    out[end - begin] = '\0';
    header->at = end + 1;
    return true;
}

static bool take_word(NpyHeader *header, const char *word)
{
    size_t length = strlen(word);

    skip_space(header);
    if ((size_t)(header->end - header->at) < length || memcmp(header->at, word, length) != 0)
        return false;
    header->at += length;
    return true;
}

static bool take_integer(NpyHeader *header, int64_t *integer)
{
    int64_t value = 0;

    skip_space(header);
    if (header->at == header->end || *header->at < '0' || *header->at > '9')
        return false;
    for (; header->at < header->end && *header->at >= '0' && *header->at <= '9'; header->at++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *header->at - '0', &value))
            return false;
    }
    take(header, 'L'); /* Python 2 wrote 10L */
    *integer = value;
    return true;
}

/* The end of the list at the current position; NULL if there is none. */
static const char *list_end(const NpyHeader *header)
{
    int depth = 0;
    char quote = 0;

    for (const char *at = header->at; at < header->end; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '\'' || *at == '"')
            quote = *at;
        else if (*at == '[' || *at == '(')
            depth++;
        else if ((*at == ']' || *at == ')') && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Reports the first error in the header's list of fields as an error of the file. */
static kjit_status bad_fields(const NpyHeader *header, const Diags *diags, const Source *source)
{
    if (!diags->count)
        return file_bad(header->file, "the header's dtype is damaged");
    const Diag *first = &diags->list[0];
    uint32_t length = first->span.end - first->span.begin;
    return error_set(KJIT_FILE, "error: %s: the header's dtype: %s\nnote: it says %.*s",
                     header->file, first->message, (int)(length < 80 ? length : 80),
                     source->text + first->span.begin);
}

/* Reads a list of fields by the language's parser. */
static kjit_status read_fields(void *context, Arena *arena)
{
    NpyHeader *header = context;
    const char *end = list_end(header);
    Diags diags;
    Types types;

    if (!end)
        return file_bad(header->file, "the header's dtype is damaged");
    diags_init(&diags, arena);
    types_init(&types, arena);
    const Source *source = source_new(arena, header->file, header->at, (size_t)(end - header->at));
    const AstExpr *list = parse_expression(arena, &diags, source);
    const Type *type =
        list && list->kind == AST_LIST ? record_from_list(&types, &diags, list, false) : NULL;
    if (!type)
        return bad_fields(header, &diags, source);
    header->record = dtype_make_record(type);
    if (!header->record)
        return error_memory();
    header->at = end;
    header->dtype = KJIT_DTYPE_RECORD;
    header->has_descr = true;
    return KJIT_OK;
}

/* '<U8' and '|S8', whose elements are records to kernels. */
static kjit_status read_characters(void *context, Arena *arena)
{
    NpyHeader *header = context;
    Types types;

    types_init(&types, arena);
    const Type *type = type_characters_named(&types, header->characters);
    header->record = type ? dtype_make_record(type) : NULL;
    if (!type)
        return error_set(KJIT_FILE, "error: %s: the dtype '%s' is not supported", header->file,
                         header->characters);
    if (!header->record)
        return error_memory();
    header->dtype = KJIT_DTYPE_RECORD;
    header->has_descr = true;
    return KJIT_OK;
}

static kjit_status read_descr(NpyHeader *header)
{
    char descr[64];

    skip_space(header);
    if (header->at < header->end && *header->at == '[' && !header->record)
        return arena_run(read_fields, header);
    if (!take_string(header, descr, sizeof descr))
        return file_bad(header->file, "the header's dtype is damaged");
    if (type_is_of_characters(descr) && *descr != '>' && !header->record) {
        header->characters = descr;
        return arena_run(read_characters, header);
    }
    header->dtype = descr_dtype(descr, &header->swapped);
    if (header->dtype == KJIT_DTYPE_NONE)
        return error_set(KJIT_FILE, "error: %s: the dtype '%s' is not supported", header->file,
                         descr);
    header->has_descr = true;
    return KJIT_OK;
}

static kjit_status read_shape(NpyHeader *header)
{
    if (!take(header, '('))
        return file_bad(header->file, "the header's shape is damaged");
    while (!take(header, ')')) {
        if (header->rank == KJIT_RANK_MAX)
            return error_set(KJIT_FILE, "error: %s: more than %d axes", header->file,
                             KJIT_RANK_MAX);
        if (!take_integer(header, &header->shape[header->rank++]))
            return file_bad(header->file, "the header's shape is damaged");
        if (!take(header, ',')) {
            if (!take(header, ')'))
                return file_bad(header->file, "the header's shape is damaged");
            break;
        }
    }
    header->has_shape = true;
    return KJIT_OK;
}

static kjit_status read_order(NpyHeader *header)
{
    header->columns = take_word(header, "True");
    if (!header->columns && !take_word(header, "False"))
        return file_bad(header->file, "the header's fortran_order is damaged");
    header->has_order = true;
    return KJIT_OK;
}

static kjit_status read_item(NpyHeader *header)
{
    char key[32];

    if (!take_string(header, key, sizeof key) || !take(header, ':'))
        return file_bad(header->file, "the header is damaged");
    if (strcmp(key, "descr") == 0)
        return read_descr(header);
    if (strcmp(key, "fortran_order") == 0)
        return read_order(header);
    if (strcmp(key, "shape") == 0)
        return read_shape(header);
    return error_set(KJIT_FILE, "error: %s: the header has an unknown '%s'", header->file, key);
}

static kjit_status read_header(NpyHeader *header)
{
    if (!take(header, '{'))
        return file_bad(header->file, "the header is damaged");
    while (!take(header, '}')) {
        KJIT_TRY(read_item(header));
        if (!take(header, ',')) {
            if (!take(header, '}'))
                return file_bad(header->file, "the header is damaged");
            break;
        }
    }
    if (!header->has_descr || !header->has_order || !header->has_shape)
        return file_bad(header->file, "the header lacks a dtype, an order or a shape");
    return KJIT_OK;
}

/* ---- elements ------------------------------------------------------------------------- */

static void swap_bytes(char *data, size_t unit, uint64_t bytes)
{
    for (uint64_t at = 0; at + unit <= bytes; at += unit) {
        for (size_t i = 0; i < unit / 2; i++) {
            char c = data[at + i];
            data[at + i] = data[at + unit - 1 - i];
            data[at + unit - 1 - i] = c;
        }
    }
}

/* The array of a header, without memory, and its size in bytes. */
static kjit_status describe(const NpyHeader *header, kjit_array *array, uint64_t *bytes)
{
    static char somewhere;

    *array = kjit_host_array(&somewhere, header->dtype, header->rank, header->shape);
    array->record = header->record;
    array_set_strides(array, header->columns);
    if (!array_check(array, header->file, bytes))
        return file_bad(header->file, "its shape is larger than any memory");
    return KJIT_OK;
}

/* Copies elements out of a file's text. */
static kjit_status take_elements(const NpyHeader *header, const char *data, size_t there,
                                 LoadedArray *out)
{
    uint64_t bytes;
    void *memory;

    KJIT_TRY(describe(header, &out->array, &bytes));
    if (there < bytes)
        return error_set(KJIT_FILE,
                         "error: %s: it holds %zu bytes of elements, and its header says %llu",
                         header->file, there, (unsigned long long)bytes);
    KJIT_TRY(block_alloc(bytes, false, &out->block, &memory));
    if (bytes)
        memcpy(memory, data, (size_t)bytes);
    if (header->swapped)
        swap_bytes(memory,
                   kjit_dtype_bytes(header->dtype) / (dtype_is_complex(header->dtype) ? 2 : 1),
                   bytes);
    out->array.data = memory;
    return KJIT_OK;
}

/* Where the elements lie in the file. header->record is memory_alloc()ed, also behind an error. */
static kjit_status find_elements(const char *text, size_t length, NpyHeader *header, size_t *at)
{
    const unsigned char *bytes = (const unsigned char *)text;

    if (length < 10 || memcmp(text, "\x93NUMPY", 6) != 0)
        return file_bad(header->file, "this is no .npy file: it does not begin with NumPy's mark");
    if (bytes[6] < 1 || bytes[6] > 3)
        return error_set(KJIT_FILE, "error: %s: version %d.%d of the format is unknown",
                         header->file, bytes[6], bytes[7]);
    size_t start = bytes[6] == 1 ? 10 : 12;
    size_t size = bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] > 1 && length >= 12)
        size |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length < start || size > length - start || size > HEADER_MAX)
        return error_set(KJIT_FILE,
                         "error: %s: the file ends inside its header (%zu bytes of header, %zu "
                         "of file)",
                         header->file, size, length);
    header->at = text + start;
    header->end = header->at + size;
    *at = start + size;
    return read_header(header);
}

kjit_status npy_parse(const char *file, const char *text, size_t length, LoadedArray *out)
{
    NpyHeader header = { .file = file };
    size_t start;
    kjit_status status = find_elements(text, length, &header, &start);

    if (status == KJIT_OK)
        status = take_elements(&header, text + start, length - start, out);
    if (status == KJIT_OK)
        out->record = header.record;
    else
        memory_free(header.record);
    return status;
}

kjit_status npy_load(const char *path, LoadedArray *out)
{
    char *text;
    size_t length;

    *out = (LoadedArray){ 0 };
    KJIT_TRY(file_read(path, SIZE_MAX / 4, &text, &length));
    kjit_status status = npy_parse(path, text, length, out);
    memory_free(text);
    return status;
}

/* Whether writing a file of that name leaves this one as it is, so that it may be read later: it
** cannot be written, or is replaced by another (file_write()). */
static bool keeps(const char *path, const struct stat *info)
{
    char folder[PATH_MAX]; /* of what a link leads to */

    if (access(path, W_OK) != 0)
        return true;
    if (!realpath(path, folder))
        return false;
    strrchr(folder, '/')[1] = '\0';
    return info->st_uid == geteuid() && access(folder, W_OK) == 0;
}

/* Maps a file, to be unmapped by the caller; NULL: it cannot be, or might change meanwhile. */
static char *map_file(const char *path, size_t *length)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;

    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && keeps(path, &info)) {
        *length = (size_t)info.st_size;
        text = mmap(NULL, *length, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    return text == MAP_FAILED ? NULL : text;
}

kjit_status npy_map(const char *path, LoadedArray *out)
{
    NpyHeader header = { .file = path };
    size_t length, start;
    uint64_t bytes;
    char *text = map_file(path, &length);

    *out = (LoadedArray){ 0 };
    if (text && find_elements(text, length, &header, &start) == KJIT_OK && !header.swapped &&
        start % MAPPED_ALIGN == 0 && describe(&header, &out->array, &bytes) == KJIT_OK &&
        length - start >= bytes) {
        out->array.data = text + start;
        out->block = text;
        out->mapped = length;
        out->record = header.record;
        return KJIT_OK;
    }
    memory_free(header.record);
    if (text)
        munmap(text, length);
    return npy_load(path, out);
}

kjit_status raw_load(const char *path, kjit_dtype dtype, int rank, const int64_t *shape,
                     LoadedArray *out)
{
    NpyHeader header = { .file = path, .dtype = dtype, .rank = rank < 0 ? 1 : rank };
    size_t element = kjit_dtype_bytes(dtype), length;
    char *text;

    *out = (LoadedArray){ 0 };
    KJIT_TRY(file_read(path, SIZE_MAX / 4, &text, &length));
    if (rank > 0)
        memcpy(header.shape, shape, sizeof *shape * (size_t)rank);
    else
        header.shape[0] = (int64_t)(length / element);
    kjit_status status = KJIT_OK;
    if (rank < 0 && length % element)
        status = error_set(KJIT_FILE, "error: %s: its %zu bytes are no whole number of %s", path,
                           length, kjit_dtype_name(dtype));
    if (status == KJIT_OK)
        status = take_elements(&header, text, length, out);
    memory_free(text);
    return status;
}

/* ---- writing -------------------------------------------------------------------------- */

/* A header being written. */
typedef struct HeaderText {
    const kjit_array *array;
    bool columns; /* they lie whole, rather than rows */
    char *text;   /* memory_alloc()ed */
    size_t length;
} HeaderText;

/* Padded so that the elements start at a multiple of 64. */
char *npy_header(Arena *arena, const kjit_array *array, bool columns, size_t *length)
{
    Buf out = buf_in(arena);
    buf_puts(&out, "{'descr': ");
    descr_put(&out, array->dtype, array->record);
    buf_printf(&out, ", 'fortran_order': %s, 'shape': ", columns ? "True" : "False");
    descr_put_shape(&out, array->shape, array->rank);
    buf_puts(&out, ", }");
    size_t start = out.length < 65000 ? 10 : 12;
    size_t total = (start + out.length + 1 + 63) / 64 * 64, stated = total - start;
    char *text = arena_alloc(arena, total);
    memset(text, ' ', total);
    memcpy(text, start == 10 ? "\x93NUMPY\x01\x00" : "\x93NUMPY\x02\x00", 8);
    for (size_t i = 8; i < start; i++, stated >>= 8)
        text[i] = (char)(stated & 255);
    memcpy(text + start, buf_text(&out), out.length);
    text[total - 1] = '\n';
    *length = total;
    return text;
}

static kjit_status print_header(void *context, Arena *arena)
{
    HeaderText *head = context;
    const char *text = npy_header(arena, head->array, head->columns, &head->length);

    head->text = memory_alloc(head->length);
    if (!head->text)
        return error_memory();
    memcpy(head->text, text, head->length);
    return KJIT_OK;
}

kjit_status array_packed(const kjit_array *array, void **block, const void **data)
{
    uint64_t bytes;

    *block = NULL;
    *data = array->data;
    if (!array_check(array, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (array->flags & KJIT_ON_DEVICE)
        return error_set(KJIT_ARGUMENT, "error: the array is on the device\n"
                                        "note: kjit_copy_to_host() brings it back");
    if (array_layout(array) == LAYOUT_C)
        return KJIT_OK;
    kjit_array whole = *array;
    KJIT_TRY(block_alloc(bytes, false, block, &whole.data));
    array_set_strides(&whole, false);
    array_copy(&whole, array);
    *data = whole.data;
    return KJIT_OK;
}

kjit_status kjit_save_npy(const char *path, const kjit_array *array)
{
    HeaderText head = { .array = array };
    kjit_array lying; /* whose rows are what lies whole */
    uint64_t bytes;
    const void *data;
    void *block;

    if (!array_check(array, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (array->dtype == KJIT_DTYPE_RECORD) {
        KJIT_TRY(dtype_check_record(array->record, "the array"));
        if (!descr_can_list(array->record))
            return error_set(KJIT_UNSUPPORTED,
                             "error: a .npy file cannot hold records whose fields "
                             "share bytes; save their fields");
    }
    lying = *array;
    head.columns = array_layout(array) == LAYOUT_F;
    for (int i = 0; head.columns && i < array->rank; i++) {
        lying.shape[i] = array->shape[array->rank - 1 - i];
        lying.strides[i] = array->strides[array->rank - 1 - i];
    }
    KJIT_TRY(array_packed(&lying, &block, &data));
    kjit_status status = arena_run(print_header, &head);
    if (status == KJIT_OK)
        status = file_write(path, head.text, head.length, data, (size_t)bytes);
    memory_free(head.text);
    memory_free(block);
    return status;
}
