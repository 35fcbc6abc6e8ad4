#include <strings.h>
#include <unistd.h>

#include "cli/lsp/lsp.h"

enum { CODE_PARSE = -32700, LONGEST = 1 << 28 };

/* ---- from the client ------------------------------------------------------------------------ */

void lsp_read(Wire *wire)
{
    if (wire->count + 65536 > wire->room) {
        wire->room = 2 * wire->room + 65536;
        wire->bytes = must_grow(wire->bytes, wire->room);
    }
    ssize_t got = read(wire->in, wire->bytes + wire->count, wire->room - wire->count);
    if (got <= 0)
        wire->ended = true;
    else
        wire->count += (size_t)got;
}

static void drop(Wire *wire, size_t count)
{
    memmove(wire->bytes, wire->bytes + count, wire->count - count);
    wire->count -= count;
}

/* The bytes of the header, with the empty line behind it, and the length it tells; 0: it has not
** come whole. */
static size_t header_of(const Wire *wire, size_t *length)
{
    static const char name[] = "Content-Length:";
    const char *end = wire->count ? memmem(wire->bytes, wire->count, "\r\n\r\n", 4) : NULL;

    *length = 0;
    if (!end)
        return 0;
    for (const char *line = wire->bytes; line < end;) {
        if (!strncasecmp(line, name, sizeof name - 1))
            *length = strtoul(line + sizeof name - 1, NULL, 10);
        const char *next = memmem(line, (size_t)(end - line), "\r\n", 2);
        line = next ? next + 2 : end;
    }
    return (size_t)(end - wire->bytes) + 4;
}

json_t *lsp_take(Wire *wire)
{
    size_t length, header = header_of(wire, &length);

    if (header && length > LONGEST) { /* the next one cannot be found */
        wire->ended = true;
        return NULL;
    }
    if (!header || wire->count < header + length)
        return NULL;
    json_error_t why;
    json_t *message = json_loadb(wire->bytes + header, length, 0, &why);
    drop(wire, header + length);
    if (!message) {
        lsp_refuse(wire, NULL, CODE_PARSE, why.text);
        return lsp_take(wire);
    }
    return message;
}

/* ---- to the client --------------------------------------------------------------------------- */

/* Sends a message, which it frees. */
static void lsp_send(Wire *wire, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    if (text)
        fprintf(wire->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(wire->out);
    free(text);
    json_decref(message);
}

void lsp_notify(Wire *wire, const char *method, json_t *params)
{
    lsp_send(wire, json_pack("{s:s,s:o}", "method", method, "params", params));
}

static json_t *copy_of(const json_t *id)
{
    return id ? json_deep_copy(id) : json_null();
}

void lsp_answer(Wire *wire, const json_t *id, json_t *result)
{
    lsp_send(wire, json_pack("{s:o,s:o}", "id", copy_of(id), "result", result));
}

void lsp_refuse(Wire *wire, const json_t *id, int code, const char *message)
{
    lsp_send(wire, json_pack("{s:o,s:{s:i,s:s}}", "id", copy_of(id), "error", "code", code,
                             "message", message));
}
