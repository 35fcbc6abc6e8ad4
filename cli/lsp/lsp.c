/* `kjit lsp`: a language server on the standard streams.
**
** A document is looked at when the client has nothing more to say, an edit ends the look that is
** under way, and a request about a document waits for the look at its present text. */
#include <argp.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "cli/lsp/lsp.h"

enum {
    CODE_NO_METHOD = -32601,
    CODE_PARAMS = -32602,
    CODE_FAILED = -32803,
    CODE_CANCELLED = -32800
};

typedef struct Server {
    Wire wire;
    Document *documents;
    Look look;   /* at the text of a document, or a check */
    json_t *why; /* a check that waits for the look: its request; NULL: none */
    Document *to_check;
    bool asked_to_end, ended;
} Server;

/* ---- documents ------------------------------------------------------------------------------- */

static Document *document_of(const Server *server, const json_t *params)
{
    const char *uri = json_text(json_object_get(params, "textDocument"), "uri");
    for (Document *one = server->documents; uri && one; one = one->next)
        if (!strcmp(one->uri, uri))
            return one;
    return NULL;
}

/* What was found, and what the last check of the same text found. */
static void publish(Server *server, const Document *document)
{
    json_t *known = json_object_get(document->known, "diagnostics");
    json_t *all = known ? json_copy(known) : json_array();
    if (document->found)
        json_array_extend(all, document->found);
    json_t *params = json_pack("{s:s,s:o}", "uri", document->uri, "diagnostics", all);
    if (json_is_integer(document->version))
        json_object_set_new(params, "version", json_copy(document->version));
    lsp_notify(&server->wire, "textDocument/publishDiagnostics", params);
}

static void forget_check(Server *server, const char *why)
{
    if (server->why)
        lsp_refuse(&server->wire, server->why, CODE_CANCELLED, why);
    json_decref(server->why);
    server->why = NULL;
    server->to_check = NULL;
}

/* What was found of a text holds of no other. */
static void set_dirty(Server *server, Document *document)
{
    document->dirty = true;
    json_decref(document->found);
    document->found = NULL;
    if (server->look.document == document) {
        if (server->look.checks)
            lsp_refuse(&server->wire, server->look.request, CODE_CANCELLED, "the text has changed");
        look_stop(&server->look);
    }
    if (server->to_check == document)
        forget_check(server, "the text has changed");
}

static void take_text(Server *server, Document *document, const json_t *from, const char *text)
{
    free(document->text);
    document->text = must_strndup(text, strlen(text));
    json_decref(document->version);
    document->version = json_deep_copy(json_object_get(from, "version"));
    set_dirty(server, document);
}

static void opened(Server *server, const json_t *params)
{
    const json_t *item = json_object_get(params, "textDocument");
    const char *uri = json_text(item, "uri"), *text = json_text(item, "text");
    Document *document = document_of(server, params);

    if (!uri || !text)
        return;
    if (!document) {
        document = must_alloc(sizeof *document);
        *document = (Document){ .uri = must_strndup(uri, strlen(uri)),
                                .path = path_of_uri(uri),
                                .next = server->documents };
        server->documents = document;
    }
    take_text(server, document, item, text);
}

/* Texts come whole: the last that is said counts. */
static void changed(Server *server, const json_t *params)
{
    const json_t *changes = json_object_get(params, "contentChanges");
    size_t count = json_array_size(changes);
    const char *text = count ? json_text(json_array_get(changes, count - 1), "text") : NULL;
    Document *document = document_of(server, params);

    if (document && text)
        take_text(server, document, json_object_get(params, "textDocument"), text);
}

static void document_free(Document *document)
{
    free(document->uri);
    free(document->path);
    free(document->text);
    json_decref(document->version);
    json_decref(document->known);
    json_decref(document->found);
    free(document);
}

static void closed(Server *server, const json_t *params)
{
    Document *document = document_of(server, params), **link = &server->documents;
    if (!document)
        return;
    set_dirty(server, document);
    json_decref(document->known);
    document->known = NULL;
    publish(server, document);
    while (*link != document)
        link = &(*link)->next;
    *link = document->next;
    document_free(document);
}

/* A file that was saved may be one that others import. */
static void saved(Server *server)
{
    for (Document *one = server->documents; one; one = one->next)
        if (!one->found)
            one->dirty = true;
}

/* ---- looks ----------------------------------------------------------------------------------- */

static void checked(Server *server, Document *document, const json_t *request, json_t *found)
{
    if (!found) {
        lsp_refuse(&server->wire, request, CODE_FAILED,
                   "the check was ended: it took too long, or crashed");
        return;
    }
    json_t *list = json_incref(json_object_get(found, "diagnostics"));
    size_t count = json_array_size(list);
    json_decref(document->found);
    document->found = list;
    publish(server, document);
    lsp_notify(&server->wire, "window/showMessage",
               json_pack("{s:i,s:o}", "type", count ? 2 : 3, "message",
                         json_sprintf("kjit check: %zu finding%s", count, count == 1 ? "" : "s")));
    lsp_answer(&server->wire, request, json_integer((json_int_t)count));
}

/* Takes what a child that has ended found. */
static void finish(Server *server)
{
    Document *document = server->look.document;
    bool checks = server->look.checks;
    json_t *request = server->look.request ? json_incref(server->look.request) : NULL;
    json_t *found = look_end(&server->look);

    if (checks) {
        checked(server, document, request, found);
        json_decref(found);
    } else {
        json_decref(document->known);
        document->known = found;
        publish(server, document);
    }
    json_decref(request);
}

/* Starts what is to be looked at, one thing at a time. */
static void start(Server *server)
{
    for (Document *one = server->documents; one && !server->look.child; one = one->next)
        if (one->dirty) {
            one->dirty = false;
            look_start(&server->look, one, server->documents, false);
        }
    if (!server->look.child && server->to_check) {
        look_start(&server->look, server->to_check, server->documents, true);
        server->look.request = server->why;
        server->to_check = NULL;
        server->why = NULL;
    }
}

/* Waits until the present text was looked at. */
static void settle(Server *server, Document *document)
{
    if (server->look.child && server->look.checks && document->dirty)
        return; /* which may take long: the answer is of the text before */
    while (document->dirty || (server->look.document == document && !server->look.checks)) {
        start(server);
        if (!server->look.child)
            return;
        while (!look_read(&server->look))
            ;
        finish(server);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static void initialise(Server *server, const json_t *id)
{
    json_t *able =
        json_pack("{s:{s:b,s:i,s:b},s:b,s:b,s:b,s:b,s:b,s:{s:[s]},s:{s:[s]}}", "textDocumentSync",
                  "openClose", 1, "change", 1, "save", 1, "hoverProvider", 1, "definitionProvider",
                  1, "referencesProvider", 1, "documentSymbolProvider", 1, "inlayHintProvider", 1,
                  "codeActionProvider", "codeActionKinds", "source.kjit", "executeCommandProvider",
                  "commands", "kjit.check");
    lsp_answer(&server->wire, id,
               json_pack("{s:o,s:{s:s,s:s}}", "capabilities", able, "serverInfo", "name", "kjit",
                         "version", kjit_version()));
}

/* kjit.check with the URI of a document. */
static void execute(Server *server, const json_t *id, const json_t *params)
{
    const char *command = json_text(params, "command");
    const char *uri = json_string_value(json_array_get(json_object_get(params, "arguments"), 0));
    Document *document = server->documents;

    while (document && (!uri || strcmp(document->uri, uri) != 0))
        document = document->next;
    if (!command || strcmp(command, "kjit.check") != 0 || !document) {
        lsp_refuse(&server->wire, id, CODE_PARAMS,
                   "the command is kjit.check, its argument the URI of an open file");
        return;
    }
    forget_check(server, "another check was asked for");
    server->to_check = document;
    server->why = json_deep_copy(id);
}

static json_t *answer(const char *method, const Document *document, const json_t *params)
{
    if (!strcmp(method, "textDocument/hover"))
        return answer_hover(document, params);
    if (!strcmp(method, "textDocument/definition"))
        return answer_definition(document, params);
    if (!strcmp(method, "textDocument/references"))
        return answer_references(document, params);
    if (!strcmp(method, "textDocument/documentSymbol"))
        return answer_symbols(document);
    if (!strcmp(method, "textDocument/inlayHint"))
        return answer_hints(document, params);
    if (!strcmp(method, "textDocument/codeAction"))
        return answer_actions(document, params);
    return NULL;
}

static void request(Server *server, const char *method, const json_t *id, const json_t *params)
{
    Document *document = document_of(server, params);

    if (!strcmp(method, "initialize")) {
        initialise(server, id);
    } else if (!strcmp(method, "shutdown")) {
        server->asked_to_end = true;
        lsp_answer(&server->wire, id, json_null());
    } else if (!strcmp(method, "workspace/executeCommand")) {
        execute(server, id, params);
    } else {
        if (document)
            settle(server, document);
        json_t *result = document ? answer(method, document, params) : NULL;
        if (result)
            lsp_answer(&server->wire, id, result);
        else
            lsp_refuse(&server->wire, id, document ? CODE_NO_METHOD : CODE_PARAMS,
                       document ? "there is no such method" : "the file is not open");
    }
}

/* A check is all that can be taken back: the rest is answered at once. */
static void cancelled(Server *server, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");

    if (server->look.checks && json_equal(server->look.request, id)) {
        lsp_refuse(&server->wire, id, CODE_CANCELLED, "cancelled");
        look_stop(&server->look);
    } else if (server->why && json_equal(server->why, id)) {
        forget_check(server, "cancelled");
    }
}

static void notified(Server *server, const char *method, const json_t *params)
{
    if (!strcmp(method, "exit"))
        server->ended = true;
    else if (!strcmp(method, "textDocument/didOpen"))
        opened(server, params);
    else if (!strcmp(method, "textDocument/didChange"))
        changed(server, params);
    else if (!strcmp(method, "textDocument/didClose"))
        closed(server, params);
    else if (!strcmp(method, "textDocument/didSave"))
        saved(server);
    else if (!strcmp(method, "$/cancelRequest"))
        cancelled(server, params);
}

static void take(Server *server, const json_t *message)
{
    const char *method = json_text(message, "method");
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");

    if (method && id)
        request(server, method, id, params);
    else if (method)
        notified(server, method, params);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Waits for the client or the child. */
static void wait_for_either(Server *server)
{
    struct pollfd both[] = { { server->wire.in, POLLIN, 0 }, { server->look.pipe, POLLIN, 0 } };

    if (poll(both, server->look.child ? 2 : 1, -1) < 0)
        return;
    if (both[0].revents)
        lsp_read(&server->wire);
    if (server->look.child && both[1].revents && look_read(&server->look))
        finish(server);
}

static bool has_more(const Server *server)
{
    struct pollfd in = { server->wire.in, POLLIN, 0 };
    return poll(&in, 1, 0) > 0;
}

static void serve(Server *server)
{
    while (!server->ended && !server->wire.ended) {
        json_t *message = lsp_take(&server->wire);
        if (message) {
            take(server, message);
            json_decref(message);
            continue;
        }
        if (!has_more(server))
            start(server);
        wait_for_either(server);
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    (void)text;
    (void)state;
    if (key == ARGP_KEY_ARG)
        usage_error("there is nothing to name: an editor says which files are open");
    return key == 's' ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    { "stdio", 's', NULL, 0, "as it always does: what editors say", 0 }, { 0 }
};

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .doc = "A language server for editors, by the language server protocol on the standard "
           "streams.\vIt tells while one types what is wrong with kernels for the types of their "
           "@example or declared signature, and where numba's types or the launch cost time "
           "(remarks, as hints); of names their types, where they were made and where else they "
           "stand; and on demand (the code action of kind source.kjit, command kjit.check) what "
           "'kjit check' finds. docs/editors.md says how editors start it.",
};

int lsp_command(int argc, char **argv)
{
    Server server = { .wire = { .in = STDIN_FILENO, .out = stdout } };

    options_parse(&parser, argc, argv, NULL);
    signal(SIGPIPE, SIG_IGN);
    serve(&server);
    look_stop(&server.look);
    json_decref(server.why);
    while (server.documents) {
        Document *next = server.documents->next;
        document_free(server.documents);
        server.documents = next;
    }
    free(server.wire.bytes);
    return server.asked_to_end ? EXIT_DONE : EXIT_PROGRAM;
}
