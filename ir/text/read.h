/* From text to nodes, and from nodes to the unit. Only ir/text/ includes this. */
#pragma once

#include "ir/text/parts.h"

/* ---- lex.re --------------------------------------------------------------------------------- */

typedef struct TextToken {
    int kind; /* TX_, of the generated grammar.h; 0: the end */
    uint32_t begin, end;
} TextToken;

typedef struct TextLexer {
    const Source *source;
    Diags *diags;
    const char *cursor;
    int depth, dents;        /* regions that are open; INDENTs owed, or if negative DEDENTs */
    int open;                /* brackets */
    int last;                /* the kind of the token before, 0 at the start */
    bool at_margin, is_type; /* a line begins here; it began with `type` */
} TextLexer;

/* The next token. After a complaint, an end. */
TextToken text_next(TextLexer *lexer);

/* ---- nodes --------------------------------------------------------------------------------- */

typedef enum NodeKind {
    /* lines */
    NODE_LAUNCH,   /* more: facts */
    NODE_SHAPE,    /* the same */
    NODE_UNIT,     /* the same */
    NODE_TYPE,     /* the name; type: the definition */
    NODE_TABLE,    /* the name; type: of an element; more: extents; items: elements, or a string */
    NODE_KERNEL,   /* the name; params: items; more: attributes; body */
    NODE_DEVICE,   /* the same; type: of the result */
    NODE_DECLARED, /* the name; type; more: attributes; items: extents, or a table's name */
    /* statements */
    NODE_FIRST, /* target: the variable of an array, or a local that nothing sets */
    NODE_SET,   /* target; items: the value */
    NODE_STORE, /* target: the array; items: indices; type: the value; cache */
    NODE_EVAL,
    NODE_IF,    /* items: the condition; body, more: the other branch */
    NODE_WHILE, /* the same without */
    NODE_FOR,   /* target; items: start, stop, step; more: what follows; body */
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_RETURN,
    NODE_STOP,
    NODE_PRINT,
    NODE_FAULT,
    NODE_BOUNDED, /* behind a loop's step */
    NODE_RISES,
    NODE_REST,
    NODE_ANY_ORDER,
    NODE_SUMS,   /* items: names */
    NODE_UNROLL, /* items: how often, or none */
    /* values and types */
    NODE_NAME, /* of an attribute, items: what stands in its parentheses */
    NODE_STRING,
    NODE_TRUE,
    NODE_FALSE,
    NODE_INT, /* type: its type, or NULL; so in the two that follow */
    NODE_FLOAT,
    NODE_COMPLEX,
    NODE_CALL,
    NODE_OPERATION, /* items: operands; more: what stands between < and >; cache */
    NODE_ARRAY,     /* type: of an element; items: axes */
    NODE_READONLY,
    NODE_UNALIGNED,
    NODE_TIME, /* the unit; type: what it is of */
    NODE_TUPLE,
    NODE_AXIS,
    NODE_UNIT_AXIS,
    NODE_RECORD,
    NODE_FIELDS /* items: NODE_DECLARED */
} NodeKind;

typedef struct Node Node;

typedef struct NodeList {
    Node *first, *last;
    int count;
} NodeList;

/* Where the text says that a line comes from. */
typedef struct TextPosition {
    bool given;
    int file;
    uint32_t line, root_line, root_column; /* the latter two 0: not said */
} TextPosition;

struct Node {
    NodeKind kind;
    uint32_t begin, end; /* of the token that it is known by */
    Node *next;
    Node *target, *type, *cache;
    NodeList items, more, body;
    TextPosition at;
};

/* A file that positions are in, as far as they go. */
typedef struct TextFile {
    const char *name;
    uint32_t lines, columns;
    Source *source; /* blanks only; made when all positions are known */
} TextFile;

/* The state of one parse. */
typedef struct TextParse {
    Arena *arena;
    Diags *diags;
    const Source *source;
    TextLexer lexer;
    TextToken token;
    bool stop; /* there was a mistake */
    NodeList lines;
    TextFile *files;
    int file, file_count, file_capacity; /* file: the one that positions are in now */
} TextParse;

/* grammar.y: runs the automaton; a mistake was complained of. */
void textgrammar_run(TextParse *ps);

/* ---- nodes.c ------------------------------------------------------------------------------- */

Node *node_new(TextParse *ps, NodeKind kind, TextToken token);
Node *node_one(TextParse *ps, NodeKind kind, TextToken token, Node *item);
/* Facts and the like have the list as `more`, others as `items`. */
Node *node_list(TextParse *ps, NodeKind kind, TextToken token, NodeList list);
Node *node_body(TextParse *ps, NodeKind kind, TextToken token, Node *item, NodeList body);
Node *node_function(TextParse *ps, NodeKind kind, TextToken name, NodeList params,
                    NodeList attributes, NodeList body);
NodeList node_append(NodeList list, Node *node);
/* A list of one new node. */
NodeList node_first(TextParse *ps, NodeKind kind, TextToken token);
/* `file` and what follows the line may be NULL. */
TextPosition text_position(TextParse *ps, const TextToken *file, TextToken line,
                           const TextToken *root_line, const TextToken *root_column);
/* Complain. */
void text_unexpected(TextParse *ps);
void text_too_deep(TextParse *ps);
void text_want(TextParse *ps, TextToken token, const char *word);
/* What a token in quotes says. */
const char *text_unquoted(Arena *arena, const Source *source, uint32_t begin, uint32_t end);

/* ---- read.c -------------------------------------------------------------------------------- */

/* A variable, table or type by its name as it stands in the text, number included. */
typedef struct Named {
    const char *text;
    void *what;
    const Node *node;
} Named;

typedef struct NameTable {
    Named *list;
    int count, capacity;
    int *slots; /* a hash table of indices into the list, plus 1 */
    int room;
} NameTable;

typedef struct Reader {
    Arena *arena;
    Types *types;
    Diags *diags;
    const Source *source;
    TextParse *parse;
    bool failed; /* something was complained of: nothing more is */
    IrUnit *unit;
    IrFunc *fn;
    NameTable vars, tables, named, functions;
    Span at; /* where the text says that the line comes from; no source: it does not */
} Reader;

/* Complains, the first time. */
void read_wrong(Reader *r, const Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *read_text(Reader *r, const Node *node); /* of its token, as it stands */
const char *read_name(Reader *r, const Node *node); /* without backquotes and number */
bool read_is(Reader *r, const Node *node, const char *word);
Span read_span(const Reader *r, const Node *node);
/* An integer in a range; `low` after a complaint. */
int64_t read_int(Reader *r, const Node *node, int64_t low, int64_t high);

void names_add(Reader *r, NameTable *names, const Node *node, void *what, const char *kind);
void *names_find(Reader *r, const NameTable *names, const Node *node);

/* ---- read_type.c --------------------------------------------------------------------------- */

/* Never NULL: int64 after a complaint. */
const Type *read_type(Reader *r, const Node *node);
/* Takes `type NAME = ...`; what it means is found out when it is asked for. */
void read_type_line(Reader *r, const Node *line);
void read_table_line(Reader *r, const Node *line);

/* ---- read_value.c -------------------------------------------------------------------------- */

/* Never NULL: a constant after a complaint. */
IrValue *read_value(Reader *r, const Node *node);
/* The cache operator of a store; 0 of NULL. */
int read_store_cache(Reader *r, const Node *node);

/* ---- read_stmt.c --------------------------------------------------------------------------- */

/* Declares what a function's statements set, in their order, and makes its body. */
void read_body(Reader *r, const Node *function);
IrVar *read_declared(Reader *r, const Node *node, IrVarKind kind);
/* What a parameter is said to have for lengths of rows, which may be parameters behind it. */
void read_lengths(Reader *r, const Node *node, IrVar *var);

/* ---- read_unit.c --------------------------------------------------------------------------- */

void read_options(Reader *r, const Node *function, IrFunc *fn);
/* Whether an attribute says what of a launch a parameter holds. */
bool read_hidden(Reader *r, const Node *attribute);
void read_launch(Reader *r, const Node *line);
void read_shape(Reader *r, const Node *line);
void read_unit_line(Reader *r, const Node *line);
