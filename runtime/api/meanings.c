/* What names mean where they stand, for editors. */
#include "runtime/array/array.h"
#include "runtime/compile/compile.h"

typedef struct MeaningsRequest {
    kjit_kernel *kernel;
    const uint32_t *key; /* NULL: of the signature that is declared */
    int key_length;
    void (*each)(void *context, const kjit_meaning *meaning);
    void *context;
} MeaningsRequest;

/* By place, and of one place by what it means. */
static int by_place(const void *left, const void *right)
{
    const Meaning *a = left, *b = right;
    int files = strcmp(a->use.source->name, b->use.source->name);

    if (files)
        return files;
    if (a->use.begin != b->use.begin)
        return a->use.begin < b->use.begin ? -1 : 1;
    return strcmp(a->what, b->what);
}

/* A name that stands in the text; what is made of it, as an operator's function, does not. */
static bool is_name(Span use)
{
    const char *text = use.source->text;

    for (uint32_t i = use.begin; i < use.end; i++) {
        char c = text[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || (c & 0x80);
        if (!word)
            return false;
    }
    return use.begin < use.end;
}

static void tell(const MeaningsRequest *request, const Meaning *one)
{
    kjit_meaning meaning = { .size = sizeof meaning,
                             .file = one->use.source->name,
                             .what = one->what };
    SourcePlace begin = source_place(one->use.source, one->use.begin);

    meaning.line = begin.line;
    meaning.column = begin.column;
    meaning.end_column = source_place(one->use.source, one->use.end).column;
    if (one->defined.source) {
        SourcePlace made = source_place(one->defined.source, one->defined.begin);
        SourcePlace end = source_place(one->defined.source, one->defined.end);
        meaning.made_file = one->defined.source->name;
        meaning.made_line = made.line;
        meaning.made_column = made.column;
        meaning.made_end_column = end.line == made.line ? end.column : made.column;
    }
    request->each(request->context, &meaning);
}

static kjit_status find(void *context, Arena *arena)
{
    const MeaningsRequest *request = context;
    Meanings meanings = { 0 };
    KernelRequest translation = {
        .kernel = request->kernel,
        .key = request->key,
        .key_length = request->key_length,
        .dialect = DIALECT_C,
        .stop_at_ir = true,
        .meanings = &meanings,
    };

    kjit_status status = compile_kernel(arena, &translation);
    if (meanings.count)
        qsort(meanings.list, (size_t)meanings.count, sizeof *meanings.list, by_place);
    for (int i = 0; i < meanings.count; i++) {
        const Meaning *one = &meanings.list[i];
        if (is_name(one->use) && (i == 0 || by_place(one - 1, one) != 0))
            tell(request, one);
    }
    return status;
}

kjit_status kjit_meanings(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                          void (*each)(void *context, const kjit_meaning *meaning), void *context)
{
    KJIT_TRY(HANDLE(KERNEL, kernel));
    kjit_module *module = kernel->module;
    uint32_t key[KEY_MAX];
    Arena arena;
    MeaningsRequest request = { .kernel = kernel, .each = each, .context = context };

    if (module->compiled)
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s comes from a binary, and has no names to tell"
                         " of",
                         kernel->info->name);
    if (count || !kernel->info->signature) {
        if (count != (size_t)kernel->param_count)
            return error_set(KJIT_ARGUMENT,
                             "error: %s has %d parameters, and %zu arguments say their types",
                             kernel->info->name, kernel->param_count, count);
        KJIT_TRY(signature_pack(args, count, kernel->param_names, key, &request.key_length));
        request.key = key;
    }
    arena_init(&arena, NULL);
    forks_lock(&module->lock);
    kjit_status status = arena_catch(&arena, find, &request);
    forks_unlock(&module->lock);
    arena_free(&arena);
    return status;
}
