/* The floor every other folder stands on: memory, text, places in the source, complaints.
**
** A compilation allocates from one Arena and frees nothing; when memory runs out the arena
** jumps to the one catch its owner set up, so no compiling code checks an allocation. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The next multiple of `align`. */
static inline size_t round_up(size_t size, size_t align)
{
    return (size + align - 1) / align * align;
}

/* ---- memory.c ------------------------------------------------------------------------- */

/* malloc, realloc and calloc, except that builds with KJIT_DEBUG fail the n-th call when
** the environment has KJIT_FAIL_ALLOC=n. Everything kjit allocates passes here. */
void *memory_alloc(size_t bytes);
void *memory_zeroed(size_t count, size_t bytes);
void *memory_resize(void *old, size_t bytes);
/* Doubles a list that has no room for one more; false: no memory. Arguments are evaluated twice. */
#define memory_more(list, count, capacity)                                                         \
    ((count) < (capacity) || __extension__({                                                       \
         void *more_ =                                                                             \
             memory_resize(list, sizeof *(list) * (size_t)((capacity) ? 2 * (capacity) : 16));     \
         if (more_) {                                                                              \
             (list) = more_;                                                                       \
             (capacity) = (capacity) ? 2 * (capacity) : 16;                                        \
         }                                                                                         \
         more_ != NULL;                                                                            \
     }))
char *memory_strdup(const char *text);
void memory_free(void *block);

#ifdef KJIT_DEBUG
/* For tests: whether the call that KJIT_FAIL_ALLOC names has failed since that was set; and how
** many blocks there are that were not freed. */
bool memory_has_failed(void);
long memory_blocks(void);
#endif

/* ---- arena.c -------------------------------------------------------------------------- */

typedef struct ArenaBlock ArenaBlock;

/* Memory with one lifetime. All of it goes at once, with arena_free(). Not for sharing
** between threads. */
typedef struct Arena {
    ArenaBlock *last;
    size_t total;       /* bytes asked of the system */
    jmp_buf *exhausted; /* where to jump, with value 1, when there is no memory */
} Arena;

/* An empty arena. `exhausted` may be NULL as long as nothing is allocated. */
void arena_init(Arena *arena, jmp_buf *exhausted);
/* Frees all that was allocated; the arena is empty then. */
void arena_free(Arena *arena);

/* As if there were no memory for the next allocation: for what found none elsewhere. */
void arena_give_up(Arena *arena) __attribute__((noreturn));
/* `bytes` zeroed bytes, aligned for any type. Never NULL. */
void *arena_alloc(Arena *arena, size_t bytes);
/* A longer copy of an array; the old one stays where it is. */
void *arena_grow(Arena *arena, const void *old, size_t old_bytes, size_t new_bytes);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_strdup(Arena *arena, const char *text);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0), nonnull(2)));

#define arena_new(arena, T)          ((T *)arena_alloc((arena), sizeof(T)))
#define arena_array(arena, T, count) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(count)))

/* Appends to an arena array that doubles: `array_push(arena, list, count, capacity) = item;` */
#define array_push(arena, array, count, capacity)                                                  \
    (*((count) < (capacity)                                                                        \
           ? &(array)[(count)++]                                                                   \
           : ((array) = arena_grow((arena), (array), sizeof(*(array)) * (size_t)(count),           \
                                   sizeof(*(array)) *                                              \
                                       (size_t)((capacity) = (capacity) ? 2 * (capacity) : 8)),    \
              &(array)[(count)++])))

/* ---- print.c -------------------------------------------------------------------------- */

/* vsnprintf, faster where a format has no conversions but plain %s, %.*s, %c, %d, %u, %lld, %llu,
** %zu and %%. */
int print_text(char *to, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0), nonnull(3)));

/* ---- buf.c ---------------------------------------------------------------------------- */

/* Text under construction, NUL-terminated at all times once something was put in. */
typedef struct Buf {
    Arena *arena;
    char *text;    /* NULL while empty */
    size_t length; /* without the NUL */
    size_t capacity;
} Buf;

/* An empty one. */
static inline Buf buf_in(Arena *arena)
{
    return (Buf){ .arena = arena };
}
void buf_put(Buf *buf, const char *text, size_t length);
void buf_puts(Buf *buf, const char *text);
void buf_putc(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(Buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0), nonnull(2)));
/* The text, "" if nothing was put in. */
const char *buf_text(const Buf *buf);
/* Whether a text is one of several; of those of an array. */
bool text_is_among(const char *text, const char *const *texts, size_t count);
#define TEXT_IS_AMONG(text, texts) text_is_among(text, texts, ARRAY_COUNT(texts))

/* ---- decimal.c ------------------------------------------------------------------------ */

enum { DECIMAL_TEXT = 32 };
/* The shortest decimal, of at least so many digits from 1 to 17, that reads back as the same
** number: "0.1", "3", "1e+30", and "inf", "-nan" of what is none. It has a point whatever the
** program's locale; any thread. */
void decimal_text(char text[DECIMAL_TEXT], double number, int least_digits);
/* Python's repr() of it: "1.0", "1e-05". */
void float_repr(Buf *out, double number);

/* ---- half.c --------------------------------------------------------------------------- */

/* The bits of the float16, or bfloat16, nearest to a number, ties to even; and the number that bits
** stand for. */
uint16_t float16_bits(double number);
double float16_number(uint16_t bits);
uint16_t bfloat16_bits(double number);
double bfloat16_number(uint16_t bits);
/* The same of floats of 8 bits, by way of float32 as ml_dtypes has it: of float8_e5m2, else of
** float8_e4m3fn, which has no infinity and is NaN beyond 464. */
uint8_t float8_bits(double number, bool e5m2);
double float8_number(uint8_t bits, bool e5m2);

/* ---- source.c ------------------------------------------------------------------------- */

/* A text being compiled, kept whole so that any complaint can show its line. */
typedef struct Source {
    const char *name; /* as the user knows it: a path, "<string>" */
    const char *text; /* NUL-terminated UTF-8 */
    size_t length;    /* without the NUL; at most SOURCE_MAX */
    uint32_t *lines;  /* offset of each line's first byte */
    uint32_t line_count;
    /* What it was made of, in place of which users see that; NULL: they know this text. */
    const struct Source *shown;
    uint32_t shown_begin, shown_end;
} Source;

enum { SOURCE_MAX = 1 << 30 };

/* Bytes [begin, end) of a source. `source` is NULL for what no text stands behind. */
typedef struct Span {
    const Source *source;
    uint32_t begin, end;
} Span;

typedef struct SourcePlace {
    uint32_t line, column; /* from 1; columns count characters, not bytes */
} SourcePlace;

/* Copies name and text into the arena and indexes the lines. */
Source *source_new(Arena *arena, const char *name, const char *text, size_t length);
SourcePlace source_place(const Source *source, uint32_t offset);
/* Where users see what stands there: not in a text that was made of theirs. */
Span span_shown(Span span);
/* From the start of `a` to the end of `b`. */
Span span_join(Span a, Span b);
/* How many bytes the UTF-8 character at `text` takes; 0 if what stands there is not one. */
size_t utf8_length(const char *text, const char *end);
/* The code point of the UTF-8 character at `text` that takes `length` bytes. */
uint32_t utf8_decode(const char *text, size_t length);
/* Writes the character of a code point; how many bytes it takes. And puts it in a text. */
size_t utf8_encode(uint32_t code, char text[4]);
void buf_put_character(Buf *out, uint32_t code);

/* ---- diag.c --------------------------------------------------------------------------- */

typedef enum DiagLevel {
    DIAG_ERROR,
    DIAG_WARNING,
    DIAG_REMARK,
    DIAG_NOTE,
    DIAG_FINDING /* of the checker: its message begins with what it is */
} DiagLevel;

typedef struct Diag {
    DiagLevel level;
    Span span;
    const char *message;
} Diag;

/* The complaints of one compilation, in the order they were made. */
typedef struct Diags {
    Arena *arena;
    Diag *list;
    size_t count, capacity;
    size_t errors;
} Diags;

enum { DIAG_MAX_ERRORS = 20 }; /* what comes after is dropped, and rendering says so */

/* No complaints yet; they are allocated in the arena. */
void diags_init(Diags *diags, Arena *arena);
/* Each returns false, which is what most of their callers return then. */
bool diag_error(Diags *diags, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_warning(Diags *diags, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_remark(Diags *diags, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds to the complaint before it. */
bool diag_note(Diags *diags, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool diag_finding(Diags *diags, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Forgets all complaints but the first `count`. */
void diags_truncate(Diags *diags, size_t count);

/* Writes them all as people read them:
**
**     hist.k:11:34: error: cannot index a float32
**        11 |         bin_number = math.floor((xmin[i] - xmin)/bin_width)
**           |                                  ^~~~~~~
**     hist.k:5:20: note: 'xmin' is float32 in the call hist_kernel(...)
**
** A note carries an excerpt only if its line differs from the excerpt before it. Long lines are
** cut to a window round the place. */
void diags_render(const Diags *diags, Buf *out);

/* The candidate nearest to a misspelt `name`, or NULL if none is near enough to suggest. */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);
