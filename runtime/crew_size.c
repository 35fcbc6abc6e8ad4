/* Level 0 has all threads, level 1 one less, which leaves a processor to another program, and each
** further level half of those before it.
**
** A trial may lose a sixteenth of the time for which the level was left before. So trials cost
** little where they fail, and short interruptions decide nothing where more threads have been
** better for long. */
#include "runtime/crew_size.h"

static const double FIRST_MS = 4;     /* for how long a level is left, at least */
static const double LONGEST_MS = 128; /* and at most */
static const double PART = 16;
static const double BETWEEN = 64;       /* ms between jobs that count as one */
static const double SLICE_MS = 4;       /* that an interruption takes */
static const double LEAST_MS = 0.5;     /* that a trial may lose */
static const double REMEMBERED_MS = 16; /* what was measured before counts half */
static const double STALE_MS = 1000;    /* what was measured before does not count */
static const double SHORT_MS = 0.5;     /* jobs for whose data it matters where that lies */
static const double WASTED = 16;        /* times as long that several threads compute at most */
static const unsigned ALONE_AFTER = 8;
static const double EXPECTED_SHARE = 0.5; /* that several threads reach, before it is measured */

static int threads_at(int level, int most)
{
    int threads = level ? (most - 1) >> (level - 1) : most;

    return threads > 1 ? threads : 1;
}

/* What a level may lose before it is left, in ms that jobs take. */
static double most_lost(const CrewSize *size)
{
    double lost = size->levels[size->level].period / PART;

    return lost > LEAST_MS ? lost : LEAST_MS;
}

/* What it can have gained before. */
static double most_gained(const CrewSize *size)
{
    double lost = most_lost(size);

    return lost > SLICE_MS ? lost : SLICE_MS;
}

bool crew_size_settled(const CrewSize *size)
{
    return size->level == 0 && size->credit >= most_gained(size);
}

static CrewKind *kind_of(CrewSize *size, uint64_t kind)
{
    CrewKind *found = &size->kinds[(kind >> 32) % CREW_KINDS];

    if (found->kind != kind)
        *found = (CrewKind){ .kind = kind };
    return found;
}

/* After some short jobs of a kind one thread does two alone: the first may have to fetch data. */
static bool to_be_alone(const CrewKind *kind)
{
    return kind->seen >= ALONE_AFTER && kind->seen < ALONE_AFTER + 2;
}

/* The ms of work of a job. */
static double learn(CrewSize *size, const CrewDone *done)
{
    CrewKind *kind = kind_of(size, done->kind);

    if (!done->kind)
        return done->worked;
    if (done->took < SHORT_MS || to_be_alone(kind))
        kind->seen++;
    if (done->threads == 1) {
        bool less = kind->alone <= 0 || done->worked < kind->alone;
        kind->alone += less ? done->worked - kind->alone : (done->worked - kind->alone) / 8;
        return done->worked;
    }
    if (done->worked > WASTED * kind->alone)
        kind->alone = 0; /* not alike, or not any more */
    bool known = done->took < SHORT_MS && kind->alone > 0 && kind->alone < done->worked;
    return known ? kind->alone : done->worked;
}

int crew_size(CrewSize *size, uint64_t kind, int most)
{
    if (kind && to_be_alone(kind_of(size, kind)))
        return 1;
    if (size->level && size->clock >= size->levels[size->level].until) {
        CrewLevel *level = &size->levels[--size->level];
        double trial = level->period / 4;
        level->since = size->clock;
        level->until = size->clock + (trial > FIRST_MS ? trial : FIRST_MS);
        size->credit = 0;
    }
    return threads_at(size->level, most);
}

/* Sums that forget. */
static void measure(CrewSize *size, const CrewDone *done, double work)
{
    CrewLevel *level = &size->levels[size->level];

    if (size->clock - level->measured > STALE_MS)
        level->worked = level->could = 0;
    if (level->could > done->threads * REMEMBERED_MS) {
        level->worked /= 2;
        level->could /= 2;
    }
    level->worked += work;
    level->could += done->threads * done->took;
    level->measured = size->clock;
}

/* What so many threads compute in a millisecond at the level. */
static double rate_of(const CrewSize *size, int number, int threads)
{
    const CrewLevel *level = &size->levels[number];

    if (level->worked > 0 && size->clock - level->measured < STALE_MS)
        return threads * level->worked / level->could;
    return threads == 1 ? 1 : threads * EXPECTED_SHARE;
}

/* The best of what fewer threads than those of a level compute in a millisecond. */
static double rate_below(const CrewSize *size, int most)
{
    double best = 0;

    for (int level = size->level + 1, threads = 0; threads != 1; level++) {
        threads = threads_at(level, most);
        double rate = rate_of(size, level, threads);
        best = rate > best ? rate : best;
    }
    return best;
}

static void leave(CrewSize *size)
{
    CrewLevel *left = &size->levels[size->level], *next = left + 1;
    double period =
        size->clock - left->since < 2 * left->period ? 2 * left->period : left->period / 2;

    left->period = period < FIRST_MS ? FIRST_MS : period > LONGEST_MS ? LONGEST_MS : period;
    next->since = size->clock;
    next->until = size->clock + left->period;
    size->level++;
    size->credit = 0;
}

/* The time between jobs counts little, so that what trials cost is a small part of what jobs take,
** however seldom there are any. */
static void advance(CrewSize *size, double took, double now)
{
    double between = size->last > 0 ? now - size->last - took : 0;

    if (between > 0)
        size->clock += crew_size_settled(size) ? between : between / BETWEEN;
    size->clock += took;
    size->last = now;
}

void crew_size_note(CrewSize *size, const CrewDone *done, double now)
{
    double work = learn(size, done), most = most_gained(size);

    advance(size, done->took, now);
    /* Jobs beside this one may have changed the level. */
    if (done->threads != threads_at(size->level, done->most) || done->took <= 0)
        return;
    measure(size, done, work);
    if (done->threads == 1)
        return;
    size->credit += work / rate_below(size, done->most) - done->took;
    if (size->credit > most)
        size->credit = most;
    else if (size->credit < -most_lost(size))
        leave(size);
}
