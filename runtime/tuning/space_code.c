/* Conditions over integers, compiled once for many configurations.
**
** Most restrictions add, multiply and compare integer parameters. They become code for a stack
** machine with 64-bit integers; parts that depend on no parameter are constants. What it cannot
** compute, overflow and division by 0 included, is left to the evaluator of values, which reports
** errors. */
#include "runtime/tuning/space.h"

typedef enum StepKind {
    STEP_NUMBER,
    STEP_PARAM,
    STEP_COMPUTE,  /* of the top two, by `op` */
    STEP_COMPARE,  /* the same: 0 or 1 */
    STEP_CHAIN,    /* the same, but keeps the right operand below the result */
    STEP_CHAIN_ON, /* for a false chain, which ends at `to`: drops the kept operand */
    STEP_NOT,
    STEP_AND, /* jumps to `to` if the top is 0; else pops it */
    STEP_OR   /* jumps if the top is not 0 */
} StepKind;

typedef struct SpaceStep {
    StepKind kind;
    AstOp op;
    int64_t number;
    size_t param; /* index of the parameter; its values are `numbers` */
    const int64_t *numbers;
    int to;
} SpaceStep;

struct SpaceCode {
    SpaceStep *steps;
    int count, capacity;
    int most; /* stack size */
};

enum { STACK_MOST = 64 };

typedef struct Coder {
    Arena *arena;
    const SpacePoint *point;
    SpaceCode *code;
    int depth;
} Coder;

static SpaceStep *add_step(Coder *c, StepKind kind, int change)
{
    SpaceCode *code = c->code;
    SpaceStep *step = &array_push(c->arena, code->steps, code->count, code->capacity);

    *step = (SpaceStep){ .kind = kind };
    c->depth += change;
    code->most = c->depth > code->most ? c->depth : code->most;
    return step;
}

static const SpaceParam *find_param(const Coder *c, const char *name, size_t *number)
{
    const kjit_space *space = c->point->space;

    for (*number = 0; *number < space->count; ++*number) {
        if (strcmp(space->params[*number].name, name) == 0)
            return &space->params[*number];
    }
    return NULL;
}

static bool is_integer(const Value *value)
{
    return value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR &&
           value->arg.dtype == KJIT_DTYPE_INT64;
}

static bool code_param(Coder *c, const SpaceParam *param, size_t number)
{
    int64_t *numbers = arena_array(c->arena, int64_t, param->count);

    for (size_t i = 0; i < param->count; i++) {
        if (!is_integer(&param->values[i].value))
            return false;
        numbers[i] = param->values[i].value.arg.as.integer;
    }
    SpaceStep *step = add_step(c, STEP_PARAM, 1);
    step->param = number;
    step->numbers = numbers;
    return true;
}

/* A part that reads no parameter, as a constant. */
static bool code_fixed(Coder *c, const AstExpr *expr)
{
    size_t count = c->point->space->count + 1;
    SpaceTrace trace = { .chosen = arena_array(c->arena, bool, count),
                         .asked = arena_array(c->arena, bool, count) };
    SpacePoint point = *c->point;
    Diags discarded;
    Value value;

    point.trace = &trace;
    Eval eval = space_eval(c->arena, &discarded, &point);
    if (!value_eval(&eval, expr, &value) || !is_integer(&value) || trace.grown)
        return false;
    add_step(c, STEP_NUMBER, 1)->number = value.arg.as.integer;
    return true;
}

static bool code_number(Coder *c, const AstExpr *expr);

static bool code_binary(Coder *c, const AstExpr *expr)
{
    if (expr->binary.op == AST_DIV || !code_number(c, expr->binary.left) ||
        !code_number(c, expr->binary.right))
        return false;
    add_step(c, STEP_COMPUTE, -1)->op = expr->binary.op;
    return true;
}

static bool code_number(Coder *c, const AstExpr *expr)
{
    size_t number;
    const SpaceParam *param =
        expr->kind == AST_NAME ? find_param(c, expr->name.name, &number) : NULL;

    if (c->depth >= STACK_MOST - 2)
        return false;
    if (param)
        return code_param(c, param, number);
    int count = c->code->count, depth = c->depth;
    if (code_fixed(c, expr))
        return true;
    c->code->count = count;
    c->depth = depth;
    return expr->kind == AST_BINARY && code_binary(c, expr);
}

static bool code_compare(Coder *c, const AstExpr *expr)
{
    int count = expr->compare.count, chains[STACK_MOST], chained = 0;

    if (count > 8 || !code_number(c, expr->compare.first))
        return false;
    for (int i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (expr->compare.ops[i] < AST_EQ || expr->compare.ops[i] > AST_GE ||
            !code_number(c, expr->compare.rest[i]))
            return false;
        add_step(c, last ? STEP_COMPARE : STEP_CHAIN, last ? -1 : 0)->op = expr->compare.ops[i];
        if (last)
            break;
        chains[chained++] = c->code->count;
        add_step(c, STEP_CHAIN_ON, -1);
    }
    for (int i = 0; i < chained; i++)
        c->code->steps[chains[i]].to = c->code->count;
    return true;
}

static bool code_condition(Coder *c, const AstExpr *expr)
{
    if (expr->kind == AST_COMPARE)
        return code_compare(c, expr);
    if (expr->kind == AST_UNARY && expr->unary.op == AST_NOT) {
        if (!code_condition(c, expr->unary.operand))
            return false;
        add_step(c, STEP_NOT, 0);
        return true;
    }
    if (expr->kind != AST_BOOLEAN)
        return code_number(c, expr);
    if (!code_condition(c, expr->binary.left))
        return false;
    int jump = c->code->count;
    add_step(c, expr->binary.op == AST_AND ? STEP_AND : STEP_OR, -1);
    if (!code_condition(c, expr->binary.right))
        return false;
    c->code->steps[jump].to = c->code->count;
    return true;
}

SpaceCode *space_code(Arena *arena, const SpacePoint *point, const AstExpr *expr)
{
    Coder c = { .arena = arena, .point = point, .code = arena_new(arena, SpaceCode) };

    return code_condition(&c, expr) && c.code->most <= STACK_MOST ? c.code : NULL;
}

/* ---- running ------------------------------------------------------------------------------ */

static bool compare(AstOp op, int64_t a, int64_t b)
{
    switch (op) {
    case AST_EQ:
        return a == b;
    case AST_NE:
        return a != b;
    case AST_LT:
        return a < b;
    case AST_LE:
        return a <= b;
    case AST_GT:
        return a > b;
    default:
        return a >= b;
    }
}

bool space_code_run(const SpaceCode *code, const uint32_t *config, bool *holds)
{
    int64_t stack[STACK_MOST + 1];
    int top = -1;

    for (int i = 0; i < code->count; i++) {
        const SpaceStep *step = &code->steps[i];
        switch (step->kind) {
        case STEP_NUMBER:
            stack[++top] = step->number;
            break;
        case STEP_PARAM:
            stack[++top] = step->numbers[config[step->param]];
            break;
        case STEP_COMPARE:
            top--;
            stack[top] = compare(step->op, stack[top], stack[top + 1]);
            break;
        case STEP_CHAIN: { /* a b becomes b and the result */
            bool answer = compare(step->op, stack[top - 1], stack[top]);
            stack[top - 1] = stack[top];
            stack[top] = answer;
            break;
        }
        case STEP_CHAIN_ON:
            top--;
            if (stack[top + 1])
                break;
            stack[top] = 0;
            i = step->to - 1;
            break;
        case STEP_NOT:
            stack[top] = !stack[top];
            break;
        case STEP_AND:
        case STEP_OR:
            if ((stack[top] != 0) == (step->kind == STEP_OR))
                i = step->to - 1;
            else
                top--;
            break;
        case STEP_COMPUTE:
            top--;
            if (!value_integers(step->op, stack[top], stack[top + 1], &stack[top]))
                return false;
        }
    }
    *holds = stack[top] != 0;
    return true;
}
