/* Typing, entry by entry: each row of tests/conformance/ becomes a kernel, and the type that lowering
** gives its variable is compared with what numba-cuda inferred or, for typing="nep50", NumPy 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"

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
    LowerRequest request = { .module = module, .kernel = "k", .signature = { params, 3 } };
    IrUnit *unit = ir_lower(arena, &types, &diags, &request);
    if (!unit)
        return "error";
    ir_run_passes(unit);
    ir_verify(unit, "everything");
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

typedef struct Table {
    const char *file;
    /* The body of the row's kernel; NULL to leave the row out. Sets the operands and the answer. */
    const char *(*body)(Arena *arena, const Row *row, const char **a, const char **b,
                        const char **answer);
    const char *options;                               /* of the kernel's decorator */
    const char *(*head)(Arena *arena, const Row *row); /* what stands before the kernel, or NULL */
} Table;

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
    const Table *table = *state;
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

/* A device function with the row's signatures. */
static const char *overloads_head(Arena *arena, const Row *row)
{
    Buf list;
    buf_init(&list, arena);
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

static const Table tables[] = {
    { "binary.tsv", binary_body, "", NULL },
    { "unary.tsv", unary_body, "", NULL },
    { "unify.tsv", unify_body, "", NULL },
    { "math.tsv", math_body, "", NULL },
    { "minmax.tsv", minmax_body, "", NULL },
    { "nep50.tsv", binary_body, "typing=\"nep50\"", NULL },
    { "overloads.tsv", overloads_body, "", overloads_head },
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
