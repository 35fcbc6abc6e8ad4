/* What Python has under bare names: print, len, range, and the like. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

#include <math.h>

/* ---- print ---------------------------------------------------------------------------------- */

static bool print_part(Program *p, const HostArgs *args, const char *name, const char *otherwise,
                       const char **text)
{
    const HostValue *given = args_named(args, name);
    *text = otherwise;
    if (!given || given->kind == HOST_NONE)
        return true;
    *text = given->kind == HOST_STRING ? given->string->text : NULL;
    return *text || host_fail(p, "TypeError", "%s must be None or a string, not %s", name,
                              host_type_name(p, *given));
}

void host_print(Program *p, const char *text, size_t length)
{
    if (p->options->print)
        p->options->print(p->options->context, text, length);
    else
        fwrite(text, 1, length, stdout);
}

static void write_text(Program *p, bool errors, const char *text, size_t length)
{
    if (errors)
        fwrite(text, 1, length, stderr);
    else
        host_print(p, text, length);
}

static void flush_text(const Program *p, bool errors)
{
    if (!errors && !p->options->print)
        fflush(stdout);
}

/* What has a method write() is a file. */
static bool print_to(Program *p, HostValue file, HostValue text)
{
    HostValue none;
    return object_calls(p, file, "write", &text, 1, &none) ||
           (!p->failed && host_fail(p, "AttributeError", "'%s' object has no attribute 'write'",
                                    host_type_name(p, file)));
}

static const char *const stream_names[] = { "sys.stdout", "sys.stderr" };

static bool is_stream(HostValue value, bool errors)
{
    return value.kind == HOST_MODULE && strcmp(value.text, stream_names[errors]) == 0;
}

bool stream_path(Program *p, const char *path, HostValue *out)
{
    for (int i = 0; i < 2; i++) {
        const bool own = strncmp(path, "sys.__", 6) == 0 && /* sys.__stdout__ */
                         strncmp(path + 6, stream_names[i] + 4, 6) == 0 &&
                         strcmp(path + 12, "__") == 0;
        if (!own && strcmp(path, stream_names[i]) != 0)
            continue;
        *out = p->streams[i];
        if (own || out->kind == HOST_NONE)
            *out = (HostValue){ .kind = HOST_MODULE, .text = stream_names[i] };
        return true;
    }
    return false;
}

bool stream_set(Program *p, const char *path, HostValue file)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(path, stream_names[i]) != 0)
            continue;
        if (file.kind != HOST_INSTANCE && !is_stream(file, false) && !is_stream(file, true))
            return host_fail(p, "NotImplementedError",
                             "%s takes an object with a method write(), or sys.__stdout__", path);
        p->streams[i] = file;
        return true;
    }
    return false;
}

bool stream_put(Program *p, HostValue file, bool errors, HostValue text)
{
    if (file.kind == HOST_NONE)
        file = p->streams[errors];
    if (file.kind == HOST_INSTANCE)
        return print_to(p, file, text);
    errors = file.kind == HOST_NONE ? errors : is_stream(file, true);
    write_text(p, errors, text.string->text, text.string->length);
    return true;
}

static bool builtin_print(Program *p, HostArgs *args, HostValue *out)
{
    const char *sep, *end;
    const HostValue *file = args_named(args, "file");
    (void)out;
    if (!print_part(p, args, "sep", " ", &sep) || !print_part(p, args, "end", "\n", &end))
        return false;
    Buf text = buf_in(&p->scratch);
    for (size_t i = 0; i < args->count; i++) {
        buf_puts(&text, i ? sep : "");
        host_str(p, &text, args->values[i]);
        if (p->failed)
            return false;
    }
    buf_puts(&text, end);
    const HostValue *flush = args_named(args, "flush");
    bool flushes = false;
    if (flush && !host_truth(p, *flush, &flushes))
        return false;
    if (!stream_put(p, file ? *file : host_none(), false, host_buf(p, &text)))
        return false;
    if (flushes)
        flush_text(p, file && is_stream(*file, true));
    return true;
}

static bool is_of_errors(const HostArgs *args)
{
    return strncmp(args->builtin->name, "sys.stderr", strlen("sys.stderr")) == 0;
}

/* sys.stdout.write() */
static bool stream_write(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue text = args->values[0];
    if (text.kind != HOST_STRING)
        return host_fail(p, "TypeError", "write() argument must be str, not %s",
                         host_type_name(p, text));
    write_text(p, is_of_errors(args), text.string->text, text.string->length);
    int64_t length = 0;
    bool fine = host_length(p, text, &length);
    *out = host_int(length);
    return fine;
}

static bool stream_flush(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    flush_text(p, is_of_errors(args));
    return true;
}

/* ---- sequences ------------------------------------------------------------------------------ */

static bool builtin_len(Program *p, HostArgs *args, HostValue *out)
{
    int64_t length = 0;
    bool fine = host_length(p, args->values[0], &length);
    *out = host_int(length);
    return fine;
}

static bool builtin_range(Program *p, HostArgs *args, HostValue *out)
{
    int64_t parts[3] = { 0, 0, 1 };
    bool alone = args->count == 1;
    for (size_t i = 0; i < args->count; i++)
        if (!host_integer(p, args->values[i], &parts[alone ? 1 : i]))
            return false;
    if (!parts[2])
        return host_fail(p, "ValueError", "range() arg 3 must not be zero");
    HostRange *range = host_new(p, HOST_RANGE, sizeof *range);
    __int128 distance = (__int128)parts[1] - parts[0], step = parts[2],
             size = step < 0 ? -step : step;
    distance = step < 0 ? -distance : distance;
    __int128 count = distance > 0 ? (distance - 1) / size + 1 : 0;
    range->start = parts[0];
    range->stop = parts[1];
    range->step = parts[2];
    range->count = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    return host_give(out, host_object(range));
}

static bool builtin_list(Program *p, HostArgs *args, HostValue *out)
{
    if (args->count)
        return host_collect(p, HOST_LIST, args->values[0], out);
    return host_give(out, host_items(p, HOST_LIST, NULL, 0));
}

static bool builtin_tuple(Program *p, HostArgs *args, HostValue *out)
{
    if (args->count)
        return host_collect(p, HOST_TUPLE, args->values[0], out);
    return host_give(out, host_items(p, HOST_TUPLE, NULL, 0));
}

static bool builtin_sorted(Program *p, HostArgs *args, HostValue *out)
{
    bool reverse = false;
    return host_truth(p, args_get(args, 1, "reverse", host_bool(false)), &reverse) &&
           host_collect(p, HOST_LIST, args->values[0], out) &&
           host_sort(p, out->list, args_get(args, 1, "key", host_none()), reverse);
}

/* any and all. */
static bool builtin_some(Program *p, HostArgs *args, HostValue *out)
{
    const bool wanted = strcmp(args->builtin->name, "any") == 0;
    HostIterator it;
    HostValue item;
    bool truth = !wanted;
    if (!host_iterate(p, args->values[0], &it))
        return false;
    while (truth != wanted && host_next(p, &it, &item))
        if (!host_truth(p, item, &truth))
            return false;
    *out = host_bool(truth);
    return !p->failed;
}

/* sum, and math.prod, whose row has the operation. */
static bool builtin_total(Program *p, HostArgs *args, HostValue *out)
{
    const AstOp op = args->builtin->with ? *(const AstOp *)args->builtin->with : AST_ADD;
    HostIterator it;
    HostValue item;
    *out = args_get(args, 1, "start", host_int(op == AST_MUL));
    if (!host_iterate(p, args->values[0], &it))
        return false;
    while (host_next(p, &it, &item)) {
        if (!host_binary(p, op, *out, item, out))
            return false;
        host_keep(p, *out);
    }
    return !p->failed;
}

/* min and max. */
static bool builtin_extreme(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = args->builtin->name;
    const bool most = strcmp(name, "max") == 0;
    const HostValue *otherwise = args_named(args, "default");
    HostValue items, key = args_get(args, SIZE_MAX, "key", host_none()), best = host_none();
    if (args->count == 1 && !host_collect(p, HOST_LIST, args->values[0], &items))
        return false;
    if (args->count > 1)
        items = host_items(p, HOST_LIST, args->values, args->count);
    if (!items.list->count && otherwise)
        return host_give(out, *otherwise);
    if (!items.list->count)
        return host_fail(p, "ValueError", "%s() arg is an empty sequence", name);
    for (size_t i = 0; i < items.list->count; i++) {
        HostValue item = items.list->items[i], rank = item;
        bool better = i == 0;
        if (key.kind != HOST_NONE && !host_call_one(p, key, item, &rank))
            return false;
        host_keep(p, rank);
        if (!better) {
            HostValue truth;
            if (!host_compare(p, most ? AST_GT : AST_LT, rank, best, &truth) ||
                !host_truth(p, truth, &better))
                return false;
        }
        best = better ? rank : best;
        *out = better ? item : *out;
    }
    return true;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool builtin_abs(Program *p, HostArgs *args, HostValue *out)
{
    static const HostBuiltin size_of = { .name = "np.abs" };
    const HostArgs call = { .builtin = &size_of };
    HostValue value = args->values[0];
    if (object_calls(p, value, "__abs__", NULL, 0, out) || p->failed)
        return !p->failed;
    if (is_arrays(value))
        return numpy_apply(p, &call, "abs(%0)", GIVES_SAME, &value, 1, out);
    if (value.kind == HOST_WIDE)
        return value.wide->negative ? host_unary(p, AST_NEG, value, out) : host_give(out, value);
    if (!host_is_number(value))
        return host_fail(p, "TypeError", "bad operand type for abs(): '%s'",
                         host_type_name(p, value));
    if (host_is_complex(value)) {
        const Complex z = host_parts(value);
        kjit_arg size = kjit_arg_float64(hypot(z.real, z.imaginary));
        size = scalar_cast(&size, dtype_part(host_dtype_of(value)));
        return host_give(out, value.kind == HOST_COMPLEX ? host_float(size.as.number)
                                                         : host_number(size.dtype, &size));
    }
    bool floats = dtype_is_float(host_dtype_of(value));
    bool negative =
        floats ? signbit(value.number) != 0 : value.integer < 0 && value.dtype != KJIT_DTYPE_UINT64;
    if (negative)
        return host_unary(p, AST_NEG, value, out);
    const bool integer = value.kind == HOST_BOOL || value.kind == HOST_INT;
    *out = integer ? host_int(value.integer) : value; /* a member is one, too */
    return true;
}

/* To so many digits behind the point, or in front of it where there are fewer than none. */
static double round_digits(double number, int64_t digits)
{
    char text[800];
    if (!isfinite(number) || digits > 400)
        return number;
    if (digits < -308)
        return copysign(0, number);
    if (digits >= 0) {
        snprintf(text, sizeof text, "%.*f", (int)digits, number);
        return strtod(text, NULL);
    }
    double unit = pow(10, (double)-digits);
    return nearbyint(number / unit) * unit;
}

/* One beyond 64 bits, or to a unit beyond them. */
static bool round_wide(Program *p, HostValue value, int64_t digits, HostValue *out)
{
    HostValue unit, rest, twice, half, more, odd, up;
    bool larger;
    if (digits < -315652) /* such units have more bits than integers do here */
        return host_give(out, host_int(0));
    if (!host_binary(p, AST_POW, host_int(10), host_int(-digits), &unit) ||
        !host_binary(p, AST_MOD, value, unit, &rest) ||
        !host_binary(p, AST_SUB, value, rest, out) ||
        !host_binary(p, AST_MUL, rest, host_int(2), &twice) ||
        !host_binary(p, AST_FLOORDIV, *out, unit, &half) ||
        !host_binary(p, AST_MOD, half, host_int(2), &odd) ||
        !host_binary(p, AST_ADD, twice, odd, &more) || !host_compare(p, AST_GT, more, unit, &up) ||
        !host_truth(p, up, &larger))
        return false;
    return !larger || host_binary(p, AST_ADD, *out, unit, out);
}

static bool round_integer(Program *p, HostValue value, int64_t digits, HostValue *out)
{
    __int128 unit = 1;
    if (digits >= 0)
        return host_give(out, value.kind == HOST_WIDE ? value : host_int(value.integer));
    if (value.kind == HOST_WIDE || digits < -18)
        return round_wide(p, value, digits, out);
    for (int64_t i = digits; i < 0; i++)
        unit *= 10;
    __int128 rest = value.integer % unit, half = unit / 2, rounded = value.integer - rest;
    rest = rest < 0 ? -rest : rest;
    bool odd = (rounded / unit) % 2 != 0;
    if (rest > half || (rest == half && odd))
        rounded += value.integer < 0 ? -unit : unit;
    return host_binary(p, AST_ADD, host_int(value.integer),
                       host_int((int64_t)(rounded - value.integer)), out);
}

static bool builtin_round(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0], digits = args_get(args, 1, "ndigits", host_none());
    int64_t count = 0;
    if (object_calls(p, value, "__round__", &digits, digits.kind != HOST_NONE, out) || p->failed)
        return !p->failed;
    if (digits.kind != HOST_NONE && !host_integer(p, digits, &count))
        return false;
    if (value.kind == HOST_WIDE)
        return round_integer(p, value, count, out);
    if (!host_is_number(value) || host_is_complex(value))
        return host_fail(p, "TypeError", "type %s doesn't define __round__ method",
                         host_type_name(p, value));
    if (!dtype_is_float(host_dtype_of(value)))
        return round_integer(p, value, count, out);
    if (digits.kind == HOST_NONE)
        return host_whole(p, nearbyint(value.number), out);
    *out = value;
    out->number = round_digits(value.number, count);
    return true;
}

static bool builtin_divmod(Program *p, HostArgs *args, HostValue *out)
{
    HostValue pair[2];
    HostValue a = args->values[0], b = args->values[1];
    if (!host_binary(p, AST_FLOORDIV, a, b, &pair[0]) || !host_settle(p, &pair[0]) ||
        !host_binary(p, AST_MOD, a, b, &pair[1]) || !host_settle(p, &pair[1]))
        return false;
    return host_give(out, host_items(p, HOST_TUPLE, pair, 2));
}

/* base ** exponent % modulus */
static bool power_of(Program *p, HostValue base, HostValue exponent, HostValue modulus,
                     HostValue *out)
{
    HostValue bit;
    bool more = true;
    if (!host_binary(p, AST_MOD, host_int(1), modulus, out))
        return false;
    while (host_truth(p, exponent, &more) && more) {
        if (!host_binary(p, AST_MOD, base, modulus, &base) ||
            !host_binary(p, AST_BITAND, exponent, host_int(1), &bit))
            return false;
        if (bit.integer && (!host_binary(p, AST_MUL, *out, base, out) ||
                            !host_binary(p, AST_MOD, *out, modulus, out)))
            return false;
        if (!host_binary(p, AST_MUL, base, base, &base) ||
            !host_binary(p, AST_RSHIFT, exponent, host_int(1), &exponent))
            return false;
    }
    return true;
}

static bool builtin_pow(Program *p, HostArgs *args, HostValue *out)
{
    HostValue parts[3], wrong;
    if (args->count == 2)
        return host_binary(p, AST_POW, args->values[0], args->values[1], out);
    for (int i = 0; i < 3; i++) {
        int64_t number = 0;
        parts[i] = args->values[i];
        if (parts[i].kind != HOST_WIDE && !host_integer(p, parts[i], &number))
            return false;
        if (parts[i].kind != HOST_WIDE)
            parts[i] = host_int(number);
    }
    if (!host_compare(p, AST_LT, parts[1], host_int(0), &wrong))
        return false;
    if (parts[2].kind == HOST_INT && !parts[2].integer)
        return host_fail(p, "ValueError", "pow() 3rd argument cannot be 0");
    if (wrong.integer) {
        HostValue inverse;
        HostArgs given = { .values = parts, .count = 3 };
        return modules_find(p, "_methods.inverse_power", &inverse) &&
               host_call(p, inverse, &given, out);
    }
    return power_of(p, parts[0], parts[1], parts[2], out);
}

const HostBuiltin python_functions[] = {
    { "print", 0, -1, builtin_print, "sep end file flush" },
    { "len", 1, 1, builtin_len, NULL },
    { "range", 1, 3, builtin_range, NULL },
    { "numba.prange", 1, 3, builtin_range, NULL },
    { "list", 0, 1, builtin_list, NULL },
    { "tuple", 0, 1, builtin_tuple, NULL },
    { "sorted", 1, 1, builtin_sorted, "key reverse" },
    { "any", 1, 1, builtin_some, NULL },
    { "all", 1, 1, builtin_some, NULL },
    { "sum", 1, 2, builtin_total, "start" },
    { "math.prod", 1, 1, builtin_total, "start", &(const AstOp){ AST_MUL } },
    { "min", 1, -1, builtin_extreme, "key default" },
    { "max", 1, -1, builtin_extreme, "key default" },
    { "sys.stdout.write", 1, 1, stream_write, NULL },
    { "sys.stderr.write", 1, 1, stream_write, NULL },
    { "sys.stdout.flush", 0, 0, stream_flush, NULL },
    { "sys.stderr.flush", 0, 0, stream_flush, NULL },
    { "abs", 1, 1, builtin_abs, NULL },
    { "round", 1, 2, builtin_round, "ndigits" },
    { "divmod", 2, 2, builtin_divmod, NULL },
    { "pow", 2, 3, builtin_pow, NULL },
    { NULL, 0, 0, NULL, NULL },
};
