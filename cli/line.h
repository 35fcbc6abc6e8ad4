/* A progress line on the terminal of standard error, which is removed before other output.
**
** line_open() replaces the standard streams that go to a terminal by streams that remove the line
** before they write, so that other code prints as usual. */
#pragma once

#include <stdbool.h>

/* False if standard error is no terminal on which a line can be erased. */
bool line_possible(void);
/* Call it once, before there are other threads. Installs handlers that remove the line on fatal
** signals, too. False on failure. */
bool line_open(void);
/* Replaces the line by a text, truncated to the terminal's width; NULL: removes it. Does nothing in
** the background, or after output of an incomplete line. From any thread; blocks signals. */
void line_show(const char *text);
/* For signal handlers, before the process ends: removes the line and disables further ones. */
void line_over(void);

/* Escapes a foreign text: invalid bytes and control characters as \xNN; truncated to fit. */
void line_escape(char *out, unsigned long size, const char *text);
