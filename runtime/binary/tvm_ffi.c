/* Kernels as a library for TVM FFI, which loads it without kjit: the objects of kernels for the
** processor, machine code for GPUs, and the text in glue/ that launches them, with tables of what
** there is, compiled and linked by the system's C compiler.
**
** A function of the library is `kernel(grid, block, ...)` and picks the specialisation that fits
** its arguments: numbers and arrays, as TVM FFI has nothing else that kernels take. */
#include "runtime/binary/c_header.h"
#include "runtime/array/array.h"
#include "runtime/cpu/cc.h"

static const char glue[] =
#include "runtime/binary/glue/tvm_call.c.inc"
#include "runtime/binary/glue/tvm_launch.c.inc"
    ;

enum { SLOTS_MOST = 512 }; /* PARAMS of the glue */

/* ---- parameters ---------------------------------------------------------------------------- */

/* DLPack's code of a dtype; -1: it has none. */
static int code_of(const Type *type)
{
    static const signed char codes[] = {
        [KJIT_DTYPE_BOOL] = 6,         [KJIT_DTYPE_INT8] = 0,         [KJIT_DTYPE_INT16] = 0,
        [KJIT_DTYPE_INT32] = 0,        [KJIT_DTYPE_INT64] = 0,        [KJIT_DTYPE_UINT8] = 1,
        [KJIT_DTYPE_UINT16] = 1,       [KJIT_DTYPE_UINT32] = 1,       [KJIT_DTYPE_UINT64] = 1,
        [KJIT_DTYPE_FLOAT16] = 2,      [KJIT_DTYPE_BFLOAT16] = 4,     [KJIT_DTYPE_FLOAT32] = 2,
        [KJIT_DTYPE_FLOAT64] = 2,      [KJIT_DTYPE_COMPLEX64] = 5,    [KJIT_DTYPE_COMPLEX128] = 5,
        [KJIT_DTYPE_FLOAT8_E4M3] = 10, [KJIT_DTYPE_FLOAT8_E5M2] = 12,
    };
    if (type_is_record(type) || type_is_tuple(type))
        return -1;
    return codes[type_dtype(type)];
}

static kjit_status put_param(Buf *out, const BinaryKernel *kernel, int i, const Type *type,
                             int *slots)
{
    static const char *const layouts[] = {
        [LAYOUT_C] = "ROWS", [LAYOUT_F] = "COLUMNS", [LAYOUT_A] = "ANY_LAYOUT"
    };
    bool is_array = type_is_array(type);
    const Type *element = is_array ? type->array.element : type;
    int code = code_of(element), rank = is_array ? type->array.rank : -1;

    if (code < 0 || (!is_array && type_is_complex(type)))
        return error_set(KJIT_UNSUPPORTED,
                         "error: '%s' of %s is neither an array of numbers nor a number, which is "
                         "all that functions of TVM FFI take\n"
                         "note: pass an array of numbers",
                         kernel->params[i], kernel->name);
    buf_printf(out, "    { %d, %s, %d, %zu },\n", rank,
               is_array ? layouts[type->array.layout] : "ROWS", code,
               8 * kjit_dtype_bytes(type_dtype(element)));
    *slots += 1 + 2 * (rank > 0 ? rank : 0);
    return KJIT_OK;
}

static kjit_status put_params(Buf *out, const BinaryKernel *kernel, const Specialisation *facts,
                              int number)
{
    Types types;
    int slots = 0;

    types_init(&types, out->arena);
    Signature signature = signature_unpack(out->arena, &types, facts->key, facts->key_length);
    buf_printf(out, "static const Param params_%d[] = {\n", number);
    for (int i = 0; i < kernel->param_count; i++)
        KJIT_TRY(put_param(out, kernel, i, signature.params[i], &slots));
    buf_puts(out, "    { 0, 0, 0, 0 }\n};\n");
    if (slots > SLOTS_MOST)
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s has too many parameters for a function of TVM FFI",
                         kernel->name);
    return KJIT_OK;
}

/* ---- specialisations ----------------------------------------------------------------------- */

/* What the glue does not do for a kernel. */
static kjit_status check_launch(const BinaryKernel *kernel, const BinaryImage *image)
{
    const Specialisation *facts = &image->facts;
    const char *what = facts->debug           ? "is built with debug, whose reports kjit reads"
                       : facts->shape.changed ? "is launched in another shape than asked for"
                       : facts->hidden_count  ? "has parameters that kjit passes"
                                              : NULL;

    if (!what)
        return KJIT_OK;
    return error_set(KJIT_UNSUPPORTED,
                     "error: %s %s, which a library for TVM FFI does not do\n"
                     "note: build it without --debug, --facts and @schedule",
                     kernel->name, what);
}

static void put_image(Buf *out, const BinaryImage *image, int number)
{
    CodeTarget target = { 0 };

    target_read(image->target, &target);
    buf_printf(out, "    { %d, %d, %d, code_%d, \"%s\", %d, %d, %lluu, %lluu },\n", target.number,
               target.suffix != '\0', target.kind == TARGET_PTX, number, image->build.entry,
               image->build.options.carveout, image->build.cooperative,
               (unsigned long long)image->facts.static_shared,
               (unsigned long long)image->facts.moved_shared);
}

static bool is_for_processor(const BinaryImage *image)
{
    return !strncmp(image->target, "cpu", 3);
}

/* The tables of the images from `first` on, which are of one specialisation; how many there are. */
static int put_tables(Buf *out, const BinaryKernel *kernel, int first, int number)
{
    int end = first, count = 0;

    for (; end < kernel->image_count &&
           (end == first || binary_same_types(&kernel->images[end], &kernel->images[first]));
         end++) {
        const BinaryImage *image = &kernel->images[end];
        if (is_for_processor(image)) {
            buf_printf(out, "KjitEntry %s;\n", image->build.entry);
            continue;
        }
        buf_printf(out, "static const unsigned char code_%d[] __attribute__((aligned(%d))) = {\n",
                   number + count, BINARY_ALIGN);
        c_bytes_print(out, image->bytes, image->length);
        buf_puts(out, "0};\n");
        count++;
    }
    buf_printf(out, "static const Image images_%d[] = {\n", number);
    for (int i = first, at = number; i < end; i++) {
        if (!is_for_processor(&kernel->images[i]))
            put_image(out, &kernel->images[i], at++);
    }
    buf_puts(out, "    { 0, 0, 0, NULL, NULL, 0, 0, 0, 0 }\n};\n");
    return end - first;
}

/* The symbol of a specialisation's code for the processor, "NULL" without. */
static const char *entry_of(const BinaryKernel *kernel, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        if (is_for_processor(&kernel->images[i]))
            return kernel->images[i].build.entry;
    }
    return "NULL";
}

/* A kernel's tables and its function. `*number` counts images of all kernels: it names tables. */
static kjit_status put_kernel(Buf *out, const BinaryKernel *kernel, int *number)
{
    int count = 0;
    const char *name = c_name_of(out->arena, kernel->name, false);
    Buf rows = buf_in(out->arena);
    for (int first = 0, images; first < kernel->image_count; first += images) {
        const Specialisation *facts = &kernel->images[first].facts;
        KJIT_TRY(check_launch(kernel, &kernel->images[first]));
        KJIT_TRY(put_params(out, kernel, facts, *number));
        images = put_tables(out, kernel, first, *number);
        const char *entry = entry_of(kernel, first, images);
        buf_printf(&rows, "    { %s, params_%d, %d, %s, images_%d, %d, { { NULL, NULL } } },\n",
                   c_string_of(out->arena, facts->call), *number, kernel->param_count, entry,
                   *number, images - (strcmp(entry, "NULL") != 0));
        *number += images;
        count++;
    }
    buf_printf(
        out,
        "static Specialisation made_%s[] = {\n%s};\n"
        "__attribute__((visibility(\"default\"))) int __tvm_ffi_%s(void *self, const Any *args, "
        "int32_t count, Any *result)\n"
        "{\n    (void)self, (void)result;\n    return run(%s, made_%s, %d, args, count);\n"
        "}\n\n",
        name, buf_text(&rows), name, c_string_of(out->arena, kernel->name), name, count);
    return KJIT_OK;
}

/* ---- the library --------------------------------------------------------------------------- */

/* Writes the objects of kernels for the processor into a folder, and a file with their names, which
** compilers read as words: a command line has not room for all. */
static kjit_status write_objects(Arena *arena, const Scratch *scratch, const Binary *binary,
                                 const char *list)
{
    char path[CACHE_PATH_MAX];
    Buf names = buf_in(arena);
    for (int i = 0; i < binary->kernel_count; i++) {
        const BinaryKernel *kernel = &binary->kernels[i];
        for (int k = 0; k < kernel->image_count; k++) {
            const BinaryImage *image = &kernel->images[k];
            if (!is_for_processor(image))
                continue;
            scratch_path(scratch, arena_printf(arena, "%s.o", image->build.entry), path);
            KJIT_TRY(file_write(path, NULL, 0, image->bytes, image->length));
            buf_printf(&names, "\"%s\"\n", path);
        }
    }
    return file_write(list, NULL, 0, names.text, names.length);
}

static kjit_status link_library(Arena *arena, const Scratch *scratch, const Binary *binary,
                                const Buf *text, char **data, size_t *length)
{
    char path[CACHE_PATH_MAX], list[CACHE_PATH_MAX];
    CC cc;

    scratch_path(scratch, "objects", list);
    scratch_path(scratch, "library.so", path);
    KJIT_TRY(write_objects(arena, scratch, binary, list));
    const char *const words[] = { arena_printf(arena, "@%s", list), "-fvisibility=hidden",
                                  "-pthread", "-ldl" };
    const BuildRequest request = { .text = text->text,
                                   .length = text->length,
                                   .call = "the library",
                                   .march = "x86-64",
                                   .quick = true,
                                   .options.opt = 3,
                                   .extra = words,
                                   .extra_count = ARRAY_COUNT(words) };
    cc_find(&cc);
    KJIT_TRY(cc_compile(&cc, &request, path));
    return file_read(path, SOURCE_MAX, data, length);
}

kjit_status tvm_ffi_build(Arena *arena, const Binary *binary, char **data, size_t *length)
{
    Scratch scratch;
    int number = 0;
    Buf text = buf_in(arena);
    buf_puts(&text, glue);
    buf_puts(&text, "\n/* ---- the kernels ---- */\n\n");
    for (int i = 0; i < binary->kernel_count; i++)
        KJIT_TRY(put_kernel(&text, &binary->kernels[i], &number));
    if (!scratch_open(&scratch, NULL))
        return error_set(KJIT_FILE, "error: there is no folder for temporary files\n"
                                    "note: set TMPDIR to one that can be written");
    kjit_status status = link_library(arena, &scratch, binary, &text, data, length);
    scratch_close(&scratch);
    return status;
}
