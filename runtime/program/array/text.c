/* Arrays as NumPy prints them: columns as wide as the widest element, rows under one another, and
** of more than a thousand elements the first and last three along each axis. Source: NumPy's
** manual, set_printoptions() and its defaults. */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

#include <math.h>

enum { WORD = 400 };

/* Puts blanks in front of a text. */
static void pad(char word[WORD], int width, const char *text)
{
    int blanks = width - (int)strlen(text);
    blanks = blanks > 0 ? blanks : 0;
    memset(word, ' ', (size_t)blanks);
    strcpy(word + blanks, text);
}

/* How the elements of an array are written, or one part of complex ones: all of one width. */
typedef struct Format {
    const kjit_array *view;
    const PrintOptions *options;
    bool imaginary; /* the parts behind, which always have a sign */
    bool summary, scientific;
    bool long_exponent; /* of three digits, e+100 */
    bool some;          /* finite elements that are not 0 */
    double least, most;
    int left, right; /* digits before and behind the point; with a sign */
    bool odd;        /* infinities or NaN among them */
    const char *separator;
    bool parts; /* complex numbers: behind this lies the format of their imaginary parts */
    struct Format *fields; /* of records, two each as of complex numbers; NULL: of numbers */
    Program *program;
    HostValue function; /* that writes an element; None: none */
} Format;

/* ---- numbers -------------------------------------------------------------------------------- */

/* At most so many digits behind the point, without zeros at the end. */
static void positional(const Format *f, double number, char *text)
{
    double shown = numpy_shortest(dtype_part(f->view->dtype), number);
    char trial[WORD];
    const bool fixed = f->options->floats == 'f';
    const int most = f->options->floats == 'u' ? 30 : f->options->precision;
    int digits = fixed ? most : 0;
    do
        snprintf(trial, sizeof trial, "%.*f", digits, shown);
    while (strtod(trial, NULL) != shown && digits++ < most);
    if (digits > most || fixed) /* cut off, and rounded as what it is */
        snprintf(trial, sizeof trial, "%.*f", most, number);
    if (!strchr(trial, '.'))
        strcat(trial, ".");
    for (char *end = trial + strlen(trial) - 1; *end == '0' && !fixed; end--)
        *end = '\0';
    snprintf(text, WORD, "%s%.*s", f->imaginary && !signbit(number) ? "+" : "", WORD - 2, trial);
}

/* With as many digits as all elements get: those that are not needed are the number's own. */
static void scientific(const Format *f, double number, int digits, char *text)
{
    snprintf(text, WORD, "%.*e", digits, number);
    if (!digits) { /* "1.e+00" */
        char *e = strchr(text, 'e');
        memmove(e + 1, e, strlen(e) + 1);
        *e = '.';
    }
    if (f->imaginary && !signbit(number)) {
        memmove(text + 1, text, strlen(text) + 1);
        *text = '+';
    }
    char *exponent = strchr(text, 'e') + 2;
    if (f->long_exponent && strlen(exponent) == 2) {
        memmove(exponent + 1, exponent, strlen(exponent) + 1);
        *exponent = '0';
    }
}

/* The fewest digits behind the point that bring the number back, up to a limit. */
static int scientific_digits(const Format *f, double number)
{
    double shown = numpy_shortest(dtype_part(f->view->dtype), number);
    char text[WORD];
    const int most = f->options->floats == 'u' ? 16 : f->options->precision;
    for (int digits = 0; digits < most && f->options->floats != 'f'; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, shown);
        if (strtod(text, NULL) == shown)
            return digits;
    }
    snprintf(text, sizeof text, "%.*e", most, number); /* cut off there: without zeros */
    int digits = most;
    while (f->options->floats != 'f' && digits && text[strcspn(text, ".") + (size_t)digits] == '0')
        digits--;
    return digits;
}

static double number_at(const Format *f, const int64_t *index)
{
    const Complex parts = host_parts(host_array_element(f->view, index));
    return f->imaginary ? parts.imaginary : parts.real;
}

static void measure_size(Format *f, const int64_t *index)
{
    double size = fabs(number_at(f, index));
    if (!isfinite(size)) {
        f->odd = true;
        return;
    }
    if (size == 0)
        return;
    f->most = f->some && f->most > size ? f->most : size;
    f->least = f->some && f->least < size ? f->least : size;
    f->some = true;
}

static void measure_float(Format *f, const int64_t *index)
{
    double number = number_at(f, index);
    char text[WORD];
    if (!isfinite(number))
        return;
    if (f->scientific) {
        int digits = scientific_digits(f, number);
        f->right = digits > f->right ? digits : f->right;
        int left = 1 + (signbit(number) != 0 || f->imaginary);
        f->left = left > f->left ? left : f->left;
        return;
    }
    positional(f, number, text);
    int left = (int)strcspn(text, "."), right = (int)strlen(text) - left - 1;
    f->left = left > f->left ? left : f->left;
    f->right = right > f->right ? right : f->right;
}

static int exponent_width(const Format *f)
{
    return !f->scientific ? 0 : f->long_exponent ? 5 : 4;
}

static void measure_odd(Format *f, const int64_t *index)
{
    double number = number_at(f, index);
    int length = isnan(number)   ? 3 + f->imaginary
                 : isinf(number) ? 3 + (number < 0 || f->imaginary)
                                 : 0;
    int exponent = exponent_width(f);
    if (length > f->left + f->right + 1 + exponent)
        f->left = length - f->right - 1 - exponent;
}

static void integer_text(const Format *f, const int64_t *index, char *text)
{
    const HostValue value = host_array_element(f->view, index);
    if (value.dtype == KJIT_DTYPE_BOOL)
        snprintf(text, WORD, "%s", value.integer ? "True" : "False");
    else if (value.dtype == KJIT_DTYPE_UINT64)
        snprintf(text, WORD, "%llu", (unsigned long long)value.integer);
    else
        snprintf(text, WORD, "%lld", (long long)value.integer);
}

static void measure_integer(Format *f, const int64_t *index)
{
    char text[WORD];
    integer_text(f, index, text);
    int length = f->view->dtype == KJIT_DTYPE_BOOL ? 5 : (int)strlen(text);
    f->left = length > f->left ? length : f->left;
}

/* Calls `measure` for each element that will be shown. */
static void each_shown(Format *f, void measure(Format *f, const int64_t *index))
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    int64_t count = array_elements(f->view);
    while (count) {
        bool shown = true;
        for (int i = 0; i < f->view->rank; i++)
            shown &= !f->summary || f->view->shape[i] <= 2 * f->options->edge ||
                     index[i] < f->options->edge ||
                     index[i] >= f->view->shape[i] - f->options->edge;
        if (shown)
            measure(f, index);
        int axis = f->view->rank - 1;
        if (axis >= 0 && f->summary && f->view->shape[axis] > 2 * f->options->edge &&
            index[axis] == f->options->edge - 1)
            index[axis] = f->view->shape[axis] - f->options->edge - 1;
        if (!index_next(f->view, index))
            return;
    }
}

static void measure_all(Format *f)
{
    for (size_t i = 0; f->fields && i < 2 * f->view->record->count; i++)
        measure_all(&f->fields[i]);
    if (f->fields || f->function.kind != HOST_NONE)
        return;
    kjit_dtype dtype = dtype_part(f->view->dtype);
    if (!dtype_is_float(dtype)) {
        each_shown(f, measure_integer);
        return;
    }
    each_shown(f, measure_size);
    f->long_exponent = f->some && (f->most >= 1e100 || f->least < 1e-99);
    double large = dtype == KJIT_DTYPE_FLOAT16 ? 1e3 : dtype == KJIT_DTYPE_FLOAT32 ? 1e6 : 1e8;
    kjit_arg small = kjit_arg_float64(1e-4);
    small = scalar_cast(&small, dtype); /* as NumPy compares it with the elements */
    bool wide = f->least < small.as.number || f->most / f->least > 1000;
    f->scientific = f->some && (f->most >= large || (wide && !f->options->suppress));
    each_shown(f, measure_float);
    if (f->odd)
        each_shown(f, measure_odd);
}

static void put_element(const Format *f, const int64_t *index, char *word)
{
    char text[WORD];
    if (!dtype_is_float(dtype_part(f->view->dtype))) {
        integer_text(f, index, text);
        pad(word, f->left, text);
        return;
    }
    double number = number_at(f, index);
    int width = f->left + 1 + f->right + exponent_width(f);
    if (!isfinite(number)) {
        snprintf(text, sizeof text, "%s%s", f->imaginary && !(number < 0) ? "+" : "",
                 isnan(number) ? "nan"
                 : number < 0  ? "-inf"
                               : "inf");
        pad(word, width, text);
    } else if (f->scientific) {
        scientific(f, number, f->right, text);
        pad(word, width, text);
    } else {
        positional(f, number, text);
        int left = (int)strcspn(text, ".");
        int right = f->right - ((int)strlen(text) - left - 1);
        pad(word, f->left - left + (int)strlen(text), text);
        for (char *end = word + strlen(word); right > 0; right--) {
            *end++ = f->options->floats == 'e' ? '0' : ' ';
            *end = '\0';
        }
    }
}

static void put_parts(const Format *f, const int64_t *index, char word[2 * WORD]);

/* A field of a record: of several elements in brackets. */
static void put_field(const Format *f, int64_t *index, int axis, Buf *out)
{
    char word[2 * WORD];
    if (axis == f->view->rank) {
        put_parts(f, index, word);
        buf_puts(out, word);
        return;
    }
    buf_putc(out, '[');
    for (index[axis] = 0; index[axis] < f->view->shape[axis]; index[axis]++) {
        buf_puts(out, index[axis] ? ", " : "");
        put_field(f, index, axis + 1, out);
    }
    buf_putc(out, ']');
}

/* (1., 2), or what the program's own function says. */
static void put_other(const Format *f, const int64_t *index, Buf *out)
{
    Program *p = f->program;
    HostValue said = host_none();
    int64_t inside[KJIT_RANK_MAX];
    memcpy(inside, index, sizeof inside);
    if (f->function.kind != HOST_NONE) {
        p->texts++;
        if (host_call_one(p, f->function, host_array_element(f->view, index), &said))
            host_str(p, out, said);
        p->texts--;
        return;
    }
    if (record_is_text(f->view)) {
        kjit_array one = *f->view;
        for (int axis = 0; axis < one.rank; axis++)
            one.data = (char *)one.data + index[axis] * one.strides[axis];
        if (record_as_text(p, &one, &said)) {
            said.dtype = KJIT_DTYPE_NONE;
            host_repr(p, out, said);
        }
        return;
    }
    const size_t count = f->view->record->count;
    for (size_t i = 0; i < count; i++) {
        buf_puts(out, i ? ", " : "(");
        put_field(&f->fields[2 * i], inside, f->view->rank, out);
    }
    buf_puts(out, count == 1 ? ",)" : ")");
}

/* Of a complex number both parts, with the j in front of the blanks at the end. */
static void put_parts(const Format *f, const int64_t *index, char word[2 * WORD])
{
    if (f->fields || f->function.kind != HOST_NONE) {
        Buf text = buf_in(&f->program->scratch);
        put_other(f, index, &text);
        snprintf(word, 2 * WORD, "%s", buf_text(&text));
        return;
    }
    if (!f[0].parts) {
        put_element(f, index, word);
        return;
    }
    put_element(&f[0], index, word);
    char *second = word + strlen(word);
    put_element(&f[1], index, second);
    char *end = second + strlen(second);
    while (end[-1] == ' ')
        end--;
    memmove(end + 1, end, strlen(end) + 1);
    *end = 'j';
}

/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct Lines {
    const Format *f;
    Buf *out;
    Buf line;
    Arena *arena;
} Lines;

static void put_line(Lines *l, bool strip)
{
    size_t length = l->line.length;
    const char *text = buf_text(&l->line);
    while (strip && length && text[length - 1] == ' ')
        length--;
    buf_put(l->out, text, length);
    l->line = buf_in(l->arena);
}

static void extend(Lines *l, const char *word, int width, int margin)
{
    bool wraps = (int)(l->line.length + strlen(word)) > width && (int)l->line.length > margin;
    if (wraps) {
        put_line(l, true);
        buf_putc(l->out, '\n');
        buf_printf(&l->line, "%*s", margin, "");
    }
    buf_puts(&l->line, word);
}

static void put_rows(Lines *l, int64_t *index, int axis, int margin, int width);

/* How long a separator is without blanks at its end. */
static int trimmed(const char *separator)
{
    size_t length = strlen(separator);
    while (length && separator[length - 1] == ' ')
        length--;
    return (int)length;
}

/* The innermost axis, broken into lines. */
static void put_row(Lines *l, int64_t *index, int axis, int margin, int width)
{
    const Format *f = l->f;
    int64_t length = f->view->shape[axis];
    bool cut = f->summary && length > 2 * f->options->edge;
    char word[2 * WORD];
    int room = width - (trimmed(f->separator) > 1 ? trimmed(f->separator) : 1);
    l->line = buf_in(l->arena);
    buf_printf(&l->line, "%*s", margin, "");
    size_t before = l->out->length;
    for (int64_t i = 0; i < length; i++) {
        if (cut && i == f->options->edge) {
            extend(l, "...", room, margin);
            buf_puts(&l->line, f->separator);
            i = length - f->options->edge;
        }
        index[axis] = i;
        put_parts(f, index, word);
        extend(l, word, room, margin);
        if (i + 1 < length)
            buf_puts(&l->line, f->separator);
    }
    put_line(l, false);
    /* the margin of the first line is written by the caller */
    memmove(l->out->text + before, l->out->text + before + margin,
            l->out->length - before - (size_t)margin + 1);
    l->out->length -= (size_t)margin;
}

static void put_rows(Lines *l, int64_t *index, int axis, int margin, int width)
{
    const Format *f = l->f;
    int left = f->view->rank - axis;
    int64_t length = f->view->shape[axis];
    bool cut = f->summary && length > 2 * f->options->edge;
    buf_putc(l->out, '[');
    if (left == 1) {
        put_row(l, index, axis, margin, width);
        buf_putc(l->out, ']');
        return;
    }
    for (int64_t i = 0; i < length; i++) {
        if (i)
            buf_printf(l->out, "%*s", margin, "");
        if (cut && i == f->options->edge) {
            buf_puts(l->out, "...");
            i = length - f->options->edge - 1;
        } else {
            index[axis] = i;
            put_rows(l, index, axis + 1, margin + 1, width - 1);
        }
        if (i + 1 < length)
            buf_printf(l->out, "%.*s", trimmed(f->separator), f->separator);
        for (int k = 1; k < left && i + 1 < length; k++)
            buf_putc(l->out, '\n');
    }
    buf_putc(l->out, ']');
}

static bool is_default(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_INT64 || dtype == KJIT_DTYPE_FLOAT64 || dtype == KJIT_DTYPE_BOOL ||
           dtype == KJIT_DTYPE_COMPLEX128;
}

/* What the elements alone do not tell. */
static void put_extras(Buf *out, size_t begin, const Format *f)
{
    const kjit_array *view = f->view;
    int64_t count = array_elements(view);
    bool shaped =
        count > f->options->threshold || (count == 0 && (view->rank != 1 || view->shape[0]));
    bool typed = !is_default(view->dtype) || !count;
    const bool records = view->dtype == KJIT_DTYPE_RECORD;
    Buf extras = buf_in(out->arena);
    if (shaped) {
        buf_puts(&extras, "shape=");
        descr_put_shape(&extras, view->shape, view->rank);
    }
    if (typed)
        buf_printf(&extras, "%sdtype=%s", shaped ? ", " : "",
                   records ? "" : kjit_dtype_name(view->dtype));
    if (records)
        record_dtype_text(f->program, &extras, view->record);
    if (!extras.length) {
        buf_putc(out, ')');
        return;
    }
    buf_puts(out, ",");
    const char *text = buf_text(out) + begin, *last = strrchr(text, '\n');
    bool fits = strlen(last ? last + 1 : text) + extras.length + 2 <= (size_t)f->options->line;
    buf_printf(out, "%s%s)", fits ? " " : "\n      ", buf_text(&extras));
}

/* The function of np.set_printoptions(formatter={...}) for elements of a dtype. */
static HostValue function_for(Program *p, kjit_dtype dtype)
{
    const char *const names[] = { dtype_is_complex(dtype)   ? "complex_kind"
                                  : dtype_is_float(dtype)   ? "float_kind"
                                  : dtype_is_integer(dtype) ? "int_kind"
                                                            : "bool",
                                  dtype_is_complex(dtype)   ? "complexfloat"
                                  : dtype_is_float(dtype)   ? "float"
                                  : dtype_is_integer(dtype) ? "int"
                                                            : "bool",
                                  "all" };
    HostValue *found = NULL;
    for (size_t i = 0; p->printing.formatter && i < ARRAY_COUNT(names) && !found; i++)
        if (!dict_find(p, p->printing.formatter, host_text(p, names[i]), &found))
            break;
    return found ? *found : host_none();
}

/* The formats of an array's elements, or of one of its fields, two. */
static void begin_format(Program *p, Format f[2], const kjit_array *view, bool summary, bool repr)
{
    const char *own = p->printing.separator;
    f[0] = (Format){ .view = view,
                     .options = &p->printing,
                     .summary = summary,
                     .separator = own    ? own
                                  : repr ? ", "
                                         : " ",
                     .parts = dtype_is_complex(view->dtype),
                     .program = p,
                     .function = function_for(p, view->dtype) };
    f[1] = f[0];
    f[1].imaginary = true;
    if (view->dtype != KJIT_DTYPE_RECORD)
        return;
    const size_t count = view->record->count;
    f->fields = arena_array(&p->scratch, Format, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        kjit_array *field = arena_new(&p->scratch, kjit_array);
        if (kjit_array_field(view, view->record->fields[i].name, field) == KJIT_OK)
            begin_format(p, &f->fields[2 * i], field, summary, repr);
    }
}

void host_array_text(Program *p, Buf *out, HostArray *array, bool repr)
{
    const kjit_array *view = &array->view;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    size_t begin = out->length;
    int prefix = repr ? (int)strlen("array(") : 0;
    Format f[2];
    Lines lines = { .f = f, .out = out, .arena = out->arena };
    if (!host_array_read(p, array))
        return;
    if (dtype_is_time(view->dtype)) {
        host_lacks(p, "NotImplementedError", "arrays of %s are not printed here" HOST_BY_PYTHON,
                   kjit_dtype_name(view->dtype));
        return;
    }
    if (view->dtype == KJIT_DTYPE_RECORD && !view->rank) {
        record_show(p, out, array);
        return;
    }
    begin_format(p, f, view, array_elements(view) > p->printing.threshold, repr);
    buf_puts(out, repr ? "array(" : "");
    if (!view->rank && !repr) {
        host_str(p, out, host_array_element(view, index));
        return;
    }
    for (int part = 0; part <= f[0].parts; part++)
        measure_all(&f[part]);
    if (!array_elements(view) && view->rank) {
        buf_puts(out, "[]");
    } else if (!view->rank) {
        char word[2 * WORD];
        put_parts(f, index, word);
        buf_puts(out, word + strspn(word, " "));
    } else {
        put_rows(&lines, index, 0, prefix + 1, p->printing.line - (repr ? 1 : 0));
    }
    if (repr)
        put_extras(out, begin, f);
}
