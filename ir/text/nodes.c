/* Nodes of the IR's text, and what is said where there can be none. */
#include "ir/text/read.h"

#include "ir/text/grammar.h"

Node *node_new(TextParse *ps, NodeKind kind, TextToken token)
{
    Node *node = arena_new(ps->arena, Node);
    *node = (Node){ .kind = kind, .begin = token.begin, .end = token.end };
    return node;
}

Node *node_one(TextParse *ps, NodeKind kind, TextToken token, Node *item)
{
    return node_list(ps, kind, token, node_append((NodeList){ 0 }, item));
}

Node *node_list(TextParse *ps, NodeKind kind, TextToken token, NodeList list)
{
    Node *node = node_new(ps, kind, token);
    *(kind <= NODE_UNIT ? &node->more : &node->items) = list;
    return node;
}

Node *node_body(TextParse *ps, NodeKind kind, TextToken token, Node *item, NodeList body)
{
    Node *node = node_one(ps, kind, token, item);
    node->body = body;
    return node;
}

Node *node_function(TextParse *ps, NodeKind kind, TextToken name, NodeList params,
                    NodeList attributes, NodeList body)
{
    Node *node = node_list(ps, kind, name, params);
    node->more = attributes;
    node->body = body;
    return node;
}

NodeList node_append(NodeList list, Node *node)
{
    *(list.last ? &list.last->next : &list.first) = node;
    list.last = node;
    list.count++;
    return list;
}

NodeList node_first(TextParse *ps, NodeKind kind, TextToken token)
{
    return node_append((NodeList){ 0 }, node_new(ps, kind, token));
}

/* ---- positions ------------------------------------------------------------------------------ */

enum { LINES_MOST = 1 << 20, COLUMNS_MOST = 1 << 12, PLACES_MOST = 1 << 24 };

static uint32_t number_of(TextParse *ps, TextToken token, uint32_t most)
{
    unsigned long long number = strtoull(ps->source->text + token.begin, NULL, 10);
    if (ps->source->text[token.begin] != '-' && number >= 1 && number <= most)
        return (uint32_t)number;
    diag_error(ps->diags, (Span){ ps->source, token.begin, token.end },
               "no text has such a position");
    return 1;
}

static void find_file(TextParse *ps, const TextToken *file)
{
    const char *name =
        file ? text_unquoted(ps->arena, ps->source, file->begin, file->end) : ps->source->name;
    if (!file && ps->file_count)
        return;
    for (ps->file = 0; ps->file < ps->file_count; ps->file++)
        if (strcmp(ps->files[ps->file].name, name) == 0)
            return;
    array_push(ps->arena, ps->files, ps->file_count, ps->file_capacity) =
        (TextFile){ name, 1, 1, NULL };
}

TextPosition text_position(TextParse *ps, const TextToken *file, TextToken line,
                           const TextToken *root_line, const TextToken *root_column)
{
    find_file(ps, file);
    TextFile *in = &ps->files[ps->file];
    TextPosition at = { .given = true, .file = ps->file };
    at.line = number_of(ps, line, LINES_MOST);
    at.root_line = root_line ? number_of(ps, *root_line, LINES_MOST) : 0;
    at.root_column = root_column ? number_of(ps, *root_column, COLUMNS_MOST) : 0;
    in->lines = at.line > in->lines ? at.line : in->lines;
    in->lines = at.root_line > in->lines ? at.root_line : in->lines;
    in->columns = at.root_column > in->columns ? at.root_column : in->columns;
    if ((uint64_t)in->lines * in->columns > PLACES_MOST)
        diag_error(ps->diags, (Span){ ps->source, line.begin, line.end },
                   "no text has such a position");
    return at;
}

/* ---- complaints ----------------------------------------------------------------------------- */

void text_unexpected(TextParse *ps)
{
    const TextToken *token = &ps->token;
    Span span = { ps->source, token->begin, token->end };
    int length = (int)(token->end - token->begin);
    ps->stop = true;
    if (token->kind == TX_NEWLINE)
        diag_error(ps->diags, span, "the line ends too soon");
    else if (token->kind == TX_INDENT)
        diag_error(ps->diags, span, "nothing here takes lines that are indented");
    else if (token->kind == TX_DEDENT || token->kind == 0)
        diag_error(ps->diags, span, "the text ends too soon");
    else
        diag_error(ps->diags, span, "unexpected '%.*s'", length < 40 ? length : 40,
                   ps->source->text + token->begin);
}

void text_too_deep(TextParse *ps)
{
    ps->stop = true;
    diag_error(ps->diags, (Span){ ps->source, ps->token.begin, ps->token.end },
               "this is nested too deeply");
}

void text_want(TextParse *ps, TextToken token, const char *word)
{
    size_t length = token.end - token.begin;
    if (strlen(word) != length || memcmp(ps->source->text + token.begin, word, length) != 0)
        diag_error(ps->diags, (Span){ ps->source, token.begin, token.end }, "expected '%s'", word);
}

int text_hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *text_unquoted(Arena *arena, const Source *source, uint32_t begin, uint32_t end)
{
    char *text = arena_alloc(arena, end - begin), *to = text;
    const char *last = source->text + end - 1;
    for (const char *at = source->text + begin + 1; at < last; at++) {
        bool number = *at == '\\' && last - at > 3 && at[1] == 'x' && text_hex_digit(at[2]) >= 0 &&
                      text_hex_digit(at[3]) >= 0;
        if (number) {
            *to++ = (char)(text_hex_digit(at[2]) * 16 + text_hex_digit(at[3]));
            at += 3;
        } else if (*at == '\\' && at + 1 < last) {
            *to++ = *++at;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return text;
}
