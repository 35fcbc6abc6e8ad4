/* Device functions: a call finds the function that was lowered for its arguments, or has it
** lowered. */
#include "ir/lower/function.h"

enum {
    NOTED_DEPTH = 4, /* that complaints list the calls of */
    MAX_DEPTH = 64,  /* device functions being lowered inside one another */
    MAX_MADE = 10000 /* functions that one kernel makes: those that double with each level */
};

static bool same_arg(const Operand *a, const Operand *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == OPD_VALUE)
        return a->value->type == b->value->type;
    if (a->kind == OPD_FUNCTION && closure_values(a->function, NULL))
        return closure_same_types(a->function, b->function);
    return a->kind == OPD_LITERAL ? literal_same(a->value, b->value) : operand_same(a, b);
}

/* ---- hashes --------------------------------------------------------------------------------- */
/* Calls that find_specialisation() finds the same have the same: a kernel may make thousands of one
** function, of which few are worth a closer look. */

static uint64_t hash_call(const Function *function, const Operand *args, int count)
{
    uint64_t hash = hash_with(function->ast->name_span.begin, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        hash = hash_with(hash, args[i].kind);
        if (args[i].kind == OPD_VALUE)
            hash = hash_with(hash, (uintptr_t)args[i].value->type);
        if (args[i].kind == OPD_FUNCTION)
            hash = hash_with(hash, closure_values(args[i].function, NULL)
                                       ? closure_hash(args[i].function)
                                       : (uintptr_t)args[i].function);
    }
    return hash;
}

/* ---- what there is -------------------------------------------------------------------------- */

static Specialisation *find_specialisation(const Lower *lower, const Function *function,
                                           const Operand *args, int count, Span place)
{
    uint64_t hash = hash_call(function, args, count);
    size_t step = 0;
    Specialisation *s;
    while ((s = hashes_next(&lower->by_call, hash, &step))) {
        bool same = !s->entry && !s->forgotten && closure_same_text(s->function, function) &&
                    s->arg_count == count && same_place(s->place, place);
        for (int i = 0; same && i < count; i++)
            same = same_arg(&s->args[i], &args[i]);
        if (same)
            break;
    }
    return s;
}

Specialisation *new_specialisation(Lower *lower, const Function *function, const Operand *args,
                                   int count)
{
    Specialisation *s = arena_new(lower->arena, Specialisation);
    Operand *copy = arena_array(lower->arena, Operand, count + 1);
    memcpy(copy, args, (size_t)count * sizeof(args[0]));
    *s = (Specialisation){ .next = table_get(&lower->specialisations, function->name),
                           .function = function,
                           .args = copy,
                           .arg_count = count };
    table_put(&lower->specialisations, function->name, s);
    hashes_put(&lower->by_call, hash_call(function, args, count), s);
    return s;
}

static const char *describe_call(FnState *f, const Function *function, const Operand *args,
                                 int count)
{
    Buf out = buf_in(f->arena);
    buf_printf(&out, "%s(", function->name);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%s", i ? ", " : "",
                   args[i].kind == OPD_VALUE ? type_name(f->arena, args[i].value->type)
                                             : describe(f, args[i]));
    buf_putc(&out, ')');
    return buf_text(&out);
}

Specialisation *specialise(FnState *f, const Function *function, Operand *args, int count,
                           Span call)
{
    Lower *lower = f->lower;
    const Type *result = NULL;
    bool declared = function->signatures.count > 0;
    if (declared && !signature_apply(f, function, args, call, &result))
        return NULL;
    if (!declared)
        literal_arguments(f, function, args, count);
    bool library = module_is_standard(function->module);
    bool enters = library && !lower->library_called;
    Span place = { 0 };
    if (library && lower->debug)
        place = enters ? call : lower->library_call;
    Specialisation *s = find_specialisation(lower, function, args, count, place);
    if (s && !s->done) {
        if (s == f->specialisation) {
            if (!s->recursive && !s->result)
                f->again = true; /* the result is known when this pass is through */
            s->recursive = true;
            return s;
        }
        return fail_null(f, call,
                         "'%s' and '%s' call each other; only a function that calls itself can be "
                         "typed",
                         function->name, f->fn->name);
    }
    if (s)
        return s->failed ? NULL : s;
    if (++lower->depth > MAX_DEPTH) {
        fail(f, call,
             "calls are nested too deeply here: '%s' seems to call itself with ever new "
             "types",
             function->name);
        lower->depth--;
        return NULL;
    }
    if (lower->made >= MAX_MADE) {
        fail(f, call,
             "more than %d functions come of this kernel: each is compiled once for each list of "
             "types, constants and functions that it is given; give '%s' fewer kinds",
             MAX_MADE, function->name);
        lower->depth--;
        return NULL;
    }
    lower->made++;
    s = new_specialisation(lower, function, args, count);
    s->result = result;
    s->declared = result != NULL;
    s->place = place;
    if (enters) {
        lower->library_called = function;
        lower->library_call = call;
    }
    Attempt attempt = attempt_begin(lower);
    lower_specialisation(lower, s, call);
    if (enters)
        lower->library_called = NULL;
    if (!declared && s->retry && s->failed && literal_arguments(f, function, args, count)) {
        attempt_void(lower, attempt);
        lower->depth--;
        return specialise(f, function, args, count, call);
    }
    lower->depth--;
    if (s->failed && lower->depth < NOTED_DEPTH && !library)
        diag_note(lower->diags, call, "in the call %s", describe_call(f, function, args, count));
    return s->failed ? NULL : s;
}
