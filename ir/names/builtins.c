/* The names that are there without a definition: intrinsics, types, constants, namespaces. */
#include "ir/names/operand.h"

#include <math.h>

const IrIntrinsicInfo ir_intrinsics[INTR_COUNT] = {
#define ARRAY OPERANDS_ARRAY
#define GONE  OPERANDS_GONE
#define INTRINSIC(id, path, rule, operands, effect)                                                \
    [INTR_##id] = { #id, path, RULE_##rule, operands, EFFECT_##effect },
#include "ir/intrinsics.def"
#undef ARRAY
#undef GONE
};

/* The intrinsics that have a path, sorted by it. */
static const struct PathRow {
    const char *path;
    IrIntrinsic intrinsic;
} paths[] = {
#define PATH(path, id) { path, INTR_##id },
#include "ir/names/paths.inc"
};

static const char *const namespaces[] = {
    "cuda",        "cuda.shared",    "cuda.local",
    "cuda.atomic", "cuda.const",     "cuda.cg",
    "cuda.random", "cuda.libdevice", "cuda.fp16",
    "cuda.bf16",   "cuda.fp8",       "math",
    "builtins",    "cmath",          "np",
    "numba",       "operator",       "enum",
    "collections", "scipy",          "scipy.constants",
    "cffi",        "cffi.FFI",       "np.linalg",
    "np.fft",      "string",
};

/* Texts, for constants. */
static const struct {
    const char *path, *text;
} texts[] = {
    { "string.ascii_lowercase", "abcdefghijklmnopqrstuvwxyz" },
    { "string.ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ" },
    { "string.ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" },
    { "string.digits", "0123456789" },
    { "string.hexdigits", "0123456789abcdefABCDEF" },
    { "string.octdigits", "01234567" },
    { "string.punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" },
    { "string.whitespace", " \t\n\r\v\f" },
};

static const struct {
    const char *path;
    double value;
} constants[] = {
    { "math.pi", M_PI },       { "math.e", M_E },      { "math.tau", 2 * M_PI },
    { "math.inf", INFINITY },  { "math.nan", NAN },    { "np.pi", M_PI },
    { "np.e", M_E },           { "np.inf", INFINITY }, { "np.nan", NAN },
    { "cmath.pi", M_PI },      { "cmath.e", M_E },     { "cmath.tau", 2 * M_PI },
    { "cmath.inf", INFINITY }, { "cmath.nan", NAN },   { "np.euler_gamma", 0.5772156649015329 },
#define CONSTANT(path, value) { path, value },
#include "ir/names/tables/scipy.def"
};

/* Other spellings of the start of a path. The longer ones come first. */
static const struct {
    const char *from, *to;
} renamings[] = {
    { "numba.cuda.np.numpy_support", "numba" },
    { "numba.np.numpy_support", "numba" },
    { "numba.cuda._internal.cuda_bf16", "cuda.bf16" },
    { "numba.cuda._internal.cuda_fp16", "cuda.fp16" },
    { "numba.cuda._internal.cuda_fp8", "cuda.fp8" },
    { "cuda._internal.cuda_bf16", "cuda.bf16" },
    { "cuda._internal.cuda_fp8", "cuda.fp8" },
    { "cuda._internal.cuda_fp16", "cuda.fp16" },
    { "cuda.bf16.__nv_bfloat16", "cuda.bf16.bfloat16" },
    { "cuda.bf16.nv_bfloat16", "cuda.bf16.bfloat16" },
    { "numba.cuda.types", "numba" },
    { "numba.core.types", "numba" },
    { "numba.types", "numba" },
    { "cuda.types", "numba" },
    { "numba.cuda.literal_unroll", "numba.literal_unroll" },
    { "cuda.literal_unroll", "numba.literal_unroll" },
    { "numba.cuda", "cuda" },
    { "kjit", "numba" }, /* the Python package has numba's names */
    { "numpy", "np" },
    { "ml_dtypes", "np" },
    { "cupy", "np" },
    { "types", "numba" },
};

/* The modules of the standard library behind namespaces. */
static const struct {
    const char *space, *module;
} libraries[] = {
    { "python", "builtins" }, /* of no module that could be imported */
    { "cmath", "cmath" },         { "cuda", "cuda" },          { "np", "numpy" },
    { "operator", "operator" },   { "cuda.random", "random" }, { "math", "math" },
    { "cuda.cg", "cooperative" }, { "np.arrays", "arrays" },   { "np.derived", "derived" },
    { "np.linear", "linear" },    { "cuda.fp8", "fp8" },       { "np.reductions", "reductions" },
};

const char *builtin_library(const char *path)
{
    const char *dot = strrchr(path, '.');
    size_t length = dot ? (size_t)(dot - path) : 0;
    if (!dot || dot[1] == '_')
        return NULL;
    for (size_t i = 0; i < ARRAY_COUNT(libraries); i++)
        if (strlen(libraries[i].space) == length && !memcmp(libraries[i].space, path, length))
            return libraries[i].module;
    return NULL;
}

const char *builtin_library_name(size_t index)
{
    return index < ARRAY_COUNT(libraries) ? libraries[index].module : NULL;
}

bool builtin_is_namespace(const char *path)
{
    return TEXT_IS_AMONG(path, namespaces);
}

const char *builtin_canonical(Arena *arena, const char *path)
{
    if (strncmp(path, "builtins.", 9) == 0)
        return path + 9;
    for (size_t i = 0; i < ARRAY_COUNT(renamings); i++) {
        size_t length = strlen(renamings[i].from);
        if (strncmp(path, renamings[i].from, length) == 0 &&
            (path[length] == '.' || path[length] == 0))
            return builtin_canonical(arena,
                                     arena_printf(arena, "%s%s", renamings[i].to, path + length));
    }
    if (strncmp(path, "cuda.bf16.__", 12) == 0) /* CUDA's own names */
        return arena_printf(arena, "cuda.bf16.%s", path + 12);
    return path;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const Type *type_at(const char *path)
{
    static const char *const holders[] = { "np.", "numba.", "cuda." };
    if (strcmp(path, "cuda.bf16.bfloat16") == 0)
        return type_of(BFLOAT16);
    if (strcmp(path, "cuda.fp16.__half") == 0)
        return type_of(FLOAT16);
    if (strcmp(path, "np.byte") == 0) /* which has a sign, and numba's has not */
        return type_of(INT8);
    if (starts_with(path, "cuda.") && type_vector_by_name(path + 5))
        return type_vector_by_name(path + 5);
    for (size_t i = 0; i < ARRAY_COUNT(holders); i++)
        if (starts_with(path, holders[i]))
            return type_by_name(path + strlen(holders[i]));
    return NULL;
}

static int compare_path(const void *path, const void *row)
{
    return strcmp(path, ((const struct PathRow *)row)->path);
}

/* A float of Python's, which is as good as written. */
static IrValue *python_float(Arena *arena, double number, Span span)
{
    IrValue *value = ir_number(arena, type_float64, number, span);
    value->weak = true;
    return value;
}

Operand builtin_find(Arena *arena, const char *path, Span span)
{
    path = builtin_canonical(arena, path);
    if (builtin_is_namespace(path))
        return (Operand){ .kind = OPD_NAMESPACE, .span = span, .path = path };
    const struct PathRow *row =
        bsearch(path, paths, ARRAY_COUNT(paths), sizeof paths[0], compare_path);
    if (row)
        return (Operand){ .kind = OPD_INTRINSIC, .span = span, .intrinsic = row->intrinsic };
    const FixedFunction *fixed = fixed_find(path);
    if (fixed)
        return (Operand){ .kind = OPD_FIXED, .span = span, .fixed = fixed };
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++)
        if (strcmp(constants[i].path, path) == 0)
            return operand_value(python_float(arena, constants[i].value, span));
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
        if (strcmp(texts[i].path, path) == 0)
            return operand_text(arena, texts[i].text, strlen(texts[i].text), span);
    if (strcmp(path, "np.newaxis") == 0)
        return (Operand){ .kind = OPD_NONE, .span = span };
    const Type *type = type_at(path);
    if (type)
        return (Operand){ .kind = OPD_TYPE, .span = span, .type = type };
    return operand_error(span);
}

Operand builtin_find_bare(Arena *arena, const char *name, Span span)
{
    Operand found = builtin_find(arena, name, span);
    if (found.kind == OPD_ERROR)
        found = builtin_find(arena, arena_printf(arena, "cuda.%s", name), span);
    if (found.kind == OPD_ERROR && type_by_name(name))
        found = (Operand){ .kind = OPD_TYPE, .span = span, .type = type_by_name(name) };
    return found;
}

static bool is_in(const char *path, const char *space)
{
    const char *dot = strrchr(path, '.');
    return dot && (size_t)(dot - path) == strlen(space) && starts_with(path, space);
}

void builtin_each_in(const char *space, BuiltinVisitor *visit, void *context)
{
    for (int i = 0; i < INTR_COUNT; i++)
        if (is_in(ir_intrinsics[i].path, space))
            visit(context, ir_intrinsics[i].path);
    size_t count;
    const FixedFunction *fixed = fixed_all(&count);
    for (size_t i = 0; i < count; i++)
        if (is_in(fixed[i].path, space))
            visit(context, fixed[i].path);
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++)
        if (is_in(constants[i].path, space))
            visit(context, constants[i].path);
}

const char *builtin_nearest(Arena *arena, const char *path)
{
    path = builtin_canonical(arena, path);
    const char *dot = strrchr(path, '.');
    size_t length = dot ? (size_t)(dot - path) + 1 : 0;
    size_t count = 0, fixed_count;
    const FixedFunction *fixed = fixed_all(&fixed_count);
    const char **candidates = arena_array(
        arena, const char *, INTR_COUNT + ARRAY_COUNT(constants) + TY_KINDS + fixed_count);
    for (size_t i = 0; i < fixed_count; i++)
        if (length && strncmp(fixed[i].path, path, length) == 0)
            candidates[count++] = fixed[i].path + length;
    for (int i = 0; i < INTR_COUNT; i++)
        if (strncmp(ir_intrinsics[i].path, path, length) == 0)
            candidates[count++] = ir_intrinsics[i].path + length;
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++)
        if (strncmp(constants[i].path, path, length) == 0)
            candidates[count++] = constants[i].path + length;
    if (starts_with(path, "np.") || starts_with(path, "numba.") || length == 0)
        for (int kind = TY_FIRST_SCALAR; kind <= TY_LAST_SCALAR; kind++)
            candidates[count++] = type_name(arena, &type_table[kind]);
    return diag_nearest(path + length, candidates, count);
}

const char *builtin_refusal(Arena *arena, const char *path)
{
    static const struct {
        const char *path, *reason;
    } refused[] = {
#define REFUSED(path, reason) { path, reason },
#include "ir/names/tables/refused.def"
    };
    path = builtin_canonical(arena, path);
    for (size_t i = 0; i < ARRAY_COUNT(refused); i++) {
        size_t length = strlen(refused[i].path);
        if (strncmp(path, refused[i].path, length) == 0 && (!path[length] || path[length] == '.'))
            return refused[i].reason;
    }
    return NULL;
}

bool builtin_looks_at(const char *name)
{
    static const char *const names[] = { "reshape",
                                         "ravel",
                                         "view",
                                         "transpose",
                                         "squeeze",
                                         "swapaxes",
                                         "asarray",
                                         "asanyarray",
                                         "ascontiguousarray",
                                         "asfortranarray",
                                         "asmatrix",
                                         "moveaxis",
                                         "rollaxis",
                                         "expand_dims",
                                         "atleast_1d",
                                         "atleast_2d",
                                         "atleast_3d",
                                         "broadcast_to",
                                         "diagonal",
                                         "real",
                                         "imag",
                                         "real_if_close",
                                         "flip",
                                         "fliplr",
                                         "flipud",
                                         "rot90",
                                         "as_strided",
                                         "sliding_window_view",
                                         "require",
                                         "nditer",
                                         "frombuffer",
                                         "ndarray",
                                         "memoryview",
                                         "trim_zeros",
                                         "getfield",
                                         "newbyteorder",
                                         "permute_dims",
                                         "matrix_transpose",
                                         "asarray_chkfinite",
                                         "as_array",
                                         "recarray",
                                         "from_dlpack",
                                         "split",
                                         "array_split",
                                         "hsplit",
                                         "vsplit",
                                         "dsplit",
                                         "broadcast_arrays",
                                         "unstack",
                                         "diag",
                                         "meshgrid",
                                         "nan_to_num",
                                         "ix_",
                                         "__getitem__",
                                         "__iter__",
                                         "__array__",
                                         "lib",
                                         "nested_iters",
                                         "mat",
                                         "matrix",
                                         "rec",
                                         "fromarrays",
                                         "cast",
                                         "conj",
                                         "conjugate",
                                         "data_as",
                                         "einsum" };
    return TEXT_IS_AMONG(name, names);
}
