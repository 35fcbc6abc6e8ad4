/* The preludes: functions that the emitted text calls where C has no operator for what Python
** means. Their texts lie in codegen/prelude/, in pieces; emit.h describes the notation, and
** pieces.awk makes a sorted table for each dialect of them. Only what a unit uses is written, once
** for each type. */
#include "codegen/emit/expr.h"

/* A prelude's piece, as its head says; empty strings for what that leaves out. */
typedef struct Piece {
    const char *name, *types, *needs, *builtin, *body;
} Piece;

typedef struct Pieces {
    const Piece *list; /* by name; pieces of one name in the order they stand */
    size_t count;
} Pieces;

#define PIECE(name, types, needs, builtin, body) { name, types, needs, builtin, body },
static const Piece pieces_both[] = {
#include "codegen/prelude/both.inc"
};
static const Piece pieces_c[] = {
#include "codegen/prelude/c.inc"
};
static const Piece pieces_check[] = {
#include "codegen/prelude/check.inc"
};
static const Piece pieces_cuda[] = {
#include "codegen/prelude/cuda.inc"
};
#undef PIECE

enum { TABLES = 3 };

/* A stretch of a text. */
typedef struct Slice {
    const char *begin, *end;
} Slice;

struct Need {
    const Piece *piece;
    const Type *type; /* NULL for a piece of no type */
    const char *name; /* what to call */
    bool written;
};

static Slice slice_of(const char *text)
{
    return (Slice){ text, text + strlen(text) };
}

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
    Slice rest = slice_of(piece->types), word;

    while (next_word(&rest, &word))
        if (word_covers(word, type))
            return true;
    return false;
}

#define PIECES(list) ((Pieces){ list, ARRAY_COUNT(list) })

/* The dialect's prelude, then the common one and the checker's. */
static void prelude_tables(const Emitter *e, Pieces tables[TABLES])
{
    tables[0] = e->dialect == DIALECT_CUDA ? PIECES(pieces_cuda) : PIECES(pieces_c);
    tables[1] = PIECES(pieces_both);
    tables[2] = e->dialect == DIALECT_CHECK ? PIECES(pieces_check) : (Pieces){ pieces_check, 0 };
}

/* The first piece of that name, which others may follow; NULL if there is none. */
static const Piece *first_piece(Pieces pieces, Slice name)
{
    size_t low = 0, high = pieces.count, length = (size_t)(name.end - name.begin);

    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *other = pieces.list[middle].name;
        int order = *other - *name.begin; /* mostly it is enough */
        order = order ? order : strncmp(other, name.begin, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pieces.count && slice_is(name, pieces.list[low].name) ? &pieces.list[low] : NULL;
}

static const Piece *find_piece(const Emitter *e, Slice name, const Type *type)
{
    Pieces tables[TABLES];

    prelude_tables(e, tables);
    for (int i = 0; i < TABLES; i++) {
        const Piece *end = tables[i].list + tables[i].count;
        const Piece *piece = first_piece(tables[i], name);
        for (; piece && piece < end && slice_is(name, piece->name); piece++)
            if (piece_covers(piece, type))
                return piece;
    }
    return NULL;
}

bool prelude_has(Emitter *e, const char *name, const Type *type)
{
    return find_piece(e, slice_of(name), type) != NULL;
}

bool prelude_wrote(const Emitter *e, const char *name)
{
    for (int i = 0; i < e->need_count; i++)
        if (!e->needs[i].type && !strcmp(e->needs[i].piece->name, name))
            return true;
    return false;
}

static bool is_piece(const Emitter *e, Slice name)
{
    Pieces tables[TABLES];
    bool found = false;

    prelude_tables(e, tables);
    for (int i = 0; i < TABLES; i++)
        found |= first_piece(tables[i], name) != NULL;
    return found;
}

bool prelude_defines(Emitter *e, const char *name)
{
    Slice whole = slice_of(name);

    if (is_piece(e, whole))
        return true;
    if (!strchr(name, '_'))
        return false;
    for (int kind = TY_FIRST_SCALAR; kind <= (int)TY_LAST_SCALAR; kind++) {
        const char *suffix = type_suffix(&type_table[kind]);
        const char *end = whole.end - strlen(suffix) - 1;
        if (end > name && *end == '_' && !strcmp(end + 1, suffix) &&
            is_piece(e, (Slice){ name, end }))
            return true;
    }
    return false;
}

static const char *slice_text(Emitter *e, Slice slice)
{
    return arena_strndup(e->arena, slice.begin, (size_t)(slice.end - slice.begin));
}

static const char *need_name(Emitter *e, const Piece *piece, const char *name, const Type *type)
{
    if (*piece->builtin)
        return piece->builtin;
    return type ? arena_printf(e->arena, "%s_%s", name, type_suffix(type)) : name;
}

/* For IR written by hand: the verifier does not know which types a function takes. */
static void lack_piece(Emitter *e, const char *name, const Type *type)
{
    const IrFunc *fn = e->fn ? e->fn : e->unit->kernel;

    diag_error(e->diags, fn->span, "'%s' needs %s of %s, which is not there", fn->name, name,
               type ? type_name(e->arena, type) : "nothing");
    e->lacks_piece = true;
}

/* Index of the need for a piece, made if it is new. */
static int need_piece(Emitter *e, const char *name, const Type *type)
{
    static const Piece none = { "", "", "", "", "" };
    Need need = { .type = type };

    for (int i = 0; i < e->need_count; i++)
        if (e->needs[i].type == type && !strcmp(e->needs[i].piece->name, name))
            return i;
    need.piece = find_piece(e, slice_of(name), type);
    if (!need.piece) {
        lack_piece(e, name, type);
        need.piece = &none;
    }
    need.name = need_name(e, need.piece, name, type);
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

const char *function_words(const Emitter *e)
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

static void put_body(Emitter *e, const char *body, const Type *type)
{
    for (const char *p = body; *p; p++) {
        if (*p != '$') {
            buf_putc(e->out, *p);
        } else if (!strncmp(p, "$fn", 3)) {
            buf_puts(e->out, function_words(e));
            p += 2;
        } else if (!strncmp(p, "$inline", 7)) {
            buf_puts(e->out, "static inline __attribute__((always_inline))");
            p += 6;
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
    Slice rest = slice_of(need.piece->needs), word;

    if (need.written)
        return;
    e->needs[index].written = true;
    if (need.type && (type_is_complex(need.type) || type_is_half(need.type)))
        write_type(e, need.type);
    while (next_word(&rest, &word))
        write_needed(e, word, need.type);
    if (!*need.piece->builtin)
        put_body(e, need.piece->body, need.type);
}

static int compare_needs(const void *left, const void *right)
{
    const Need *a = left, *b = right;
    int order = strcmp(a->piece->name, b->piece->name);

    if (order != 0)
        return order;
    return strcmp(a->type ? type_suffix(a->type) : "", b->type ? type_suffix(b->type) : "");
}

/* By name behind the headers, since the order in which they were asked for is that in which a C
** compiler chose to evaluate the arguments of our calls. */
void emit_prelude(Emitter *e)
{
    if (e->dialect != DIALECT_CUDA)
        write_need(e, need_piece(e, "headers", NULL));
    if (e->need_count > 0)
        qsort(e->needs, (size_t)e->need_count, sizeof *e->needs, compare_needs);
    for (int i = 0; i < e->need_count; i++)
        write_need(e, i);
}
