/* Reports as pages: one file each, which loads nothing else.
**
** A page is HTML with three places: @STYLE@ gets what all pages look like (page.css), @SCRIPT@ what
** all draw with (page.js), @DATA@ what is reported, as JSON. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Writes the page with the data; false after a complaint, which begins with --report. */
bool page_save(const char *html, json_t *data, const char *path);
/* A text as a JSON string; what is not UTF-8 in it becomes question marks. */
json_t *page_text(const char *text);
/* The extents of a grid or a block. */
json_t *page_shape(const uint32_t shape[3]);
