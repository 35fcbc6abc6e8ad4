/* Several kernels' texts as one, for one call of the C compiler, of which a small kernel needs far
** less than starting it does.
**
** What a text defines at file scope gets a name that no other text has: its own, "$" and the text's
** number. No name of a user's has a "$". What begins with static, typedef, struct, union or enum
** defines names; other declarations are of functions that are elsewhere, or of the entry.
**
** A type or function that an earlier text defines in the same way, by the same types, functions and
** macros, is left out, and the earlier one's name stands for it. Variables are never shared. */
#include "base/table.h"
#include "runtime/cpu/join.h"

#include <ctype.h>

/* A piece of C: a word, a directive to the end of its line ('#'), a sign by itself, or what has no
** names in it: blanks, comments, strings and numbers (' '). */
typedef struct Token {
    const char *begin, *end;
    char kind; /* 'w' of a word */
} Token;

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *after_quoted(const char *p)
{
    char quote = *p++;

    while (*p && *p != quote)
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *after_number(const char *p)
{
    while (in_word(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
        p++;
    return p;
}

static const char *after_comment(const char *p)
{
    const char *end = strstr(p + 2, "*/");

    return end ? end + 2 : p + strlen(p);
}

static const char *after_line(const char *p)
{
    while (*p && (*p != '\n' || p[-1] == '\\'))
        p++;
    return p;
}

/* The token at p, which is not at the end of the text. */
static Token token_at(const char *p)
{
    Token token = { p, p + 1, ' ' };

    if (*p == '#') {
        token.kind = '#';
        token.end = after_line(p);
    } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        token.end = after_number(p);
    } else if (in_word(*p)) {
        token.kind = 'w';
        while (in_word(*token.end))
            token.end++;
    } else if (*p == '"' || *p == '\'') {
        token.end = after_quoted(p);
    } else if (*p == '/' && p[1] == '*') {
        token.end = after_comment(p);
    } else if (!isspace((unsigned char)*p)) {
        token.kind = *p;
    }
    return token;
}

static bool is_any(Token token, const char *const *words, size_t count)
{
    size_t length = (size_t)(token.end - token.begin);

    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], token.begin, length))
            return true;
    return false;
}

/* Words that no declaration defines. */
static bool is_of_c(Token token)
{
    static const char *const words[] = { "static", "inline",   "typedef", "struct",  "union",
                                         "enum",   "const",    "void",    "char",    "short",
                                         "int",    "long",     "float",   "double",  "signed",
                                         "extern", "unsigned", "bool",    "volatile" };
    bool compilers =
        *token.begin == '_' && (token.begin[1] == '_' || isupper((unsigned char)token.begin[1]));

    return compilers || is_any(token, words, ARRAY_COUNT(words));
}

static bool defines(Token first)
{
    static const char *const words[] = { "static", "typedef", "struct", "union", "enum" };

    return is_any(first, words, ARRAY_COUNT(words));
}

/* A word of a text. */
typedef struct Word {
    const char *text, *shown; /* `shown`: what stands for it, if the text defines it */
    int declaration;          /* in which it was met first, or the last that defines it */
    bool several;             /* others define it, or it was met before */
} Word;

typedef struct Declaration {
    const char *begin, *end;
    bool sharable;
} Declaration;

/* What is known of the declaration that is read. */
typedef struct Scope {
    Table *words;
    Arena *arena;
    int number;
    Declaration *declarations;
    int count, capacity;
    int braces, brackets, conditions; /* open ones; #if */
    Token first, last;                /* outside of them, but for blanks */
    char before;                      /* the kind of the token before, but for blanks */
    bool begun, defines, valued, function, enumerates, bare; /* bare: of #if and #define */
} Scope;

static Word *word_of(const Table *words, Token token)
{
    return token.kind == 'w' ? table_get_part(words, token.begin, (size_t)(token.end - token.begin))
                             : NULL;
}

static void meet(Scope *scope, Token token, int declaration)
{
    if (token.kind != 'w' || word_of(scope->words, token))
        return;
    Word *word = arena_new(scope->arena, Word);
    *word =
        (Word){ .text = arena_strndup(scope->arena, token.begin, (size_t)(token.end - token.begin)),
                .declaration = declaration };
    table_put(scope->words, word->text, word);
}

/* A word that is a name of this text's. */
static void add(Scope *scope, Token name)
{
    Word *word = word_of(scope->words, name);

    if (!word || is_of_c(name))
        return;
    word->several |= word->declaration != scope->count;
    word->declaration = scope->count;
    if (!word->shown)
        word->shown = arena_printf(scope->arena, "%s$%d", word->text, scope->number);
}

/* Whether the declaration that ends here may stand for those of other texts. */
static bool is_sharable(const Scope *scope)
{
    static const char *const types[] = { "typedef", "enum", "struct", "union" };

    if (!scope->bare || scope->conditions)
        return false;
    if (scope->function || !scope->defines)
        return !scope->valued;
    return is_any(scope->first, types, 1) ||
           (scope->last.kind == '}' && is_any(scope->first, types, ARRAY_COUNT(types)));
}

/* The token ends a declaration. */
static void end_declaration(Scope *scope, Token token)
{
    array_push(scope->arena, scope->declarations, scope->count, scope->capacity) =
        (Declaration){ scope->first.begin, token.end, is_sharable(scope) };
    scope->begun = scope->valued = scope->function = scope->enumerates = false;
    scope->last.kind = ' ';
}

/* A token of a declaration, outside of braces and brackets. */
static void read_outer(Scope *scope, Token token)
{
    if (!scope->begun) {
        scope->first = token;
        scope->defines = defines(token);
        scope->bare = !scope->conditions;
    }
    scope->begun = true;
    scope->enumerates |= is_any(token, (const char *const[]){ "enum" }, 1);
    bool ended = token.kind != 'w' || !strncmp(token.begin, "__", 2); /* by an attribute, too */
    if (ended && scope->defines && !scope->valued)
        add(scope, scope->last);
    if (token.kind == '{')
        scope->function = scope->last.kind == ')';
    scope->valued = (scope->valued || token.kind == '=') && token.kind != ',';
    if (token.kind == ';')
        end_declaration(scope, token);
    else
        scope->last = token;
}

static bool is_macro(Token directive)
{
    return !strncmp(directive.begin, "#define ", 8) || !strncmp(directive.begin, "#undef ", 7);
}

/* A macro's words are met where it is defined: what they stand for may come later. */
static void read_directive(Scope *scope, Token directive)
{
    scope->conditions += !strncmp(directive.begin, "#if", 3);
    scope->conditions -= !strncmp(directive.begin, "#endif", 6);
    for (Token token = { .end = directive.begin + 1 }; token.end < directive.end;) {
        token = token_at(token.end);
        meet(scope, token, scope->count - 1);
    }
    scope->bare &= !is_macro(directive);
}

static void read_token(Scope *scope, Token token)
{
    bool outer = !scope->braces && !scope->brackets;

    if (token.kind == '#')
        read_directive(scope, token);
    if (token.kind == ' ' || token.kind == '#')
        return;
    meet(scope, token, scope->count);
    if (outer)
        read_outer(scope, token);
    else if (scope->enumerates && strchr("{,", scope->before))
        add(scope, token);
    scope->before = token.kind;
    scope->braces += (token.kind == '{') - (token.kind == '}');
    scope->brackets +=
        (token.kind == '(' || token.kind == '[') - (token.kind == ')' || token.kind == ']');
    if (!outer && !scope->braces && !scope->brackets) {
        scope->last = token;
        if (token.kind == '}' && scope->function)
            end_declaration(scope, token);
    }
}

/* Where a text goes. */
typedef struct JoinedText {
    const Table *words;
    Buf *out, macros, undo; /* `macros`: as they are so far; `undo` ends them */
    int plain;              /* the names that this declaration alone defines stay as they are */
} JoinedText;

static bool is_own(const Word *word, int declaration)
{
    return word && word->shown && !word->several && word->declaration == declaration;
}

static void put_plain(JoinedText *joined, Token token)
{
    const Word *word = word_of(joined->words, token);

    if (word && word->shown && !is_own(word, joined->plain))
        buf_puts(joined->out, word->shown);
    else
        buf_put(joined->out, token.begin, (size_t)(token.end - token.begin));
}

/* A macro has the names of its text. */
static void put_macro(JoinedText *joined, Token macro)
{
    const size_t begin = joined->out->length;
    Token token = { .end = macro.begin };

    while (token.end < macro.end) {
        token = *token.end == '#' ? (Token){ token.end, token.end + 1, '#' } : token_at(token.end);
        put_plain(joined, token);
    }
    buf_puts(&joined->macros, buf_text(joined->out) + begin);
    if (macro.begin[1] == 'd') {
        token = token_at(macro.begin + sizeof "#define");
        buf_printf(&joined->undo, "#undef %.*s\n", (int)(token.end - token.begin), token.begin);
    }
}

static void put_tokens(JoinedText *joined, const char *begin, const char *end)
{
    for (Token token = { .end = begin }; token.end < end;) {
        token = token_at(token.end);
        if (is_macro(token))
            put_macro(joined, token);
        else
            put_plain(joined, token);
    }
}

/* What the declaration says, but for the names that it defines. */
static const char *content_of(const JoinedText *joined, const Declaration *declaration, int number)
{
    JoinedText plain = *joined;
    Buf content = buf_in(joined->out->arena);
    buf_puts(&content, buf_text(&joined->macros));
    plain.out = &content;
    plain.plain = number;
    put_tokens(&plain, declaration->begin, declaration->end);
    return buf_text(&content);
}

/* Its names are those that another text has for them. */
static void rename_like(const Table *other, const Table *words, const Declaration *declaration,
                        int number)
{
    for (Token token = { .end = declaration->begin }; token.end < declaration->end;) {
        token = token_at(token.end);
        Word *word = word_of(words, token);
        if (is_own(word, number))
            word->shown = word_of(other, token)->shown;
    }
}

/* Whether an earlier text has the declaration; else this is one that later texts may share. */
static bool is_shared(TextJoin *join, const JoinedText *joined, const Declaration *declaration,
                      int number)
{
    if (!declaration->sharable)
        return false;
    const char *content = content_of(joined, declaration, number);
    const Table *other = table_get(&join->shared, content);
    if (other)
        rename_like(other, joined->words, declaration, number);
    else
        table_put(&join->shared, content, (Table *)(uintptr_t)joined->words);
    return other;
}

void join_init(TextJoin *join, Buf *out)
{
    *join = (TextJoin){ .out = out };
    table_init(&join->shared, out->arena);
}

void join_text(TextJoin *join, const char *text, const char *entry, const char *entry_name)
{
    Arena *arena = join->out->arena;
    Table *words = arena_new(arena, Table);
    Word *name = arena_new(arena, Word);
    Scope scope = { .words = words, .arena = arena, .number = join->count++, .last.kind = ' ' };
    JoinedText joined = { .words = words, .out = join->out, .plain = -1 };

    table_init(words, arena);
    *name = (Word){ entry, entry_name, -1, true };
    table_put(words, entry, name);
    for (Token token = { .end = text }; *token.end; read_token(&scope, token))
        token = token_at(token.end);
    joined.macros = buf_in(arena);
    joined.undo = buf_in(arena);
    for (int i = 0; i < scope.count; i++) {
        const Declaration *declaration = &scope.declarations[i];
        put_tokens(&joined, text, declaration->begin);
        if (!is_shared(join, &joined, declaration, i))
            put_tokens(&joined, declaration->begin, declaration->end);
        text = declaration->end;
    }
    put_tokens(&joined, text, text + strlen(text));
    buf_putc(join->out, '\n');
    buf_puts(join->out, buf_text(&joined.undo));
}
