/* What is linked: the texts that link= names, read, with the files that they include put in their
** place, and what the foreign functions of a unit are.
**
** A path is what its expression gives: text, os.path's functions, pathlib, __file__, constants of
** these. It is looked for beside the file that names it, then in the working folder. */
#include "ir/lower/function.h"

enum { LINK_DEPTH = 16 }; /* of names for one another, and of files that include files */

/* What names a text, and where. */
typedef struct Linking {
    Lower *lower;
    const Module *module; /* whose names count */
    int depth;
} Linking;

static const char *text_of(Linking *l, const AstExpr *expr);

/* ---- paths ----------------------------------------------------------------------------------- */

static const char *folder_of(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

static const char *joined(Arena *arena, const char *folder, const char *path)
{
    bool plain = !*folder || *path == '/' || strcmp(folder, ".") == 0;
    return plain ? path : arena_printf(arena, "%s/%s", folder, path);
}

static const char *file_of(const Module *module)
{
    const char *name = module_source(module);
    return *name == '<' ? "" : name;
}

/* The last name of a.b.c, or of a path that is built in. */
static const char *called(Linking *l, const AstExpr *function)
{
    const char *path = module_path_of(l->lower->arena, l->module, function);
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (function->kind == AST_ATTRIBUTE)
        return function->attribute.name;
    return dot ? dot + 1 : path ? path : function->kind == AST_NAME ? function->name.name : "";
}

/* a / b, a.joinpath(b), os.path.join(a, b). */
static const char *join_of(Linking *l, const char *first, const AstExprs *rest, int from)
{
    for (int i = from; first && i < rest->count; i++) {
        const char *next = text_of(l, rest->items[i]);
        first = next ? joined(l->lower->arena, first, next) : NULL;
    }
    return first;
}

static const char *call_of(Linking *l, const AstExpr *expr)
{
    static const char *const same[] = { "abspath", "realpath", "normpath", "fspath",   "str",
                                        "Path",    "PurePath", "resolve",  "absolute", "as_posix" };
    const AstExpr *function = expr->call.function;
    const AstExprs *args = &expr->call.args;
    const char *name = called(l, function);
    bool method = !args->count && function->kind == AST_ATTRIBUTE;
    if (strcmp(name, "getcwd") == 0 || strcmp(name, "cwd") == 0)
        return ".";
    const AstExpr *object = method        ? function->attribute.object
                            : args->count ? args->items[0]
                                          : NULL;
    if (!object)
        return NULL;
    if (strcmp(name, "join") == 0)
        return join_of(l, text_of(l, object), args, 1);
    if (strcmp(name, "joinpath") == 0 && function->kind == AST_ATTRIBUTE)
        return join_of(l, text_of(l, function->attribute.object), args, 0);
    if (strcmp(name, "dirname") == 0) {
        const char *path = text_of(l, object);
        return path ? folder_of(l->lower->arena, path) : NULL;
    }
    if (TEXT_IS_AMONG(name, same))
        return method ? text_of(l, object) : join_of(l, text_of(l, object), args, 1);
    return NULL;
}

/* What a name of the module is written as; NULL: nothing that is known. */
static const AstExpr *meaning(Linking *l, const AstExpr *name, Linking *there)
{
    const Symbol *symbol = module_symbol(l->module, name->name.name);
    *there = *l;
    there->depth++;
    there->module = symbol ? symbol->module : l->module;
    return symbol && l->depth < LINK_DEPTH ? constant_expr(l->lower, symbol) : NULL;
}

static const char *name_text(Linking *l, const AstExpr *expr)
{
    Linking there;
    if (strcmp(expr->name.name, "__file__") == 0)
        return file_of(l->module);
    const AstExpr *value = meaning(l, expr, &there);
    return value ? text_of(&there, value) : NULL;
}

/* The text that an expression gives; NULL if that is not known. */
static const char *text_of(Linking *l, const AstExpr *expr)
{
    Arena *arena = l->lower->arena;
    const char *left, *right;
    switch ((int)expr->kind) {
    case AST_STRING:
        return expr->string.text;
    case AST_NAME:
        return name_text(l, expr);
    case AST_CALL:
        return call_of(l, expr);
    case AST_ATTRIBUTE:
        left = strcmp(expr->attribute.name, "parent") ? NULL : text_of(l, expr->attribute.object);
        return left ? folder_of(arena, left) : NULL;
    case AST_BINARY:
        left = text_of(l, expr->binary.left);
        right = left ? text_of(l, expr->binary.right) : NULL;
        if (!right || (expr->binary.op != AST_ADD && expr->binary.op != AST_DIV))
            return NULL;
        return expr->binary.op == AST_DIV ? joined(arena, left, right)
                                          : arena_printf(arena, "%s%s", left, right);
    default:
        return NULL;
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Whether a line includes a file by its name between quotes. */
static const char *included(Arena *arena, const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || *at++ != '#')
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at < 8 || memcmp(at, "include", 7) != 0)
        return NULL;
    const char *open = memchr(at, '"', (size_t)(end - at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : NULL;
}

/* A text whose includes were put in, and the names of those that want to be there once. */
typedef struct Expansion {
    Lower *lower;
    Buf out;
    Table once;
} Expansion;

static void put_place(Expansion *x, const Source *source, uint32_t number)
{
    buf_printf(&x->out, "#line %u \"", (unsigned)number);
    for (const char *at = source->name; *at; at++)
        buf_putc(&x->out, *at == '"' || *at == '\\' ? '_' : *at);
    buf_puts(&x->out, "\"\n");
}

static void expand(Expansion *x, const Source *source, int depth)
{
    static const char once[] = "#pragma once";
    Arena *arena = x->lower->arena;
    const char *folder = folder_of(arena, source->name), *why;
    uint32_t number = 1;
    if (strstr(source->text, once))
        table_put(&x->once, source->name, x);
    put_place(x, source, 1);
    for (const char *line = source->text; *line; number++) {
        size_t length = strcspn(line, "\n");
        const char *name = depth < LINK_DEPTH ? included(arena, line, length) : NULL;
        const char *path = name ? joined(arena, folder, name) : NULL;
        const Source *other =
            path && x->lower->request->read ? x->lower->request->read(arena, path, &why) : NULL;
        if (other && !table_get(&x->once, path))
            expand(x, other, depth + 1);
        if (other)
            put_place(x, source, number + 1);
        else if (depth && strncmp(line, once, strlen(once)) == 0)
            buf_putc(&x->out, '\n');
        else
            buf_printf(&x->out, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* The text with all that it includes from beside it. */
static const Source *whole(Lower *lower, const Source *source)
{
    Expansion x = { .lower = lower };
    x.out = buf_in(lower->arena);
    table_init(&x.once, lower->arena);
    expand(&x, source, 0);
    return source_new(lower->arena, source->name, buf_text(&x.out), x.out.length);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static void link_file(Linking *l, const AstExpr *expr, const char *path, IrLinked *linked)
{
    Lower *lower = l->lower;
    const char *beside = joined(lower->arena, folder_of(lower->arena, file_of(l->module)), path);
    const char *why = "nothing is linked here", *second;
    linked->name = path;
    linked->kind = ends_with(path, ".cu")  ? LINKED_CUDA
                   : ends_with(path, ".c") ? LINKED_C
                                           : LINKED_OTHER;
    if (linked->kind == LINKED_OTHER)
        return;
    if (lower->request->read)
        linked->source = lower->request->read(lower->arena, beside, &why);
    if (lower->request->read && !linked->source && strcmp(beside, path) != 0)
        linked->source = lower->request->read(lower->arena, path, &second);
    if (!linked->source)
        diag_error(lower->diags, expr->span, "link= cannot be honoured: %s", why);
    else
        linked->source = whole(lower, linked->source);
}

/* ---- what link= names ------------------------------------------------------------------------ */

static void link_one(Linking *l, const AstExpr *expr);

/* CUSource("text"), and the other forms of code in memory, which kjit cannot link. */
static bool link_memory(Linking *l, const AstExpr *expr, IrLinked *linked)
{
    static const char *const others[] = { "PTXSource", "Fatbin", "Cubin",
                                          "Archive",   "Object", "LTOIR" };
    const char *name = expr->kind == AST_CALL ? called(l, expr->call.function) : "";
    linked->name = name;
    linked->kind = LINKED_OTHER;
    if (TEXT_IS_AMONG(name, others))
        return true;
    if (strcmp(name, "CUSource") != 0)
        return false;
    const char *text = expr->call.args.count ? text_of(l, expr->call.args.items[0]) : NULL;
    linked->kind = LINKED_CUDA;
    if (text)
        linked->source =
            whole(l->lower, source_new(l->lower->arena, "CUSource", text, strlen(text)));
    return text != NULL;
}

static void link_values(Linking *l, const AstExpr *expr)
{
    AstExprs links = { 0 };
    links_take(l->lower->arena, (AstExpr *)(uintptr_t)expr, &links);
    for (int i = 0; i < links.count; i++)
        link_one(l, links.items[i]);
}

static bool is_same(const IrLinked *a, const IrLinked *b)
{
    if (a->kind != b->kind || strcmp(a->name, b->name) != 0)
        return false;
    return !a->source || !b->source || strcmp(a->source->text, b->source->text) == 0;
}

/* A file that several functions name is linked once. */
static void add_linked(Lower *lower, const IrLinked *linked)
{
    IrUnit *unit = lower->unit;
    for (int i = 0; i < unit->linked_count; i++)
        if (is_same(&unit->linked[i], linked))
            return;
    IrLinked *all = arena_array(lower->arena, IrLinked, unit->linked_count + 1);
    if (unit->linked_count)
        memcpy(all, unit->linked, (size_t)unit->linked_count * sizeof *all);
    all[unit->linked_count++] = *linked;
    unit->linked = all;
}

static void link_one(Linking *l, const AstExpr *expr)
{
    IrLinked linked = { .span = expr->span };
    Linking there;
    const AstExpr *value = expr->kind == AST_NAME ? meaning(l, expr, &there) : NULL;
    const char *path;
    if (value && value->kind != AST_STRING) {
        link_values(&there, value);
        return;
    }
    if (expr->kind == AST_STARRED) {
        link_values(l, expr->starred.value);
        return;
    }
    if (!link_memory(l, expr, &linked)) {
        if (!(path = text_of(l, expr))) {
            diag_error(l->lower->diags, expr->span,
                       "link= names what kjit cannot evaluate: write a path, os.path.join(...), "
                       "Path(__file__).parent / \"f.cu\", CUSource(text), or a list of these");
            return;
        }
        link_file(l, expr, path, &linked);
    }
    add_linked(l->lower, &linked);
}

void link_note(Lower *lower, const Function *function)
{
    array_push(lower->arena, lower->linking, lower->linking_count, lower->linking_capacity) =
        function;
}

void link_read(Lower *lower)
{
    bool wanted = false;
    for (int i = 0; i < lower->unit->count; i++)
        wanted |= lower->unit->functions[i]->foreign != NULL;
    for (int i = 0; wanted && i < lower->linking_count; i++) {
        const Function *function = lower->linking[i];
        Linking l = { lower, function->module, 0 };
        for (int k = 0; k < function->links.count; k++)
            link_one(&l, function->links.items[k]);
    }
}

/* ---- foreign functions ----------------------------------------------------------------------- */

static bool is_passed(const Type *type)
{
    if (type_is_array(type))
        return type->array.rank == 1 && type_is_scalar(type->array.element);
    return type_is_real(type) && type->kind != TY_FLOAT16 && type->kind != TY_BFLOAT16;
}

/* Whether a parameter is declared as CPointer(T), in the text or the tree of a signature. */
static bool is_pointer(Lower *lower, const Function *function, int index)
{
    const AstExpr *tree = function->signatures.items[0];
    Diags aside;
    diags_init(&aside, lower->arena);
    if (tree->kind == AST_STRING)
        tree = parse_expression(
            lower->arena, &aside,
            source_new(lower->arena, "<signature>", tree->string.text, tree->string.length));
    const AstExpr *type = tree && tree->kind == AST_CALL ? tree->call.args.items[index] : NULL;
    const AstExpr *name = type && type->kind == AST_CALL ? type->call.function : NULL;
    return name && ast_ends_in(name, "CPointer");
}

void lower_foreign(FnState *f)
{
    const Function *function = f->function;
    const Type *result = f->specialisation->result;
    const AstParams *params = &function->ast->params;
    bool fine = true;
    lower_params(f, f->specialisation->args, f->specialisation->arg_count, NULL);
    f->fn->body = (IrRegion){ 0 };
    f->fn->var_count = f->fn->param_count;
    f->fn->foreign = function->foreign;
    for (int i = 0; i < f->fn->param_count && fine; i++) {
        const Type *type = f->fn->vars[i]->type;
        fine = is_passed(type) && (!type_is_array(type) || is_pointer(f->lower, function, i));
        if (!fine)
            fail(f, params->items[i].span,
                 "parameter %d of '%s' is %s, and a linked function takes numbers and pointers: "
                 "declare CPointer(float32), and give it ffi.from_buffer(array)",
                 i + 1, function->name, type_name(f->arena, type));
    }
    if (fine && function->foreign->c_abi && !is_passed(result) && result->kind != TY_NONE) {
        fail(f, function->ast->name_span,
             "'%s' returns %s, and with abi=\"c\" a linked function returns a number or nothing",
             function->name, type_name(f->arena, result));
    } else if (fine && type_holds_arrays(result)) {
        fail(f, function->ast->name_span, "'%s' returns %s, and a linked function returns numbers",
             function->name, type_name(f->arena, result));
    }
}
