/* A 1-D array as bars on a terminal. Eighth blocks give a bar eight times the resolution of its
** columns; an array longer than the screen has its neighbours averaged. */
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/plot/plot.h"

enum { ROWS_MAX = 40, LABEL = 10 };

typedef struct Bars {
    double row[ROWS_MAX], least, most; /* least <= 0 <= most */
    int64_t first[ROWS_MAX + 1];       /* the index each row begins with */
    int rows;
} Bars;

int terminal_columns(FILE *out)
{
    struct winsize size;
    int fd = out == stdout ? STDOUT_FILENO : fileno(out); /* it may have none: cli/line.c */
    if (!isatty(fd))
        return 0;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

static bool gather(const kjit_array *array, Bars *bars)
{
    Summary summary;
    int64_t count = array_count(array);

    if (array->rank != 1 || count < 2)
        return false;
    *bars = (Bars){ .rows = count < ROWS_MAX ? (int)count : ROWS_MAX };
    for (int i = 0; i < bars->rows; i++) {
        bars->first[i] = count * i / bars->rows;
        bars->first[i + 1] = count * (i + 1) / bars->rows;
        int64_t length = bars->first[i + 1] - bars->first[i];
        array_summarize_part(array, bars->first[i], length, &summary);
        if (summary.sum.kind == NUMBER_COMPLEX)
            return false;
        bars->row[i] = summary.sum.real / (double)length;
        if (isfinite(bars->row[i])) {
            bars->least = fmin(bars->least, bars->row[i]);
            bars->most = fmax(bars->most, bars->row[i]);
        }
    }
    return bars->most - bars->least > 0 && isfinite(bars->most - bars->least);
}

static void repeat(FILE *out, const char *cell, int times)
{
    while (times-- > 0)
        fputs(cell, out);
}

/* To the right of zero in eighths; to the left in halves, for want of other characters. */
static void draw_row(FILE *out, const Bars *bars, double value, int width)
{
    static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    double scale = width / (bars->most - bars->least);
    int left = (int)ceil(-bars->least * scale);

    if (!isfinite(value)) {
        repeat(out, " ", left);
        fputs(isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", out);
    } else if (value < 0) {
        int halves = (int)lround(-value * scale * 2);
        repeat(out, " ", left - (halves + 1) / 2);
        fputs(halves % 2 ? "▐" : "", out);
        repeat(out, "█", halves / 2);
    } else {
        int parts = (int)lround(value * scale * 8);
        repeat(out, " ", left);
        repeat(out, "█", parts / 8);
        fputs(eighths[parts % 8], out);
    }
    fputc('\n', out);
}

/* The index of an element, or the first and the last of those that a row is the mean of. */
static int row_label(const Bars *bars, int row, char label[64])
{
    long long first = bars->first[row], last = bars->first[row + 1] - 1;
    return first == last ? snprintf(label, 64, "%lld", first)
                         : snprintf(label, 64, "%lld-%lld", first, last);
}

void draw_bars(FILE *out, const kjit_array *array, int columns)
{
    Bars bars;
    char label[64];

    if (!columns || !gather(array, &bars))
        return;
    int widest = row_label(&bars, bars.rows - 1, label);
    widest = widest > LABEL ? widest : LABEL;
    int width = (columns < 100 ? columns : 100) - widest - LABEL - 4;
    if (width < 10)
        return;
    for (int i = 0; i < bars.rows; i++) {
        double size = fabs(bars.row[i]);
        char value[32];
        snprintf(value, sizeof value, size >= 1e3 && size < 1e9 ? "%.0f" : "%.4g", bars.row[i]);
        row_label(&bars, i, label);
        fprintf(out, "%*s %*s ", widest, label, LABEL, value);
        draw_row(out, &bars, bars.row[i], width);
    }
    if (bars.first[bars.rows] > bars.rows)
        fprintf(out, "%*s each row is the mean of the elements in its range\n", widest, "");
}
