/* The clock that durations are taken from. */
#ifndef KJIT_MEASURE_CLOCK_H
#define KJIT_MEASURE_CLOCK_H

/* Seconds since some moment, the same one for all processes of the machine; never set back. */
double clock_seconds(void);

#endif
