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
static const double LEAST_MS = 0.5;       /* that a trial may lose */
static const double REMEMBERED_MS = 16;   /* what was measured before counts half */
static const double STALE_MS = 1000;      /* what was measured before does not count */
static const double EXPECTED_SHARE = 0.5; /* that several threads reach, before it is measured */

static int threads_at(int level, int most)
{
    int threads = level ? (most - 1) >> (level - 1) : most;

    return threads > 1 ? threads : 1;
}

/* What a level may lose before it is left, and can have gained before. */
static double credit_bound(const CrewSize *size)
{
    double bound = size->levels[size->level].period / PART;

    return bound > LEAST_MS ? bound : LEAST_MS;
}

int crew_size(CrewSize *size, int most, double now)
{
    if (size->level && now >= size->levels[size->level].until) {
        CrewLevel *level = &size->levels[--size->level];
        double trial = level->period / 4;
        level->since = now;
        level->until = now + (trial > FIRST_MS ? trial : FIRST_MS);
        size->credit = 0;
    }
    return threads_at(size->level, most);
}

bool crew_size_settled(const CrewSize *size)
{
    return size->level == 0 && size->credit >= credit_bound(size);
}

/* Sums that forget. */
static void measure(CrewLevel *level, int threads, double now, double took, double worked)
{
    if (now - level->measured > STALE_MS)
        level->worked = level->could = 0;
    if (level->could > threads * REMEMBERED_MS) {
        level->worked /= 2;
        level->could /= 2;
    }
    level->worked += worked;
    level->could += threads * took;
    level->measured = now;
}

/* What so many threads compute in a millisecond at the level. */
static double rate_of(const CrewLevel *level, int threads, double now)
{
    if (level->could > 0 && now - level->measured < STALE_MS)
        return threads * level->worked / level->could;
    return threads == 1 ? 1 : threads * EXPECTED_SHARE;
}

/* The best of what fewer threads than those of a level compute in a millisecond. */
static double rate_below(const CrewSize *size, int level, int most, double now)
{
    double best = 0;

    for (int threads = 0; threads != 1;) {
        threads = threads_at(++level, most);
        double rate = rate_of(&size->levels[level], threads, now);
        best = rate > best ? rate : best;
    }
    return best;
}

static void leave(CrewSize *size, double now)
{
    CrewLevel *left = &size->levels[size->level], *next = left + 1;
    double period = now - left->since < 2 * left->period ? 2 * left->period : left->period / 2;

    left->period = period < FIRST_MS ? FIRST_MS : period > LONGEST_MS ? LONGEST_MS : period;
    next->since = now;
    next->until = now + left->period;
    size->level++;
    size->credit = 0;
}

void crew_size_note(CrewSize *size, int most, int threads, double now, double took, double worked)
{
    CrewLevel *level = &size->levels[size->level];

    /* Jobs beside this one may have changed the level. */
    if (threads != threads_at(size->level, most) || took <= 0)
        return;
    measure(level, threads, now, took, worked);
    if (threads == 1)
        return;
    double bound = credit_bound(size);
    size->credit += worked - took * rate_below(size, size->level, most, now);
    if (size->credit > bound)
        size->credit = bound;
    else if (size->credit < -bound)
        leave(size, now);
}
