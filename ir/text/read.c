/* Reads a unit from its text: nodes by the grammar, functions by their heads, then their bodies, so
** that calls may go forward; at last what speaks of the kernel's parameters. The first mistake is
** complained of, and what follows it stands for nothing. */
#include "ir/text/read.h"

#include <errno.h>

/* ---- complaints and tokens ------------------------------------------------------------------ */

Span read_span(const Reader *r, const Node *node)
{
    return (Span){ r->source, node->begin, node->end };
}

void read_wrong(Reader *r, const Node *node, const char *format, ...)
{
    va_list args;
    if (r->failed)
        return;
    r->failed = true;
    va_start(args, format);
    const char *message = arena_vprintf(r->arena, format, args);
    va_end(args);
    diag_error(r->diags, read_span(r, node), "%s", message);
}

const char *read_text(Reader *r, const Node *node)
{
    return arena_strndup(r->arena, r->source->text + node->begin, node->end - node->begin);
}

const char *read_name(Reader *r, const Node *node)
{
    char *text = arena_strndup(r->arena, r->source->text + node->begin, node->end - node->begin);
    char *quote = *text == '`' ? strchr(text + 1, '`') : NULL;
    if (quote) {
        *quote = '\0';
        return text + 1;
    }
    text[strcspn(text, ".")] = '\0';
    return text;
}

bool read_is(Reader *r, const Node *node, const char *word)
{
    size_t length = node->end - node->begin;
    return strlen(word) == length && memcmp(r->source->text + node->begin, word, length) == 0;
}

int64_t read_int(Reader *r, const Node *node, int64_t low, int64_t high)
{
    errno = 0;
    long long number = node->kind == NODE_INT ? strtoll(read_text(r, node), NULL, 10) : 0;
    if (node->kind == NODE_INT && !errno && number >= low && number <= high)
        return number;
    if (node->kind != NODE_INT)
        read_wrong(r, node, "expected a whole number");
    else
        read_wrong(r, node, "expected a whole number from %lld to %lld", (long long)low,
                   (long long)high);
    return low;
}

/* ---- names ---------------------------------------------------------------------------------- */

static unsigned hash_of(const char *text)
{
    unsigned hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Where the name stands, or would. */
static int *slot_of(const NameTable *names, const char *text)
{
    unsigned at = hash_of(text);
    for (;; at++) {
        int *slot = &names->slots[at & (unsigned)(names->room - 1)];
        if (!*slot || strcmp(names->list[*slot - 1].text, text) == 0)
            return slot;
    }
}

static void make_room(Reader *r, NameTable *names)
{
    if (names->room > 2 * names->count)
        return;
    names->room = names->room ? 4 * names->room : 32;
    names->slots = arena_array(r->arena, int, names->room);
    for (int i = 0; i < names->count; i++)
        *slot_of(names, names->list[i].text) = i + 1;
}

void names_add(Reader *r, NameTable *names, const Node *node, void *what, const char *kind)
{
    const char *text = read_text(r, node);
    make_room(r, names);
    int *slot = slot_of(names, text);
    if (*slot) {
        read_wrong(r, node, "there is a %s '%s' already", kind, text);
        return;
    }
    array_push(r->arena, names->list, names->count, names->capacity) = (Named){ text, what, node };
    *slot = names->count;
}

void *names_find(Reader *r, const NameTable *names, const Node *node)
{
    int slot = names->room ? *slot_of(names, read_text(r, node)) : 0;
    return slot ? names->list[slot - 1].what : NULL;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void read_params(Reader *r, const Node *function)
{
    for (const Node *param = function->items.first; param; param = param->next) {
        IrVar *var = read_declared(r, param, VAR_PARAM);
        var->param = r->fn->param_count++;
    }
    int i = 0;
    for (const Node *param = function->items.first; param; param = param->next)
        read_lengths(r, param, r->fn->vars[i++]);
}

static void read_head(Reader *r, const Node *line)
{
    IrUnit *unit = r->unit;
    IrFunc *fn = arena_new(r->arena, IrFunc);
    bool kernel = line->kind == NODE_KERNEL;
    *fn = (IrFunc){ .name = read_name(r, line), .kernel = kernel, .span = read_span(r, line) };
    names_add(r, &r->functions, line, fn, "function");
    r->fn = fn;
    r->vars = (NameTable){ 0 };
    read_params(r, line);
    fn->result = kernel ? type_none : read_type(r, line->type);
    read_options(r, line, fn);
    if (kernel && unit->kernel)
        read_wrong(r, line, "there is a kernel already: '%s'", unit->kernel->name);
    if (kernel)
        unit->kernel = fn;
    else
        array_push(r->arena, unit->functions, unit->count, unit->capacity) = fn;
}

static void name_params(Reader *r, const Node *line)
{
    int i = 0;
    r->vars = (NameTable){ 0 };
    for (const Node *param = line->items.first; param; param = param->next)
        names_add(r, &r->vars, param, r->fn->vars[i++], "variable");
}

static void read_function(Reader *r, const Node *line)
{
    r->fn = names_find(r, &r->functions, line);
    if (r->failed)
        return;
    name_params(r, line);
    read_body(r, line);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool is_function(const Node *line)
{
    return line->kind == NODE_KERNEL || line->kind == NODE_DEVICE;
}

/* Types by name first, then what is made of them. */
static void read_declarations(Reader *r, NodeList lines)
{
    for (const Node *line = lines.first; line; line = line->next)
        if (line->kind == NODE_TYPE)
            read_type_line(r, line);
    for (const Node *line = lines.first; line; line = line->next)
        if (line->kind == NODE_TABLE)
            read_table_line(r, line);
    for (const Node *line = lines.first; line; line = line->next)
        if (is_function(line))
            read_head(r, line);
}

/* The names of the kernel's parameters are those of `kernel`. */
static void read_facts(Reader *r, NodeList lines, const Node *kernel)
{
    r->fn = r->unit->kernel;
    name_params(r, kernel);
    for (const Node *line = lines.first; line; line = line->next) {
        if (line->kind == NODE_LAUNCH)
            read_launch(r, line);
        else if (line->kind == NODE_SHAPE)
            read_shape(r, line);
        else if (line->kind == NODE_UNIT)
            read_unit_line(r, line);
    }
    const ShapeCount *raised = r->unit->shape.raised;
    if (r->unit->launch)
        r->unit->launch->raised = raised[0].any || raised[1].any || raised[2].any;
}

static void read_lines(Reader *r, NodeList lines)
{
    const Node *kernel = NULL;
    read_declarations(r, lines);
    for (const Node *line = lines.first; line; line = line->next) {
        if (is_function(line) && !r->failed)
            read_function(r, line);
        if (line->kind == NODE_KERNEL)
            kernel = line;
    }
    if (!kernel && !r->failed) {
        r->failed = true;
        diag_error(r->diags, (Span){ r->source, 0, 0 }, "there is no kernel in this text");
    }
    if (!r->failed)
        read_facts(r, lines, kernel);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool check_bytes(Diags *diags, const Source *source)
{
    const char *end = source->text + source->length;
    for (const char *at = source->text; at < end;) {
        size_t length = *at ? utf8_length(at, end) : 0;
        if (!length) {
            uint32_t place = (uint32_t)(at - source->text);
            return diag_error(diags, (Span){ source, place, place + 1 },
                              "byte 0x%02x stands in no text of UTF-8", (unsigned char)*at);
        }
        at += length;
    }
    return true;
}

/* A text of blanks, with a place for each position in the file. */
static void make_files(TextParse *ps)
{
    for (int i = 0; i < ps->file_count; i++) {
        TextFile *file = &ps->files[i];
        size_t width = file->columns + 1;
        char *text = arena_alloc(ps->arena, file->lines * width + 1);
        memset(text, ' ', file->lines * width);
        for (size_t line = 1; line <= file->lines; line++)
            text[line * width - 1] = '\n';
        file->source = source_new(ps->arena, file->name, text, file->lines * width);
    }
}

static bool parse(TextParse *ps)
{
    size_t errors = ps->diags->errors;
    if (!check_bytes(ps->diags, ps->source))
        return false;
    ps->lexer = (TextLexer){
        .source = ps->source, .diags = ps->diags, .cursor = ps->source->text, .at_margin = true
    };
    textgrammar_run(ps);
    if (ps->diags->errors == errors)
        make_files(ps);
    return ps->diags->errors == errors;
}

typedef struct Order {
    bool *set, *comes; /* by IrVar.id: a statement so far sets it; one of the function does */
    const IrValue *early;
} Order;

static void note_read(void *context, IrValue *value)
{
    Order *o = context;
    if (value->op == OP_var && o->comes[value->var->id] && !o->set[value->var->id] && !o->early)
        o->early = value;
}

static void note_set(void *context, IrStmt *stmt)
{
    const IrVar *var = ir_set_var(stmt);
    if (var)
        ((Order *)context)->comes[var->id] = true;
}

static void note_order(void *context, IrStmt *stmt)
{
    Order *o = context;
    const IrVar *var = ir_set_var(stmt);
    ir_each_own_node(stmt, note_read, o);
    if (var)
        o->set[var->id] = true;
}

/* The first read of a variable that only statements behind it set; NULL: there is none. Passes rely
** on that, as what a variable is set to might otherwise be made of itself. */
static const IrValue *read_too_early(Arena *arena, const IrFunc *fn)
{
    int count = fn->var_count + 1;
    Order o = { arena_array(arena, bool, count), arena_array(arena, bool, count), NULL };
    ir_each_stmt(&fn->body, note_set, &o);
    ir_each_stmt(&fn->body, note_order, &o);
    return o.early;
}

/* Calls have the effects of what they call, so these are found between the two. */
static bool is_sound(Diags *diags, IrUnit *unit)
{
    IrBroken broken;
    for (int round = 0; round < 2; round++) {
        if (ir_find_broken(unit, &broken))
            return diag_error(diags, broken.span, "%s", broken.what);
        ir_effects(unit);
    }
    for (int i = 0; i <= unit->count; i++) {
        const IrValue *early =
            read_too_early(unit->arena, i < unit->count ? unit->functions[i] : unit->kernel);
        if (early)
            return diag_error(diags, early->span, "'%s' is read in front of all that sets it",
                              early->var->name);
    }
    ir_range(unit);
    ir_uniform(unit);
    return true;
}

IrUnit *ir_read(Arena *arena, Types *types, Diags *diags, const Source *source)
{
    TextParse ps = { .arena = arena, .diags = diags, .source = source };
    if (!parse(&ps))
        return NULL;
    Reader r = { .arena = arena,
                 .types = types,
                 .diags = diags,
                 .source = source,
                 .parse = &ps,
                 .unit = arena_new(arena, IrUnit) };
    r.unit->arena = arena;
    read_lines(&r, ps.lines);
    return !r.failed && is_sound(diags, r.unit) ? r.unit : NULL;
}
