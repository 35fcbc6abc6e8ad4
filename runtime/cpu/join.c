/* Several kernels' texts as one, for one call of the C compiler, of which a small kernel needs far
** less than starting it does.
**
** What a text defines at file scope gets a name that no other text has: its own, "$" and the text's
** number. No name of a user's has a "$". What begins with static, typedef, struct, union or enum
** defines names; other declarations are of functions that are elsewhere, or of the entry. */
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

/* What is known of the declaration that is read. */
typedef struct Scope {
    Table *names;
    Arena *arena;
    int number;
    int braces, brackets; /* open ones */
    Token last;           /* outside of them, but for blanks */
    char before;          /* the kind of the token before, but for blanks */
    bool begun, defines, valued, function, enumerates;
} Scope;

/* A word that is a name of this text's. */
static void add(Scope *scope, Token name)
{
    size_t length = (size_t)(name.end - name.begin);

    if (name.kind != 'w' || is_of_c(name) || table_get_part(scope->names, name.begin, length))
        return;
    const char *text = arena_strndup(scope->arena, name.begin, length);
    table_put(scope->names, text, arena_printf(scope->arena, "%s$%d", text, scope->number));
}

static void end_declaration(Scope *scope)
{
    scope->begun = scope->valued = scope->function = scope->enumerates = false;
    scope->last.kind = ' ';
}

/* A token of a declaration, outside of braces and brackets. */
static void read_outer(Scope *scope, Token token)
{
    if (!scope->begun)
        scope->defines = defines(token);
    scope->begun = true;
    scope->enumerates |= is_any(token, (const char *const[]){ "enum" }, 1);
    bool ended = token.kind != 'w' || !strncmp(token.begin, "__", 2); /* by an attribute, too */
    if (ended && scope->defines && !scope->valued)
        add(scope, scope->last);
    if (token.kind == '{')
        scope->function = scope->last.kind == ')';
    scope->valued = (scope->valued || token.kind == '=') && token.kind != ',';
    scope->last = token;
    if (token.kind == ';')
        end_declaration(scope);
}

static void read_token(Scope *scope, Token token)
{
    bool outer = !scope->braces && !scope->brackets;

    if (token.kind == ' ' || token.kind == '#')
        return;
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
            end_declaration(scope);
    }
}

/* Where a text goes. */
typedef struct Joined {
    const Table *names;
    Buf *out, undo; /* `undo` ends what it defines as macros */
} Joined;

static void put_plain(Joined *joined, Token token)
{
    size_t length = (size_t)(token.end - token.begin);
    const char *name =
        token.kind == 'w' ? table_get_part(joined->names, token.begin, length) : NULL;

    if (name)
        buf_puts(joined->out, name);
    else
        buf_put(joined->out, token.begin, length);
}

static const char define[] = "#define ";

/* A macro has the names of its text. */
static void put_macro(Joined *joined, Token macro)
{
    Token token = { .end = macro.begin + sizeof define - 1 };
    Token name = token_at(token.end);

    buf_puts(joined->out, define);
    buf_printf(&joined->undo, "#undef %.*s\n", (int)(name.end - name.begin), name.begin);
    while (token.end < macro.end) {
        token = *token.end == '#' ? (Token){ token.end, token.end + 1, '#' } : token_at(token.end);
        put_plain(joined, token);
    }
}

static void put_token(Joined *joined, Token token)
{
    if (token.kind == '#' && !strncmp(token.begin, define, sizeof define - 1))
        put_macro(joined, token);
    else
        put_plain(joined, token);
}

void join_text(Buf *out, const char *text, const char *entry, const char *entry_name, int number)
{
    Table names;
    Scope scope = { .names = &names, .arena = out->arena, .number = number, .last.kind = ' ' };
    Joined joined = { .names = &names, .out = out };

    table_init(&names, out->arena);
    table_put(&names, entry, (char *)(uintptr_t)entry_name);
    for (Token token = { .end = text }; *token.end; read_token(&scope, token))
        token = token_at(token.end);
    buf_init(&joined.undo, out->arena);
    for (Token token = { .end = text }; *token.end; put_token(&joined, token))
        token = token_at(token.end);
    buf_putc(out, '\n');
    buf_puts(out, buf_text(&joined.undo));
}
