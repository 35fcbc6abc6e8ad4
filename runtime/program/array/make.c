/* Arrays that are filled by a rule: zeros, arange, random ones, what a file holds. In @example and
** on the command line they are the same. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

#include <math.h>

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_given(HostValue value)
{
    return value.kind != HOST_NONE;
}

/* Argument `index`, by either of two names; false after a complaint that there is none. */
static bool required(Program *p, const HostArgs *args, size_t index, const char *name,
                     const char *other, HostValue *out)
{
    *out = args_get(args, index, name, args_get(args, SIZE_MAX, other, host_none()));
    if (index < args->count && args_named(args, name))
        return host_fail(p, "TypeError", "%s(): '%s' is given by its name and its place",
                         args->builtin->name, name);
    return is_given(*out) ||
           host_fail(p, "TypeError", "%s() missing required argument '%s' (pos %zu)",
                     args->builtin->name, name, index + 1);
}

/* An integer; where none is given it stays what it is. */
static bool integer_at(Program *p, const HostArgs *args, size_t index, const char *name,
                       int64_t *out)
{
    HostValue value = args_get(args, index, name, host_none());
    return !is_given(value) || host_integer(p, value, out);
}

static bool number_at(Program *p, const HostArgs *args, size_t index, const char *name,
                      const char *other, double *out)
{
    HostValue value = args_get(args, index, name, args_get(args, SIZE_MAX, other, host_none()));
    return !is_given(value) || host_double(p, value, out);
}

static bool dtype_at(Program *p, const HostArgs *args, size_t index, kjit_dtype *dtype)
{
    return dtype_from(p, args_get(args, index, "dtype", host_none()), dtype);
}

/* An array of the shape that argument `index` says. */
static bool shaped(Program *p, const HostArgs *args, size_t index, const char *name,
                   const kjit_array *like, bool columns, bool poison, HostArray **out)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank = 0;
    HostValue given;
    return required(p, args, index, name, "shape", &given) && shape_from(p, given, shape, &rank) &&
           host_array_like(p, like, rank, shape, columns, poison, out);
}

/* ---- constant ------------------------------------------------------------------------------- */

static bool plain(Program *p, const HostArgs *args, bool poison, HostArray **out)
{
    const HostValue dtype = args_get(args, 1, "dtype", host_none());
    kjit_array like = { .dtype = KJIT_DTYPE_FLOAT64 };
    char layout;
    if (host_is_integer(dtype))
        return host_fail(p, "TypeError",
                         "a dtype is needed here, like np.float32, not a number; a shape of "
                         "several axes is a tuple");
    return element_from(p, dtype, &like) && host_array_layout(p, args, 2, 'C', NULL, &layout) &&
           shaped(p, args, 0, "shape", &like, layout == 'F', poison, out);
}

static bool call_zeros(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    if (!plain(p, args, false, &array))
        return false;
    return host_give(out, host_object(array));
}

static bool call_ones(Program *p, HostArgs *args, HostValue *out)
{
    const kjit_arg one = kjit_arg_int64(1);
    if (!call_zeros(p, args, out))
        return false;
    fill_scalar(&out->array->view, &one);
    return true;
}

/* Its memory holds a pattern until it is written; the checker reports reads before that. */
static bool call_empty(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    const bool shown = !p->context || host_shares(p); /* on a GPU the host's copy is not read */
    if (!plain(p, args, shown, &array))
        return false;
    array->block->unwritten = true;
    return host_give(out, host_object(array));
}

static bool call_full(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value;
    HostArray *array;
    char layout;
    const HostValue type = args_get(args, 2, "dtype", host_none());
    kjit_array like = { .dtype = KJIT_DTYPE_UINT64 };
    if (!required(p, args, 1, "fill_value", NULL, &value) || !element_from(p, type, &like) ||
        !wide_as(p, like.dtype, &value))
        return false;
    if (!host_is_number(value))
        return host_fail(p, "TypeError", "a number is needed here, not '%s'",
                         host_type_name(p, value));
    const kjit_arg fill = host_scalar(value);
    like.dtype = fill.dtype;
    if (!element_from(p, type, &like) || !host_array_layout(p, args, 3, 'C', NULL, &layout) ||
        !shaped(p, args, 0, "shape", &like, layout == 'F', false, &array))
        return false;
    fill_scalar(&array->view, &fill);
    *out = host_object(array);
    return like.dtype == KJIT_DTYPE_RECORD || host_fits(p, value, like.dtype);
}

/* ---- in a line ------------------------------------------------------------------------------ */

/* How many steps lead from start to below stop; -1 if that is no number. */
static int64_t range_count(const kjit_arg *start, const kjit_arg *stop, const kjit_arg *step)
{
    if (start->dtype == KJIT_DTYPE_INT64) {
        __int128 distance = (__int128)stop->as.integer - start->as.integer, by = step->as.integer;
        if (by == 0)
            return -1;
        __int128 count = by > 0 ? (distance + by - 1) / by : (distance + by + 1) / by;
        return count < 0 ? 0 : count > INT64_MAX ? INT64_MAX : (int64_t)count;
    }
    double count = ceil((stop->as.number - start->as.number) / step->as.number);
    return isfinite(count) && count < 0x1p62 ? (count > 0 ? (int64_t)count : 0) : -1;
}

static bool call_arange(Program *p, HostArgs *args, HostValue *out)
{
    static const char *const names[] = { "start", "stop", "step" };
    HostValue given[3];
    kjit_arg parts[3] = { kjit_arg_int64(0), kjit_arg_int64(0), kjit_arg_int64(1) };
    HostArray *array;
    bool floats = false;
    for (size_t i = 0; i < 3; i++)
        given[i] = args_get(args, i, names[i], host_none());
    if (!is_given(given[1])) {
        given[1] = given[0];
        given[0] = host_int(0);
    }
    for (size_t i = 0; i < 3; i++) {
        if (is_given(given[i]) && !host_is_number(given[i]))
            return host_fail(p, "TypeError", "a number is needed here, not '%s'",
                             host_type_name(p, given[i]));
        if (is_given(given[i]))
            parts[i] = host_scalar(given[i]);
        floats |= dtype_is_float(parts[i].dtype);
    }
    kjit_dtype dtype = floats ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_INT64;
    for (size_t i = 0; i < 3; i++)
        parts[i] = scalar_cast(&parts[i], dtype);
    int64_t count = range_count(&parts[0], &parts[1], &parts[2]);
    if (count < 0)
        return host_fail(p, "ValueError", "this range has no end");
    if (!dtype_at(p, args, 3, &dtype) || !host_array_new(p, dtype, 1, &count, false, &array))
        return false;
    fill_range(&array->view, &parts[0], &parts[2]);
    return host_give(out, host_object(array));
}

/* Between numbers of a narrow dtype each step is rounded to it. */
static void fill_narrow(kjit_array *to, kjit_dtype in, double start, double stop, bool endpoint)
{
    const int64_t count = to->shape[0], parts = endpoint ? count - 1 : count;
    const double step =
        parts > 0 ? numpy_rounded(in, numpy_rounded(in, stop - start) / (double)parts) : 0;
    for (int64_t i = 0; i < count; i++) {
        double number = numpy_rounded(in, numpy_rounded(in, (double)i * step) + start);
        const bool last = endpoint && count > 1 && i + 1 == count;
        const kjit_arg scalar = kjit_arg_float64(last ? stop : number);
        const kjit_arg cast = scalar_cast(&scalar, to->dtype);
        scalar_store(&cast, (char *)to->data + i * to->strides[0]);
    }
}

/* linspace(retstep=True): the step, too. */
static bool with_step(Program *p, const HostArgs *args, double step, HostValue *out)
{
    bool asked = false;
    const kjit_arg number = kjit_arg_float64(step);
    if (!host_truth(p, args_get(args, SIZE_MAX, "retstep", host_bool(false)), &asked))
        return false;
    const HostValue pair[2] = { *out, host_number(KJIT_DTYPE_FLOAT64, &number) };
    return !asked || host_give(out, host_items(p, HOST_TUPLE, pair, 2));
}

static bool call_linspace(Program *p, HostArgs *args, HostValue *out)
{
    double start = 0, stop = 0;
    int64_t count = 50, endpoint = 1;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;
    HostValue value;
    HostArray *array;
    if (!required(p, args, 0, "start", NULL, &value) ||
        !required(p, args, 1, "stop", NULL, &value) ||
        !number_at(p, args, 0, "start", NULL, &start) ||
        !number_at(p, args, 1, "stop", NULL, &stop) || !integer_at(p, args, 2, "num", &count))
        return false;
    kjit_dtype in = dtype_operands(AST_DIV, args_get(args, 0, "start", host_none()),
                                   args_get(args, 1, "stop", host_none()), &dtype);
    const bool narrow = in == KJIT_DTYPE_FLOAT16 || in == KJIT_DTYPE_FLOAT32;
    dtype = narrow ? in : KJIT_DTYPE_FLOAT64;
    const bool numpy = args->count == 4 && args->values[3].kind == HOST_BOOL; /* its order */
    if (!dtype_at(p, args, numpy ? SIZE_MAX : 3, &dtype) ||
        !integer_at(p, args, numpy ? 3 : 4, "endpoint", &endpoint) ||
        !host_array_new(p, dtype, 1, &count, false, &array))
        return false;
    if (narrow)
        fill_narrow(&array->view, in, start, stop, endpoint != 0);
    else
        fill_line(&array->view, start, stop, endpoint != 0);
    *out = host_object(array);
    return with_step(p, args, (stop - start) / (double)(count - (endpoint != 0)), out);
}

/* ---- random --------------------------------------------------------------------------------- */

/* An array for numbers of the dtype that argument 2 says, and the seed that argument 1 is. */
static bool drawn(Program *p, const HostArgs *args, int64_t *seed, HostArray **out)
{
    kjit_array like = { .dtype = KJIT_DTYPE_FLOAT64 };
    return integer_at(p, args, 1, "seed", seed) && dtype_at(p, args, 2, &like.dtype) &&
           shaped(p, args, 0, "size", &like, false, false, out);
}

static bool make_normal(Program *p, HostArgs *args, HostValue *out)
{
    double mean = 0, deviation = 1;
    int64_t seed = 0;
    HostArray *array;
    if (!drawn(p, args, &seed, &array) || !number_at(p, args, 3, "mean", "loc", &mean) ||
        !number_at(p, args, 4, "std", "scale", &deviation))
        return false;
    fill_normal(&array->view, (uint64_t)seed, mean, deviation);
    return host_give(out, host_object(array));
}

static bool make_uniform(Program *p, HostArgs *args, HostValue *out)
{
    double low = 0, high = 1;
    int64_t seed = 0;
    HostArray *array;
    if (!drawn(p, args, &seed, &array) || !number_at(p, args, 3, "low", NULL, &low) ||
        !number_at(p, args, 4, "high", NULL, &high))
        return false;
    fill_uniform(&array->view, (uint64_t)seed, low, high);
    return host_give(out, host_object(array));
}

static bool make_randint(Program *p, HostArgs *args, HostValue *out)
{
    int64_t low = 0, high = 0, seed = 0;
    kjit_array like = { .dtype = KJIT_DTYPE_INT64 };
    HostArray *array;
    if (!integer_at(p, args, 0, "low", &low) || !integer_at(p, args, 1, "high", &high) ||
        !integer_at(p, args, 3, "seed", &seed) || !dtype_at(p, args, 4, &like.dtype))
        return false;
    if (low >= high)
        return host_fail(p, "ValueError",
                         "no integer is between these bounds; the upper one is left out");
    if (!shaped(p, args, 2, "size", &like, false, false, &array))
        return false;
    fill_integers(&array->view, (uint64_t)seed, low, (uint64_t)high - (uint64_t)low);
    return host_give(out, host_object(array));
}

/* A seed or a place in a sequence: any 64 bits. */
static bool bits_at(Program *p, HostArgs *args, size_t index, const char *name, int64_t *out)
{
    HostValue value = args_get(args, index, name, host_int(*out));
    wide_natural(value, &value);
    return host_integer(p, value, out);
}

static bool make_states(Program *p, HostArgs *args, HostValue *out)
{
    int64_t count = 0, seed = 1, start = 0;
    const kjit_array like = { .dtype = KJIT_DTYPE_RECORD, .record = kjit_xoroshiro128p_record() };
    HostValue value;
    HostArray *array;
    if (!required(p, args, 0, "n", NULL, &value) || !integer_at(p, args, 0, "n", &count) ||
        !bits_at(p, args, 1, "seed", &seed) || !bits_at(p, args, 2, "subsequence_start", &start))
        return false;
    if (count < 0)
        return host_fail(p, "ValueError", "there cannot be fewer than 0");
    if (!host_array_like(p, &like, 1, &count, false, false, &array))
        return false;
    *out = host_object(array);
    kjit_status status =
        kjit_xoroshiro128p_states(array->view.data, (size_t)count, (uint64_t)seed, (uint64_t)start);
    return status == KJIT_OK || host_failed(p, status);
}

/* ---- of memory ------------------------------------------------------------------------------ */

static bool read_strides(Program *p, HostValue given, kjit_array *array)
{
    int rank = 0;
    if (!is_given(given))
        return true;
    return shape_from(p, given, array->strides, &rank) &&
           (rank == array->rank ||
            host_fail(p, "ValueError", "the shape and the strides have different numbers of axes"));
}

/* Whether an array of so many bytes from `offset` on lies in its buffer; moves it there. */
static bool place_in(Program *p, const HostArray *buffer, int64_t offset, kjit_array *array)
{
    uint64_t bytes;
    int64_t low, high, begin, end;
    array_span(&buffer->view, &begin, &end);
    if (!array_is_dense(&buffer->view))
        return host_fail(p, "ValueError", "the buffer of ndarray() must be an array without gaps");
    array->data = (char *)buffer->view.data + begin;
    array->flags = buffer->view.flags;
    if (!array_check(array, "the array", &bytes))
        return host_failed(p, KJIT_ARGUMENT);
    array_span(array, &low, &high);
    if (offset < 0 || offset > end - begin || offset + low < 0 || high > end - begin - offset)
        return host_fail(p, "TypeError", "the array reaches out of the %lld bytes of its buffer",
                         (long long)(end - begin));
    array->data = (char *)array->data + offset;
    return true;
}

/* ndarray(shape, dtype, buffer, offset, strides): a view of the buffer's bytes. */
static bool make_ndarray(Program *p, HostArgs *args, HostValue *out)
{
    kjit_array array = { .dtype = KJIT_DTYPE_FLOAT64 };
    int64_t offset = 0;
    HostValue shape, buffer = args_get(args, 2, "buffer", host_none());
    if (!is_given(buffer))
        return call_empty(p, args, out);
    if (buffer.kind != HOST_ARRAY)
        return host_fail(p, "TypeError", "the buffer is an array");
    if (!required(p, args, 0, "shape", NULL, &shape) ||
        !shape_from(p, shape, array.shape, &array.rank) ||
        !element_from(p, args_get(args, 1, "dtype", host_none()), &array) ||
        !integer_at(p, args, 3, "offset", &offset))
        return false;
    array_set_strides(&array, false);
    if (!read_strides(p, args_get(args, 4, "strides", host_none()), &array) ||
        !place_in(p, buffer.array, offset, &array))
        return false;
    return host_give(out, host_object(host_array_of(p, buffer.array->block, &array)));
}

/* The same array, which may not be written. */
static bool make_readonly(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
        return false;
    kjit_array view = array->view;
    view.flags |= KJIT_READONLY;
    return host_give(out, host_object(host_array_of(p, array->block, &view)));
}

/* ---- files ---------------------------------------------------------------------------------- */

static kjit_status load_raw(Program *p, const HostArgs *args, const char *path, LoadedArray *loaded)
{
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    int64_t shape[KJIT_RANK_MAX];
    int rank = -1;
    HostValue given = args_get(args, 3, "shape", host_none());
    if (!dtype_at(p, args, 2, &dtype) || (is_given(given) && !shape_from(p, given, shape, &rank)))
        return KJIT_OK;
    if (dtype == KJIT_DTYPE_NONE) {
        host_fail(p, "ValueError", "load: %s", path_refused(&p->scratch, path));
        return KJIT_OK;
    }
    return raw_load(path, dtype, rank, shape, loaded);
}

static bool adopt_loaded(Program *p, const LoadedArray *loaded, HostArray *array)
{
    uint64_t bytes;
    array->view = loaded->array;
    array_check(&array->view, "the array", &bytes);
    block_adopt(p, array->block, loaded->block, array->view.data, bytes);
    array->block->mapped = loaded->mapped;
    array->view.record = value_keep_record(p->values, loaded->record);
    return array->view.record || array->view.dtype != KJIT_DTYPE_RECORD ||
           host_failed(p, error_memory());
}

static bool call_load(Program *p, HostArgs *args, HostValue *out)
{
    HostValue file = args_get(args, 0, "file", host_none()),
              key = args_get(args, 1, "key", host_none());
    LoadedArray loaded = { 0 };
    HostArray *array;
    kjit_status status = KJIT_OK;
    const char *path;
    if (object_has(file, "read") && !p->group)
        return modules_find(p, "np._load_opened", &key) && host_call_one(p, key, file, out);
    if (file.kind == HOST_INSTANCE && !path_text(p, file, &path))
        return false;
    if (file.kind == HOST_INSTANCE)
        file = host_text(p, path);
    if (file.kind != HOST_STRING || (is_given(key) && key.kind != HOST_STRING))
        return host_fail(p, "TypeError", "load: the file, and the member of a .npz, are strings");
    path = file.string->text;
    const bool standard = strcmp(path, "-") == 0; /* the standard input, which is a .npy */
    if (standard)
        path = "/dev/stdin";
    if (p->directory && *p->directory && *path != '/')
        path = arena_printf(&p->scratch, "%s/%s", p->directory, path);
    bool npz = path_ends_in(path, ".npz"), npy = standard || path_ends_in(path, ".npy");
    bool typed = is_given(args_get(args, 2, "dtype", host_none())) ||
                 is_given(args_get(args, 3, "shape", host_none()));
    const bool picture = picture_is_named(path);
    if ((npz || npy || picture) && typed)
        return host_fail(p, "ValueError",
                         "load: the file says its dtype and shape itself; .astype() and "
                         ".reshape() make others of them");
    if (!npz && is_given(key))
        return host_fail(p, "ValueError", "load: only a .npz has members");
    if (npz && !is_given(key) && strcmp(args->builtin->name, "np.load") == 0 && !p->eval)
        return modules_find(p, "np.NpzFile", &key) &&
               host_call_one(p, key, host_text(p, path), out);
    HostArray *read = host_array_of(p, block_new(p), &loaded.array);
    if (path_is_text(path))
        status = text_load(path, &loaded);
    else
        status = npz       ? npz_load(path, is_given(key) ? key.string->text : NULL, &loaded)
                 : npy     ? (p->group ? npy_map : npy_load)(path, &loaded)
                 : picture ? picture_load(path, &loaded)
                           : load_raw(p, args, path, &loaded);
    if (status != KJIT_OK || p->failed)
        return p->failed ? false : host_failed(p, status);
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    *out = host_object(read);
    if (!adopt_loaded(p, &loaded, read) || !path_is_text(path))
        return !p->failed;
    if (!dtype_at(p, args, 2, &dtype) || !host_array_from(p, *out, dtype, &array))
        return false;
    return host_give(out, host_object(array));
}

#define MAKE(name, most, keywords)                                                                 \
    { #name, 0, most, call_##name, keywords },                                                     \
    {                                                                                              \
        "np." #name, 0, most, call_##name, keywords                                                \
    }

const HostBuiltin make_functions[] = {
    MAKE(zeros, 3, "shape dtype order"),
    MAKE(ones, 3, "shape dtype order"),
    MAKE(empty, 3, "shape dtype order"),
    MAKE(full, 4, "shape fill_value dtype order"),
    MAKE(arange, 4, "start stop step dtype"),
    MAKE(linspace, 5, "start stop num dtype endpoint retstep"),
    MAKE(load, 4, "file key dtype shape"),
    { "normal", 0, 5, make_normal, "size shape seed dtype mean loc std scale" },
    { "uniform", 0, 5, make_uniform, "size shape seed dtype low high" },
    { "randint", 0, 5, make_randint, "low high size shape seed dtype" },
    { "readonly", 1, 1, make_readonly, NULL },
    { "np.ndarray", 0, 5, make_ndarray, "shape dtype buffer offset strides" },
    { "cuda.random.create_xoroshiro128p_states", 0, 3, make_states, "n seed subsequence_start" },
    { NULL, 0, 0, NULL, NULL },
};
