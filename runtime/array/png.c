/* .png files, by libpng, which is loaded with the first of them. */
#include "runtime/array/array.h"

#include <dlfcn.h>
#include <png.h>
#include <pthread.h>
#include <setjmp.h>

/* clang-format off */
#define PNG_FUNCTIONS(F)                                                                           \
    F(create_read_struct) F(destroy_read_struct) F(create_write_struct) F(destroy_write_struct)    \
    F(create_info_struct) F(get_error_ptr) F(get_io_ptr) F(error)                                  \
    F(set_read_fn) F(read_info) F(set_expand) F(set_swap) F(set_interlace_handling)                \
    F(read_update_info) F(get_image_width) F(get_image_height) F(get_channels) F(get_bit_depth)    \
    F(get_rowbytes) F(read_image) F(set_write_fn) F(set_IHDR) F(write_info) F(write_image)         \
    F(write_end)
/* clang-format on */

/* What is called of libpng. */
static struct {
#define PNG_CALLED(name) __typeof__(png_##name) *name;
    PNG_FUNCTIONS(PNG_CALLED)
#undef PNG_CALLED
    bool found;
} png;
static pthread_once_t png_once = PTHREAD_ONCE_INIT;

/* It stays loaded. */
static void find_png(void)
{
    static const WantedSymbol wanted[] = {
#define PNG_CALLED(name) { "png_" #name, &png.name },
        PNG_FUNCTIONS(PNG_CALLED)
#undef PNG_CALLED
    };
    void *library = dlopen("libpng16.so.16", RTLD_LAZY | RTLD_LOCAL);

    png.found = library && !symbols_find(library, wanted, ARRAY_COUNT(wanted));
}

static kjit_status need_png(const char *file)
{
    pthread_once(&png_once, find_png);
    return png.found ? KJIT_OK
                     : error_set(KJIT_FILE,
                                 "error: %s: .png files need libpng16.so.16, which cannot be "
                                 "loaded; Debian's package libpng16-16 has it, and a .pgm or .ppm "
                                 "file needs none",
                                 file);
}

/* A file being read or written. What fails in libpng jumps back. */
typedef struct Png {
    const char *file;
    png_structp it;
    png_infop info;
    png_bytep *rows;
    const char *at, *end; /* of what is read */
    char *text;           /* what is written, memory_alloc()ed */
    size_t length, capacity;
    kjit_status status;
    jmp_buf back;
} Png;

static void fail(png_structp it, const char *message)
{
    Png *p = png.get_error_ptr(it);

    bool other = strcmp(message, "Not a PNG file") == 0;

    if (p->status == KJIT_OK)
        p->status = error_set(KJIT_FILE, "error: %s: %s%s", p->file, message,
                              other ? "; a file's name says what is in it: .csv is read as text, "
                                      ".npy as what numpy.save() writes"
                                    : "");
    longjmp(p->back, 1);
}

static void pass_over(png_structp it, const char *message)
{
    (void)it;
    (void)message;
}

static _Noreturn void fail_for_memory(Png *p)
{
    p->status = error_memory();
    longjmp(p->back, 1);
}

static void make_rows(Png *p, const PictureShape *shape, void *data)
{
    const size_t row = (size_t)(shape->width * shape->channels) * (shape->wide ? 2 : 1);

    p->rows = memory_alloc((size_t)shape->height * sizeof *p->rows);
    if (!p->rows)
        fail_for_memory(p);
    for (int64_t y = 0; y < shape->height; y++)
        p->rows[y] = (png_bytep)data + (size_t)y * row;
}

/* Samples of two bytes lie in the file with the high one first. */
static bool is_little_endian(void)
{
    const uint16_t one = 1;

    return *(const uint8_t *)&one;
}

/* ---- reading -------------------------------------------------------------------------------- */

static void read_bytes(png_structp it, png_bytep data, size_t length)
{
    Png *p = png.get_io_ptr(it);

    if ((size_t)(p->end - p->at) < length)
        png.error(it, "the file ends too early");
    memcpy(data, p->at, length);
    p->at += length;
}

/* Palettes become colours, bits bytes, and what is transparent a channel. */
static void read_picture(Png *p, LoadedArray *out)
{
    png.set_read_fn(p->it, p, read_bytes);
    png.read_info(p->it, p->info);
    png.set_expand(p->it);
    if (is_little_endian())
        png.set_swap(p->it);
    png.set_interlace_handling(p->it);
    png.read_update_info(p->it, p->info);
    const PictureShape shape = { .width = png.get_image_width(p->it, p->info),
                                 .height = png.get_image_height(p->it, p->info),
                                 .channels = png.get_channels(p->it, p->info),
                                 .wide = png.get_bit_depth(p->it, p->info) == 16 };
    p->status = picture_alloc(p->file, &shape, out);
    if (p->status != KJIT_OK)
        return;
    make_rows(p, &shape, out->array.data);
    png.read_image(p->it, p->rows);
}

kjit_status png_parse(const char *file, const char *text, size_t length, LoadedArray *out)
{
    Png p = { .file = file, .at = text, .end = text + length };

    KJIT_TRY(need_png(file));
    if (setjmp(p.back) == 0) {
        p.it = png.create_read_struct(PNG_LIBPNG_VER_STRING, &p, fail, pass_over);
        p.info = p.it ? png.create_info_struct(p.it) : NULL;
        if (p.info)
            read_picture(&p, out);
        else
            p.status = error_memory();
    }
    png.destroy_read_struct(&p.it, &p.info, NULL);
    memory_free(p.rows);
    return p.status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_bytes(png_structp it, png_bytep data, size_t length)
{
    Png *p = png.get_io_ptr(it);

    if (p->capacity - p->length < length) {
        size_t capacity = (p->capacity + length) * 2;
        char *text = memory_resize(p->text, capacity);
        if (!text)
            fail_for_memory(p);
        p->text = text;
        p->capacity = capacity;
    }
    memcpy(p->text + p->length, data, length);
    p->length += length;
}

static void flush(png_structp it)
{
    (void)it;
}

static void write_picture(Png *p, const PictureShape *shape, const void *data)
{
    static const int kinds[] = { 0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                 PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA };

    if (shape->width > INT32_MAX || shape->height > INT32_MAX)
        png.error(p->it, "it is too large");
    png.set_write_fn(p->it, p, write_bytes, flush);
    png.set_IHDR(p->it, p->info, (png_uint_32)shape->width, (png_uint_32)shape->height,
                 shape->wide ? 16 : 8, kinds[shape->channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png.write_info(p->it, p->info);
    if (shape->wide && is_little_endian())
        png.set_swap(p->it);
    make_rows(p, shape, (void *)(uintptr_t)data);
    png.write_image(p->it, p->rows);
    png.write_end(p->it, p->info);
}

kjit_status png_save(const char *path, const PictureShape *shape, const void *data)
{
    Png p = { .file = path };

    KJIT_TRY(need_png(path));
    if (setjmp(p.back) == 0) {
        p.it = png.create_write_struct(PNG_LIBPNG_VER_STRING, &p, fail, pass_over);
        p.info = p.it ? png.create_info_struct(p.it) : NULL;
        if (p.info)
            write_picture(&p, shape, data);
        else
            p.status = error_memory();
    }
    png.destroy_write_struct(&p.it, &p.info);
    memory_free(p.rows);
    if (p.status == KJIT_OK)
        p.status = file_write(path, "", 0, p.text, p.length);
    memory_free(p.text);
    return p.status;
}
