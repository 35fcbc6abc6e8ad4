/* @guvectorize: a function of small arrays, called for each place of the axes around them. */
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

#include <ctype.h>

enum { GU_BLOCK = 64 };

/* ---- the layout ----------------------------------------------------------------------------- */

static int symbol_of(HostUfunc *made, const char *name, size_t length)
{
    for (int i = 0; i < made->symbol_count; i++)
        if (strlen(made->symbols[i]) == length && strncmp(made->symbols[i], name, length) == 0)
            return i;
    if (made->symbol_count == UFUNC_SYMBOLS || length >= sizeof made->symbols[0])
        return -1;
    memcpy(made->symbols[made->symbol_count], name, length);
    return made->symbol_count++;
}

/* "(m,n)" */
static const char *read_core(HostUfunc *made, const char *at, UfuncCore *core)
{
    if (*at++ != '(')
        return NULL;
    while (*at && *at != ')') {
        size_t length =
            strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        int symbol = length ? symbol_of(made, at, length) : -1;
        if (symbol < 0 || core->rank == (int)ARRAY_COUNT(core->symbols))
            return NULL;
        core->symbols[core->rank++] = symbol;
        at += length;
        at += *at == ',';
    }
    return *at == ')' ? at + 1 : NULL;
}

static bool read_layout(HostUfunc *made, const char *at)
{
    for (bool result = false;;) {
        int index = made->inputs + made->outputs;
        if (index == UFUNC_ARGS || !(at = read_core(made, at, &made->cores[index])))
            return false;
        made->inputs += !result;
        made->outputs += result;
        if (!*at)
            return result;
        if (!result && at[0] == '-' && at[1] == '>') {
            result = true;
            at += 2;
        } else if (*at++ != ',') {
            return false;
        }
    }
}

bool ufunc_layout(Program *p, HostUfunc *made, Span span)
{
    Buf plain = buf_in(&p->scratch);
    for (const char *at = made->layout; at && *at; at++)
        if (!isspace((unsigned char)*at))
            buf_putc(&plain, *at);
    if (read_layout(made, buf_text(&plain)))
        return true;
    return host_raise(p, span, "ValueError", "'%s' is no layout: write \"(n),(n)->(n)\"",
                      made->layout ? made->layout : "");
}

/* ---- a call --------------------------------------------------------------------------------- */

/* The sizes of the symbols, and of the axes around them. */
typedef struct Sizes {
    int64_t symbols[UFUNC_SYMBOLS], around[KJIT_RANK_MAX];
    int rank; /* of what is around */
} Sizes;

static bool measure_argument(Program *p, const HostUfunc *made, const HostArray *array,
                             const UfuncCore *core, Sizes *sizes)
{
    const kjit_array *view = &array->view;
    int outer = view->rank - core->rank;
    if (outer < 0)
        return host_fail(p, "ValueError", "%s: an argument has %d axes, its layout names %d",
                         made->name, view->rank, core->rank);
    for (int i = 0; i < core->rank; i++) {
        int64_t *size = &sizes->symbols[core->symbols[i]], own = view->shape[outer + i];
        if (*size >= 0 && *size != own)
            return host_fail(p, "ValueError", "%s: '%s' is %lld in one argument, %lld in another",
                             made->name, made->symbols[core->symbols[i]], (long long)*size,
                             (long long)own);
        *size = own;
    }
    return shape_join(&sizes->rank, sizes->around, outer, view->shape) ||
           host_fail(p, "ValueError", "%s: arguments could not be broadcast together", made->name);
}

/* The shape that an argument has once it is broadcast. */
static int full_shape(const Sizes *sizes, const UfuncCore *core, int64_t *shape)
{
    int rank = sizes->rank;
    memcpy(shape, sizes->around, (size_t)rank * sizeof *shape);
    for (int i = 0; i < core->rank; i++)
        shape[rank++] = sizes->symbols[core->symbols[i]];
    return rank;
}

/* An array row by row, with what is around as its first axis; of what has no axes and is an array
** for the function, as results are, one more. */
static kjit_array rows_of(const HostArray *array, const Sizes *sizes, const UfuncCore *core,
                          bool array_of_one)
{
    int64_t shape[KJIT_RANK_MAX], count = 1;
    int rank = 0;
    for (int i = 0; i < sizes->rank; i++)
        count *= sizes->around[i];
    shape[rank++] = count;
    for (int i = 0; i < core->rank; i++)
        shape[rank++] = sizes->symbols[core->symbols[i]];
    if (array_of_one && !core->rank)
        shape[rank++] = 1;
    return kjit_host_array(array->view.data, array->view.dtype, rank, shape);
}

static bool bring(Program *p, HostArray *array, kjit_dtype dtype, int rank, const int64_t *shape,
                  HostArray **out)
{
    if (rank > KJIT_RANK_MAX)
        return host_lacks(p, "ValueError", "an array has %d axes at the most", KJIT_RANK_MAX);
    return host_array_new(p, dtype, rank, shape, false, out) &&
           host_array_assign(p, *out, host_object(array));
}

static const char *kernel_text(Program *p, const HostUfunc *made)
{
    int count = made->inputs + made->outputs;
    Buf params = buf_in(&p->scratch);
    Buf call = buf_in(&p->scratch);
    for (int i = 0; i < count; i++) {
        buf_printf(&params, "a%d_, ", i);
        buf_printf(&call, "%sa%d_[place_]", i ? ", " : "", i);
    }
    return arena_printf(&p->scratch,
                        "from numba import cuda\n\n\n@cuda.jit\ndef generalized(%splaces_):\n"
                        "    place_ = cuda.grid(1)\n    if place_ < places_:\n        %s(%s)\n",
                        buf_text(&params), made->called, buf_text(&call));
}

static bool launch(Program *p, const HostUfunc *made, HostArray **arrays, const Sizes *sizes,
                   const UfuncSignature *signature)
{
    int count = made->inputs + made->outputs;
    kjit_arg args[UFUNC_ARGS + 1];
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { GU_BLOCK, 1, 1 } };
    kjit_kernel *kernel = ufunc_kernel(p, made, kernel_text(p, made), "generalized");
    int64_t places = 0;
    for (int i = 0; i < count; i++) {
        const bool array = i >= made->inputs || signature->rows[i];
        const kjit_array rows = rows_of(arrays[i], sizes, &made->cores[i], array);
        kjit_array given;
        places = rows.shape[0];
        if (!host_array_launch(p, host_array_of(p, arrays[i]->block, &rows), &given))
            return false;
        args[i] = kjit_arg_array(given);
    }
    if (!kernel || !places)
        return kernel != NULL;
    args[count] = kjit_arg_int64(places);
    config.grid[0] = (uint32_t)((places + GU_BLOCK - 1) / GU_BLOCK);
    const HostWork work = { made->name, kernel, &config, args, (size_t)count + 1, 0, 0, false };
    kjit_status status = program_launch(p, &work);
    for (int i = 0; i < count; i++)
        host_array_launched(p, arrays[i], true);
    return status == KJIT_OK || host_failed(p, status);
}

/* Arguments broadcast, results as the layout has them or as they are given. */
static bool prepare(Program *p, HostUfunc *made, HostArgs *args, HostArray **arrays, Sizes *sizes,
                    UfuncSignature *chosen)
{
    HostValue operands[UFUNC_ARGS];
    int64_t shape[2 * KJIT_RANK_MAX];
    *sizes = (Sizes){ .rank = 0 };
    memset(sizes->symbols, -1, sizeof sizes->symbols);
    for (int i = 0; i < made->inputs; i++) {
        if (!host_array_from(p, args->values[i], KJIT_DTYPE_NONE, &arrays[i]) ||
            !measure_argument(p, made, arrays[i], &made->cores[i], sizes))
            return false;
        operands[i] = host_object(arrays[i]);
    }
    if (!ufunc_choose(p, made, operands, made->inputs, chosen))
        return false;
    made->frozen = chosen->frozen;
    for (int i = 0; i < made->inputs + made->outputs; i++) {
        bool result = i >= made->inputs;
        int rank = full_shape(sizes, &made->cores[i], shape);
        for (int k = sizes->rank; k < rank; k++)
            if (shape[k] < 0)
                return host_fail(p, "ValueError", "%s: no argument has the size of a result",
                                 made->name);
        kjit_dtype dtype = i < chosen->count ? chosen->args[i] : arrays[0]->view.dtype;
        if (result ? !host_array_new(p, dtype, rank, shape, true, &arrays[i])
                   : !bring(p, arrays[i], dtype, rank, shape, &arrays[i]))
            return false;
    }
    return true;
}

bool ufunc_call_generalized(Program *p, HostUfunc *made, HostArgs *args, HostValue *out)
{
    HostArray *arrays[UFUNC_ARGS];
    Sizes sizes;
    UfuncSignature signature;
    int given = (int)args->count, all = made->inputs + made->outputs;
    if (given != made->inputs && given != all)
        return host_fail(p, "TypeError", "%s() takes %d arguments, %d were given", made->name,
                         made->inputs, given);
    if (!prepare(p, made, args, arrays, &sizes, &signature))
        return false;
    for (int i = made->inputs; i < given; i++) /* what a result is given as is read, too */
        if (!host_array_assign(p, arrays[i], args->values[i]))
            return false;
    if (!launch(p, made, arrays, &sizes, &signature))
        return false;
    for (int i = made->inputs; i < given; i++)
        if (args->values[i].kind == HOST_ARRAY &&
            !host_array_assign(p, args->values[i].array, host_object(arrays[i])))
            return false;
    HostValue results[UFUNC_ARGS];
    for (int i = 0; i < made->outputs; i++) {
        HostArray *array = arrays[made->inputs + i];
        if (!host_array_read(p, array))
            return false;
        results[i] = host_array_or_number(array);
    }
    *out =
        made->outputs == 1 ? results[0] : host_items(p, HOST_TUPLE, results, (size_t)made->outputs);
    return store_out_of(p, made->name, args, out);
}
