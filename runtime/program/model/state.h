/* What a program that runs knows: its frames, its files, what was raised. */
#pragma once

#include "runtime/program/model/values.h"

/* The arguments of a call, evaluated: positions, then keywords. */
typedef struct HostArgs {
    const AstExpr *call; /* NULL where there is none */
    HostValue *values;
    size_t count;
    const char **names; /* of the keywords */
    HostValue *named;
    size_t named_count;
    HostValue self;             /* of a method */
    const HostBuiltin *builtin; /* that is called */
} HostArgs;

typedef bool HostCall(Program *p, HostArgs *args, HostValue *out);

/* In place of the least number of arguments: it takes the call as it is written. */
enum { HOST_AS_WRITTEN = -1 };

/* A function that is built in. */
struct HostBuiltin {
    const char *name; /* "math.sqrt", "len", "list.append" */
    int least, most;  /* positional arguments; most is -1 where any number will do */
    HostCall *call;
    const char *keywords; /* that it takes, "sep end"; NULL: none */
    const void *with;     /* what it is among those that `call` serves; rows may leave it out */
};
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* A call on its way, innermost first. */
typedef struct HostFrame {
    struct HostFrame *caller;
    const char *name; /* "<module>" */
    HostEnv *env;
    int depth;                    /* of calls */
    const HostFunction *compiled; /* whose call it is, if it is compiled: its loops are, too */
    HostProducer *generator;      /* whose body it is; NULL: of none */
    bool seeks;                   /* what an import does not find is an ImportError, and handled */
} HostFrame;

/* A file that the program imports: its module, whose kernels are compiled, and its names. */
typedef struct HostFile {
    struct HostFile *next;
    const char *name; /* as it was imported first */
    kjit_module *module;
    HostEnv *globals;
} HostFile;

enum { HOST_TRACE_MOST = 4096 };

/* np.set_printoptions() */
typedef struct PrintOptions {
    int precision, threshold, edge, line;
    bool suppress;             /* no exponents for small numbers */
    char floats;               /* floatmode's first letter, but e of maxprec_equal; 0: maxprec */
    const HostDict *formatter; /* functions by what they write; NULL: none */
    const char *separator;     /* NULL: what str() or repr() has */
} PrintOptions;

/* What a repr() at hand is inside of: that it is shown but once. */
typedef struct HostShown {
    const void *object;
    const struct HostShown *outer;
} HostShown;

struct Program {
    kjit_module *module;
    kjit_context *context;
    kjit_device_info device; /* what is known of the device; .size is 0 until it is asked for */
    Arena *arena;            /* as long as the program runs */
    Arena scratch;           /* texts under construction: never across an evaluation ... */
    const HostShown *shown;  /* what a repr() at hand is inside of */
    int texts;               /* ... but for so many, whose values may be evaluated */
    HostObject *objects;
    size_t bytes, limit; /* of objects; when they are swept next */
    HostValue *temps;
    size_t temp_count, temp_capacity;
    HostFrame *frame;
    HostEnv *globals;      /* of the file that is run */
    HostFile *libraries;   /* of Python's, in library/python/: they have no module of kjit's */
    HostFile *files;       /* that it imports */
    HostClass *classes;    /* that it made */
    HostClass *object;     /* Python's `object`; NULL until it is asked for */
    bool sets;             /* some class has __setattr__ */
    Table kernels;         /* of expressions, by their text */
    kjit_module **modules; /* that were loaded on the way */
    size_t module_count;
    kjit_group *group;         /* that its launches are split over; NULL: none */
    bool own_context;          /* it was opened for the program, and is closed with it */
    kjit_context *processor;   /* that functions of the host are compiled for; NULL: none was yet */
    kjit_values *values;       /* that keep descriptions of records */
    struct Eval *eval;         /* of an expression given as text: whose names there are, too */
    bool given_value;          /* NAME=VALUE is computed: what is built in is there without np. */
    const char *directory;     /* of files that are read; NULL: the working directory */
    Table codes, noted, given; /* functions; modules passed over; values that replace others */
    Table words;               /* names of keywords that dictionaries gave */
    const char *stack;         /* where it began */
    size_t stack_limit;
    const struct HostUfunc *ufunc; /* that the expression which is computed calls */
    HostValue result;              /* of a return */
    /* what was raised */
    bool failed;
    bool foreign; /* because the value of what is in no module of kjit's was needed */
    HostException *exception;
    HostException *handling; /* by the innermost handler; NULL: none runs */
    kjit_status status;      /* not KJIT_OK: a failure of the machine, whose message is kept */
    HostTrace *traces;
    size_t trace_count;
    bool dropped;            /* a generator that was guarded is no more, and has not gone on */
    Profile *profile;        /* NULL: nothing is measured */
    Repeats *repeats;        /* launches that come again, on a GPU; NULL: none was launched yet */
    Span at;                 /* the statement that runs */
    const HostFrame *traced; /* that the last of them is of */
    RandomSource random;
    PrintOptions printing;
    HostValue streams[2];  /* what sys.stdout and sys.stderr are; None: the process's own */
    HostList *formatters;  /* that printing had; NULL: none yet */
    const AstExpr *called; /* the function of a call whose arguments are none of its own */
    uint32_t nan_count;    /* that were made */
    int loops;             /* of the program's own text that are running */
    const kjit_program_options *options;
};

typedef enum HostFlow {
    FLOW_NEXT,
    FLOW_BREAK,
    FLOW_CONTINUE,
    FLOW_RETURN,
    FLOW_YIELD,
    FLOW_FAILED
} HostFlow;

/* Above this a list or a text is too long to be made at once. */
enum { HOST_ITEMS_MOST = 1 << 28 };
