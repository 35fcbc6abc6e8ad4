/* Arrays that a kernel reads from around it and that lie on the device already, as numba's kernels
** read what cuda.to_device() gave: parameters that its text has not.
**
**     @cuda.jit(captures=["prices"])        the last parameters of the kernel, which launches give
**     prices = cuda.captured(0)             what a name stands for: the first of them
**
** Both are for programs that write such texts: kjit's own programs and the Python package. Every
** function of the unit has the captured arrays as its last parameters, so that each that reads one
** finds it, however deep the calls are; compilers drop those that are not read. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

void captured_make(Lower *lower, const Function *kernel)
{
    const LowerRequest *request = lower->request;
    int first = request->signature.count - kernel->captured;
    lower->captured = arena_array(lower->arena, IrVar *, kernel->captured + 1);
    for (int i = 0; i < kernel->captured; i++) {
        lower->captured[i] = arena_new(lower->arena, IrVar);
        *lower->captured[i] = (IrVar){ .name = kernel->ast->params.items[first + i].name,
                                       .type = request->signature.params[first + i],
                                       .kind = VAR_PARAM,
                                       .span = kernel->ast->name_span };
    }
    lower->captured_count = kernel->captured;
}

void captured_params(FnState *f)
{
    for (int i = 0; i < f->lower->captured_count; i++) {
        const IrVar *array = f->lower->captured[i];
        ir_var_new(f->arena, f->fn, array->name, array->type, VAR_PARAM, array->span)->param =
            f->fn->param_count++;
    }
}

void captured_pass_on(FnState *f, IrValue **operands, Span span)
{
    int count = f->lower->captured_count;
    for (int i = 0; i < count; i++)
        operands[i] = ir_var(f->arena, f->fn->vars[f->fn->param_count - count + i], span);
}

IrValue *captured_in_function(FnState *f, IrValue *value)
{
    int count = f->lower->captured_count;
    for (int i = 0; i < count; i++)
        if (f->lower->captured[i] == value->var)
            return ir_var(f->arena, f->fn->vars[f->fn->param_count - count + i], value->span);
    return value;
}

Operand lower_captured(FnState *f, const Call *call)
{
    IrValue *index = call_takes(f, call, 1, 1) ? call_value(f, call, 0) : NULL;
    if (!index || is_poison(index))
        return operand_error(call->span);
    if (!f->constant_only)
        return fail_operand(
            f, call->span, "cuda.captured() is for constants of a module: NAME = cuda.captured(0)");
    bool known = ir_is_constant(index) && type_is_integer(index->type);
    int64_t at = known ? index->constant.integer : -1;
    if (at < 0 || at >= f->lower->captured_count)
        return fail_operand(f, call->span,
                            "of the arrays that the kernel captures there is no number %lld: "
                            "@cuda.jit(captures=[...]) names them",
                            (long long)at);
    return operand_value(ir_var(f->arena, f->lower->captured[at], call->span));
}
