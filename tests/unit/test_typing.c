/* Typing, entry by entry: each row of tests/conformance/ becomes a kernel, and the type that
** lowering gives its variable is compared with what numba-cuda inferred or, for typing="nep50",
** NumPy 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/compile/compile.h"

enum { FIELDS = 6 };

typedef struct Row {
    char *field[FIELDS]; /* missing ones are "" */
} Row;

/* Where kjit means to differ, with the reason. "*" matches anything. */
static const struct {
    const char *file, *a, *b, *what, *numba, *kjit;
} differences[] = {
#include "tests/unit/typing_differences.def"
};

static const char *type_of_operand(const char *name)
{
    return strcmp(name, "intlit") == 0 || strcmp(name, "floatlit") == 0 ? NULL : name;
}

static const char *spelling(const char *name, const char *param)
{
    return strcmp(name, "intlit") == 0 ? "2" : strcmp(name, "floatlit") == 0 ? "2.0" : param;
}

typedef struct Compilation {
    Arena *arena;
    Diags *diags;
} Compilation;

/* A module of the standard library. */
static Module *find_library(void *context, const char *name, Span span, const char **why)
{
    Compilation *c = context;
    const char *text = stdlib_find(name);
    (void)span;
    (void)why;
    if (!text)
        return NULL;
    const Source *source =
        source_new(c->arena, arena_printf(c->arena, "std:%s", name), text, strlen(text));
    AstModule *ast = parse_module(c->arena, c->diags, source);
    return ast ? module_resolve(c->arena, c->diags, ast, find_library, c) : NULL;
}

/* The type of `y` in a kernel with that body, "error" if it is refused. */
static const char *infer(Arena *arena, const char *head, const char *options, const char *body,
                         const char *a, const char *b)
{
    const char *text = arena_printf(arena, "%s@cuda.jit(%s)\ndef k(a, b, c):\n%s    print(y)\n",
                                    head, options, body);
    Diags diags;
    Types types;
    diags_init(&diags, arena);
    types_init(&types, arena);
    Source *source = source_new(arena, "row", text, strlen(text));
    AstModule *ast = parse_module(arena, &diags, source);
    Module *module = ast && !diags.errors ? module_resolve(arena, &diags, ast, NULL, NULL) : NULL;
    if (!module)
        return "syntax error";
    const Type *params[3] = { type_by_name(type_of_operand(a) ? a : "int64"),
                              type_by_name(type_of_operand(b) ? b : "int64"), type_bool };
    if (!params[0] || !params[1])
        return "skipped";
    Compilation compilation = { arena, &diags };
    LowerRequest request = { .module = module,
                             .kernel = "k",
                             .signature = { params, 3, NULL },
                             .library = find_library,
                             .library_context = &compilation };
    IrUnit *unit = ir_lower(arena, &types, &diags, &request);
    if (!unit)
        return "error";
    assert_null(ir_run_passes(unit, NULL));
    const char *found = "nothing";
    for (IrStmt *stmt = unit->kernel->body.first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_PRINT)
            found = type_name(arena, stmt->print.items[0].value->type);
    return found;
}

static bool meant(const char *file, const Row *row, const char *what, const char *numba,
                  const char *kjit)
{
    for (size_t i = 0; i < ARRAY_COUNT(differences); i++) {
        const char *pattern[] = { differences[i].a, differences[i].b, differences[i].what,
                                  differences[i].numba, differences[i].kjit };
        const char *text[] = { row->field[0], row->field[1], what, numba, kjit };
        bool matches = strcmp(differences[i].file, file) == 0;
        for (size_t k = 0; matches && k < ARRAY_COUNT(pattern); k++)
            matches = strcmp(pattern[k], "*") == 0 || strcmp(pattern[k], text[k]) == 0;
        if (matches)
            return true;
    }
    return false;
}

typedef struct RuleTable {
    const char *file;
    /* The body of the row's kernel; NULL to leave the row out. Sets the operands and the answer. */
    const char *(*body)(Arena *arena, const Row *row, const char **a, const char **b,
                        const char **answer);
    const char *options;                               /* of the kernel's decorator */
    const char *(*head)(Arena *arena, const Row *row); /* what stands before the kernel, or NULL */
} RuleTable;

static Row split(char *line)
{
    Row row;
    for (int i = 0; i < FIELDS; i++) {
        row.field[i] = line;
        char *tab = strpbrk(line, "\t\n");
        bool more = tab && *tab == '\t';
        if (tab)
            *tab = 0;
        line = more ? tab + 1 : line + strlen(line);
    }
    return row;
}

static void rows_agree(void **state)
{
    const RuleTable *table = *state;
    char path[256], line[1024];
    snprintf(path, sizeof(path), "tests/conformance/%s", table->file);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file)); /* the heading */
    int wrong = 0, rows = 0;
    while (fgets(line, sizeof(line), file)) {
        jmp_buf exhausted;
        Arena arena;
        arena_init(&arena, &exhausted);
        if (setjmp(exhausted))
            fail_msg("no memory");
        Row row = split(line);
        const char *a = "int64", *b = "int64", *answer = "";
        const char *body = table->body(&arena, &row, &a, &b, &answer);
        const char *head = table->head ? table->head(&arena, &row) : "";
        const char *found = body ? infer(&arena, head, table->options, body, a, b) : "skipped";
        if (strcmp(found, "skipped") != 0) {
            rows++;
            if (strcmp(found, answer) != 0 && !meant(table->file, &row, body, answer, found)) {
                wrong++;
                print_error("%s: %s %s %s: the table says %s, kjit %s", table->file, row.field[0],
                            row.field[1], row.field[2], answer, found);
                print_error(": %s", body);
            }
        }
        arena_free(&arena);
    }
    fclose(file);
    assert_true(rows > 0);
    assert_int_equal(wrong, 0);
}

static const char *binary_body(Arena *arena, const Row *row, const char **a, const char **b,
                               const char **answer)
{
    *a = row->field[0];
    *b = row->field[1];
    *answer = row->field[3];
    return arena_printf(arena, "    y = %s %s %s\n", spelling(*a, "a"), row->field[2],
                        spelling(*b, "b"));
}

static const char *unary_body(Arena *arena, const Row *row, const char **a, const char **b,
                              const char **answer)
{
    (void)b;
    *a = row->field[1];
    *answer = row->field[2];
    const char *operand = spelling(*a, "a"), *op = row->field[0];
    if (strcmp(op, "round2") == 0)
        return arena_printf(arena, "    y = round(%s, 2)\n", operand);
    return arena_printf(
        arena, strlen(op) == 1 || strcmp(op, "not") == 0 ? "    y = %s %s\n" : "    y = %s(%s)\n",
        op, operand);
}

static const char *unify_body(Arena *arena, const Row *row, const char **a, const char **b,
                              const char **answer)
{
    if (row->field[0][0] == '(' || row->field[0][0] == 'N')
        return NULL;
    *a = row->field[0];
    *b = row->field[1];
    *answer = row->field[2];
    return arena_printf(arena, "    if c:\n        y = %s\n    else:\n        y = %s\n",
                        spelling(*a, "a"), spelling(*b, "b"));
}

static const char *call_body(Arena *arena, const Row *row, const char **a, const char **b,
                             const char **answer, const char *prefix)
{
    *a = row->field[1];
    *answer = row->field[3];
    if (!row->field[2][0])
        return arena_printf(arena, "    y = %s%s(%s)\n", prefix, row->field[0], spelling(*a, "a"));
    *b = row->field[2];
    return arena_printf(arena, "    y = %s%s(%s, %s)\n", prefix, row->field[0], spelling(*a, "a"),
                        spelling(*b, "b"));
}

static const char *math_body(Arena *arena, const Row *row, const char **a, const char **b,
                             const char **answer)
{
    return call_body(arena, row, a, b, answer, "math.");
}

static const char *minmax_body(Arena *arena, const Row *row, const char **a, const char **b,
                               const char **answer)
{
    return call_body(arena, row, a, b, answer, "");
}

static const char *inplace_body(Arena *arena, const Row *row, const char **a, const char **b,
                                const char **answer)
{
    *a = row->field[0];
    *b = row->field[1];
    *answer = row->field[3];
    const char *op = row->field[2];
    size_t length = strlen(op);
    bool compares = strcmp(op, "==") == 0 || strcmp(op, "<") == 0;
    return compares ? NULL
                    : arena_printf(arena, "    y = %s\n    y %s%s %s\n", spelling(*a, "a"), op,
                                   op[length - 1] == '=' ? "" : "=", spelling(*b, "b"));
}

/* `form` with {0} and {1} replaced. */
static const char *fill_in(Arena *arena, const char *form, const char *first, const char *second)
{
    Buf out = buf_in(arena);
    for (; *form; form++)
        if (form[0] == '{' && form[1] && form[2] == '}') {
            buf_puts(&out, form[1] == '0' ? first : second);
            form += 2;
        } else {
            buf_putc(&out, *form);
        }
    return buf_text(&out);
}

static const char *forms_body(Arena *arena, const Row *row, const char **a, const char **b,
                              const char **answer)
{
    *a = row->field[1];
    *b = row->field[2][0] ? row->field[2] : "int64";
    *answer = row->field[3];
    const char *form =
        fill_in(arena, row->field[0], spelling(*a, "a"), spelling(row->field[2], "b"));
    return arena_printf(
        arena, strncmp(form, "range", 5) == 0 ? "    for y in %s:\n        pass\n" : "    y = %s\n",
        form);
}

/* The other tables say "ok" where a statement has no type. */
static const char *done(const char *result)
{
    return strcmp(result, "ok") == 0 ? "int64" : result;
}

static const char *setitem_body(Arena *arena, const Row *row, const char **a, const char **b,
                                const char **answer)
{
    (void)b;
    *a = row->field[1];
    *answer = done(row->field[2]);
    return arena_printf(arena,
                        "    array = cuda.local.array(1, %s)\n    array[0] = %s\n    y = 1\n",
                        row->field[0], spelling(*a, "a"));
}

static const char *index_body(Arena *arena, const Row *row, const char **a, const char **b,
                              const char **answer)
{
    static const struct {
        const char *access, *form;
    } accesses[] = {
        { "load", "one[{0}]" },
        { "store", "one[{0}] = 1" },
        { "atomic.add", "cuda.atomic.add(one, {0}, 1)" },
        { "load2", "two[{0}, {0}]" },
        { "atomic.add2", "cuda.atomic.add(two, ({0}, {0}), 1)" },
    };
    (void)b;
    *a = row->field[1];
    *answer = done(row->field[2]);
    for (size_t i = 0; i < ARRAY_COUNT(accesses); i++)
        if (strcmp(accesses[i].access, row->field[0]) == 0)
            return arena_printf(arena,
                                "    one = cuda.shared.array(4, int32)\n"
                                "    two = cuda.shared.array((4, 4), int32)\n    %s\n    y = 1\n",
                                fill_in(arena, accesses[i].form, spelling(*a, "a"), ""));
    return NULL;
}

static const char *atomics_body(Arena *arena, const Row *row, const char **a, const char **b,
                                const char **answer)
{
    (void)b;
    *a = row->field[2];
    *answer = row->field[3];
    const char *op = row->field[0], *value = spelling(*a, "a");
    const char *call = strcmp(op, "cas") == 0 ? "cuda.atomic.cas(array, 0, {0}, {0})"
                       : strcmp(op, "compare_and_swap") == 0
                           ? "cuda.atomic.compare_and_swap(array, "
                             "{0}, {0})"
                           : "cuda.atomic.{1}(array, 0, {0})";
    return arena_printf(arena, "    array = cuda.shared.array(4, %s)\n    y = %s\n", row->field[1],
                        fill_in(arena, call, value, op));
}

static const char *intrinsics_body(Arena *arena, const Row *row, const char **a, const char **b,
                                   const char **answer)
{
    (void)b;
    *a = row->field[1];
    *answer = strcmp(row->field[2], "none") == 0 ? "int64" : row->field[2];
    return arena_printf(arena, "    v = a\n    y = 1\n    %s%s\n",
                        strcmp(row->field[2], "none") == 0 ? "" : "y = ", row->field[0]);
}

/* A device function with the row's signatures. */
static const char *overloads_head(Arena *arena, const Row *row)
{
    Buf list = buf_in(arena);
    for (const char *at = row->field[0]; *at;) {
        int length = (int)strcspn(at, " ");
        buf_printf(&list, "%s\"%.*s\"", at == row->field[0] ? "" : ", ", length, at);
        at += length + (at[length] == ' ');
    }
    return arena_printf(arena, "@cuda.jit([%s], device=True)\ndef g(x):\n    return x\n",
                        buf_text(&list));
}

static const char *overloads_body(Arena *arena, const Row *row, const char **a, const char **b,
                                  const char **answer)
{
    (void)b;
    *a = row->field[1];
    *answer = row->field[2];
    return arena_printf(arena, "    y = g(%s)\n", spelling(*a, "a"));
}

static const RuleTable tables[] = {
    { "binary.tsv", binary_body, "", NULL },
    { "unary.tsv", unary_body, "", NULL },
    { "unify.tsv", unify_body, "", NULL },
    { "math.tsv", math_body, "", NULL },
    { "minmax.tsv", minmax_body, "", NULL },
    { "nep50.tsv", binary_body, "typing=\"nep50\"", NULL },
    { "overloads.tsv", overloads_body, "", overloads_head },
    { "binary.tsv", inplace_body, "", NULL },
    { "inplace.tsv", inplace_body, "", NULL },
    { "forms.tsv", forms_body, "", NULL },
    { "setitem.tsv", setitem_body, "", NULL },
    { "index.tsv", index_body, "", NULL },
    { "atomics.tsv", atomics_body, "", NULL },
    { "intrinsics.tsv", intrinsics_body, "", NULL },
};

/* conversions.tsv is about no kernel, but about typing_conversion(). */
static void conversions_agree(void **state)
{
    static const char *const names[] = { "none", "exact", "promote", "safe", "unsafe" };
    char line[256];
    FILE *file = fopen("tests/conformance/conversions.tsv", "r");
    (void)state;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    int rows = 0;
    for (; fgets(line, sizeof(line), file); rows++) {
        Row row = split(line);
        TypeConversion found =
            typing_conversion(type_by_name(row.field[0]), type_by_name(row.field[1]));
        if (strcmp(names[found], row.field[2]) != 0)
            fail_msg("%s to %s: the table says %s, kjit %s", row.field[0], row.field[1],
                     row.field[2], names[found]);
    }
    fclose(file);
    assert_int_equal(rows, 14 * 14);
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_COUNT(tables) + 1] = { [ARRAY_COUNT(tables)] =
                                                             cmocka_unit_test(conversions_agree) };
    for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
        tests[i] =
            (struct CMUnitTest){ tables[i].file, rows_agree, NULL, NULL, (void *)&tables[i] };
    return cmocka_run_group_tests_name("types that numba infers", tests, NULL, NULL);
}
