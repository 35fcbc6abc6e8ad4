/* The objective of a search: a measured quantity, or an expression over several.
**
** The expression is compiled for a stack machine, so that errors are reported before anything is
** measured. */
#include <ctype.h>
#include <math.h>

#include "cli/measure/complain.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

typedef struct Quantity {
    const char *name, *key, *unit;
    bool most;    /* more of it is better */
    bool by_time; /* it is computed from the time */
} Quantity;

static const Quantity quantities[] = {
    { "time", "ms", " ms", false, true },
    { "gflops", "gflops", " GFLOP/s", true, true },
    { "gbs", "gbs", " GB/s", true, true },
    { "energy", "energy", " mJ", false, false },
    { "registers", "registers", " registers", false, false },
    { "shared", "shared", " bytes shared", false, false },
    { "local", "local", " bytes local", false, false },
    { "spills", "spills", " bytes spilled", false, false },
    { "occupancy", "occupancy", "", true, false },
    { "compile", "compile_ms", " ms to compile", false, false },
};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0], STEPS_MAX = 128, DEPTH_MAX = 64 };

typedef struct ObjectiveStep {
    char what; /* 'q' quantity, '#' number, '+', '-', '*', '/', '^', '~' negation */
    double number;
    size_t quantity;
} ObjectiveStep;

struct Objective {
    char *text;
    ObjectiveStep steps[STEPS_MAX];
    size_t count;
    const Quantity *alone; /* the only quantity, or NULL */
    bool most;
    int worse; /* Trend.worse of the whole */
};

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct ObjectiveReader {
    Objective *made;
    const char *at;
    int depth;
    char wrong[160]; /* the error, or "" */
} ObjectiveReader;

static void read_sum(ObjectiveReader *reader);

static void note_wrong(ObjectiveReader *reader, const char *what)
{
    if (!reader->wrong[0])
        snprintf(reader->wrong, sizeof reader->wrong, "%s", what);
}

static void add_step(ObjectiveReader *reader, ObjectiveStep step)
{
    if (reader->made->count == STEPS_MAX)
        note_wrong(reader, "it is too long");
    else
        reader->made->steps[reader->made->count++] = step;
}

static bool take(ObjectiveReader *reader, const char *token)
{
    reader->at += strspn(reader->at, " \t");
    if (strncmp(reader->at, token, strlen(token)) != 0)
        return false;
    reader->at += strlen(token);
    return true;
}

static void read_name(ObjectiveReader *reader)
{
    size_t length = 0;
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        length++;
    for (size_t i = 0; i < QUANTITIES; i++) {
        if (strlen(quantities[i].name) == length &&
            !strncmp(quantities[i].name, reader->at, length)) {
            add_step(reader, (ObjectiveStep){ .what = 'q', .quantity = i });
            reader->at += length;
            return;
        }
    }
    if (!reader->wrong[0])
        snprintf(reader->wrong, sizeof reader->wrong, "there is no '%.*s' to measure",
                 (int)(length < 60 ? length : 60), reader->at);
}

static void read_atom(ObjectiveReader *reader)
{
    char *end;
    if (++reader->depth > DEPTH_MAX)
        note_wrong(reader, "it is too deep");
    if (reader->wrong[0])
        return;
    if (take(reader, "(")) {
        read_sum(reader);
        if (!take(reader, ")"))
            note_wrong(reader, "a ')' is missing");
    } else if (isdigit((unsigned char)*reader->at) || *reader->at == '.') {
        add_step(reader, (ObjectiveStep){ .what = '#', .number = strtod(reader->at, &end) });
        if (end == reader->at)
            note_wrong(reader, "'.' is no number");
        reader->at = end;
    } else if (isalpha((unsigned char)*reader->at)) {
        read_name(reader);
    } else {
        note_wrong(reader, *reader->at ? "a name or a number is missing" : "it ends too early");
    }
    reader->depth--;
}

static void read_sign(ObjectiveReader *reader);

/* As in Python: -a**b is -(a**b), and a**-b is allowed. */
static void read_power(ObjectiveReader *reader)
{
    read_atom(reader);
    if (!reader->wrong[0] && take(reader, "**")) {
        read_sign(reader);
        add_step(reader, (ObjectiveStep){ .what = '^' });
    }
}

static void read_sign(ObjectiveReader *reader)
{
    bool minus = take(reader, "-");
    if (++reader->depth > DEPTH_MAX)
        note_wrong(reader, "it is too deep");
    if (minus && !reader->wrong[0])
        read_sign(reader);
    else
        read_power(reader);
    if (minus)
        add_step(reader, (ObjectiveStep){ .what = '~' });
    reader->depth--;
}

/* Operands that `read` reads, with one of two operators between each two. */
static void read_chain(ObjectiveReader *reader, const char *first, const char *second,
                       void (*read)(ObjectiveReader *reader))
{
    read(reader);
    while (!reader->wrong[0]) {
        const char *found = take(reader, first) ? first : take(reader, second) ? second : NULL;
        if (!found)
            break;
        read(reader);
        add_step(reader, (ObjectiveStep){ .what = *found });
    }
}

static void read_product(ObjectiveReader *reader)
{
    read_chain(reader, "*", "/", read_sign);
}

static void read_sum(ObjectiveReader *reader)
{
    read_chain(reader, "+", "-", read_product);
}

/* ---- minimise or maximise -------------------------------------------------------------------- */

enum { UNCLEAR = 2 };

/* Monotonicity of a part of the expression as launches get worse: as quantities to be minimised
** grow and the others fall. All quantities are at least 0. */
typedef struct Trend {
    int worse; /* it grows: 1; falls: -1; stays: 0; UNCLEAR */
    int sign;  /* 1: at least 0; -1: at most 0; 0: either */
    bool constant;
    double value; /* of a constant */
} Trend;

static Trend trend_of_number(double value)
{
    return (Trend){ .sign = value < 0 ? -1 : 1, .constant = true, .value = value };
}

static Trend negated(Trend a)
{
    a.worse = a.worse == UNCLEAR ? UNCLEAR : -a.worse;
    a.sign = -a.sign;
    a.value = -a.value;
    return a;
}

static int both(int a, int b)
{
    return !a || a == b ? b : !b ? a : UNCLEAR;
}

/* The contribution of one factor to a product's trend, given the other's sign. */
static int times_sign(int worse, int sign)
{
    return !worse || worse == UNCLEAR ? worse : sign ? worse * sign : UNCLEAR;
}

static Trend product(Trend a, Trend b)
{
    if ((a.constant && a.value == 0) || (b.constant && b.value == 0))
        return trend_of_number(0);
    return (Trend){ .worse = both(times_sign(a.worse, b.sign), times_sign(b.worse, a.sign)),
                    .sign = a.sign * b.sign };
}

static Trend inverse(Trend a)
{
    if (a.worse && a.worse != UNCLEAR)
        a.worse = a.sign ? -a.worse : UNCLEAR;
    return a;
}

static Trend power(Trend a, Trend b)
{
    Trend made = { .sign = a.sign > 0 };
    if (b.constant && a.sign > 0)
        made.worse = b.value == 0 ? 0 : times_sign(a.worse, b.value < 0 ? -1 : 1);
    else if (a.constant && a.value >= 1)
        made.worse = b.worse;
    else
        made.worse = a.worse || b.worse ? UNCLEAR : 0;
    return made;
}

static double apply(char what, double a, double b);

static Trend combined(char what, Trend a, Trend b)
{
    if (a.constant && b.constant)
        return trend_of_number(apply(what, a.value, b.value));
    switch (what) {
    case '+':
        return (Trend){ .worse = both(a.worse, b.worse), .sign = a.sign == b.sign ? a.sign : 0 };
    case '-':
        return combined('+', a, negated(b));
    case '*':
        return product(a, b);
    case '/':
        return product(a, inverse(b));
    default:
        return power(a, b);
    }
}

static int trend_of(const Objective *objective)
{
    Trend stack[STEPS_MAX + 1];
    size_t height = 0;
    for (size_t i = 0; i < objective->count; i++) {
        const ObjectiveStep *step = &objective->steps[i];
        if (step->what == 'q') {
            stack[height++] =
                (Trend){ .worse = quantities[step->quantity].most ? -1 : 1, .sign = 1 };
        } else if (step->what == '#') {
            stack[height++] = trend_of_number(step->number);
        } else if (step->what == '~') {
            stack[height - 1] = negated(stack[height - 1]);
        } else {
            height--;
            stack[height - 1] = combined(step->what, stack[height - 1], stack[height]);
        }
    }
    return stack[0].worse;
}

static bool is_clear(const Objective *objective)
{
    return objective->worse == 1 || objective->worse == -1;
}

Objective *objective_new(const char *text, int sense)
{
    Objective *made = must_alloc(sizeof *made);
    ObjectiveReader reader = { .made = made, .at = text };
    made->text = must_strndup(text, strlen(text));
    read_sum(&reader);
    if (!reader.wrong[0] && reader.at[strspn(reader.at, " \t")])
        note_wrong(&reader, "it goes on where it should end");
    bool measured = false;
    for (size_t i = 0; i < made->count; i++)
        measured = measured || made->steps[i].what == 'q';
    if (!measured)
        note_wrong(&reader, "it asks for nothing that is measured");
    if (reader.wrong[0]) {
        complain("--objective '%s': %s; it takes time, gflops, gbs, energy, registers, shared, "
                 "local, spills, occupancy, compile, and expressions over them: 'time * energy'",
                 text, reader.wrong);
        objective_free(made);
        return NULL;
    }
    if (made->count == 1 && made->steps[0].what == 'q')
        made->alone = &quantities[made->steps[0].quantity];
    made->worse = trend_of(made);
    if (sense == SENSE_BY_NAME && !is_clear(made)) {
        complain("--objective '%s': whether it is better to have less or more of that does not "
                 "follow from what it is made of: say --minimize or --maximize",
                 text);
        objective_free(made);
        return NULL;
    }
    made->most = sense == SENSE_MOST || (sense == SENSE_BY_NAME && made->worse < 0);
    return made;
}

void objective_free(Objective *objective)
{
    if (objective)
        free(objective->text);
    free(objective);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static double apply(char what, double a, double b)
{
    switch (what) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return pow(a, b);
    }
}

static double quantity_of(const Quantity *quantity, const json_t *record)
{
    const json_t *value = json_object_get(record, quantity->key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double objective_value(const Objective *objective, const json_t *record)
{
    double stack[STEPS_MAX + 1];
    size_t height = 0;
    for (size_t i = 0; i < objective->count; i++) {
        const ObjectiveStep *step = &objective->steps[i];
        if (step->what == 'q') {
            stack[height++] = quantity_of(&quantities[step->quantity], record);
        } else if (step->what == '#') {
            stack[height++] = step->number;
        } else if (step->what == '~') {
            stack[height - 1] = -stack[height - 1];
        } else {
            height--;
            stack[height - 1] = apply(step->what, stack[height - 1], stack[height]);
        }
    }
    return isfinite(stack[0]) ? stack[0] : (double)NAN;
}

double objective_sought(const Objective *objective, double value)
{
    return isnan(value) ? (double)INFINITY : objective->most ? -value : value;
}

bool objective_is_reversed(const Objective *objective)
{
    return is_clear(objective) && objective->most != (objective->worse < 0);
}

bool objective_follows_time(const Objective *objective)
{
    for (size_t i = 0; i < objective->count; i++)
        if (objective->steps[i].what == 'q' && !quantities[objective->steps[i].quantity].by_time)
            return false;
    return is_clear(objective) && !objective_is_reversed(objective);
}

bool objective_is_time(const Objective *objective)
{
    return objective->alone && !strcmp(objective->alone->name, "time");
}

bool objective_needs(const Objective *objective, const char *quantity)
{
    for (size_t i = 0; i < objective->count; i++)
        if (objective->steps[i].what == 'q' &&
            !strcmp(quantities[objective->steps[i].quantity].name, quantity))
            return true;
    return false;
}

const char *objective_lacks(const Objective *objective, const json_t *record)
{
    for (size_t i = 0; i < objective->count; i++) {
        const Quantity *quantity = &quantities[objective->steps[i].quantity];
        if (objective->steps[i].what == 'q' && isnan(quantity_of(quantity, record)))
            return quantity->name;
    }
    return NULL;
}

const char *objective_text(const Objective *objective)
{
    return objective->text;
}

bool objective_is_most(const Objective *objective)
{
    return objective->most;
}

const char *objective_unit(const Objective *objective)
{
    const char *unit = objective->alone ? objective->alone->unit : "";
    return unit + (*unit == ' ');
}

void time_format(double ms, char *text, size_t room)
{
    if (isnan(ms))
        snprintf(text, room, "-");
    else if (fabs(ms) >= 1 || ms == 0)
        snprintf(text, room, "%.4g ms", ms);
    else if (fabs(ms) >= 1e-3)
        snprintf(text, room, "%.4g us", ms * 1e3);
    else
        snprintf(text, room, "%.4g ns", ms * 1e6);
}

void objective_format(const Objective *objective, double value, char *text, size_t room)
{
    if (objective_is_time(objective))
        time_format(value, text, room);
    else if (isnan(value))
        snprintf(text, room, "-");
    else
        snprintf(text, room, "%.4g%s", value, objective->alone ? objective->alone->unit : "");
}
