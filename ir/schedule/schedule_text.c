/* Schedules as text, by the forms of schedule.def: read, and written.
**
** A directive is a line, or what stands between semicolons; behind # stands a comment. `for cuda`
** and `for cpu` begin a part for one kind of device, `kernel NAME` one for a kernel. A name may
** tell which of several places of that name is meant: k.2 is the second, k:12 that at line 12. */
#include "ir/schedule/schedule.h"

#include <ctype.h>

enum { WORDS_MOST = 16, WORD_BYTES = 80, NUMBER_MOST = 1 << 20 };

/* ---- writing --------------------------------------------------------------------------------- */

/* The next word of a form; false at its end. An optional part begins with [ and ends with ]. */
static bool next_word(const char **form, char word[WORD_BYTES])
{
    const char *at = *form + strspn(*form, " ");
    size_t length = *at == '[' || *at == ']' ? 1 : strcspn(at, " []");
    memcpy(word, at, length);
    word[length] = '\0';
    *form = at + length;
    return length > 0;
}

static void print_number(Buf *out, int64_t number)
{
    if (number == UNROLL_ALL)
        buf_puts(out, "all");
    else
        buf_printf(out, "%lld", (long long)number);
}

static void print_axes(Buf *out, const Directive *d)
{
    for (int i = 0; i < d->axis_count; i++)
        buf_printf(out, "%s%c", i ? " " : "", "xyz"[d->axes[i]]);
}

static void print_sizes(Buf *out, const Directive *d)
{
    for (int i = 0; i < DIRECTIVE_NUMBERS && d->numbers[i]; i++)
        buf_printf(out, "%s%lld", i ? "x" : "", (long long)d->numbers[i]);
}

static void print_word(Buf *out, const Directive *d, const char *word, const char *which, int *next)
{
    if (strcmp(word, "ARRAY") == 0)
        buf_printf(out, "%s%s", d->array, which);
    else if (strcmp(word, "LOOP") == 0)
        buf_printf(out, "%s%s", d->loop, d->array ? "" : which);
    else if (strcmp(word, "AXIS") == 0)
        buf_putc(out, "xyz"[d->axes[0]]);
    else if (strcmp(word, "AXES") == 0)
        print_axes(out, d);
    else if (strcmp(word, "SIZES") == 0)
        print_sizes(out, d);
    else if (strcmp(word, "N") == 0)
        print_number(out, d->numbers[(*next)++]);
    else
        buf_puts(out, word);
}

/* Whether an optional part, from its first word on, is said of a directive. */
static bool is_said(const Directive *d, const char *form, int next)
{
    return strncmp(form, "vector", 6) == 0 ? d->vector : d->numbers[next] != 0;
}

static void print_directive(Buf *out, const Directive *d, const char *which)
{
    const char *form = schedule_form(d->primitive), *before = "";
    char word[WORD_BYTES];
    int next = 0;
    while (next_word(&form, word)) {
        if (*word == '[' && !is_said(d, form, next)) {
            next += strncmp(form, "vector", 6) != 0;
            form = strchr(form, ']') + 1;
        }
        if (*word == '[' || *word == ']')
            continue;
        buf_puts(out, before);
        print_word(out, d, word, which, &next);
        before = " ";
    }
    buf_putc(out, '\n');
}

void schedule_print(Buf *out, const Schedule *schedule)
{
    for (int i = 0; schedule && i < schedule->place_count; i++) {
        const SchedulePlace *place = &schedule->places[i];
        bool several = schedule_namesakes(schedule, &place->own) > 1;
        if (place->taken && place->taken->done)
            print_directive(out, place->taken,
                            several ? arena_printf(schedule->arena, ".%d", place->number) : "");
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Word {
    const char *text;
    Span span;
} Word;

typedef struct DirectiveLine {
    Schedule *s;
    Diags *diags;
    Word words[WORDS_MOST + 1]; /* behind the last one without a text */
    int count, at;
    int numbers;       /* read so far */
    const char *wrong; /* what should stand at the word where a form does not fit */
} DirectiveLine;

static const Word *this_word(const DirectiveLine *line)
{
    return &line->words[line->at];
}

static bool expect(DirectiveLine *line, bool there, const char *what)
{
    if (there)
        line->at++;
    else if (!line->wrong)
        line->wrong = what;
    return there;
}

static bool read_count(const char *text, size_t length, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]) || *number > NUMBER_MOST)
            return false;
        *number = *number * 10 + (text[i] - '0');
    }
    return length > 0 && *number >= 1 && *number <= NUMBER_MOST;
}

static bool read_number(DirectiveLine *line, Given *given)
{
    const char *text = this_word(line)->text;
    int64_t *number = &given->says.numbers[line->numbers++];
    bool all = text && strcmp(text, "all") == 0;
    if (all)
        *number = UNROLL_ALL;
    return expect(line, text && (all || read_count(text, strlen(text), number)),
                  "a number of 1 or more");
}

static bool read_sizes(DirectiveLine *line, Given *given)
{
    const char *text = this_word(line)->text;
    bool fine = text != NULL;
    for (int i = 0; fine && text && i < DIRECTIVE_NUMBERS; i++) {
        size_t length = strcspn(text, "x");
        fine = read_count(text, length, &given->says.numbers[i]);
        text = text[length] ? text + length + 1 : NULL;
    }
    return expect(line, fine && !text, "one to three numbers, as in 32x8");
}

static bool read_axis(DirectiveLine *line, Given *given)
{
    const char *text = this_word(line)->text;
    bool fine = text && strlen(text) == 1 && *text >= 'x' && *text <= 'z';
    if (fine)
        given->says.axes[given->says.axis_count++] = (uint8_t)(*text - 'x');
    return expect(line, fine, "an axis: x, y or z");
}

static bool read_axes(DirectiveLine *line, Given *given)
{
    bool fine = read_axis(line, given);
    while (fine && given->says.axis_count < 3) {
        const char *text = this_word(line)->text;
        if (!text || text[1] || !strchr("xyz", *text))
            break;
        read_axis(line, given);
    }
    for (int i = 0; i < given->says.axis_count; i++)
        for (int k = 0; k < i; k++)
            fine &= given->says.axes[i] != given->says.axes[k];
    return fine || expect(line, false, "axes of which each comes once");
}

/* A name, and behind it which place of that name. */
static bool read_name(DirectiveLine *line, Given *given, const char **name)
{
    const char *text = this_word(line)->text;
    const char *mark = text ? strpbrk(text, ".:") : NULL;
    int64_t number = 0;
    bool fine = text && (!mark || read_count(mark + 1, strlen(mark + 1), &number));
    if (fine)
        *name = mark ? arena_strndup(line->s->arena, text, (size_t)(mark - text)) : text;
    if (fine && mark)
        *(*mark == '.' ? &given->which : &given->line) = (int)number;
    return expect(line, fine, "a name, or one like k.2 or k:12");
}

static bool read_word(DirectiveLine *line, Given *given, const char *word)
{
    const char *text = this_word(line)->text;
    if (strcmp(word, "ARRAY") == 0)
        return read_name(line, given, &given->says.array);
    if (strcmp(word, "LOOP") == 0)
        return read_name(line, given, &given->says.loop);
    if (strcmp(word, "AXIS") == 0)
        return read_axis(line, given);
    if (strcmp(word, "AXES") == 0)
        return read_axes(line, given);
    if (strcmp(word, "SIZES") == 0)
        return read_sizes(line, given);
    if (strcmp(word, "N") == 0)
        return read_number(line, given);
    given->says.vector |= strcmp(word, "vector") == 0;
    return expect(line, text && strcmp(text, word) == 0,
                  arena_printf(line->s->arena, "'%s'", word));
}

/* Whether the optional part that a form goes on with stands here. */
static bool comes(const DirectiveLine *line, const char *form)
{
    char first[WORD_BYTES];
    const char *text = this_word(line)->text;
    return next_word(&form, first) && text && strcmp(text, first) == 0;
}

static bool read_form(DirectiveLine *line, Primitive primitive, Given *given)
{
    const char *form = schedule_form(primitive);
    char word[WORD_BYTES];
    *given = (Given){ .says.primitive = primitive };
    line->at = line->numbers = 0;
    line->wrong = NULL;
    while (next_word(&form, word)) {
        if (*word == '[' && !comes(line, form)) {
            line->numbers += strncmp(form, "vector", 6) != 0;
            form = strchr(form, ']') + 1;
        } else if (*word != '[' && *word != ']' && !read_word(line, given, word)) {
            return false;
        }
    }
    return expect(line, !this_word(line)->text, "the end of the line");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool begins_with(Primitive primitive, const char *word)
{
    size_t length = strlen(word);
    return strncmp(schedule_form(primitive), word, length) == 0 &&
           schedule_form(primitive)[length] == ' ';
}

static void complain_unknown(DirectiveLine *line)
{
    const char *firsts[PRIMITIVES], *word = line->words[0].text;
    for (int i = 0; i < PRIMITIVES; i++)
        firsts[i] = arena_strndup(line->s->arena, schedule_form(i), strcspn(schedule_form(i), " "));
    const char *near = diag_nearest(word, firsts, PRIMITIVES);
    diag_error(line->diags, line->words[0].span, "there is no directive '%s'%s%s%s", word,
               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Of the forms that begin with the line's first word the one that fits, else a complaint of that
** which fits farthest. */
static void read_directive(DirectiveLine *line)
{
    Given *given = arena_new(line->s->arena, Given);
    int best = -1, farthest = -1;
    const char *wrong = NULL;
    Span span = span_join(line->words[0].span, line->words[line->count - 1].span);
    for (int i = 0; i < PRIMITIVES; i++) {
        if (!begins_with(i, line->words[0].text))
            continue;
        if (read_form(line, i, given)) {
            given->says.span = span;
            array_push(line->s->arena, line->s->given, line->s->given_count,
                       line->s->given_capacity) = given;
            return;
        }
        if (line->at > farthest) {
            farthest = line->at;
            best = i;
            wrong = line->wrong;
        }
    }
    if (best < 0)
        complain_unknown(line);
    else
        diag_error(line->diags,
                   line->words[farthest < line->count ? farthest : line->count - 1].span,
                   "%s should stand %s: %s", wrong, farthest < line->count ? "here" : "behind this",
                   schedule_form(best));
}

typedef struct Part {
    const char *kernel;
    bool processor;
    bool ours; /* what is read now is for the kernel and the device */
    bool our_device, our_kernel;
    bool any_ours, any_parts;
} Part;

/* `for cuda`, `for cpu`, `kernel NAME`; false of another line. */
static bool read_part(DirectiveLine *line, Part *part)
{
    const char *word = line->words[0].text, *what = line->words[1].text;
    bool device = strcmp(word, "for") == 0, kernel = strcmp(word, "kernel") == 0;
    if (!device && !kernel)
        return false;
    bool cpu = what && strcmp(what, "cpu") == 0;
    if (line->count != 2 || (device && !cpu && strcmp(what, "cuda") != 0)) {
        diag_error(line->diags, line->words[line->count - 1].span,
                   device ? "it is `for cuda` or `for cpu`" : "it is `kernel NAME`");
        return true;
    }
    if (device)
        part->our_device = cpu == part->processor;
    else
        part->our_kernel = strcmp(what, part->kernel) == 0;
    if (kernel)
        part->our_device = true;
    part->any_parts = true;
    part->ours = part->our_device && part->our_kernel;
    part->any_ours |= part->ours;
    return true;
}

static void take_line(DirectiveLine *line, Part *part)
{
    if (!line->count || read_part(line, part))
        return;
    int before = line->s->given_count;
    read_directive(line);
    if (!part->ours)
        line->s->given_count = before;
    else
        part->any_ours = true;
}

static bool ends_word(char c)
{
    return isspace((unsigned char)c) || c == ';';
}

/* Fills the words of the directive at `at`; gives where the next one begins. */
static uint32_t split_line(DirectiveLine *line, Span span, uint32_t at)
{
    const char *text = span.source->text;
    line->count = 0;
    while (at < span.end && text[at] != '\n' && text[at] != ';') {
        uint32_t begin = at;
        bool comment = text[at] == '#';
        if (isspace((unsigned char)text[at])) {
            at++;
            continue;
        }
        while (at < span.end && (comment ? text[at] != '\n' : !ends_word(text[at])))
            at++;
        if (!comment && line->count < WORDS_MOST)
            line->words[line->count++] =
                (Word){ arena_strndup(line->s->arena, text + begin, at - begin),
                        { span.source, begin, at } };
    }
    line->words[line->count] = (Word){ NULL, { NULL, 0, 0 } };
    return at + 1;
}

void schedule_read(Schedule *schedule, Diags *diags, Span span, const char *kernel, bool processor)
{
    Part part = { .kernel = kernel,
                  .processor = processor,
                  .ours = true,
                  .our_device = true,
                  .our_kernel = true };
    DirectiveLine line = { .s = schedule, .diags = diags };
    for (uint32_t at = span.begin; at < span.end;) {
        at = split_line(&line, span, at);
        take_line(&line, &part);
    }
    schedule->is_given = part.any_ours || !part.any_parts;
}
