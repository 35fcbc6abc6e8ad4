/* `kjit lsp`: what its files share. The server keeps the texts of open files and speaks the
** protocol; what a file means is found out by a child, a process for each look at a text, so that
** one which takes for ever, or crashes what it runs, costs that look alone, and an edit ends it. */
#pragma once

#include <jansson.h>
#include <sys/types.h>

#include "cli/cli.h"

/* ---- wire.c: messages, each with its length in front -------------------------------------- */

typedef struct Wire {
    int in;
    FILE *out;
    char *bytes; /* read, and not yet taken */
    size_t count, room;
    bool ended; /* the client sends no more */
} Wire;

/* Takes the next message; NULL if none has come whole. What is no JSON is answered as an error. */
json_t *lsp_take(Wire *wire);
/* Reads what has come; waits for nothing if something has. */
void lsp_read(Wire *wire);
/* A notification, the answer to a request, its refusal: the values given are freed. */
void lsp_notify(Wire *wire, const char *method, json_t *params);
void lsp_answer(Wire *wire, const json_t *id, json_t *result);
void lsp_refuse(Wire *wire, const json_t *id, int code, const char *message);

/* ---- text.c: documents and their places --------------------------------------------------- */

typedef struct Document {
    char *uri, *path, *text;
    json_t *version; /* the client's */
    bool dirty;      /* not looked at since it was edited */
    json_t *known;   /* what the last look found, or NULL: look.c says what */
    json_t *found;   /* diagnostics of the last check of this text, or NULL */
    struct Document *next;
} Document;

/* The path of a file's URI, and the URI of a path; to be free()d. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);
/* A line of a text, from 0; its length. */
const char *line_of(const char *text, uint32_t line, size_t *length);
/* A place of diagnostics, from 1 and by characters, as the protocol has it: from 0 and by units of
** UTF-16. A line that the text has not is taken for its last. */
json_t *place_in(const char *text, uint32_t line, uint32_t column);
json_t *range_in(const char *text, uint32_t line, uint32_t column, uint32_t end_column);
/* And back. */
void place_from(const char *text, const json_t *place, uint32_t *line, uint32_t *column);

/* ---- said.c: what the library says, as diagnostics ------------------------------------------ */

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

/* Adds what a message of the library says, its places being those of `document`'s text. What is
** reported of another file goes to the line of the document that imports it. */
void said_add(json_t *diagnostics, const Document *document, const char *message);
/* Adds the checker's findings. */
void said_findings(json_t *diagnostics, const Document *document, kjit_context *context);

/* ---- look.c: what a text means, in a child ------------------------------------------------- */

/* A child that looks at a document, or checks it. */
typedef struct Look {
    pid_t child; /* 0: there is none */
    int pipe;
    Document *document;
    bool checks;
    json_t *request; /* the id of the request that asked for a check */
    char *bytes;
    size_t count;
} Look;

/* Starts a child; `others` are the open documents, which stand for files. */
bool look_start(Look *look, Document *document, const Document *others, bool checks);
/* Reads what the child has written; true when it has ended. */
bool look_read(Look *look);
/* What it found, {"diagnostics": [...], "names": [...]}; NULL if it came to nothing. */
json_t *look_end(Look *look);
/* Ends a child that is not wanted any more. */
void look_stop(Look *look);

/* ---- answer.c: requests about a document that was looked at ---------------------------------- */

json_t *answer_hover(const Document *document, const json_t *params);
json_t *answer_definition(const Document *document, const json_t *params);
/* Every place of the file where the name means the same. */
json_t *answer_references(const Document *document, const json_t *params);
json_t *answer_symbols(const Document *document);
json_t *answer_actions(const Document *document, const json_t *params);
/* The types of names where they are assigned. */
json_t *answer_hints(const Document *document, const json_t *params);

/* Texts of JSON: that of a member, or of a member's member; NULL if there is none. */
const char *json_text(const json_t *object, const char *name);
uint32_t json_number(const json_t *object, const char *name);
