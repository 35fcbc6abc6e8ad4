/* A binary as a C header: the bytes as an array, and for every specialisation functions that launch
** it, with C types for its parameters.
**
** Declarations come first, for readers, then the bytes, then the functions' bodies. The header is
** valid C11 and C++11 without warnings. */
#include "runtime/binary/c_header.h"
#include "runtime/array/array.h"

#include <ctype.h>

/* ---- types --------------------------------------------------------------------------------- */

static const char *scalar_type(const Type *type)
{
    static const char *const names[] = {
        [KJIT_DTYPE_BOOL] = "bool",         [KJIT_DTYPE_INT8] = "int8_t",
        [KJIT_DTYPE_INT16] = "int16_t",     [KJIT_DTYPE_INT32] = "int32_t",
        [KJIT_DTYPE_INT64] = "int64_t",     [KJIT_DTYPE_UINT8] = "uint8_t",
        [KJIT_DTYPE_UINT16] = "uint16_t",   [KJIT_DTYPE_UINT32] = "uint32_t",
        [KJIT_DTYPE_UINT64] = "uint64_t",   [KJIT_DTYPE_FLOAT16] = "float",
        [KJIT_DTYPE_BFLOAT16] = "float",    [KJIT_DTYPE_FLOAT32] = "float",
        [KJIT_DTYPE_FLOAT64] = "double",    [KJIT_DTYPE_COMPLEX64] = "float",
        [KJIT_DTYPE_COMPLEX128] = "double", [KJIT_DTYPE_FLOAT8_E4M3] = "float",
        [KJIT_DTYPE_FLOAT8_E5M2] = "float",
    };

    return type_is_time(type) ? "int64_t" : names[type_dtype(type)];
}

/* The C type of an array's elements; void for those without one. */
static const char *element_type(const Type *element)
{
    if (type_is_complex(element))
        return "void";
    if (element->kind == TY_FLOAT16 || element->kind == TY_BFLOAT16)
        return "uint16_t";
    return type_is_float8(element) ? "uint8_t" : scalar_type(element);
}

/* KJIT_DTYPE_FLOAT32, KJIT_DTYPE_DATETIME64_ns */
static const char *dtype_constant(Arena *arena, const Type *type)
{
    char *name = arena_printf(arena, "KJIT_DTYPE_%s", kjit_dtype_name(type_dtype(type)));

    for (char *at = name; *at; at++) {
        if (*at == '[') {
            *at = '_';
            at[strcspn(at, "]")] = '\0';
            return name;
        }
        *at = (char)toupper((unsigned char)*at);
    }
    return name;
}

static bool writes(const CWrapper *wrapper, int param)
{
    return wrapper->facts->access[param] & (ACCESS_WRITE | ACCESS_ATOMIC);
}

/* Whether all arguments can be passed as pointers and numbers. */
static bool is_simple(const CWrapper *wrapper)
{
    for (int i = 0; i < wrapper->kernel->param_count; i++) {
        const Type *type = wrapper->types[i];
        if (type_is_array(type) ? type_is_record(type->array.element)
                                : type_is_tuple(type) && !type_is_time(type))
            return false;
    }
    return true;
}

/* ---- lists of parameters ------------------------------------------------------------------- */

/* Puts `text` on the current line if it fits, else on the next. */
static void put_wrapped(Buf *out, const char *text)
{
    const char *newline = out->text ? strrchr(out->text, '\n') : NULL;
    size_t column = out->length - (newline ? (size_t)(newline + 1 - out->text) : 0);

    if (column + 1 + strlen(text) > 98)
        buf_puts(out, "\n        ");
    else
        buf_putc(out, ' ');
    buf_puts(out, text);
}

static void put_scalar_params(const CHeader *header, const CWrapper *wrapper, int i)
{
    const Type *type = wrapper->types[i];
    const char *c = scalar_type(type);

    if (!type_is_complex(type)) {
        put_wrapped(header->out, arena_printf(header->arena, "%s %s", c, wrapper->params[i]));
        return;
    }
    const char *real = c_name_part(header, wrapper, i, "real");
    const char *imag = c_name_part(header, wrapper, i, "imag");
    put_wrapped(header->out, arena_printf(header->arena, "%s %s,", c, real));
    put_wrapped(header->out, arena_printf(header->arena, "%s %s", c, imag));
}

/* A pointer and the extents. */
static void put_array_params(const CHeader *header, const CWrapper *wrapper, int i)
{
    const Type *type = wrapper->types[i];
    const char *element = element_type(type->array.element);

    put_wrapped(header->out,
                arena_printf(header->arena, "%s%s *%s", writes(wrapper, i) ? "" : "const ", element,
                             wrapper->params[i]));
    for (int axis = 0; axis < type->array.rank; axis++) {
        buf_putc(header->out, ',');
        put_wrapped(header->out, arena_printf(header->arena, "int64_t %s",
                                              c_name_extent(header, wrapper, i, axis)));
    }
}

static void put_params(const CHeader *header, const CWrapper *wrapper, bool simple)
{
    for (int i = 0; i < wrapper->kernel->param_count; i++) {
        const Type *type = wrapper->types[i];
        bool scalar = !type_is_array(type) && (type_is_time(type) || !type_is_tuple(type));
        buf_putc(header->out, ',');
        if (scalar)
            put_scalar_params(header, wrapper, i);
        else if (simple)
            put_array_params(header, wrapper, i);
        else
            put_wrapped(header->out,
                        arena_printf(header->arena, "const kjit_%s *%s",
                                     type_is_array(type) ? "array" : "arg", wrapper->params[i]));
    }
}

static void put_head(const CHeader *header, const CWrapper *wrapper, bool simple)
{
    buf_printf(header->out, "static inline kjit_status %s(kjit_context *context,",
               simple ? wrapper->simple : wrapper->launch);
    if (simple) {
        put_wrapped(header->out, "const uint32_t grid[3],");
        put_wrapped(header->out, "const uint32_t block[3]");
    } else {
        put_wrapped(header->out, "const kjit_launch_config *config");
    }
    put_params(header, wrapper, simple);
    buf_putc(header->out, ')');
}

/* ---- bodies -------------------------------------------------------------------------------- */

static void put_scalar_arg(const CHeader *header, const CWrapper *wrapper, int i)
{
    const Type *type = wrapper->types[i];
    Buf *out = header->out;

    if (type_is_time(type))
        buf_printf(out, "    args[%d] = kjit_arg_int64(%s);\n    args[%d].dtype = %s;\n", i,
                   wrapper->params[i], i, dtype_constant(header->arena, type));
    else if (type_is_complex(type))
        buf_printf(out, "    args[%d] = kjit_arg_%s(%s, %s);\n", i,
                   kjit_dtype_name(type_dtype(type)), c_name_part(header, wrapper, i, "real"),
                   c_name_part(header, wrapper, i, "imag"));
    else
        buf_printf(out, "    args[%d] = kjit_arg_%s(%s);\n", i, kjit_dtype_name(type_dtype(type)),
                   wrapper->params[i]);
}

/* An array of host memory. */
static void put_array(const CHeader *header, const CWrapper *wrapper, int i)
{
    const Type *type = wrapper->types[i];
    Buf *out = header->out;

    for (int axis = 0; axis < type->array.rank; axis++)
        buf_printf(out, "    shape[%d] = %s;\n", axis, c_name_extent(header, wrapper, i, axis));
    buf_printf(out,
               "    args[%d] = kjit_arg_array(kjit_host_array((void *)(uintptr_t)%s,\n"
               "            %s, %d, %s));\n",
               i, wrapper->params[i], dtype_constant(header->arena, type->array.element),
               type->array.rank, type->array.rank ? "shape" : "NULL");
    if (type->array.readonly)
        buf_printf(out, "    args[%d].as.array.flags = KJIT_READONLY;\n", i);
    for (int axis = 0; type->array.layout == LAYOUT_F && axis < type->array.rank; axis++) {
        buf_printf(out, "    args[%d].as.array.strides[%d] = %zu", i, axis,
                   kjit_dtype_bytes(type_dtype(type->array.element)));
        for (int before = 0; before < axis; before++)
            buf_printf(out, " * %s", c_name_extent(header, wrapper, i, before));
        buf_puts(out, ";\n");
    }
}

static void put_arg(const CHeader *header, const CWrapper *wrapper, int i, bool simple)
{
    const Type *type = wrapper->types[i];

    if (!type_is_array(type) && (type_is_time(type) || !type_is_tuple(type)))
        put_scalar_arg(header, wrapper, i);
    else if (!simple)
        buf_printf(header->out,
                   type_is_array(type) ? "    args[%d] = kjit_arg_array(*%s);\n"
                                       : "    args[%d] = *%s;\n",
                   i, wrapper->params[i]);
    else
        put_array(header, wrapper, i);
}

static int most_axes(const CWrapper *wrapper)
{
    int most = 0;

    for (int i = 0; i < wrapper->kernel->param_count; i++) {
        const Type *type = wrapper->types[i];
        if (type_is_array(type) && type->array.rank > most)
            most = type->array.rank;
    }
    return most;
}

static void put_body(const CHeader *header, const CWrapper *wrapper, bool simple)
{
    int count = wrapper->kernel->param_count, axes = simple ? most_axes(wrapper) : 0;
    Buf *out = header->out;

    put_head(header, wrapper, simple);
    buf_printf(out, "\n{\n    kjit_kernel *kernel;\n");
    if (simple)
        buf_puts(out, "    kjit_launch_config launch;\n");
    if (count)
        buf_printf(out, "    kjit_arg args[%d];\n", count);
    if (axes)
        buf_printf(out, "    int64_t shape[%d];\n", axes);
    buf_printf(out,
               "    kjit_status status = %s(context, &kernel);\n\n"
               "    if (status != KJIT_OK)\n        return status;\n",
               wrapper->get);
    if (simple)
        buf_puts(out, "    memset(&launch, 0, sizeof launch);\n"
                      "    launch.size = sizeof launch;\n"
                      "    memcpy(launch.grid, grid, sizeof launch.grid);\n"
                      "    memcpy(launch.block, block, sizeof launch.block);\n");
    for (int i = 0; i < count; i++)
        put_arg(header, wrapper, i, simple);
    buf_printf(out, "    return kjit_launch(kernel, %s, %s, %d);\n}\n\n",
               simple ? "&launch" : "config", count ? "args" : "NULL", count);
}

/* ---- declarations -------------------------------------------------------------------------- */

static void put_declarations(const CHeader *header, const CWrapper *wrapper)
{
    Buf *out = header->out;

    buf_printf(out, "/* %s */\n", wrapper->facts->call);
    if (wrapper->simple) {
        put_head(header, wrapper, true);
        buf_puts(out, ";\n");
    }
    put_head(header, wrapper, false);
    buf_puts(out, ";\n\n");
}

static void put_get(const CHeader *header, const BinaryKernel *kernel, const char *get, bool body)
{
    Buf *out = header->out;

    buf_printf(out, "static inline kjit_status %s(kjit_context *context, kjit_kernel **kernel)%s",
               get, body ? "\n{\n" : ";\n");
    if (body)
        buf_printf(out,
                   "    return kjit_embedded_kernel(context, kjit_code_%s, sizeof kjit_code_%s,\n"
                   "            %s, kernel);\n}\n\n",
                   header->stem, header->stem, c_string_of(header->arena, kernel->name));
}

/* ---- the specialisations ------------------------------------------------------------------- */

/* The word for a type in names: its dtype. */
static const char *type_word(Arena *arena, const Type *type)
{
    if (type_is_array(type))
        type = type->array.element;
    if (type_is_record(type) || (type_is_tuple(type) && !type_is_time(type)))
        return "";
    return c_name_of(arena, kjit_dtype_name(type_dtype(type)), false);
}

/* A parameter whose dtype differs in all wrappers, or -1. */
static int distinguishing_param(Arena *arena, const CWrapper *wrappers, int count)
{
    for (int p = 0; p < wrappers->kernel->param_count; p++) {
        bool tells = true;
        for (int i = 0; i < count; i++) {
            const char *word = type_word(arena, wrappers[i].types[p]);
            tells = tells && *word;
            for (int k = 0; k < i; k++)
                tells = tells && strcmp(word, type_word(arena, wrappers[k].types[p])) != 0;
        }
        if (tells)
            return p;
    }
    return -1;
}

static void name_wrappers(CHeader *header, CWrapper *wrappers, int count)
{
    Arena *arena = header->arena;
    int telling = distinguishing_param(arena, wrappers, count);

    for (int i = 0; i < count; i++) {
        CWrapper *wrapper = &wrappers[i];
        const char *name =
            arena_printf(arena, "kjit_%s", c_name_of(arena, wrapper->kernel->name, false));
        if (count > 1 && telling >= 0)
            name = arena_printf(arena, "%s_%s", name, type_word(arena, wrapper->types[telling]));
        else if (count > 1)
            name = arena_printf(arena, "%s_%d", name, i + 1);
        wrapper->simple = is_simple(wrapper) ? c_name_take(header, name) : NULL;
        wrapper->launch = c_name_take(header, arena_printf(arena, "%s_launch", name));
    }
}

/* A wrapper for each specialisation of a kernel. */
static int make_wrappers(CHeader *header, Types *types, const BinaryKernel *kernel,
                         CWrapper *wrappers)
{
    int count = 0;

    for (int i = 0; i < kernel->image_count; i++) {
        const Specialisation *facts = &kernel->images[i].facts;
        if (i && binary_same_types(&kernel->images[i], &kernel->images[i - 1]))
            continue;
        Signature signature = signature_unpack(header->arena, types, facts->key, facts->key_length);
        wrappers[count++] = (CWrapper){ .kernel = kernel,
                                        .facts = facts,
                                        .types = signature.params,
                                        .params = c_name_params(header->arena, kernel) };
    }
    name_wrappers(header, wrappers, count);
    return count;
}

/* ---- the file ------------------------------------------------------------------------------ */

static void put_banner(const CHeader *header)
{
    const BinaryKernel *first = header->binary->kernels;
    Buf *out = header->out;

    buf_printf(out, "/* Kernels compiled ahead of time by kjit %s, for", header->binary->made_by);
    for (int i = 0; i < first->image_count; i++) {
        if (i && !binary_same_types(&first->images[i], &first->images[0]))
            break;
        buf_printf(out, "%s %s", i ? "," : "", first->images[i].target);
    }
    buf_puts(out,
             ".\n** Made by kjit build --emit c-header: build it again rather than edit it.\n**\n"
             "** Programs that include it link with libkjit and need no compiler when they run. A "
             "kernel is\n** launched by the function of its name: grid and block are x, y, z; "
             "arrays are of the host, row\n** by row (column by column where the type says so), "
             "and copied as needed. The one that ends in\n** _launch takes arrays of any memory "
             "and a launch's whole configuration. The one that ends in\n** _kernel gives the "
             "kernel, for all that kjit.h has: it belongs to the context. What is loaded\n** is "
             "loaded once for a context, by whichever thread comes first. */\n");
}

void c_bytes_print(Buf *out, const unsigned char *bytes, size_t length)
{
    size_t column = 0;

    for (size_t i = 0; i < length; i++) {
        size_t before = out->length;
        buf_printf(out, "%u,", bytes[i]);
        column += out->length - before;
        if (column > 95 || i + 1 == length) {
            buf_putc(out, '\n');
            column = 0;
        }
    }
}

static void put_kernel(CHeader *header, Types *types, const BinaryKernel *kernel, Buf *bodies)
{
    CWrapper *wrappers = arena_array(header->arena, CWrapper, kernel->image_count);
    CHeader behind = *header;
    int count = make_wrappers(header, types, kernel, wrappers);
    const char *get =
        c_name_take(header, arena_printf(header->arena, "kjit_%s_kernel",
                                         c_name_of(header->arena, kernel->name, false)));

    behind.out = bodies;
    put_get(&behind, kernel, get, true);
    for (int i = 0; i < count; i++) {
        wrappers[i].get = get;
        put_declarations(header, &wrappers[i]);
        if (wrappers[i].simple)
            put_body(&behind, &wrappers[i], true);
        put_body(&behind, &wrappers[i], false);
    }
    put_get(header, kernel, get, false);
    buf_putc(header->out, '\n');
}

void c_header_print(Buf *out, const Binary *binary, const void *data, size_t length,
                    const char *name)
{
    CHeader header = { .out = out, .arena = out->arena, .binary = binary };
    const char *guard = c_name_of(out->arena, name, true);
    Types types;

    header.stem = c_name_of(out->arena, name, false);
    types_init(&types, out->arena);
    Buf bodies = buf_in(out->arena);
    put_banner(&header);
    buf_printf(out,
               "#ifndef KJIT_AHEAD_%s_H\n#define KJIT_AHEAD_%s_H\n\n#include <kjit.h>\n"
               "#include <stdbool.h>\n#include <string.h>\n\n#ifdef __cplusplus\nextern \"C\" "
               "{\n#endif\n\n",
               guard, guard);
    for (int i = 0; i < binary->kernel_count; i++)
        put_kernel(&header, &types, &binary->kernels[i], &bodies);
    buf_printf(out,
               "static const unsigned char kjit_code_%s[%zu] __attribute__((aligned(%d))) = {\n",
               header.stem, length, BINARY_ALIGN);
    c_bytes_print(out, data, length);
    buf_printf(out, "};\n\n%s#ifdef __cplusplus\n}\n#endif\n#endif\n", buf_text(&bodies));
}
