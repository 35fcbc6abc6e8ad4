/* What the keywords of @cuda.jit(...) say: numba's, and `typing`. */
#include "ir/names/operand.h"

static bool is_string(const AstExpr *value, const char *text)
{
    return value->kind == AST_STRING && strcmp(value->string.text, text) == 0;
}

static void take_flag(Diags *diags, const AstKeyword *keyword, bool *flag)
{
    const AstExpr *value = keyword->value;
    if (value->kind != AST_TRUE && value->kind != AST_FALSE)
        diag_error(diags, value->span, "'%s' takes True or False", keyword->name);
    else
        *flag = value->kind == AST_TRUE;
}

static void take_count(Diags *diags, const char *name, const AstExpr *value, int *count)
{
    if (value->kind == AST_NONE)
        return;
    if (value->kind != AST_INT || value->integer.value > 65535)
        diag_error(diags, value->span, "'%s' takes a whole number", name);
    else
        *count = (int)value->integer.value;
}

/* numba also takes a set of LLVM's flags, which CUDA has no names for: each is a wish for speed. */
static void take_fastmath(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    if (value->kind == AST_CALL || value->kind == AST_LIST || value->kind == AST_TUPLE)
        diag_error(diags, value->span, "fastmath takes True or False: its parts cannot be chosen");
    else if (value->kind == AST_SET)
        options->fastmath = true;
    else
        take_flag(diags, keyword, &options->fastmath);
}

static void take_opt(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    if (value->kind == AST_TRUE || value->kind == AST_FALSE)
        options->opt = value->kind == AST_TRUE ? 3 : 0;
    else if (value->kind == AST_INT && value->integer.value <= 3)
        options->opt = (int)value->integer.value;
    else
        diag_error(diags, value->span, "opt takes True, False, or a number from 0 to 3");
}

/* threads, (threads, blocks) or (threads, blocks, blocks of a cluster) */
static void take_launch_bounds(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    int *counts[] = { &options->launch_threads, &options->launch_blocks, &options->launch_cluster };
    if (value->kind != AST_TUPLE) {
        take_count(diags, keyword->name, value, counts[0]);
        return;
    }
    if (value->list.items.count < 1 || value->list.items.count > 3) {
        diag_error(diags, value->span,
                   "launch_bounds takes the threads of a block, and behind them the blocks of a "
                   "multiprocessor and of a cluster");
        return;
    }
    for (int i = 0; i < value->list.items.count; i++)
        take_count(diags, keyword->name, value->list.items.items[i], counts[i]);
}

/* "MaxL1", "MaxShared", "default", or so many percent; -1 is the default. */
static void take_carveout(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    bool minus = value->kind == AST_UNARY && value->unary.op == AST_NEG &&
                 value->unary.operand->kind == AST_INT && value->unary.operand->integer.value == 1;
    if (is_string(value, "MaxL1"))
        options->carveout = 0;
    else if (is_string(value, "MaxShared"))
        options->carveout = 100;
    else if (is_string(value, "default") || minus || value->kind == AST_NONE)
        options->carveout = -1;
    else if (value->kind == AST_INT && value->integer.value <= 100)
        options->carveout = (int)value->integer.value;
    else
        diag_error(diags, value->span,
                   "shared_memory_carveout takes \"MaxL1\", \"MaxShared\", \"default\", or a "
                   "percentage from -1 to 100");
}

static void take_typing(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    options->nep50 = is_string(value, "nep50");
    if (!options->nep50 && !is_string(value, "numba"))
        diag_error(diags, value->span, "typing takes \"numba\" or \"nep50\"");
}

static void take_matmul(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    if (value->kind == AST_NONE)
        return;
    options->matmul = value->kind == AST_STRING ? (int)ir_tile_named(value->string.text) : 0;
    if (!options->matmul)
        diag_error(diags, value->span, "matmul takes %s", ir_tile_names);
}

static void take_inline(Diags *diags, const AstKeyword *keyword, IrOptions *options)
{
    const AstExpr *value = keyword->value;
    bool never = value->kind == AST_FALSE || is_string(value, "never");
    options->inline_always = value->kind == AST_TRUE || is_string(value, "always");
    if (!options->inline_always && !never)
        diag_error(diags, value->span,
                   "%s takes \"always\" or \"never\": the compilers decide by their own cost "
                   "models, which no function can replace",
                   keyword->name);
}

/* Whether what stands for a value is that value, and nothing that has to be computed. */
static bool is_written(const AstExpr *value)
{
    static const AstExprKind kinds[] = { AST_INT,  AST_FLOAT, AST_STRING, AST_TRUE, AST_FALSE,
                                         AST_NONE, AST_SET,   AST_LIST,   AST_DICT };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (value->kind == kinds[i])
            return true;
    if (value->kind == AST_UNARY)
        return value->unary.op != AST_NOT && is_written(value->unary.operand);
    for (int i = 0; value->kind == AST_TUPLE && i < value->list.items.count; i++)
        if (!is_written(value->list.items.items[i]))
            return false;
    return value->kind == AST_TUPLE;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What numba names and refuses, or kjit refuses for a reason. */
static const char *refusal(const char *name)
{
    static const struct {
        const char *name, *reason;
    } refused[] = {
        { "extensions", "arguments are converted by the program that launches" },
        { "boundscheck", "debug=True checks bounds" },
        { "argtypes", "write the signature first: @cuda.jit(\"void(float32[:])\")" },
        { "restype", "write the signature first: @cuda.jit(\"void(float32[:])\")" },
        { "bind", "kernels are always compiled for the device at hand" },
        { "target", "the device is chosen when the kernel is run" },
        { "parallel", "a kernel is parallel by its grid" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(refused); i++)
        if (strcmp(refused[i].name, name) == 0)
            return refused[i].reason;
    return NULL;
}

static const char *const known[] = {
    "device",      "inline",        "fastmath",      "debug",
    "opt",         "lineinfo",      "cache",         "typing",
    "forceinline", "lto",           "nopython",      "signature",
    "fma",         "max_registers", "launch_bounds", "shared_memory_carveout",
    "link",        "deterministic", "captures",      "matmul",
    "reassociate"
};

/* `device` tells what the function is, and `link` is read in a way of its own: link.c. */
bool options_wait(const AstKeyword *keyword)
{
    bool is_known = false;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        is_known |= strcmp(known[i], keyword->name) == 0;
    return is_known && strcmp(keyword->name, "device") != 0 && strcmp(keyword->name, "link") != 0 &&
           !is_written(keyword->value);
}

static void unknown_option(Diags *diags, const AstKeyword *keyword, const char *name)
{
    const char *reason = refusal(name);
    const char *near = reason ? NULL : diag_nearest(name, known, ARRAY_COUNT(known));
    if (reason)
        diag_error(diags, keyword->span, "%s= cannot be honoured: %s", name, reason);
    else
        diag_error(diags, keyword->span, "@cuda.jit has no option '%s'%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

void options_take(Arena *arena, Diags *diags, Function *function, const AstKeyword *keyword)
{
    const char *name = keyword->name ? keyword->name : "**";
    IrOptions *options = &function->options;
    bool flag = !function->kernel;
    if (strcmp(name, "device") == 0) {
        take_flag(diags, keyword, &flag);
        function->kernel = !flag;
    } else if (strcmp(name, "fastmath") == 0) {
        take_fastmath(diags, keyword, options);
    } else if (strcmp(name, "debug") == 0) {
        take_flag(diags, keyword, &options->debug);
    } else if (strcmp(name, "lineinfo") == 0) {
        take_flag(diags, keyword, &options->lineinfo);
    } else if (strcmp(name, "deterministic") == 0) {
        take_flag(diags, keyword, &options->deterministic);
        if (options->deterministic)
            function->deterministic = keyword->span;
    } else if (strcmp(name, "fma") == 0) {
        take_flag(diags, keyword, &flag);
        options->unfused = !flag;
    } else if (strcmp(name, "reassociate") == 0) {
        take_flag(diags, keyword, &options->reassociate);
    } else if (strcmp(name, "opt") == 0) {
        take_opt(diags, keyword, options);
    } else if (strcmp(name, "matmul") == 0) {
        take_matmul(diags, keyword, options);
    } else if (strcmp(name, "inline") == 0 || strcmp(name, "forceinline") == 0) {
        take_inline(diags, keyword, options);
    } else if (strcmp(name, "cache") == 0 || strcmp(name, "nopython") == 0 ||
               strcmp(name, "lto") == 0) {
        take_flag(diags, keyword, &flag); /* kjit always caches, and has no other mode */
    } else if (strcmp(name, "max_registers") == 0) {
        take_count(diags, name, keyword->value, &options->max_registers);
    } else if (strcmp(name, "launch_bounds") == 0) {
        take_launch_bounds(diags, keyword, options);
    } else if (strcmp(name, "shared_memory_carveout") == 0) {
        take_carveout(diags, keyword, options);
    } else if (strcmp(name, "captures") == 0) {
        captures_take(arena, diags, function, keyword->value);
    } else if (strcmp(name, "link") == 0) {
        links_take(arena, keyword->value, &function->links);
    } else if (strcmp(name, "typing") == 0) {
        take_typing(diags, keyword, options);
    } else if (strcmp(name, "signature") == 0 || strcmp(name, "func_or_sig") == 0) {
        array_push(arena, function->signatures.items, function->signatures.count,
                   function->signatures.capacity) = keyword->value;
    } else {
        unknown_option(diags, keyword, name);
    }
}
