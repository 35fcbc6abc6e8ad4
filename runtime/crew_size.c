/* A trial may lose a sixteenth of the time for which the caller was alone before. So trials cost
** little where they fail, and short interruptions decide nothing where several threads have been
** better for long. */
#include "runtime/crew_size.h"

static const double FIRST_MS = 4;     /* for how long the caller is alone, at least */
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

/* What all threads may lose before one is better, in ms that jobs take. */
static double most_lost(const CrewSize *size)
{
    double lost = size->period / PART;

    return lost > LEAST_MS ? lost : LEAST_MS;
}

/* What they can have gained before. */
static double most_gained(const CrewSize *size)
{
    double lost = most_lost(size);

    return lost > SLICE_MS ? lost : SLICE_MS;
}

bool crew_size_settled(const CrewSize *size)
{
    return !size->alone && size->credit >= most_gained(size);
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
    if (!done->kind)
        return done->worked;
    CrewKind *kind = kind_of(size, done->kind);
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
    if (size->alone && size->clock >= size->until) {
        size->alone = false;
        size->since = size->clock;
        size->credit = 0;
    }
    return size->alone ? 1 : most;
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

/* What one thread computes: sums that forget. */
static void measure(CrewSize *size, const CrewDone *done)
{
    if (size->clock - size->measured > STALE_MS)
        size->worked = size->could = 0;
    if (size->could > REMEMBERED_MS) {
        size->worked /= 2;
        size->could /= 2;
    }
    size->worked += done->worked;
    size->could += done->took;
    size->measured = size->clock;
}

/* In a millisecond. */
static double rate_alone(const CrewSize *size)
{
    bool known = size->worked > 0 && size->clock - size->measured < STALE_MS;

    return known ? size->worked / size->could : 1;
}

static void begin_alone(CrewSize *size)
{
    bool failed = size->clock - size->since < 2 * size->period;
    double period = failed ? 2 * size->period : size->period / 2;

    size->period = period < FIRST_MS ? FIRST_MS : period > LONGEST_MS ? LONGEST_MS : period;
    size->until = size->clock + size->period;
    size->alone = true;
}

void crew_size_note(CrewSize *size, const CrewDone *done, double now)
{
    double work = learn(size, done), most = most_gained(size);

    advance(size, done->took, now);
    if (done->threads == 1) {
        measure(size, done);
        return;
    }
    if (size->alone) /* since a job beside this one */
        return;
    size->credit += work / rate_alone(size) - done->took;
    if (size->credit > most)
        size->credit = most;
    else if (size->credit < -most_lost(size))
        begin_alone(size);
}
