/* NumPy's times: datetime64, a count of units since 1970 began, and timedelta64, a count of units,
** both in 64 bits, the least of which is NaT, no time at all. Units are Y M W D h m s ms us ns ps
** fs as, and none. The rules, which units go together and what comes out, are numba's (its
** npdatetime_helpers), which are NumPy's. */
#include "base/arith.h"
#include "ir/types/types.h"

#include <ctype.h>

static const Type *const ticks[] = { type_int64 };
static const char *const items[] = { "" }; /* no attribute has this name */

static const TupleNames dates[] = {
#define UNIT(name, count, above) { "datetime64[" #name "]", items },
#include "ir/types/time.def"
    { "datetime64", items }
};
static const TupleNames spans[] = {
#define UNIT(name, count, above) { "timedelta64[" #name "]", items },
#include "ir/types/time.def"
    { "timedelta64", items }
};
static const char *const units[] = {
#define UNIT(name, count, above) #name,
#include "ir/types/time.def"
    ""
};
static const struct {
    int count;
    TimeUnit above;
} steps[] = {
#define UNIT(name, count, above) { count, TIME_##above },
#include "ir/types/time.def"
};

#define TIME(kind, names, unit)                                                                    \
    {                                                                                              \
        kind, .tuple = { ticks, 1, &names[unit], false }                                           \
    }
static const Type date_types[] = {
#define UNIT(name, count, above) TIME(TY_DATETIME, dates, TIME_##name),
#include "ir/types/time.def"
    TIME(TY_DATETIME, dates, TIME_NONE)
};
static const Type span_types[] = {
#define UNIT(name, count, above) TIME(TY_TIMEDELTA, spans, TIME_##name),
#include "ir/types/time.def"
    TIME(TY_TIMEDELTA, spans, TIME_NONE)
};

/* ---- types ---------------------------------------------------------------------------------- */

const Type *type_time(bool date, TimeUnit unit)
{
    return date ? &date_types[unit] : &span_types[unit];
}

bool type_is_date(const Type *type)
{
    return type->kind == TY_DATETIME;
}

bool type_is_span(const Type *type)
{
    return type->kind == TY_TIMEDELTA;
}

bool type_is_time(const Type *type)
{
    return type_is_date(type) || type_is_span(type);
}

TimeUnit time_unit(const Type *type)
{
    return (TimeUnit)(type - (type->kind == TY_DATETIME ? date_types : span_types));
}

bool time_unit_named(const char *name, size_t length, TimeUnit *unit)
{
    for (int i = 0; i < TIME_NONE; i++)
        if (strlen(units[i]) == length && memcmp(units[i], name, length) == 0) {
            *unit = (TimeUnit)i;
            return true;
        }
    return false;
}

const Type *type_time_by_name(const char *name)
{
    static const struct {
        const char *name;
        bool date;
    } kinds[] = {
        { "datetime64", true }, { "timedelta64", false }, { "M8", true }, { "m8", false }
    };
    TimeUnit unit;

    name += *name == '<' || *name == '=';
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        size_t length = strlen(kinds[i].name);
        if (strncmp(name, kinds[i].name, length) != 0)
            continue;
        const char *rest = name + length, *end = strchr(rest, ']');
        if (!*rest)
            return type_time(kinds[i].date, TIME_NONE);
        if (*rest == '[' && end && !end[1] &&
            time_unit_named(rest + 1, (size_t)(end - rest - 1), &unit))
            return type_time(kinds[i].date, unit);
    }
    return NULL;
}

/* ---- units ---------------------------------------------------------------------------------- */

int64_t time_factor(TimeUnit from, TimeUnit to)
{
    int64_t factor = 1;

    if (from == TIME_NONE)
        return 1;
    for (TimeUnit at = to; at != from; at = steps[at].above)
        if (at == TIME_NONE || steps[at].above == at ||
            __builtin_mul_overflow(factor, steps[at].count, &factor))
            return 0;
    return factor;
}

bool time_castable(bool date, TimeUnit from, TimeUnit to)
{
    if (from == to || from == TIME_NONE)
        return true;
    if (to == TIME_NONE)
        return false;
    if (from <= TIME_M && to > TIME_M) /* months have no one length, but begin on a day */
        return date && (to == TIME_W || time_factor(TIME_D, to));
    return time_factor(from, to);
}

TimeUnit time_finer(TimeUnit a, TimeUnit b)
{
    if (a == TIME_NONE || b == TIME_NONE)
        return a == TIME_NONE ? b : a;
    return a > b ? a : b;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Days from 1970 to the first of a month, counted from January 1970. Years begin in March here, so
** that leap days end them. */
static int64_t days_of_month(int64_t month)
{
    int64_t since = month + 1970 * 12 - 2, year = floor_quotient(since, 12), at = since - 12 * year;

    return 365 * year + floor_quotient(year, 4) - floor_quotient(year, 100) +
           floor_quotient(year, 400) + (153 * at + 2) / 5 - 719468;
}

/* A moment as its parts: months and days since 1970, what lies behind midnight, and how much of all
** that was written. */
typedef struct Moment {
    int64_t months, days, seconds, attoseconds;
    TimeUnit unit;
} Moment;

/* Reads `least` to `most` digits; false if they are not there or beyond `top`. */
static bool read_digits(const char **at, int least, int most, int64_t low, int64_t top,
                        int64_t *out)
{
    int count = 0;

    for (*out = 0; count < most && isdigit((unsigned char)**at); count++)
        *out = 10 * *out + (*(*at)++ - '0');
    return count >= least && *out >= low && *out <= top;
}

static bool read_fraction(const char **at, Moment *moment)
{
    int digits = 0;

    for (; digits < 18 && isdigit((unsigned char)**at); digits++)
        moment->attoseconds = 10 * moment->attoseconds + (*(*at)++ - '0');
    moment->unit = (TimeUnit)(TIME_s + (digits + 2) / 3);
    for (int i = digits; i < 18; i++)
        moment->attoseconds *= 10;
    return digits > 0;
}

/* hh[:mm[:ss[.fraction]]] */
static bool read_clock(const char **at, Moment *moment)
{
    static const int64_t tops[] = { 23, 59, 59 }, seconds[] = { 3600, 60, 1 };
    int64_t part;

    for (int i = 0; i < 3; i++) {
        if (!read_digits(at, 2, 2, 0, tops[i], &part))
            return false;
        moment->seconds += part * seconds[i];
        moment->unit = (TimeUnit)(TIME_h + i);
        if (**at != ':' || i == 2)
            break;
        ++*at;
    }
    if (**at != '.' || moment->unit != TIME_s)
        return true;
    ++*at;
    return read_fraction(at, moment);
}

/* [-]YYYY[-MM[-DD[Thh...]]] */
static bool read_moment(const char *at, Moment *moment)
{
    int64_t year, month = 1, day = 1;
    bool before = *at == '-';

    at += before;
    if (!read_digits(&at, 4, 6, 0, 999999, &year))
        return false;
    year = before ? -year : year;
    moment->unit = TIME_Y;
    if (*at == '-') {
        at++;
        if (!read_digits(&at, 2, 2, 1, 12, &month))
            return false;
        moment->unit = TIME_M;
    }
    moment->months = (year - 1970) * 12 + month - 1;
    moment->days = days_of_month(moment->months);
    if (*at == '-' && moment->unit == TIME_M) {
        at++;
        int64_t last = days_of_month(moment->months + 1) - moment->days;
        if (!read_digits(&at, 2, 2, 1, last, &day))
            return false;
        moment->unit = TIME_D;
        moment->days += day - 1;
    }
    if ((*at == 'T' || *at == ' ') && moment->unit == TIME_D) {
        at++;
        if (!read_clock(&at, moment))
            return false;
    }
    return !*at;
}

bool time_parse(const char *text, TimeUnit *unit, int64_t *count)
{
    Moment moment = { 0 };
    __int128 exact;

    *count = INT64_MIN;
    if (!*text || strcmp(text, "NaT") == 0 || strcmp(text, "nat") == 0 || strcmp(text, "NAT") == 0)
        return true;
    if (!read_moment(text, &moment))
        return false;
    if (*unit == TIME_NONE)
        *unit = moment.unit;
    if (*unit <= TIME_M) {
        exact = *unit == TIME_M ? moment.months : floor_quotient(moment.months, 12);
    } else if (*unit <= TIME_D) {
        exact = *unit == TIME_D ? moment.days : floor_quotient(moment.days, 7);
    } else {
        __int128 seconds = (__int128)moment.days * 86400 + moment.seconds;
        if (*unit < TIME_s) { /* days times 86400 fit 64 bits: years have six digits at the most */
            exact = floor_quotient((int64_t)seconds, time_factor(*unit, TIME_s));
        } else {
            exact = seconds * time_factor(TIME_s, *unit) +
                    moment.attoseconds / time_factor(*unit, TIME_as);
        }
    }
    *count = (int64_t)exact;
    return exact == *count;
}

/* The month, since January 1970, that a day is in. */
static int64_t month_of_day(int64_t days)
{
    int64_t month =
        floor_quotient(days, 31); /* never too late before 1970, never too early after */

    while (days_of_month(month) > days)
        month -= (days_of_month(month) - days) / 31 + 1;
    while (days_of_month(month + 1) <= days)
        month += (days - days_of_month(month)) / 31 + (days - days_of_month(month) < 31);
    return month;
}

/* Months and days beyond these are farther away than anybody reckons. */
enum { MONTHS_MAX = 1 << 30 };
static const int64_t days_max = INT64_C(30) << 30;

static bool is_within(int64_t count, int64_t bound)
{
    return count >= -bound && count <= bound;
}

/* The day that a date begins with, or the month that holds a day; NaT if it is too far away. */
static int64_t across_calendar(int64_t count, const Type *type, bool to_days)
{
    TimeUnit from = time_unit(type);

    if (to_days)
        return is_within(count, MONTHS_MAX) ? days_of_month(from == TIME_M ? count : count * 12)
                                            : INT64_MIN;
    int64_t days = time_in_unit(count, type, TIME_D);
    return is_within(days, days_max) ? month_of_day(days) : INT64_MIN;
}

int64_t time_in_unit(int64_t count, const Type *type, TimeUnit to)
{
    TimeUnit from = time_unit(type);

    if (count == INT64_MIN || from == to || from == TIME_NONE || to == TIME_NONE)
        return count;
    if (type->kind == TY_DATETIME && (from <= TIME_M) != (to <= TIME_M)) {
        count = across_calendar(count, type, from <= TIME_M);
        from = from <= TIME_M ? TIME_D : TIME_M;
        return count == INT64_MIN ? count : time_in_unit(count, type_time(true, from), to);
    }
    /* Unit by unit, as the whole factor may be beyond 64 bits. */
    for (; from > to; from = steps[from].above) {
        if (steps[from].above == from)
            return INT64_MIN;
        count = floor_quotient(count, steps[from].count);
    }
    if (from == to)
        return count;
    int64_t factor = time_factor(from, to);
    return !factor || __builtin_mul_overflow(count, factor, &count) ? INT64_MIN : count;
}

/* Where text goes, piece by piece. */
typedef struct TimeText {
    char *text;
    int length;
} TimeText;

static void put(TimeText *line, const char *before, int digits, int64_t number)
{
    int room = TIME_TEXT - line->length;
    bool minus = number < 0;

    line->length += snprintf(line->text + line->length, (size_t)room, "%s%s%0*lld", before,
                             minus ? "-" : "", digits, (long long)(minus ? -number : number));
}

/* A date as far as the unit goes. */
static void put_date(TimeText *line, int64_t days, TimeUnit unit)
{
    int64_t month = month_of_day(days), year = floor_quotient(month, 12);

    put(line, "", 4, year + 1970);
    if (unit >= TIME_M)
        put(line, "-", 2, month - 12 * year + 1);
    if (unit > TIME_M)
        put(line, "-", 2, days - days_of_month(month) + 1);
}

/* What lies behind midnight; `rest` is less than a second, in the unit. */
static void put_clock(TimeText *line, int64_t seconds, int64_t rest, TimeUnit unit)
{
    put(line, "T", 2, seconds / 3600);
    if (unit >= TIME_m)
        put(line, ":", 2, seconds / 60 % 60);
    if (unit >= TIME_s)
        put(line, ":", 2, seconds % 60);
    if (unit > TIME_s)
        put(line, ".", 3 * (int)(unit - TIME_s), rest);
}

void time_print(char text[TIME_TEXT], const Type *type, int64_t count)
{
    TimeUnit unit = time_unit(type), whole = unit < TIME_s ? unit : TIME_s;
    int64_t days = time_in_unit(count, type, TIME_D), seconds, parts, rest = 0;
    TimeText line = { text, 0 };

    if (count == INT64_MIN) {
        snprintf(text, TIME_TEXT, "NaT");
        return;
    }
    if (type->kind == TY_TIMEDELTA || unit == TIME_NONE || !is_within(days, days_max)) {
        snprintf(text, TIME_TEXT, "%lld%s%s", (long long)count, units[unit][0] ? " " : "",
                 units[unit]);
        return;
    }
    put_date(&line, days, unit);
    if (unit <= TIME_D)
        return;
    seconds = time_in_unit(count, type, whole);
    parts = time_factor(TIME_D, whole);
    if (unit > TIME_s) /* unsigned, as the second that holds the least count begins before it */
        rest = (int64_t)((uint64_t)count - (uint64_t)seconds * (uint64_t)time_factor(TIME_s, unit));
    put_clock(&line, (seconds - floor_quotient(seconds, parts) * parts) * (86400 / parts), rest,
              unit);
}
