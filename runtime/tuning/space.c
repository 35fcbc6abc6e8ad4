/* Tuning spaces: parameters and their values, from @tune or added one by one. */
#include "runtime/tuning/space.h"

#include <math.h>

int kjit_kernel_tunes(const kjit_kernel *kernel)
{
    if (!HANDLE_IS(KERNEL, kernel))
        return 0;
    return kernel->info->tune != NULL;
}

static const struct {
    const char *name;
    SpaceRole role;
} own_params[] = {
    { "max_registers", ROLE_MAX_REGISTERS },
    { "unroll", ROLE_UNROLL },
    { "fastmath", ROLE_FASTMATH },
    { "passes", ROLE_PASSES },
    { "options", ROLE_OPTIONS },
    { "schedule", ROLE_SCHEDULE },
};

SpaceRole space_role(const kjit_module *module, const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(own_params); i++) {
        if (strcmp(own_params[i].name, name) == 0 &&
            !module_has_constant(module->main->module, name))
            return own_params[i].role;
    }
    return ROLE_CONSTANT;
}

const char *kjit_space_name_at(size_t index)
{
    size_t keywords = 0;

    while (tune_keyword(keywords))
        keywords++;
    if (index < keywords)
        return tune_keyword(index);
    return index - keywords < ARRAY_COUNT(own_params) ? own_params[index - keywords].name : NULL;
}

/* ---- values ------------------------------------------------------------------------------- */

/* A float, written so that it does not look like an integer. */
static void put_number(Buf *out, double number)
{
    char text[DECIMAL_TEXT];

    decimal_text(text, number, 1);
    buf_puts(out, text);
    if (!strpbrk(text, ".e"))
        buf_puts(out, ".0");
}

static bool put_scalar(Buf *out, const kjit_arg *arg)
{
    switch (arg->dtype) {
    case KJIT_DTYPE_BOOL:
        buf_puts(out, arg->as.integer ? "True" : "False");
        return true;
    case KJIT_DTYPE_INT64:
        buf_printf(out, "%lld", (long long)arg->as.integer);
        return true;
    case KJIT_DTYPE_FLOAT64:
        put_number(out, arg->as.number);
        return isfinite(arg->as.number);
    default:
        return false;
    }
}

static bool put_arg(Buf *out, const kjit_arg *arg)
{
    if (arg->kind == KJIT_ARG_SCALAR)
        return put_scalar(out, arg);
    if (arg->kind != KJIT_ARG_TUPLE)
        return false;
    buf_putc(out, '(');
    for (size_t i = 0; i < arg->as.tuple.count; i++) {
        buf_puts(out, i ? ", " : "");
        if (!put_arg(out, &arg->as.tuple.items[i]))
            return false;
    }
    buf_puts(out, arg->as.tuple.count == 1 ? ",)" : ")");
    return true;
}

static bool put_string(Buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            return false;
        buf_puts(out, *text == '\'' || *text == '\\' ? "\\" : "");
        buf_putc(out, *text);
    }
    buf_putc(out, '\'');
    return true;
}

bool space_value_text(Buf *out, const Value *value)
{
    if (value->kind == VALUE_NONE)
        buf_puts(out, "None");
    return value->kind == VALUE_NONE ||
           (value->kind == VALUE_STRING && put_string(out, value->text)) ||
           (value->kind == VALUE_ARG && put_arg(out, &value->arg));
}

/* What a parameter of kjit's own takes, if this value is wrong; NULL: it is right. */
static const char *wrong_own(SpaceRole role, const Value *value, IrPassSet *set)
{
    bool scalar = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR;
    bool integer = scalar && value->arg.dtype == KJIT_DTYPE_INT64;
    bool string = value->kind == VALUE_STRING;
    int64_t number = integer ? value->arg.as.integer : -1;

    switch (role) {
    case ROLE_MAX_REGISTERS:
        return number >= 1 && number <= UINT16_MAX ? NULL : "a whole number from 1 to 65535";
    case ROLE_UNROLL:
        return number >= 1 && number <= UNROLL_MOST
                   ? NULL
                   : "a whole number from 1, which leaves loops as they are, to 64";
    case ROLE_FASTMATH:
        return scalar && value->arg.dtype == KJIT_DTYPE_BOOL ? NULL : "True or False";
    case ROLE_PASSES:
        return string && (!*value->text || !ir_read_passes(value->text, set))
                   ? NULL
                   : "what --passes takes, in quotes: 'none', '-tiles'";
    case ROLE_OPTIONS:
        return string ? NULL : "options of the device's compiler, in quotes: '-O2'";
    case ROLE_SCHEDULE:
        return string ? NULL : "a schedule, in quotes: 'jam x 4'";
    case ROLE_CONSTANT:
        break;
    }
    return NULL;
}

/* Reports an unknown pass. */
static bool wrong_pass(Eval *eval, const AstExpr *expr, const char *wrong)
{
    char names[PASS_NAMES], says[PASS_WRONG];

    ir_pass_names(names);
    ir_pass_wrong(says, wrong);
    diag_error(eval->diags, expr->span, "%s", says);
    return diag_note(eval->diags, (Span){ 0 }, "there are %s; and all, and none", names);
}

static bool is_number(const Value *value)
{
    return value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR;
}

/* A constant must stay a number, or a string, as in the module. */
static bool suits_constant(Eval *eval, const SpaceParam *param, const AstExpr *expr,
                           const Value *value)
{
    const AstExpr *constant = value_constant(eval, param->name);
    bool string = value->kind == VALUE_STRING;
    Diags discarded, *diags = eval->diags;
    Value had;

    if (value->kind == VALUE_NONE)
        return diag_error(diags, expr->span, "None is no value of a constant");
    if (!constant || (!string && !is_number(value)))
        return true;
    diags_init(&discarded, eval->arena);
    eval->diags = &discarded;
    bool other =
        value_eval(eval, constant, &had) && (string ? is_number(&had) : had.kind == VALUE_STRING);
    eval->diags = diags;
    if (other)
        diag_error(diags, expr->span, "'%s' is a %s in the module, and this is a %s", param->name,
                   string ? "number" : "string", string ? "string" : "number");
    return !other;
}

/* Whether the parameter can have the value, whose text is given; else an error. */
static bool suits(Eval *eval, const SpaceParam *param, const AstExpr *expr, const Value *value,
                  const char *text)
{
    IrPassSet set;

    if (param->role == ROLE_CONSTANT)
        return suits_constant(eval, param, expr, value);
    const char *takes = value->kind == VALUE_NONE ? NULL : wrong_own(param->role, value, &set);
    if (!takes)
        return true;
    if (param->role == ROLE_PASSES && value->kind == VALUE_STRING)
        return wrong_pass(eval, expr, ir_read_passes(value->text, &set));
    return diag_error(eval->diags, expr->span,
                      "'%s' cannot be %s: it takes %s; or None, as if it were not said",
                      param->name, text, takes);
}

size_t space_find_value(const SpaceParam *param, const char *text)
{
    size_t i = 0;

    while (i < param->count && strcmp(param->values[i].text, text) != 0)
        i++;
    return i;
}

/* Evaluates one value of a parameter and adds it. */
static bool add_value(Eval *eval, SpaceParam *param, const AstExpr *expr)
{
    SpaceValue *made = &param->values[param->count];

    *made = (SpaceValue){ 0 };
    if (!value_eval(eval, expr, &made->value))
        return false;
    Buf text = buf_in(eval->arena);
    if (!space_value_text(&text, &made->value))
        return diag_error(
            eval->diags, expr->span,
            "a value to try is an int64, a float64, True, False, a string, or a tuple of "
            "such");
    if (!suits(eval, param, expr, &made->value, buf_text(&text)))
        return false;
    made->text = buf_text(&text);
    if (space_find_value(param, made->text) < param->count)
        return diag_error(eval->diags, expr->span, "'%s' is to try %s already: leave one out",
                          param->name, made->text);
    param->count++;
    return true;
}

static SpaceParam *find_param(kjit_space *space, const char *name)
{
    for (size_t i = 0; i < space->count; i++) {
        if (strcmp(space->params[i].name, name) == 0)
            return &space->params[i];
    }
    return NULL;
}

/* Evaluates the values of a parameter, and adds or replaces it. */
static bool add_param(Eval *eval, kjit_space *space, const TuneParam *said)
{
    SpaceParam made = { .name = said->name,
                        .span = said->span,
                        .role = space_role(space->kernel->module, said->name),
                        .values = arena_array(eval->arena, SpaceValue, said->values.count) };

    for (int i = 0; i < said->values.count; i++) {
        if (!add_value(eval, &made, said->values.items[i]))
            return false;
    }
    SpaceParam *param = find_param(space, said->name);
    if (!param)
        param = &array_push(eval->arena, space->params, space->count, space->capacity);
    *param = made;
    return true;
}

/* ---- from @tune, and from texts ----------------------------------------------------------- */

typedef struct SpaceTask {
    kjit_space *space;
    const char *name, *text; /* one keyword; NULL: all of @tune */
    kjit_values scratch;
} SpaceTask;

/* Values are computed from the module's own constants. */
static Eval value_eval_of(const kjit_space *space, Arena *arena, Diags *diags, kjit_values *scratch)
{
    diags_init(diags, arena);
    return (Eval){ .arena = arena,
                   .diags = diags,
                   .values = scratch,
                   .module = space->kernel->module,
                   .status = KJIT_INVALID };
}

static kjit_status take_said(void *context, Arena *arena)
{
    SpaceTask *task = context;
    kjit_space *space = task->space;
    Diags diags;
    Eval eval = value_eval_of(space, arena, &diags, &task->scratch);
    bool fine = true;

    if (!space->kernel->info->tune)
        return KJIT_OK;
    space->said = *space->kernel->info->tune;
    for (int i = 0; i < space->said.param_count; i++)
        fine = add_param(&eval, space, &space->said.params[i]) && fine;
    space->said.params = NULL;
    space->said.param_count = space->said.param_capacity = 0;
    return fine ? KJIT_OK : space_failure(&eval);
}

/* Arguments of the kernel cannot be parameters. Errors refer to the call's text. */
static kjit_status take_keyword(void *context, Arena *arena)
{
    SpaceTask *task = context;
    kjit_space *space = task->space;
    const kjit_kernel *kernel = space->kernel;
    Diags diags;
    Eval eval = value_eval_of(space, arena, &diags, &task->scratch);
    TuneSpace said = space->said;

    for (int i = 0; i < kernel->param_count; i++) {
        if (strcmp(kernel->param_names[i], task->name) == 0)
            return error_set(KJIT_ARGUMENT,
                             "error: '%s' is a parameter of %s, which gets its value at the "
                             "launch: what is tuned is a constant of the module",
                             task->name, kernel->info->name);
    }
    eval.status = KJIT_ARGUMENT;
    Source *source =
        source_new(arena, arena_printf(arena, "<%s>", task->name), task->text, strlen(task->text));
    AstKeyword keyword = { .name = arena_strdup(arena, task->name),
                           .value = parse_expression(arena, &diags, source) };
    if (keyword.value)
        keyword.span = keyword.value->span;
    if (!keyword.value || !tune_take(arena, &diags, &said, &keyword))
        return space_failure(&eval);
    if (said.param_count && !add_param(&eval, space, &said.params[0]))
        return space_failure(&eval);
    said.params = NULL;
    said.param_count = said.param_capacity = 0;
    space->said = said;
    space->unread = NULL;
    return KJIT_OK;
}

kjit_status kjit_space_new(kjit_kernel *kernel, kjit_space **space)
{
    *space = NULL;
    KJIT_TRY(HANDLE(KERNEL, kernel));
    if (kernel->module->compiled)
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s comes from a binary, and has no source to be tuned",
                         kernel->info->name);
    kjit_space *made = memory_zeroed(1, sizeof *made);
    if (!made)
        return error_memory();
    head_open(&made->self, HANDLE_SPACE, &kernel->module->self);
    made->kernel = kernel;
    arena_init(&made->arena, NULL);
    SpaceTask task = { .space = made };
    kjit_status status = arena_catch(&made->arena, take_said, &task);
    values_clear(&task.scratch);
    if (status != KJIT_OK) {
        kjit_space_close(made);
        return status;
    }
    *space = made;
    return KJIT_OK;
}

void kjit_space_close(kjit_space *space)
{
    if (!space || !HANDLE_IS(SPACE, space))
        return;
    arena_free(&space->arena);
    memory_free(space->why);
    head_free(&space->self);
}

kjit_status kjit_space_set(kjit_space *space, const char *name, const char *expression)
{
    KJIT_TRY(HANDLE(SPACE, space));
    SpaceTask task = { .space = space, .name = name, .text = expression };

    kjit_status status = arena_catch(&space->arena, take_keyword, &task);
    values_clear(&task.scratch);
    return status;
}

/* ---- queries ------------------------------------------------------------------------------ */

size_t kjit_space_param_count(const kjit_space *space)
{
    if (!HANDLE_IS(SPACE, space))
        return 0;
    return space->count;
}

const char *kjit_space_param_name(const kjit_space *space, size_t param)
{
    if (!HANDLE_IS(SPACE, space))
        return NULL;
    return param < space->count ? space->params[param].name : NULL;
}

int kjit_space_param_is_own(const kjit_space *space, size_t param)
{
    if (!HANDLE_IS(SPACE, space))
        return 0;
    return param < space->count && space->params[param].role != ROLE_CONSTANT;
}

size_t kjit_space_value_count(const kjit_space *space, size_t param)
{
    if (!HANDLE_IS(SPACE, space))
        return 0;
    return param < space->count ? space->params[param].count : 0;
}

static const SpaceValue *find_value(const kjit_space *space, size_t param, size_t value)
{
    return value < kjit_space_value_count(space, param) ? &space->params[param].values[value]
                                                        : NULL;
}

const char *kjit_space_value_text(const kjit_space *space, size_t param, size_t value)
{
    if (!HANDLE_IS(SPACE, space))
        return NULL;
    const SpaceValue *found = find_value(space, param, value);

    return found ? found->text : NULL;
}

int kjit_space_value_number(const kjit_space *space, size_t param, size_t value, double *number)
{
    if (!HANDLE_IS(SPACE, space))
        return 0;
    const SpaceValue *found = find_value(space, param, value);

    if (!found || found->value.kind != VALUE_ARG || found->value.arg.kind != KJIT_ARG_SCALAR)
        return 0;
    *number = scalar_cast(&found->value.arg, KJIT_DTYPE_FLOAT64).as.number;
    return 1;
}
