/* Kernels whose emitted text was edited by hand: CUDA C or C that takes the place of the emitted
** text, while everything else, the types, what is copied, what faults say, stays as the kernel has
** it.
**
** A text that was cut loose from its kernel would read the wrong arguments, so its entry must be
** there, with the very same parameters. */
#include "runtime/binary/binary.h"
#include "runtime/array/array.h"

#include <ctype.h>

/* ---- the entry ----------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind what says nothing: blanks, comments and lines for the preprocessor. */
static const char *skip_nothing(const char *at)
{
    for (;;) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else if ((at[0] == '/' && at[1] == '/') || *at == '#') {
            at += strcspn(at, "\n");
        } else {
            return at;
        }
    }
}

/* Behind a token: a word or number, a text between quotes, any other character. */
static const char *skip_token(const char *at)
{
    if (in_word(*at)) {
        while (in_word(*at))
            at++;
        return at;
    }
    if (*at != '"' && *at != '\'')
        return at + 1;
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

/* Behind the parentheses that open at `at`, which is where they end if they are never closed. */
static const char *skip_parentheses(const char *at)
{
    int depth = 0;

    while (*at) {
        depth += (*at == '(') - (*at == ')');
        at = skip_token(at);
        if (!depth)
            break;
        at = skip_nothing(at);
    }
    return at;
}

/* A function that a text defines. */
typedef struct Definition {
    const char *name, *params; /* where the parentheses open; NULL: there is none */
    size_t length;             /* of the name */
} Definition;

typedef bool IsWanted(const char *word, size_t length, const Definition *like);

static bool is_named(const char *word, size_t length, const Definition *like)
{
    return length == like->length && memcmp(word, like->name, length) == 0;
}

/* The name of what runs a block of threads in C. */
static bool is_block(const char *word, size_t length, const Definition *like)
{
    static const char ending[] = "_block";
    const size_t most = sizeof ending - 1;

    (void)like;
    return length > most && memcmp(word + length - most, ending, most) == 0;
}

/* The last function that is wanted and has a body: the kernel's own come behind those it calls,
** which may be called anything. */
static Definition find_function(const char *text, IsWanted *wanted, const Definition *like)
{
    Definition found = { NULL, NULL, 0 };

    for (const char *at = skip_nothing(text); *at; at = skip_nothing(at)) {
        const char *token = at;
        at = skip_token(at);
        if (!wanted(token, (size_t)(at - token), like))
            continue;
        const char *open = skip_nothing(at);
        if (*open == '(' && *skip_nothing(skip_parentheses(open)) == '{')
            found = (Definition){ token, open, (size_t)(at - token) };
    }
    return found;
}

/* Behind what changes nothing in how a function is called: what its text says of its pointers. */
static const char *skip_restrict(const char *at)
{
    static const char *const words[] = { "restrict", "__restrict__", "__restrict" };
    size_t length = (size_t)(skip_token(at) - at);

    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strlen(words[i]) == length && memcmp(at, words[i], length) == 0)
            return skip_nothing(at + length);
    return at;
}

/* Whether two lists of parameters are the same, token by token. */
static bool same_parameters(const char *a, const char *b)
{
    const char *a_end = skip_parentheses(a), *b_end = skip_parentheses(b);

    for (;;) {
        a = skip_restrict(a);
        b = skip_restrict(b);
        if (a >= a_end || b >= b_end)
            break;
        const char *a_next = skip_token(a), *b_next = skip_token(b);
        if (a_next - a != b_next - b || memcmp(a, b, (size_t)(a_next - a)) != 0)
            return false;
        a = skip_nothing(a_next);
        b = skip_nothing(b_next);
    }
    return a >= a_end && b >= b_end;
}

/* Whether the text has a function of the emitted one with its parameters. */
static kjit_status check_function(const Definition *own, const char *text, const char *name)
{
    Definition edited = find_function(text, is_named, own);

    if (!edited.params)
        return error_set(KJIT_ARGUMENT,
                         "error: %s does not define '%.*s', which is what is launched\n"
                         "note: it is to be the text of kjit build --emit for these types, edited",
                         name, (int)own->length, own->name);
    if (!own->params || same_parameters(own->params, edited.params))
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: %s gives '%.*s' other parameters than the kernel has for these types\n"
                     "note: they are %.*s",
                     name, (int)own->length, own->name,
                     (int)(skip_parentheses(own->params) - own->params), own->params);
}

/* The entry of the C dialect is the same for all kernels: there the types are in the parameters of
** the function that runs a block. */
static kjit_status check_entry(const Emitted *emitted, const char *text, const char *name)
{
    Definition entry = { emitted->entry, NULL, strlen(emitted->entry) };
    Definition own = find_function(emitted->text, is_named, &entry);
    Definition block = find_function(emitted->text, is_block, NULL);

    KJIT_TRY(check_function(own.params ? &own : &entry, text, name));
    return block.params ? check_function(&block, text, name) : KJIT_OK;
}

/* ---- the text ------------------------------------------------------------------------------ */

/* #line with the name as a text of C. */
static char *put_name(char *to, const char *name)
{
    to += sprintf(to, "#line 1 \"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            *to++ = '\\';
        *to++ = *name == '\n' ? ' ' : *name;
    }
    return to + sprintf(to, "\"\n");
}

/* The emitted text says of its lines that they are the kernel's; edited ones are lines of the
** file. */
static void drop_lines(char *text)
{
    for (char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, "#line", 5) == 0)
            memset(at, ' ', strcspn(at, "\n"));
    }
}

kjit_status edited_text(const Emitted *emitted, const char *text, const char *name, char **out)
{
    *out = NULL;
    KJIT_TRY(check_entry(emitted, text, name));
    char *made = memory_alloc(strlen(text) + 2 * strlen(name) + 32);
    if (!made)
        return error_memory();
    char *body = put_name(made, name);
    strcpy(body, text);
    drop_lines(body);
    *out = made;
    return KJIT_OK;
}

kjit_status edited_failure(const BuildRequest *request, const char *compiler, const char *log)
{
    return error_set(KJIT_INVALID, "error: %s, edited, does not compile with %s\n%s",
                     request->edited, compiler, log);
}

kjit_status linked_failure(const BuildRequest *request, const char *compiler, const char *log)
{
    return error_set(KJIT_INVALID,
                     "error: %s does not compile with %s together with what link= names\n%s"
                     "note: a function that cuda.declare_device() declares is, in CUDA C, extern "
                     "\"C\" __device__ int NAME(RESULT *result, ...), and with abi=\"c\" RESULT "
                     "NAME(...); it must be there, with the parameters that are declared",
                     request->call, compiler, log);
}

/* ---- taking the emitted text's place ------------------------------------------------------- */

kjit_status edited_build(Device *device, const Emitted *emitted, const EditedSource *source,
                         BuildRequest *request, Code **code)
{
    char *text;

    if (emitted->rounding && !strstr(source->text, emitted->rounding))
        return error_set(KJIT_INVALID,
                         "error: %s has no kernel %s, which rounds the sums of the other\n"
                         "note: keep it as 'kjit build --emit cuda' writes it",
                         source->name, emitted->rounding);
    KJIT_TRY(edited_text(emitted, source->text, source->name, &text));
    request->text = text;
    request->length = strlen(text);
    request->edited = source->name;
    kjit_status status = device->ops->build(device, request, code);
    memory_free(text);
    return status;
}

static kjit_status check_stage(const kjit_kernel *kernel, const char *stage)
{
    const Device *device = kernel->module->context->device;
    bool c = device->ops->dialect == DIALECT_C;

    if (kernel->module->compiled)
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s comes from a binary, which has no text to be edited",
                         kernel->info->name);
    if (device->ops->dialect == DIALECT_CHECK)
        return error_set(KJIT_UNSUPPORTED,
                         "error: the device check runs a text of its own, which cannot be edited");
    if (strcmp(stage, "cuda") != 0 && strcmp(stage, "c") != 0)
        return error_set(KJIT_ARGUMENT, "error: an edited text is cuda or c, not '%s'", stage);
    if (strcmp(stage, c ? "c" : "cuda") == 0)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     c ? "error: the device %s runs C, not CUDA C\n"
                         "note: edit the text of stage c, or use a GPU"
                       : "error: the device %s runs CUDA C, not C\n"
                         "note: edit the text of stage cuda, or use the device cpu",
                     device->name);
}

kjit_status kjit_replace_text(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                              const char *stage, const char *text, const char *name)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    const EditedSource source = { text, name };
    uint32_t words[KEY_MAX];
    int length;

    *report_current() = (kjit_report){ .size = sizeof(kjit_report) };
    KJIT_TRY(check_stage(kernel, stage));
    KJIT_TRY(check_count(kernel, count));
    KJIT_TRY(signature_pack(args, count, kernel->param_names, words, &length));
    Specialisation *spec = specialisation_new(words, length, 0);
    if (!spec)
        return error_memory();
    kjit_status status = specialisation_compile(kernel, spec, &source);
    if (status == KJIT_OK)
        dispatch_add(kernel, spec);
    else
        specialisation_free(spec);
    return status;
}
