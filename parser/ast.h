/* The syntax tree of a module: what was written, with places and without types. It holds all of
** Python; what of it kernels cannot use is complained of where a kernel meets it.
**
** Names are NUL-terminated and live in the module's arena. Lists are arrays with a count.
** A tree that came out of a parse with errors is incomplete and is not lowered. */
#pragma once

#include "base/base.h"
#include "base/table.h"

typedef struct AstExpr AstExpr;
typedef struct AstStmt AstStmt;

typedef struct AstExprs {
    AstExpr **items;
    int count, capacity;
} AstExprs;

typedef struct AstBody {
    AstStmt **items;
    int count, capacity;
} AstBody;

/* clang-format off */
typedef enum AstOp {
    /* binary, also the operator of an augmented assignment */
    AST_ADD, AST_SUB, AST_MUL, AST_MATMUL, AST_DIV, AST_FLOORDIV, AST_MOD, AST_POW,
    AST_LSHIFT, AST_RSHIFT, AST_BITAND, AST_BITOR, AST_BITXOR,
    /* unary */
    AST_NEG, AST_POS, AST_INVERT, AST_NOT,
    /* boolean: short circuit */
    AST_AND, AST_OR,
    /* comparisons */
    AST_EQ, AST_NE, AST_LT, AST_LE, AST_GT, AST_GE, AST_IS, AST_IS_NOT, AST_IN, AST_NOT_IN,
    AST_OP_COUNT
} AstOp;
/* clang-format on */

/* How an operator is spelled: "+", "not in". */
const char *ast_op_spelling(AstOp op);

/* clang-format off */
typedef enum AstExprKind {
    AST_NAME,        /* x                                              */
    AST_INT,         /* 12, 0x_ff, 0b1, 0o7: value in `integer`          */
    AST_FLOAT,       /* 1.5e3                                          */
    AST_IMAG,        /* 2j: `number` is the imaginary part              */
    AST_STRING,      /* 'a' "b" r'c' '''d''', neighbours already joined  */
    AST_BYTES,       /* b'a' rb'c', in `string`                         */
    AST_FSTRING,     /* f'a{b}': strings and fields in `list`            */
    AST_FIELD,       /* {b!r:>9}, in an f-string                        */
    AST_TRUE, AST_FALSE, AST_NONE, AST_ELLIPSIS,
    AST_TUPLE,       /* a, b   (a,)   ()                                */
    AST_LIST,        /* [a, b]                                         */
    AST_SET,         /* {a, b}                                         */
    AST_DICT,        /* {a: b, **c}                                    */
    AST_COMPREHENSION, /* [e for x in s if c], and with other brackets   */
    AST_UNARY,       /* -a  +a  ~a  not a                               */
    AST_BINARY,      /* a + b                                          */
    AST_BOOLEAN,     /* a and b                                        */
    AST_COMPARE,     /* a < b <= c: one first operand, then pairs        */
    AST_IF_EXPR,     /* a if c else b                                  */
    AST_LAMBDA,      /* lambda x, y=1: e                               */
    AST_CALL,        /* f(a, *b, c=d)                                  */
    AST_ATTRIBUTE,   /* a.name                                         */
    AST_INDEX,       /* a[i, j:k]: several indices are one AST_TUPLE     */
    AST_SLICE,       /* i:j:k inside an index; each may be NULL          */
    AST_STARRED,     /* *a, in calls and on the left of an assignment    */
    AST_WALRUS,      /* (name := e)                                    */
    AST_YIELD,       /* yield e, yield from e                           */
    AST_AWAIT,       /* await e                                        */
    AST_EXPR_KINDS
} AstExprKind;
/* clang-format on */

typedef struct AstKeyword {
    const char *name; /* NULL for **e */
    AstExpr *value;
    Span span;
} AstKeyword;

typedef struct AstParam {
    const char *name;
    AstExpr *annotation;    /* NULL if none */
    AstExpr *default_value; /* NULL if none */
    bool star;              /* *args */
    bool double_star;       /* **kwargs */
    bool keyword_only;      /* behind *args or a bare * */
    Span span;              /* of the name */
} AstParam;

typedef struct AstParams {
    AstParam *items;
    int count, capacity;
    int positional_only; /* how many stand before a '/' */
    Span bare_star;      /* of the '*' that no name follows; empty: there is none */
} AstParams;

/* One `for target in iterable if c if d` of a comprehension. */
typedef struct AstClause {
    AstExpr *target, *iterable;
    AstExprs conditions;
    bool is_async;
} AstClause;

typedef struct AstComprehension {
    AstExprKind kind;         /* AST_LIST, AST_SET, AST_DICT; AST_TUPLE for a generator */
    AstExpr *element, *value; /* value: of a dict's item, else NULL */
    AstClause *clauses;
    int count, capacity;
} AstComprehension;

/* No tree is deeper: walks over it may recurse. */
enum { AST_MAX_DEPTH = 1000 };

/* clang-format off */
struct AstExpr {
    AstExprKind kind;
    short depth;        /* of the tree below: 0 for a leaf */
    bool in_brackets;   /* (e); `span` includes them */
    Span span;
    union {
        struct { const char *name; } name;
        struct { uint64_t value; bool too_big; } integer;   /* too_big: beyond 64 bits */
        struct { double value; } number;                     /* AST_FLOAT and AST_IMAG */
        /* escapes resolved, but for names of characters, which `unnamed` tells of */
        struct { const char *text; size_t length; bool unnamed; } string;
        struct { AstExprs items; } list;       /* AST_TUPLE, AST_LIST, AST_SET, AST_FSTRING */
        struct { AstExprs keys, values; } dict;              /* key NULL for **value */
        AstComprehension *comprehension;
        /* conversion 'r', 's', 'a' or 0; format is an AST_FSTRING or NULL; shown: {e=} */
        struct { AstExpr *value, *format; char conversion; bool shown; } field;
        struct { AstOp op; AstExpr *operand; } unary;
        struct { AstOp op; Span op_span; AstExpr *left, *right; } binary;   /* AST_BOOLEAN too */
        struct { AstExpr *first; AstOp *ops; AstExpr **rest; int count; } compare;
        struct { AstExpr *condition, *then, *otherwise; } if_expr;
        struct { AstParams params; AstExpr *body; } lambda;
        struct { AstExpr *function; AstExprs args; AstKeyword *keywords; int keyword_count; } call;
        struct { AstExpr *object; const char *name; Span name_span; } attribute;
        struct { AstExpr *object, *index; } index;
        struct { AstExpr *start, *stop, *step; } slice;
        struct { AstExpr *value; } starred;                  /* AST_AWAIT too */
        struct { AstExpr *value; bool from; } yield;         /* value may be NULL */
        struct { const char *name; Span name_span; AstExpr *value; } walrus;
    };
};
/* clang-format on */

/* clang-format off */
typedef enum AstStmtKind {
    AST_EXPR_STMT,   /* f(x)                                    */
    AST_ASSIGN,      /* a = b, c = e: targets left to right        */
    AST_AUG_ASSIGN,  /* a += e                                   */
    AST_ANN_ASSIGN,  /* a: t  or  a: t = e                        */
    AST_IF,          /* elif is an AST_IF alone in `otherwise`     */
    AST_WHILE,
    AST_FOR,
    AST_BREAK, AST_CONTINUE, AST_PASS,
    AST_RETURN,
    AST_ASSERT,
    AST_RAISE,
    AST_DEF,         /* a function, at module level or nested      */
    AST_CLASS,
    AST_DEL,         /* del a, b[0]                               */
    AST_GLOBAL, AST_NONLOCAL,
    AST_TRY,         /* try, except, except*, else, finally        */
    AST_WITH,        /* with a as b, c:                            */
    AST_MATCH,       /* what is more than a choice among values     */
    AST_TYPE_ALIAS,  /* type A[T] = e                              */
    AST_IMPORT,      /* import a.b as c, d                        */
    AST_FROM_IMPORT, /* from a.b import c as d, e  or  *           */
    AST_STMT_KINDS
} AstStmtKind;
/* clang-format on */

/* [T: bound = default, *Ts, **P] */
typedef struct AstTypeParam {
    const char *name;
    AstExpr *bound, *default_value; /* NULL if none */
    int stars;
    Span span;
} AstTypeParam;

typedef struct AstTypeParams {
    AstTypeParam *items;
    int count, capacity;
} AstTypeParams;

typedef struct AstFunction {
    const char *name;
    Span name_span;
    AstTypeParams type_params;
    AstParams params;
    bool is_async;
    AstExpr *returns;      /* -> annotation, NULL if none */
    AstExprs decorators;   /* outermost first, without the @ */
    const char *docstring; /* NULL if none */
    AstBody body;          /* docstring included, as a statement */
} AstFunction;

typedef struct AstClass {
    const char *name;
    Span name_span;
    AstTypeParams type_params;
    AstExprs bases;
    AstKeyword *keywords; /* metaclass=M */
    int keyword_count;
    AstExprs decorators;
    const char *docstring; /* NULL if none */
    AstBody body;
} AstClass;

/* except class as name: */
typedef struct AstHandler {
    bool star;        /* except* */
    AstExpr *class_;  /* NULL for all */
    const char *name; /* NULL if none */
    AstBody body;
    Span span;
} AstHandler;

typedef struct AstHandlers {
    AstHandler *items;
    int count, capacity;
} AstHandlers;

typedef struct AstTry {
    AstBody body, otherwise, finally;
    AstHandlers handlers;
} AstTry;

/* with value as target */
typedef struct AstWithItem {
    AstExpr *value, *target; /* target NULL if none */
} AstWithItem;

typedef struct AstWith {
    AstWithItem *items;
    int count, capacity;
    bool is_async;
    AstBody body;
} AstWith;

/* `case pattern if guard:`, and those of one match. In a pattern a walrus is `pattern as name`, a
** call a class, a name what it binds and '|' a choice. */
typedef struct AstCase {
    AstExpr *pattern, *guard; /* guard: NULL if none */
    AstBody body;
    Span span;
} AstCase;

typedef struct AstCases {
    AstCase *items;
    int count, capacity;
} AstCases;

typedef struct AstAlias {
    const char *name; /* dotted for `import a.b`; "*" for a star */
    const char *as;   /* what it is bound to; NULL if nothing was said */
    Span span;
} AstAlias;

/* clang-format off */
struct AstStmt {
    AstStmtKind kind;
    short depth;        /* of the statements below */
    Span span;          /* of a compound statement: its first line */
    union {
        struct { AstExpr *value; } expr;
        struct { AstExprs targets; AstExpr *value; } assign;
        struct { AstExpr *target; AstOp op; AstExpr *value; } aug_assign;
        struct { AstExpr *target, *annotation, *value; } ann_assign;
        struct { AstExpr *condition; AstBody then, otherwise; } if_;
        struct { AstExpr *condition; AstBody body, otherwise; } while_;
        struct { AstExpr *target, *iterable; AstBody body, otherwise; bool is_async; } for_;
        struct { AstExpr *value; } return_;                 /* NULL for a bare return */
        struct { AstExpr *condition, *message; } assert_;   /* message may be NULL */
        struct { AstExpr *exception, *cause; } raise;       /* NULL for a bare raise */
        struct { AstFunction function; } def;
        AstClass class_;
        /* level: the dots before the name of a module, which may be "" then */
        struct { const char *module; Span module_span; int level; AstAlias *names; int count; }
            import;
        struct { AstExprs targets; } del;
        struct { AstExprs names; } global;                  /* AST_NONLOCAL too */
        AstTry try_;
        AstWith with;
        struct { AstExpr *subject; AstCases cases; } match;
        struct { AstExpr *name; AstTypeParams params; AstExpr *value; } type_alias;
    };
};
/* clang-format on */

typedef struct AstModule {
    const Source *source;
    const char *docstring; /* NULL if none */
    AstBody body;          /* every statement of the module, in order */
} AstModule;

/* ---- ast.c --------------------------------------------------------------------------------- */

/* The function that a lambda is, without a name of its own. */
AstFunction *ast_lambda_function(Arena *arena, const AstExpr *lambda);

/* ---- ast_names.c --------------------------------------------------------------------------- */

typedef struct AstNames {
    Table locals;             /* parameters, and what it assigns and does not declare otherwise */
    Table defined;            /* of these, what an import or a def binds */
    Table globals, nonlocals; /* that it declares */
    bool generates;           /* it yields */
} AstNames;

/* What a function's text says of its names. */
void ast_names(AstNames *names, Arena *arena, const AstFunction *function);
static inline const char *ast_alias_name(const AstAlias *alias)
{
    return alias->as ? alias->as : alias->name;
}

/* ---- ast_walk.c ---------------------------------------------------------------------------- */

typedef void AstVisitor(void *context, const AstExpr *expr);
/* Calls `visit` for each expression directly below `expr`. */
void ast_each_child(const AstExpr *expr, AstVisitor *visit, void *context);
/* Calls `note` for each name that a pattern of a `case` binds. */
void ast_each_captured(const AstExpr *pattern, void (*note)(void *context, const char *name),
                       void *context);
/* Whether a name stands in an expression, however deep. */
bool ast_mentions(const AstExpr *expr, const char *name);
/* A name, or the last one of an attribute; "": it is neither. */
const char *ast_last_name(const AstExpr *expr);
/* Whether it is the name, or an attribute of that name. */
bool ast_ends_in(const AstExpr *expr, const char *name);
/* Whether one of a function's decorators does. */
bool ast_is_decorated(const AstFunction *function, const char *name);
/* The name that calls, attributes and indices hang on; NULL: there is none. */
const AstExpr *ast_root(const AstExpr *expr);
/* Which of a call's keywords has the name, -1: none; and what is given by it, or NULL. */
int ast_find_keyword(const AstExpr *call, const char *name);
AstExpr *ast_given_keyword(const AstExpr *call, const char *name);
/* A call's argument number `index`, or of that name; NULL: it is not given. */
const AstExpr *ast_call_argument(const AstExpr *call, int index, const char *name);
AstExpr *ast_new(Arena *arena, AstExprKind kind, Span span); /* its other fields are 0 */
/* For each expression that a statement evaluates, and for each that it assigns to; those of the
** statements inside it are left out, and so is what a nested function holds. */
void ast_each_value(const AstStmt *stmt, AstVisitor *visit, void *context);
void ast_each_target(const AstStmt *stmt, AstVisitor *visit, void *context);
/* The bodies of an if or a loop, `else` being the second, and those that a `with` or `try` runs
** when nothing is raised; returns how many. */
int ast_bodies(const AstStmt *stmt, const AstBody *bodies[2]);
/* Body number `i` of all that a statement may run, handlers and cases among them; NULL: it has not
** so many. What it defines is not run. */
const AstBody *ast_body(const AstStmt *stmt, int i);
