/* A line on the terminal of the standard error that is gone before anything else is printed.
**
** From line_open() on the standard streams that go to a terminal are streams of this file, which
** take the line away before they write: nobody who prints has to know. */
#ifndef KJIT_CLI_LINE_H
#define KJIT_CLI_LINE_H

#include <stdbool.h>

/* False where the standard error is no terminal that a line can be taken away from. */
bool line_possible(void);
/* Once, before other threads are there. Signals that end the process, and crashes, take the line
** away, too. False: it cannot be done. */
bool line_open(void);
/* Shows a text in place of what was shown, cut off where the terminal ends; NULL: nothing. Does
** not where somebody has printed part of a line, nor in the background. Any thread; it blocks
** signals. */
void line_show(const char *text);
/* For handlers of signals, before the process ends: takes the line away for good. */
void line_over(void);

/* What is shown of a text that came from elsewhere: bytes that are no characters, or that terminals
** take for orders, as \xNN; cut off to fit. */
void line_escape(char *out, unsigned long size, const char *text);

#endif
