/* Whether times are worth anything that were taken while other programs ran.
**
** A launch on the processor is done when the last of its threads is. So one thread that waits for a
** processor is enough for a launch to take as long as the scheduler lets another program run: some
** milliseconds, whatever the launch itself takes. How long threads waited is the surest sign, then;
** where a machine does not tell that, that the process had less than one processor, or that others
** had much of those there are. */
#include <math.h>
#include <stdio.h>

#include "cli/measure/load.h"

static const double WAITED_MOST = 0.01; /* of the time */
static const double WAKE = 50e-6;       /* seconds until a thread runs that was woken: no waiting */
static const double LOST_MOST = 0.1;    /* of the time: without any processor at all */
static const double LOST_LEAST = 0.001; /* seconds: threads also wait for each other */
static const double OTHERS_MOST = 0.1;  /* processors that others have had, and beside that */
static const double OTHERS_EACH = 0.05; /* so much of each */
static const double TICK = 0.01;        /* seconds: how well that is known of each processor */

bool load_disturbs(const Load *from, const Load *to, char *why, size_t room)
{
    double wall = to->wall - from->wall, lost = wall - (to->processor - from->processor);
    double waited = to->waited - from->waited - WAKE * (to->slices - from->slices);
    double others = to->others - from->others, processors = to->processors;

    *why = '\0';
    if (!(wall > 0))
        return false;
    if (waited > WAITED_MOST * wall)
        snprintf(why, room, "its threads waited for a processor %.0f %% of the time",
                 100 * fmin(waited / wall, 1));
    else if (lost > LOST_MOST * wall && lost > LOST_LEAST)
        snprintf(why, room, "it had no processor %.0f %% of the time", 100 * lost / wall);
    else if (others > (OTHERS_MOST + OTHERS_EACH * processors) * wall + TICK * (processors + 1))
        snprintf(why, room, "other programs had %.2g of %d processor%s", others / wall,
                 to->processors, to->processors == 1 ? "" : "s");
    return *why;
}
