/* What went wrong, by thread, and what the last call did.
**
** A message lives in memory of its own; when there is none for it, the front of it goes to a
** buffer that the thread always has. So no failure is ever silent. */
#include "runtime/runtime.h"

#include <time.h>

typedef struct ThreadState {
    char *text; /* NULL: see `fixed` */
    char fixed[512];
    int quiet; /* > 0: a failure is being undone, and its message stays */
    kjit_report report;
} ThreadState;

static _Thread_local ThreadState thread_state;
static pthread_key_t cleanup_key;
static pthread_once_t cleanup_once = PTHREAD_ONCE_INIT;
static bool cleanup_ready;

/* Frees the text of a thread that ends. */
static void free_text(void *text_holder)
{
    ThreadState *state = text_holder;

    memory_free(state->text);
    state->text = NULL;
}

static void make_key(void)
{
    cleanup_ready = pthread_key_create(&cleanup_key, free_text) == 0;
}

/* Takes over `text`, which may be NULL for no memory; `fixed` is set already. */
static void keep_text(char *text)
{
    memory_free(thread_state.text);
    thread_state.text = text;
    if (!text)
        return;
    pthread_once(&cleanup_once, make_key);
    if (cleanup_ready)
        pthread_setspecific(cleanup_key, &thread_state);
}

kjit_status error_set(kjit_status status, const char *format, ...)
{
    va_list args;
    char front[sizeof thread_state.fixed];

    if (thread_state.quiet)
        return status;
    /* Not into place at once: an argument may be the message before. */
    va_start(args, format);
    int length = vsnprintf(front, sizeof front, format, args);
    va_end(args);
    char *text = NULL;
    if (length >= (int)sizeof front && (text = memory_alloc((size_t)length + 1))) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    memcpy(thread_state.fixed, front, sizeof front);
    keep_text(text);
    return status;
}

kjit_status error_text(kjit_status status, const char *text)
{
    size_t length = strlen(text);

    while (length && text[length - 1] == '\n')
        length--;
    return error_set(status, "%.*s", (int)(length < INT32_MAX ? length : INT32_MAX), text);
}

/* Whether the first complaint is of a text that came with the call, a define or a signature. */
static bool of_the_call(const Diags *diags)
{
    const Diag *first = diags->list;

    if (!diags->count)
        return false;
    const char *whose = first->span.source ? first->span.source->name : first->message;
    return strncmp(whose, "-D ", 3) == 0 || strcmp(whose, "<given signature>") == 0;
}

kjit_status error_diags(const Diags *diags)
{
    Buf out = buf_in(diags->arena);
    diags_render(diags, &out);
    return error_text(of_the_call(diags) ? KJIT_ARGUMENT : KJIT_INVALID, buf_text(&out));
}

void error_quiet(bool quiet)
{
    thread_state.quiet += quiet ? 1 : -1;
}

kjit_status error_memory(void)
{
    return error_set(KJIT_MEMORY, "error: out of memory");
}

const char *kjit_error_message(void)
{
    return thread_state.text ? thread_state.text : thread_state.fixed;
}

kjit_report *report_current(void)
{
    return &thread_state.report;
}

void kjit_last_report(kjit_report *report)
{
    size_t size = report->size;

    if (size > sizeof thread_state.report)
        size = sizeof thread_state.report;
    if (size < sizeof report->size)
        return;
    memcpy((char *)report + sizeof report->size, (char *)&thread_state.report + sizeof report->size,
           size - sizeof report->size);
}

double clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

const char *kjit_status_name(kjit_status status)
{
    switch (status) {
#define STATUS_NAME(name, number, meaning)                                                         \
    case KJIT_##name:                                                                              \
        return "KJIT_" #name;
        KJIT_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    }
    return "unknown status";
}
