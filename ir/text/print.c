/* A unit as text: functions, their statements, and the order of their variables. */
#include "ir/text/parts.h"

/* ---- variables ----------------------------------------------------------------------------- */

/* The variables in the order that a reader meets their declarations: in a plain text parameters,
** arrays, what is only read, then as they are set; in a full one as they lie. */
typedef struct DeclarationOrder {
    Printer *p;
    IrVar **vars;
    int count;
    bool *listed, *named; /* by id: is in the list; is mentioned anywhere */
    bool *set;
} DeclarationOrder;

static void list_var(DeclarationOrder *order, IrVar *var)
{
    if (!order->listed[var->id])
        order->vars[order->count++] = var;
    order->listed[var->id] = true;
}

static void note_value(void *context, IrValue *value)
{
    DeclarationOrder *order = context;
    if (value->op == OP_var)
        order->named[value->var->id] = true;
}

static void note_stmt(void *context, IrStmt *stmt)
{
    DeclarationOrder *order = context;
    IrVar *var = ir_set_var(stmt);
    ir_each_node_of(stmt, note_value, context);
    if (var)
        order->set[var->id] = true;
    for (int i = 0; stmt->kind == IR_FOR && i < stmt->for_.sum_count; i++)
        order->named[stmt->for_.sums[i]->id] = true;
}

static void list_set(void *context, IrStmt *stmt)
{
    IrVar *var = ir_set_var(stmt);
    if (var)
        list_var(context, var);
}

/* Whether a variable is declared at the head of its function. */
static bool is_declared_first(const DeclarationOrder *order, const IrVar *var)
{
    if (var->kind == VAR_LOCAL)
        return order->p->full || (order->named[var->id] && !order->set[var->id]);
    return var->kind != VAR_PARAM;
}

static void list_all(DeclarationOrder *order)
{
    const IrFunc *fn = order->p->fn;
    for (int i = 0; i < fn->param_count; i++)
        list_var(order, fn->vars[i]);
    for (int local = 0; local < 2; local++)
        for (int i = fn->param_count; i < fn->var_count; i++)
            if ((order->p->full || (fn->vars[i]->kind == VAR_LOCAL) == local) &&
                is_declared_first(order, fn->vars[i]))
                list_var(order, fn->vars[i]);
    ir_each_stmt(&fn->body, list_set, order);
}

static void name_vars(DeclarationOrder *order)
{
    Printer *p = order->p;
    for (int i = 0; i < order->count; i++) {
        const IrVar *var = order->vars[i];
        const char *name = printed_name(p->arena, var->name);
        int same = 0;
        for (int k = 0; k < i; k++)
            same += strcmp(order->vars[k]->name, var->name) == 0;
        p->names[var->id] = same ? arena_printf(p->arena, "%s.%d", name, same + 1) : name;
    }
}

static DeclarationOrder order_vars(Printer *p)
{
    int count = p->fn->var_count + 1;
    DeclarationOrder order = { p,
                               arena_array(p->arena, IrVar *, count),
                               0,
                               arena_array(p->arena, bool, count),
                               arena_array(p->arena, bool, count),
                               arena_array(p->arena, bool, count) };
    p->names = arena_array(p->arena, const char *, count);
    p->declared = arena_array(p->arena, bool, count);
    ir_each_stmt(&p->fn->body, note_stmt, &order);
    list_all(&order);
    name_vars(&order);
    return order;
}

static void put_flags(Printer *p, const TextFlag *flags, const void *of)
{
    for (; flags->name; flags++)
        if (*((const bool *)((const char *)of + flags->offset)))
            buf_printf(p->out, " %s", flags->name);
}

static void put_lengths(Printer *p, const IrVar *var)
{
    for (int i = 0; var->extents && i < var->type->array.rank - 1; i++) {
        const IrVar *param = ir_length_param(var->extents[i]);
        buf_puts(p->out, i ? ", " : " rows(");
        if (param)
            buf_puts(p->out, p->names[param->id]);
        else
            buf_printf(p->out, "%lld", (long long)var->extents[i]->constant.integer);
    }
    buf_puts(p->out, var->extents ? ")" : "");
}

static void put_extents(Printer *p, const IrVar *var)
{
    if (var->kind == VAR_CONSTANT) {
        buf_printf(p->out, " of %s", table_name(p, var->table));
        return;
    }
    for (int axis = 0; var->shape && axis < var->type->array.rank; axis++)
        buf_printf(p->out, "%s%lld", axis ? " x " : " of ", (long long)var->shape[axis]);
}

/* Names that passes and lowering make up begin so, and hardly any others. */
static void put_attributes(Printer *p, const IrVar *var)
{
    if (var->temporary != (var->name[0] == '_'))
        buf_puts(p->out, var->temporary ? " temporary" : " named");
    put_flags(p, text_var_flags, var);
    if (var->merged)
        buf_printf(p->out, " merged(%s)", text_combines[var->merged]);
    if (var->alignment)
        buf_printf(p->out, " aligned(%d)", var->alignment);
    put_lengths(p, var);
    put_extents(p, var);
}

/* The name, and where it is met first what it names. */
static void put_declared(Printer *p, const IrVar *var)
{
    buf_puts(p->out, p->names[var->id]);
    if (p->declared[var->id])
        return;
    p->declared[var->id] = true;
    buf_puts(p->out, ": ");
    print_type(p, var->type);
    put_attributes(p, var);
}

/* ---- positions ----------------------------------------------------------------------------- */

/* A text that gives positions to some of its lines has two sources of its name: itself, and the
** one that these positions are in. */
static bool same_file(const Source *a, const Source *b)
{
    return a == b || (a && b && strcmp(a->name, b->name) == 0);
}

/* In a full text, where it differs from that of the line before: `@12`, with the file if that is
** another, `@"hist.k" 12`. What lanes meet at has its column too, which tells it from others. */
static void put_position(Printer *p, Span span, const IrValue *root)
{
    bool meets = root && root->op == OP_intrinsic &&
                 (ir_intrinsics[root->intrinsic].effect & (EFFECT_WARP_SYNC | EFFECT_BLOCK_SYNC));
    if (!p->full || !span.source)
        return;
    SourcePlace at = source_place(span.source, span.begin);
    if (at.line == p->line && same_file(span.source, p->source) && !meets)
        return;
    buf_puts(p->out, " @");
    if (!same_file(span.source, p->source)) {
        print_string(p->out, span.source->name);
        buf_putc(p->out, ' ');
    }
    buf_printf(p->out, "%u", (unsigned)at.line);
    if (meets && root->span.source == span.source)
        buf_printf(p->out, ":%u:%u", (unsigned)source_place(span.source, root->span.begin).line,
                   (unsigned)source_place(span.source, root->span.begin).column);
    p->source = span.source;
    p->line = at.line;
}

/* ---- statements ---------------------------------------------------------------------------- */

static void put_region(Printer *p, const IrRegion *region);

static void start_line(Printer *p)
{
    for (int i = 0; i < p->depth; i++)
        buf_puts(p->out, "    ");
}

static void put_store(Printer *p, const IrStmt *stmt)
{
    buf_printf(p->out, "store%s%s ", stmt->store.cache ? "." : "",
               ir_cache_names[stmt->store.cache]);
    print_value(p, stmt->store.array);
    buf_putc(p->out, '[');
    for (int i = 0; i < stmt->store.count; i++) {
        buf_puts(p->out, i ? ", " : "");
        print_value(p, stmt->store.indices[i]);
    }
    buf_puts(p->out, "] = ");
    print_value(p, stmt->store.value);
}

static void put_print(Printer *p, const IrStmt *stmt)
{
    buf_puts(p->out, "print");
    for (int i = 0; i < stmt->print.count; i++) {
        const IrPrintItem *item = &stmt->print.items[i];
        buf_puts(p->out, i ? ", " : " ");
        if (item->text)
            print_string(p->out, item->text);
        else
            print_value(p, item->value);
    }
}

static void put_keyword_value(Printer *p, const char *keyword, const IrValue *value)
{
    buf_printf(p->out, "%s%s", keyword, value ? " " : "");
    if (value)
        print_value(p, value);
}

static void put_for(Printer *p, const IrStmt *stmt)
{
    buf_puts(p->out, "for ");
    put_declared(p, stmt->for_.var);
    put_keyword_value(p, " in", stmt->for_.start);
    put_keyword_value(p, " to", stmt->for_.stop);
    put_keyword_value(p, " by", stmt->for_.step);
    buf_puts(p->out, stmt->for_.bounded ? " bounded" : "");
    buf_puts(p->out, stmt->for_.rises ? " rises" : "");
    buf_puts(p->out, stmt->for_.rest ? " rest" : "");
    buf_puts(p->out, stmt->for_.any_order ? " in any order" : "");
    for (int i = 0; i < stmt->for_.sum_count; i++) {
        buf_puts(p->out, i ? ", " : " sums ");
        buf_puts(p->out, p->names[stmt->for_.sums[i]->id]);
    }
    if (stmt->for_.unroll)
        buf_printf(p->out, stmt->for_.unroll == UNROLL_ALL ? " unroll" : " unroll %d",
                   stmt->for_.unroll);
}

/* The line of a statement, without the regions below it. */
static void put_line(Printer *p, const IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_SET:
        put_declared(p, stmt->set.var);
        put_keyword_value(p, " =", stmt->set.value);
        return;
    case IR_STORE:
        put_store(p, stmt);
        return;
    case IR_EVAL:
        put_keyword_value(p, "eval", stmt->eval.value);
        return;
    case IR_IF:
        put_keyword_value(p, "if", stmt->if_.condition);
        return;
    case IR_WHILE:
        put_keyword_value(p, "while", stmt->while_.condition);
        return;
    case IR_FOR:
        put_for(p, stmt);
        return;
    case IR_BREAK:
        buf_puts(p->out, "break");
        return;
    case IR_CONTINUE:
        buf_puts(p->out, "continue");
        return;
    case IR_RETURN:
        put_keyword_value(p, "return", stmt->return_.value);
        return;
    case IR_PRINT:
        put_print(p, stmt);
        return;
    case IR_FAULT:
        buf_puts(p->out, "fault ");
        print_string(p->out, stmt->fault.message);
        for (int i = 0; i < stmt->fault.count; i++)
            put_keyword_value(p, ",", stmt->fault.values[i]);
        return;
    case IR_STOP:
        buf_puts(p->out, "stop");
        return;
    }
}

static void put_stmt(Printer *p, const IrStmt *stmt)
{
    start_line(p);
    put_line(p, stmt);
    put_position(p, stmt->span, ir_stmt_value(stmt));
    buf_putc(p->out, '\n');
    switch (stmt->kind) {
    case IR_IF:
        put_region(p, &stmt->if_.then);
        if (stmt->if_.otherwise.first) {
            start_line(p);
            buf_puts(p->out, "else\n");
            put_region(p, &stmt->if_.otherwise);
        }
        return;
    case IR_WHILE:
        put_region(p, &stmt->while_.body);
        return;
    case IR_FOR:
        put_region(p, &stmt->for_.body);
        return;
    default:
        return;
    }
}

static void put_region(Printer *p, const IrRegion *region)
{
    p->depth++;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        put_stmt(p, stmt);
    p->depth--;
}

/* ---- functions ----------------------------------------------------------------------------- */

static void put_first(Printer *p, const DeclarationOrder *order)
{
    for (int i = 0; i < order->count; i++) {
        const IrVar *var = order->vars[i];
        if (!is_declared_first(order, var))
            continue;
        buf_printf(p->out, "    %s ", text_kinds[var->kind]);
        put_declared(p, var);
        buf_putc(p->out, '\n');
    }
}

/* What accesses demand of the block, a line each. */
static void put_fits(Printer *p, const IrFunc *fn)
{
    for (int i = 0; fn->covers && i < fn->covers->fit_count; i++) {
        buf_puts(p->out, "    # block: ");
        cover_print_fit(p->out, fn->covers, &fn->covers->fits[i], p->names);
        buf_printf(p->out, " by line %d\n", fn->covers->fits[i].line);
    }
}

/* The ways to overwrite a parameter whole, or all of what the kernel may, a line each. */
static void put_covers(Printer *p, int param)
{
    const IrCovers *covers = p->fn->covers;
    for (int i = 0; covers && i < covers->way_count; i++) {
        const IrCover *way = &covers->ways[i];
        if (way->param != param)
            continue;
        buf_puts(p->out, way->part ? "    #     all it can" : "    #     whole");
        buf_puts(p->out, way->count ? " if " : "");
        cover_print(p->out, covers, way, p->names);
        buf_putc(p->out, '\n');
    }
}

static void put_access(Printer *p)
{
    const IrFunc *fn = p->fn;
    for (int i = 0; fn->access && i < fn->param_count; i++) {
        int access = fn->access[i];
        if (access == ACCESS_NONE)
            continue;
        buf_printf(p->out, "    # %s:%s%s%s\n", p->names[i], access & ACCESS_READ ? " read" : "",
                   access & ACCESS_WRITE ? " written" : "",
                   access & ACCESS_ATOMIC ? " atomic" : "");
        put_covers(p, i);
    }
    put_fits(p, fn);
}

static void put_options(Printer *p, const IrOptions *options)
{
    put_flags(p, text_option_flags, options);
    if (options->matmul)
        buf_printf(p->out, " matmul(%s)", ir_tile_name((TileForm)options->matmul));
    for (const TextNumbers *row = text_option_numbers; row->name; row++) {
        const int *numbers = (const int *)(const void *)((const char *)options + row->offset);
        bool said = false;
        for (int i = 0; i < row->count; i++)
            said |= numbers[i] != row->fallback;
        if (!said)
            continue;
        for (int i = 0; i < row->count; i++)
            buf_printf(p->out, "%s%d", i ? ", " : arena_printf(p->arena, " %s(", row->name),
                       numbers[i]);
        buf_putc(p->out, ')');
    }
}

/* What the kernel's parameter holds that its text does not have. */
static void put_hidden(Printer *p, const IrUnit *unit, int param)
{
    static const char *const kinds[] = { [HIDDEN_THREADS] = "threads", [HIDDEN_BLOCKS] = "blocks" };
    int hidden = param - (p->fn->param_count - unit->hidden_count);
    if (p->fn != unit->kernel || hidden < 0)
        return;
    const IrHidden *own = &unit->hidden[hidden];
    if (own->kind == HIDDEN_MAP)
        buf_printf(p->out, " map(%d, %d, %d)", own->axis, own->along, own->rows);
    else
        buf_printf(p->out, " %s(%d)", kinds[own->kind], own->axis);
}

static void put_head(Printer *p, const IrUnit *unit)
{
    const IrFunc *fn = p->fn;
    buf_puts(p->out, fn->kernel ? "kernel " : "device ");
    print_name(p->out, fn->name);
    for (int i = 0; i < fn->param_count; i++) {
        buf_puts(p->out, i ? ", " : "(");
        put_declared(p, fn->vars[i]);
        put_hidden(p, unit, i);
    }
    buf_puts(p->out, fn->param_count ? ")" : "()");
    if (!fn->kernel) {
        buf_puts(p->out, " -> ");
        print_type(p, fn->result);
    }
    put_options(p, &fn->options);
    put_flags(p, text_function_flags, fn);
    if (fn->foreign)
        buf_printf(p->out, " foreign(%s%s%s)", fn->foreign->name, fn->foreign->c_abi ? ", c" : "",
                   fn->foreign->cooperative ? ", cooperative" : "");
}

static void put_function(Printer *p, const IrUnit *unit, const IrFunc *fn)
{
    p->fn = fn;
    DeclarationOrder order = order_vars(p);
    put_head(p, unit);
    put_position(p, fn->span, NULL);
    buf_putc(p->out, '\n');
    if (!p->full)
        put_access(p);
    put_first(p, &order);
    put_region(p, &fn->body);
}

void ir_print(Buf *out, const IrUnit *unit, IrTextForm form)
{
    Types types;

    types_init(&types, unit->arena);
    Buf text = buf_in(unit->arena);
    Printer p = {
        .out = &text, .arena = unit->arena, .types = &types, .full = form == IR_TEXT_FULL
    };
    for (int i = 0; i < unit->count; i++) {
        put_function(&p, unit, unit->functions[i]);
        buf_putc(&text, '\n');
    }
    put_function(&p, unit, unit->kernel);
    print_named(&p, out);
    print_unit_facts(out, unit, p.names);
    buf_puts(out, buf_text(&text));
}
