/* Arrays of numbers that a text holds: a line a row, numbers behind commas, semicolons or blanks.
** What stands behind # is a comment; a first line of words is a header. */
#include "runtime/array/array.h"

#include <ctype.h>

typedef struct Text {
    const char *path;
    char *at;
    int line;
    int64_t rows, columns; /* the latter of the first row; 0: there is none yet */
    double *numbers;
    size_t count, capacity;
} Text;

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static kjit_status push(Text *text, double number)
{
    if (!memory_more(text->numbers, text->count, text->capacity))
        return error_memory();
    text->numbers[text->count++] = number;
    return KJIT_OK;
}

static kjit_status no_number(const Text *text, const char *at)
{
    int length = (int)strcspn(at, ",; \t\r");
    return error_set(KJIT_FILE, "error: %s:%d: '%.*s' is no number", text->path, text->line,
                     length < 40 ? length : 40, at);
}

/* The numbers of a line that ends in NUL. */
static kjit_status read_row(Text *text, char *line)
{
    int64_t columns = 0;
    for (char *at = line, *end; *at; at = end) {
        double number = strtod(at, &end);
        if (end == at || (*end && !is_between(*end) && *end != ',' && *end != ';')) {
            if (!text->rows && !columns) /* a header */
                return KJIT_OK;
            return no_number(text, at);
        }
        KJIT_TRY(push(text, number));
        columns++;
        while (is_between(*end))
            end++;
        end += *end == ',' || *end == ';';
        while (is_between(*end))
            end++;
    }
    if (text->rows && columns != text->columns)
        return error_set(KJIT_FILE, "error: %s:%d: it has %lld number%s, and the rows before %lld",
                         text->path, text->line, (long long)columns, columns == 1 ? "" : "s",
                         (long long)text->columns);
    text->columns = columns;
    text->rows++;
    return KJIT_OK;
}

static kjit_status read_rows(Text *text)
{
    while (*text->at) {
        char *line = text->at, *end = line + strcspn(line, "\n"), *stop;
        text->at = *end ? end + 1 : end;
        text->line++;
        *end = '\0';
        line[strcspn(line, "#")] = '\0';
        for (stop = line + strlen(line); stop > line && isspace((unsigned char)stop[-1]);)
            *--stop = '\0';
        line += strspn(line, " \t");
        if (*line)
            KJIT_TRY(read_row(text, line));
    }
    if (!text->rows)
        return error_set(KJIT_FILE, "error: %s: there are no numbers in it", text->path);
    return KJIT_OK;
}

static kjit_status take(const Text *text, LoadedArray *out)
{
    const int64_t shape[] = { text->rows, text->columns };
    void *data;
    KJIT_TRY(block_alloc(text->count * sizeof(double), false, &out->block, &data));
    memcpy(data, text->numbers, text->count * sizeof(double));
    out->array = kjit_host_array(data, KJIT_DTYPE_FLOAT64, text->columns == 1 ? 1 : 2, shape);
    return KJIT_OK;
}

kjit_status text_load(const char *path, LoadedArray *out)
{
    Text text = { .path = path };
    char *whole;
    size_t length;
    *out = (LoadedArray){ 0 };
    KJIT_TRY(file_read(path, SIZE_MAX / 4, &whole, &length));
    text.at = whole;
    kjit_status status = strlen(whole) == length
                             ? read_rows(&text)
                             : error_set(KJIT_FILE, "error: %s: this is no text", path);
    if (status == KJIT_OK)
        status = take(&text, out);
    memory_free(text.numbers);
    memory_free(whole);
    return status;
}
