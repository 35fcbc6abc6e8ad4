/* Pictures as arrays, [height, width] or [height, width, channels], of uint8 or of uint16: .png by
** libpng (png.c), and Netpbm's .pgm and .ppm, which are a few numbers in front of the elements.
**
** Numbers are those of the file; nothing is scaled, and no gamma is applied. */
#include "runtime/array/array.h"

static const char *const netpbm_endings[] = { ".pgm", ".ppm", ".pnm" };

static bool is_netpbm(const char *path)
{
    for (size_t i = 0; i < ARRAY_COUNT(netpbm_endings); i++)
        if (path_ends_in(path, netpbm_endings[i]))
            return true;
    return false;
}

bool picture_is_named(const char *path)
{
    return path_ends_in(path, ".png") || is_netpbm(path);
}

kjit_status picture_alloc(const char *file, const PictureShape *shape, LoadedArray *out)
{
    const int64_t lengths[] = { shape->height, shape->width, shape->channels };
    uint64_t bytes;
    void *memory;

    out->array = kjit_host_array(&bytes, shape->wide ? KJIT_DTYPE_UINT16 : KJIT_DTYPE_UINT8,
                                 shape->channels == 1 ? 2 : 3, lengths);
    if (!array_check(&out->array, file, &bytes))
        return file_bad(file, "it is larger than any memory");
    KJIT_TRY(block_alloc(bytes, false, &out->block, &memory));
    out->array.data = memory;
    return KJIT_OK;
}

/* ---- Netpbm --------------------------------------------------------------------------------- */

enum { LENGTH_MAX = 1 << 30, MOST_MAX = 65535 };

typedef struct Netpbm {
    const char *file;
    const char *at, *end;
    bool plain; /* numbers are written out */
    int64_t most;
    PictureShape shape;
} Netpbm;

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next number, behind spaces and comments; -1 if there is none, or one beyond the limit. */
static int64_t take_number(Netpbm *it, int64_t limit)
{
    while (it->at < it->end && (is_space(*it->at) || *it->at == '#')) {
        if (*it->at == '#')
            while (it->at < it->end && *it->at != '\n')
                it->at++;
        else
            it->at++;
    }
    int64_t number = it->at < it->end && *it->at >= '0' && *it->at <= '9' ? 0 : -1;
    for (; number >= 0 && it->at < it->end && *it->at >= '0' && *it->at <= '9'; it->at++) {
        number = number * 10 + (*it->at - '0');
        if (number > limit)
            return -1;
    }
    return number;
}

static kjit_status read_head(Netpbm *it)
{
    const char *marks = "25 36", *mark = NULL;

    if (it->end - it->at > 2 && it->at[0] == 'P' && it->at[1] != ' ')
        mark = strchr(marks, it->at[1]);
    if (!mark || !*mark)
        return file_bad(it->file,
                        "this is no .pgm or .ppm file: it begins with none of P2, P3, P5, P6");
    it->plain = *mark == '2' || *mark == '3';
    it->shape.channels = *mark == '3' || *mark == '6' ? 3 : 1;
    it->at += 2;
    it->shape.width = take_number(it, LENGTH_MAX);
    it->shape.height = take_number(it, LENGTH_MAX);
    it->most = take_number(it, MOST_MAX);
    if (it->shape.width < 0 || it->shape.height < 0 || it->most < 1)
        return file_bad(it->file, "its width, its height or its greatest value is damaged");
    it->shape.wide = it->most > 255;
    if (!it->plain && it->at < it->end)
        it->at++; /* one space, and no other */
    return KJIT_OK;
}

static void put_element(const Netpbm *it, void *data, uint64_t index, int64_t value)
{
    if (it->shape.wide)
        ((uint16_t *)data)[index] = (uint16_t)value;
    else
        ((uint8_t *)data)[index] = (uint8_t)value;
}

static kjit_status read_elements(Netpbm *it, void *data, uint64_t count)
{
    const uint64_t unit = it->shape.wide ? 2 : 1;

    if (!it->plain && (uint64_t)(it->end - it->at) / unit < count)
        return file_bad(it->file, "it ends before its last element");
    for (uint64_t i = 0; i < count; i++) {
        int64_t value;
        if (it->plain) {
            value = take_number(it, it->most);
            if (value < 0)
                return file_bad(it->file,
                                "it ends before its last element, or has one that is none");
        } else {
            const uint8_t *bytes = (const uint8_t *)it->at + i * unit;
            value = it->shape.wide ? bytes[0] << 8 | bytes[1] : bytes[0];
        }
        put_element(it, data, i, value);
    }
    return KJIT_OK;
}

static kjit_status netpbm_parse(const char *file, const char *text, size_t length, LoadedArray *out)
{
    Netpbm it = { .file = file, .at = text, .end = text + length };

    KJIT_TRY(read_head(&it));
    /* Every element takes a byte, so that a damaged head asks for no more than there is. */
    if ((uint64_t)it.shape.width * (uint64_t)it.shape.height > length)
        return file_bad(file, "it ends before its last element");
    KJIT_TRY(picture_alloc(file, &it.shape, out));
    return read_elements(&it, out->array.data, (uint64_t)array_elements(&out->array));
}

static kjit_status netpbm_save(const char *path, const PictureShape *shape, const void *data)
{
    const uint64_t count = (uint64_t)(shape->width * shape->height * shape->channels);
    uint8_t *swapped = NULL;
    char head[80];

    snprintf(head, sizeof head, "P%d\n%lld %lld\n%d\n", shape->channels == 3 ? 6 : 5,
             (long long)shape->width, (long long)shape->height, shape->wide ? 65535 : 255);
    if (shape->wide) {
        swapped = memory_alloc(count * 2 + 1);
        if (!swapped)
            return error_memory();
        for (uint64_t i = 0; i < count; i++) {
            swapped[2 * i] = (uint8_t)(((const uint16_t *)data)[i] >> 8);
            swapped[2 * i + 1] = (uint8_t)((const uint16_t *)data)[i];
        }
    }
    kjit_status status = file_write(path, head, strlen(head), swapped ? swapped : data,
                                    (size_t)(count * (shape->wide ? 2 : 1)));
    memory_free(swapped);
    return status;
}

/* ---- both ----------------------------------------------------------------------------------- */

kjit_status picture_load(const char *path, LoadedArray *out)
{
    char *text;
    size_t length;

    *out = (LoadedArray){ 0 };
    KJIT_TRY(file_read(path, SIZE_MAX / 4, &text, &length));
    kjit_status status = path_ends_in(path, ".png") ? png_parse(path, text, length, out)
                                                    : netpbm_parse(path, text, length, out);
    memory_free(text);
    if (status != KJIT_OK) {
        memory_free(out->block);
        *out = (LoadedArray){ 0 };
    }
    return status;
}

/* The picture that an array is, if it is one of that kind. */
static kjit_status picture_of(const char *path, const kjit_array *array, PictureShape *shape)
{
    const bool png = path_ends_in(path, ".png"), grey = path_ends_in(path, ".pgm"),
               color = path_ends_in(path, ".ppm");

    if (array->dtype != KJIT_DTYPE_UINT8 && array->dtype != KJIT_DTYPE_UINT16)
        return error_set(KJIT_ARGUMENT,
                         "error: %s: a picture is of uint8 or uint16, not of %s\nnote: "
                         "(255 * x).astype(np.uint8) makes one of floats from 0 to 1",
                         path, kjit_dtype_name(array->dtype));
    *shape = (PictureShape){ .channels = array->rank == 3 ? array->shape[2] : 1,
                             .wide = array->dtype == KJIT_DTYPE_UINT16 };
    const int64_t channels = shape->channels;
    if (array->rank < 2 || array->rank > 3 || channels < 1 || channels > 4 ||
        (!png && channels != 1 && channels != 3) || (grey && channels == 3) ||
        (color && channels == 1))
        return error_set(KJIT_ARGUMENT, "error: %s: a picture is of [height, width]%s", path,
                         png     ? ", or of [height, width, channels] with up to 4"
                         : grey  ? ""
                         : color ? ", 3]: the last axis is red, green and blue"
                                 : ", or of [height, width, 3]");
    shape->height = array->shape[0];
    shape->width = array->shape[1];
    if (!shape->height || !shape->width)
        return error_set(KJIT_ARGUMENT, "error: %s: a picture has at least one pixel", path);
    return KJIT_OK;
}

kjit_status kjit_save_array(const char *path, const kjit_array *array)
{
    PictureShape shape;
    const void *data;
    void *block;

    if (!path || !picture_is_named(path))
        return kjit_save_npy(path, array);
    KJIT_TRY(picture_of(path, array, &shape));
    KJIT_TRY(array_packed(array, &block, &data));
    kjit_status status =
        path_ends_in(path, ".png") ? png_save(path, &shape, data) : netpbm_save(path, &shape, data);
    memory_free(block);
    return status;
}
