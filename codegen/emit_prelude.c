/* The preludes: functions that the emitted text calls where C has no operator for what Python
** means. Their texts lie in prelude_both.c, prelude.cu and prelude.c, in pieces; emit.h describes
** the notation. Only what a unit asks for is written, once for each type it is asked for. */
#include "codegen/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text_both[] =
#include "codegen/prelude_both.c.inc"
    ;
static const char text_cuda[] =
#include "codegen/prelude.cu.inc"
    ;
static const char text_c[] =
#include "codegen/prelude.c.inc"
    ;

/* A stretch of a prelude's text. */
typedef struct Slice {
    const char *begin, *end;
} Slice;

typedef struct Piece {
    Slice name, types, needs, builtin, body;
} Piece;

struct Need {
    Piece piece;
    const Type *type; /* NULL for a piece of no type */
    const char *name; /* what to call */
    bool written;
};

static bool slice_is(Slice slice, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(slice.end - slice.begin) == length && !memcmp(slice.begin, text, length);
}

/* The next word of a slice, which is left with the rest; false at its end. */
static bool next_word(Slice *rest, Slice *word)
{
    while (rest->begin < rest->end && *rest->begin == ' ')
        rest->begin++;
    word->begin = rest->begin;
    while (rest->begin < rest->end && *rest->begin != ' ')
        rest->begin++;
    word->end = rest->begin;
    return word->begin < word->end;
}

/* Takes a head `name types : needs` or `name types = builtin` apart. */
static void read_head(Slice head, Piece *piece)
{
    const char *p;

    next_word(&head, &piece->name);
    piece->types = head;
    for (p = head.begin; p < head.end; p++) {
        if (*p != ':' && *p != '=')
            continue;
        piece->types.end = p;
        head.begin = p + 1;
        if (*p == ':')
            piece->needs = head;
        else
            next_word(&head, &piece->builtin);
        return;
    }
}

/* The piece that begins at or behind `*at`, which moves behind it; false if there is none. */
static bool next_piece(const char **at, Piece *piece)
{
    static const char mark[] = "/*@ ";
    const char *begin = strstr(*at, mark), *end, *next;

    if (!begin)
        return false;
    *piece = (Piece){ 0 };
    begin += sizeof mark - 1;
    end = strstr(begin, " */\n");
    read_head((Slice){ begin, end }, piece);
    next = strstr(end, mark);
    *at = next ? next : end + strlen(end);
    piece->body = (Slice){ end + strlen(" */\n"), *at };
    while (piece->body.end > piece->body.begin && piece->body.end[-1] == '\n')
        piece->body.end--;
    return true;
}

/* Whether one word of a piece's types takes in `type`. */
static bool word_covers(Slice word, const Type *type)
{
    if (!type)
        return slice_is(word, "-");
    if (slice_is(word, type_suffix(type)))
        return true;
    switch (type_class(type)) {
    case CLASS_SIGNED:
        return slice_is(word, "signed") || slice_is(word, "int");
    case CLASS_UNSIGNED:
        return slice_is(word, "unsigned") || slice_is(word, "int");
    case CLASS_FLOAT:
        return slice_is(word, "float") && type_size(type) >= 4;
    case CLASS_COMPLEX:
        return slice_is(word, "complex");
    case CLASS_BOOL:
    case CLASS_OTHER:
        return false;
    }
    return false;
}

static bool piece_covers(const Piece *piece, const Type *type)
{
    Slice rest = piece->types, word;

    while (next_word(&rest, &word))
        if (word_covers(word, type))
            return true;
    return false;
}

/* The dialect's prelude, then the common one. */
static void prelude_texts(const Emitter *e, const char *texts[2])
{
    texts[0] = e->dialect == DIALECT_CUDA ? text_cuda : text_c;
    texts[1] = text_both;
}

static bool find_piece(const Emitter *e, const char *name, const Type *type, Piece *piece)
{
    const char *texts[2];

    prelude_texts(e, texts);
    for (int i = 0; i < 2; i++)
        for (const char *at = texts[i]; next_piece(&at, piece);)
            if (slice_is(piece->name, name) && piece_covers(piece, type))
                return true;
    return false;
}

bool prelude_has(Emitter *e, const char *name, const Type *type)
{
    Piece piece;

    return find_piece(e, name, type, &piece);
}

/* Whether `name` is a piece's name, with the suffix of a type or without. */
static bool piece_defines(const Piece *piece, const char *name)
{
    size_t length = (size_t)(piece->name.end - piece->name.begin);

    if (strncmp(name, piece->name.begin, length) != 0)
        return false;
    if (!name[length])
        return true;
    for (int kind = TY_FIRST_SCALAR; kind <= (int)TY_LAST_SCALAR; kind++)
        if (name[length] == '_' && !strcmp(name + length + 1, type_suffix(&type_table[kind])))
            return true;
    return false;
}

bool prelude_defines(Emitter *e, const char *name)
{
    const char *texts[2];
    Piece piece;

    prelude_texts(e, texts);
    for (int i = 0; i < 2; i++)
        for (const char *at = texts[i]; next_piece(&at, &piece);)
            if (piece_defines(&piece, name))
                return true;
    return false;
}

static const char *slice_text(Emitter *e, Slice slice)
{
    return arena_strndup(e->arena, slice.begin, (size_t)(slice.end - slice.begin));
}

static const char *need_name(Emitter *e, const Piece *piece, const char *name, const Type *type)
{
    if (piece->builtin.begin)
        return slice_text(e, piece->builtin);
    return type ? arena_printf(e->arena, "%s_%s", name, type_suffix(type)) : name;
}

/* Index of the need for a piece, made if it is new. */
static int need_piece(Emitter *e, const char *name, const Type *type)
{
    Need need = { .type = type };

    for (int i = 0; i < e->need_count; i++)
        if (e->needs[i].type == type && slice_is(e->needs[i].piece.name, name))
            return i;
    if (!find_piece(e, name, type, &need.piece)) {
        fprintf(stderr, "kjit: bug: the prelude has no %s for %s\n", name,
                type ? type_suffix(type) : "-");
        abort();
    }
    need.name = need_name(e, &need.piece, name, type);
    array_push(e->arena, e->needs, e->need_count, e->need_capacity) = need;
    return e->need_count - 1;
}

const char *prelude(Emitter *e, const char *name, const Type *type)
{
    int index = need_piece(e, name, type); /* which may move the list */

    return e->needs[index].name;
}

/* ---- writing --------------------------------------------------------------------------- */

static const Type *unsigned_of(const Type *type)
{
    switch (type_size(type)) {
    case 1:
        return type_of(UINT8);
    case 2:
        return type_of(UINT16);
    case 4:
        return type_of(UINT32);
    default:
        return type_of(UINT64);
    }
}

/* What `$fn` stands for. */
static const char *function_words(const Emitter *e)
{
    return e->dialect == DIALECT_CUDA ? "static __device__ inline" : "static inline";
}

/* Puts what the letter behind a $ stands for. */
static void put_parameter(Emitter *e, char letter, const Type *type)
{
    const Type *part = type && type_is_complex(type) ? type_complex_part(type) : type;

    switch (letter) {
    case 'T':
        buf_puts(e->out, type_text(e, type));
        break;
    case 'S':
        buf_puts(e->out, type_suffix(type));
        break;
    case 'U':
        buf_puts(e->out, type_text(e, unsigned_of(type)));
        break;
    case 'P':
        buf_puts(e->out, type_text(e, part));
        break;
    case 'Q':
        buf_puts(e->out, type_suffix(part));
        break;
    case 'm':
        buf_puts(e->out, part == type_float32 ? "f" : "");
        break;
    case 'B':
        buf_printf(e->out, "%d", (int)(8 * type_size(type)));
        break;
    default:
        buf_putc(e->out, letter);
        break;
    }
}

static void put_body(Emitter *e, Slice body, const Type *type)
{
    for (const char *p = body.begin; p < body.end; p++) {
        if (*p != '$') {
            buf_putc(e->out, *p);
        } else if (!strncmp(p, "$fn", 3)) {
            buf_puts(e->out, function_words(e));
            p += 2;
        } else {
            put_parameter(e, *++p, type);
        }
    }
    buf_puts(e->out, "\n\n");
}

/* The type that `suffix` names; "-" for none, and NULL for `same`. */
static const Type *type_named(Slice suffix, const Type *same)
{
    if (slice_is(suffix, "part"))
        return type_complex_part(same);
    if (slice_is(suffix, "u"))
        return unsigned_of(same);
    for (int kind = TY_FIRST_SCALAR; kind <= (int)TY_LAST_SCALAR; kind++)
        if (slice_is(suffix, type_suffix(&type_table[kind])))
            return &type_table[kind];
    return NULL;
}

static void write_need(Emitter *e, int index);

/* Writes the struct of a complex type, or the name of a half float. */
static void write_type(Emitter *e, const Type *type)
{
    const char *name = type_text(e, type);

    if (type_is_complex(type) || type_is_float(type))
        write_need(e, need_piece(e, name, NULL));
}

/* Writes the piece that one word of `needs` names: `name`, `name.suffix`. */
static void write_needed(Emitter *e, Slice word, const Type *type)
{
    const char *dot = memchr(word.begin, '.', (size_t)(word.end - word.begin));
    Slice name = { word.begin, dot ? dot : word.end };

    if (dot)
        type = type_named((Slice){ dot + 1, word.end }, type);
    write_need(e, need_piece(e, slice_text(e, name), type));
}

static void write_need(Emitter *e, int index)
{
    Need need = e->needs[index];
    Slice rest = need.piece.needs, word;

    if (need.written)
        return;
    e->needs[index].written = true;
    if (need.type && (type_is_complex(need.type) || type_size(need.type) == 2))
        write_type(e, need.type);
    while (next_word(&rest, &word))
        write_needed(e, word, need.type);
    if (!need.piece.builtin.begin)
        put_body(e, need.piece.body, need.type);
}

void emit_prelude(Emitter *e)
{
    for (int i = 0; i < e->need_count; i++)
        write_need(e, i);
}
