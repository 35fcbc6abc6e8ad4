/* The clock that durations are taken from. */
#pragma once

/* Seconds since some moment, the same one for all processes of the machine; never set back. */
double clock_seconds(void);
/* The same clock, of which launches are timed. A function of its own: tests put another in its
** place, by which launches take as long as a test says (tests/paced/paced.h). */
double clock_of_launches(void);
