/* Programs: the host's part of a file, run as Python runs it.
**
** A file is a program if its module level does something: calls, prints, loops, launches. It is
** then interpreted over the syntax tree, from the first line to the last, with Python's dynamic
** semantics; kernels that it calls are compiled as ever.
**
** Values. A HostValue is a word with its kind: None, bool, an int of 64 bits (beyond that it is
** an OverflowError), a float, a NumPy scalar, a dtype, a module, a function that is built in; or
** it points to an object: str, tuple, list, range, slice, array, function, kernel, and what the
** host side of numba has. What an array is made of, what is read from files and what random
** numbers are comes from runtime/values/ and runtime/array/, which is the library of this
** evaluator.
**
** Memory. Objects are found by marking and sweeping (heap.c), and only where a statement begins.
** What an expression has got hold of by then is kept by a stack of temporaries, to which every
** object is added that an expression comes to; a statement takes its part of the stack away when
** it is done. So a function that is called here never has to count references.
**
** Names. The module's names lie in one environment, those of a call in one of its own, which a
** closure keeps (env.c). Which names of a function are local is decided by its text, as in
** Python.
**
** Errors. What fails returns false after host_raise(), which notes the place; each call that is
** left by it adds its own. At last they make Python's traceback (raise.c). Memory that is not
** there leaves by the arena's catch, like in all of the compiler.
**
** What there is: names of modules are paths, "math.sqrt", that a table lists (module.c, and the
** tables at the end of the files with the functions). docs/programs.md is the manual. */
#pragma once

#include "base/table.h"
#include "runtime/program/random.h"
#include "runtime/runtime.h"

/* The end of a message about what Python has and programs have not. */
#define HOST_BY_PYTHON "; or run the script by Python: python -m kjit FILE"

typedef struct Program Program;
typedef struct Profile Profile;
typedef struct Repeats Repeats;
typedef struct HostValue HostValue;

typedef enum HostKind {
    HOST_NONE,
    HOST_BOOL,
    HOST_INT,
    HOST_FLOAT,
    HOST_COMPLEX,
    HOST_NUMBER, /* a NumPy scalar: of a dtype */
    HOST_DTYPE,  /* np.float32, and the types int, float, bool */
    HOST_TYPE,   /* one of numba's that is no dtype, by its text: numba/types.c */
    HOST_DEVICE, /* cuda.get_current_device(), current_context() */
    HOST_LIMITS, /* of a dtype: np.iinfo(), np.finfo() */
    HOST_FLAGS,  /* of an array: how it lies, in `integer` */
    HOST_ELLIPSIS,
    HOST_MODULE,  /* by its path; what is in one that kjit does not know, too */
    HOST_FOREIGN, /* of a module that kjit does not know */
    HOST_FILE,    /* a file that was imported */
    HOST_BUILTIN,
    HOST_EXCEPTION_CLASS,
    HOST_CLASS,   /* of objects, of namedtuples, or an enumeration */
    HOST_MEMBER,  /* of an enumeration; one of an IntEnum is an int */
    HOST_OBJECTS, /* from here on `object` is set */
    HOST_STRING = HOST_OBJECTS,
    HOST_TUPLE,
    HOST_LIST,
    HOST_DICT,
    HOST_VIEW, /* of a dictionary: its keys, values, or both */
    HOST_SET,
    HOST_FROZEN_SET,
    HOST_RANGE,
    HOST_SLICE,
    HOST_FUNCTION,
    HOST_METHOD,
    HOST_INSTANCE, /* of a class of the program's own */
    HOST_SUPER,
    HOST_PARTIAL, /* functools.partial() */
    HOST_EXCEPTION,
    HOST_ARRAY,
    HOST_EXPRESSION, /* of arrays, not computed yet: arrays.h */
    HOST_KERNEL,
    HOST_LAUNCH, /* a kernel with its grid and block */
    HOST_STREAM,
    HOST_EVENT,
    HOST_GENERATOR,   /* of random numbers */
    HOST_UFUNC,       /* of @vectorize and its like: ufunc.h */
    HOST_PRODUCER,    /* an iterator: a generator, zip() */
    HOST_BLOCK,       /* never a value */
    HOST_ENVIRONMENT, /* never a value */
    HOST_KINDS
} HostKind;

typedef struct HostObject {
    struct HostObject *next; /* of all there are */
    HostKind kind;
    bool marked;
} HostObject;

typedef struct HostBuiltin HostBuiltin;

struct HostValue {
    HostKind kind;
    kjit_dtype dtype; /* of a NumPy scalar, or the dtype that it is */
    union {
        int64_t integer; /* bool too, and NumPy scalars that are integers */
        double number;
        const char *text; /* a path; the class of an exception */
        const HostBuiltin *builtin;
        const struct HostFile *file;
        const struct HostClass *class_;
        const struct HostMember *member;
        HostObject *object;
        struct HostString *string;
        struct HostList *list; /* a tuple too */
        struct HostDict *dict;
        struct HostView *view;
        struct HostSet *set;
        struct HostRange *range;
        struct HostSlice *slice;
        struct HostFunction *function;
        struct HostMethod *method;
        struct HostInstance *instance;
        struct HostSuper *super;
        struct HostPartial *partial;
        struct HostException *exception;
        struct HostArray *array;
        struct HostExpression *expression;
        struct HostKernel *kernel;
        struct HostLaunch *launch;
        struct HostStream *stream;
        struct HostEvent *event;
        struct HostUfunc *ufunc;
        const kjit_record *record; /* that a dtype is */
        struct HostGenerator *generator;
        struct HostProducer *producer;
    };
    union {
        double imaginary;                    /* of a complex number, whose real part is `number` */
        bool aligned;                        /* a dtype of records: made with align=True */
        const struct HostMember *enumerated; /* of an IntEnum, that an int is; NULL: of none */
    };
};

typedef struct HostString {
    HostObject head;
    size_t length; /* bytes of UTF-8 */
    char text[];   /* and a NUL */
} HostString;

typedef struct HostList {
    HostObject head;
    size_t count, capacity;
    HostValue *items;
    const struct HostClass *class_; /* a namedtuple's; NULL: the items have no names */
} HostList;

typedef struct HostEntry {
    uint64_t hash;
    HostValue key, value; /* the key is HOST_KINDS where the entry was removed */
} HostEntry;

typedef enum DictForm { DICT_PLAIN, DICT_DEFAULT, DICT_COUNTER, DICT_ORDERED } DictForm;

/* A dictionary: its entries in the order in which their keys came, and a hash index of them with
** linear steps, whose slots are numbers of entries from 1 on, 0 if they are free. */
typedef struct HostDict {
    HostObject head;
    HostEntry *entries;
    size_t count, live; /* entries, and how many of them were not removed */
    size_t capacity;    /* of entries; the index has twice as many slots */
    size_t taken;       /* slots */
    uint32_t *index;
    DictForm form;
    HostValue factory; /* of a defaultdict: it makes the values that are missing, or is None */
} HostDict;

/* What an entry takes with its two slots, which lie behind all entries. */
enum { DICT_ENTRY_BYTES = sizeof(HostEntry) + 2 * sizeof(uint32_t) };

typedef enum HostViewOf { VIEW_KEYS, VIEW_VALUES, VIEW_ITEMS } HostViewOf;

typedef struct HostView {
    HostObject head;
    HostViewOf of;
    HostDict *dict;
} HostView;

typedef struct HostSlot {
    uint64_t hash;
    HostValue item; /* HOST_KINDS: there is none */
    bool removed;   /* there was one */
} HostSlot;

/* A set, or a frozen one. */
typedef struct HostSet {
    HostObject head;
    HostSlot *table;
    size_t slots;        /* a power of two; 0 before the first item comes */
    size_t used, filled; /* with items; and with those that were removed */
    size_t finger;       /* where pop() looks first */
} HostSet;

typedef struct HostRange {
    HostObject head;
    int64_t start, stop, step, count;
} HostRange;

typedef struct HostSlice {
    HostObject head;
    HostValue parts[3]; /* start, stop, step */
} HostSlice;

typedef struct HostName {
    const char *name;
    HostValue value;
    bool bound;
} HostName;

/* Names and what they hold: of the module, of a call, of a comprehension. */
typedef struct HostEnv {
    HostObject head;
    struct HostEnv *outer;       /* around it, NULL for the module's */
    kjit_module *module;         /* of the module's: that it is of; NULL for others */
    const struct HostCode *code; /* whose call it is, NULL for others */
    HostName *slots;
    size_t count, capacity;
    bool of_class; /* a class statement's: functions in it do not see its names */
} HostEnv;

/* What a function's text says of its names, found once. */
typedef struct HostCode {
    const AstFunction *ast;
    const char *name; /* as it is written: in a class a private one means another */
    AstNames names;
} HostCode;

/* What a function in a class is for an object of it. */
typedef enum MethodKind {
    METHOD_PLAIN,
    METHOD_STATIC,
    METHOD_CLASS,
    METHOD_PROPERTY,
    METHOD_CACHED /* a property that is computed once */
} MethodKind;

typedef struct HostFunction {
    HostObject head;
    const HostCode *code;
    HostEnv *closure;
    HostValue *defaults; /* one a parameter; HOST_KINDS where there is none */
    bool compiles;       /* @njit: compiled.h */
    MethodKind method;
    bool abstract;                         /* classes made of its own must have another */
    struct HostFunction *setter, *deleter; /* of a property; NULL: there is none */
} HostFunction;

typedef struct HostMethod {
    HostObject head;
    HostValue self;
    const HostBuiltin *builtin; /* NULL: `function`, with `self` in front */
    HostValue function;
} HostMethod;

typedef enum ClassForm {
    CLASS_OBJECTS,
    CLASS_TUPLES,
    CLASS_ENUM, /* from here on enumerations */
    CLASS_INTEGERS,
    CLASS_FLAGS
} ClassForm;

/* A class of objects or of namedtuples, or an enumeration: there until the program ends. */
typedef struct HostClass {
    struct HostClass *next;         /* of all that were made */
    const struct HostClass **order; /* in which it, first, and its bases are asked for a name */
    size_t order_count;
    bool counts;                 /* its abstract methods: it is of ABC */
    const struct HostFile *file; /* that it stands in; NULL: in the program's own */
    const char *raises; /* of exceptions: the one of Python's that it is made of; NULL: of others */
    ClassForm form;
    const char *name;
    HostFunction *make; /* of namedtuples and data classes: its parameters, but for the first, are
                        ** the fields */
    bool frozen;        /* a data class whose objects cannot be assigned to */
    HostList *members;  /* of an enumeration, by their first names */
    int64_t highest;    /* of the integers that its names have, for auto(); 0: there is none */
    bool numbered;      /* there is one */
    HostEnv *names;     /* of methods, constants, and of members all that they have */
} HostClass;

/* An object of a class of the program's own. */
typedef struct HostInstance {
    HostObject head;
    const HostClass *class_;
    HostEnv *fields;
} HostInstance;

/* super(): what the classes above one have for an object. */
typedef struct HostSuper {
    HostObject head;
    const HostClass *of, *after; /* those behind that one, in the order of the former */
    HostValue self;
} HostSuper;

typedef struct HostMember {
    const HostClass *class_;
    const char *name; /* NULL: of flags, none of which is set */
    HostValue value;
} HostMember;

/* functools.partial() */
typedef struct HostPartial {
    HostObject head;
    HostValue function;
    HostValue values, named; /* tuples of the arguments that it has already */
    HostValue names;         /* of those by keywords: keyword_room() */
} HostPartial;

typedef struct HostTrace {
    const char *name;
    Span span;
} HostTrace;

typedef struct HostException {
    HostObject head;
    const char *class_;                    /* as tracebacks call it */
    const struct HostClass *of;            /* a class of the program's own; NULL: it is built in */
    HostValue args;                        /* a tuple */
    HostEnv *fields;                       /* attributes of its own; NULL: there are none */
    struct HostException *cause, *context; /* raise ... from; what was handled when it was raised */
    bool from;                             /* the cause is shown, and no context */
    bool final;                            /* kjit has not what Python has: no handler sees that */
    kjit_status status; /* as in Program, once it was caught; where it was raised, too */
    HostTrace *traces;
    size_t trace_count;
} HostException;

/* np.random.default_rng() and RandomState(). */
typedef struct HostGenerator {
    HostObject head;
    RandomSource source;
} HostGenerator;

/* Goes over what can be gone over. */
typedef struct HostIterator {
    HostValue over;
    size_t at;
    size_t live; /* entries of a dictionary, items of a set, at first */
} HostIterator;

/* Where a statement of a generator goes on: which statement of a body, which body of an `if` or a
** loop, which item. */
typedef struct HostPoint {
    size_t at;
    bool resumed; /* it was taken, and not gone past yet */
    HostIterator it;
} HostPoint;

/* What Python calls an iterator: it gives its items one by one, each computed when it is asked
** for. False where there are no more. */
typedef struct HostProducer HostProducer;
typedef bool HostProduce(Program *p, HostProducer *self, HostValue *out);

struct HostProducer {
    HostObject head;
    const char *class_; /* "zip", "generator" */
    HostProduce *next;
    HostPoint *points; /* what it goes over; of a generator, its path to where it stopped, innermost
                       ** first */
    size_t count, capacity;
    HostValue function; /* of map() and filter() */
    int64_t number;     /* of enumerate() and reversed() */
    bool running;       /* it was asked for an item, and has not given it yet */
    bool finished;
    const char *name; /* from here on a generator's */
    const AstBody *body;
    HostEnv *env;
    HostValue passed; /* what the yield that it stopped at is worth; at last what it returned */
    HostException *thrown; /* what that yield raises; NULL: nothing */
    bool started;
    bool guarded; /* it has stopped in what is to run more when it is left: finally, __exit__ */
};

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
    bool suppress; /* no exponents for small numbers */
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
    HostFile *files;       /* that it imports */
    HostClass *classes;    /* that it made */
    HostClass *object;     /* Python's `object`; NULL until it is asked for */
    HostEnv *library;      /* functions of library/; NULL until one is asked for */
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
    const AstExpr *called; /* the function of a call whose arguments are none of its own */
    uint32_t nan_count;    /* that were made */
    int loops;             /* of the program's own text that are running */
    const kjit_program_options *options;
};

/* Above this a list or a text is too long to be made at once. */
enum { HOST_ITEMS_MOST = 1 << 28 };

/* ---- heap.c --------------------------------------------------------------------------------- */

/* A new object, which is a temporary; never NULL. */
void *host_new(Program *p, HostKind kind, size_t bytes);
/* Keeps a value until the statement is done. */
void host_keep(Program *p, HostValue value);
/* Where a statement begins: sweeps if there is enough to sweep. */
void host_sweep(Program *p);
/* Frees at once what nothing holds. */
void host_sweep_all(Program *p);
/* Keeps a module that was loaded for the program until its end. */
void host_module(Program *p, kjit_module *module);
/* Frees every object, and closes the modules. */
void host_free_all(Program *p);

/* ---- run/program.c --------------------------------------------------------------------------- */

/* Where a program begins, in an arena, with the frame of its module. */
void program_start(Program *p, Arena *arena, HostFrame *frame);
/* The same of a module's program; `options` stay as long as it runs. */
kjit_status program_begin(Program *p, kjit_module *module, const kjit_program_options *options,
                          Arena *arena, HostFrame *frame);
/* Runs the statements of its level, where `__name__` is so. What is not KJIT_OK was raised if
** p->failed, else it has its message. */
kjit_status program_level(Program *p, const char *name);
/* From here on the stack is what this thread has left. */
void program_stack(Program *p);
/* Makes what was raised the message: Python's traceback; not KJIT_OK. */
kjit_status program_report(Program *p);
/* Opens a context, the processor's, where there is none; false after a complaint. */
bool program_context(Program *p);

/* ---- value/value.c -------------------------------------------------------------------------- */

/* A number as Python's where that has its dtype, else as NumPy's. */
HostValue value_of_scalar(const kjit_arg *arg);

/* What a name stands for in an expression given as text: what the launch or the values before say,
** or a constant of the module. *found: it does; false after a complaint. */
bool value_name(Program *p, const char *name, bool *found, HostValue *out);
/* The error that it stands for nothing; false. */
bool value_no_name(Program *p, const AstExpr *expr);

/* ---- value/functions.c ---------------------------------------------------------------------- */

/* What expressions given as text have beside what programs have, by its path; NULL: none. */
const HostBuiltin *value_function(const char *path);
/* Whether a list is of the fields of a record; and the dtype that it is. */
bool value_is_fields(const AstExpr *list);
bool value_fields(Program *p, const AstExpr *list, HostValue *out);
/* Text as a time, in the unit that it shows. */
bool value_time(Program *p, HostValue text, HostValue *out);

static inline HostValue host_none(void)
{
    return (HostValue){ .kind = HOST_NONE };
}
static inline HostValue host_bool(bool truth)
{
    return (HostValue){ .kind = HOST_BOOL, .integer = truth };
}
static inline HostValue host_int(int64_t integer)
{
    return (HostValue){ .kind = HOST_INT, .integer = integer };
}
static inline HostValue host_float(double number)
{
    return (HostValue){ .kind = HOST_FLOAT, .number = number };
}
static inline HostValue host_object(void *object)
{
    HostObject *head = object;
    return (HostValue){ .kind = head->kind, .object = head };
}

/* What a function that gives a value ends in. */
static inline bool host_give(HostValue *out, HostValue value)
{
    *out = value;
    return true;
}

/* `text` may be NULL for zeros. */
HostValue host_string(Program *p, const char *text, size_t length);
HostValue host_text(Program *p, const char *text);
/* What was put into a Buf of p->scratch. */
HostValue host_buf(Program *p, const Buf *buf);
/* A tuple or list, of copies of the items. */
HostValue host_items(Program *p, HostKind kind, const HostValue *items, size_t count);
/* An empty one, with room for so many. */
HostValue host_room(Program *p, HostKind kind, size_t count);
void host_append(Program *p, HostList *list, HostValue value);

/* ---- env.c ---------------------------------------------------------------------------------- */

HostEnv *env_new(Program *p, HostEnv *outer, const HostCode *code);
/* The names of the module that an environment lies in. */
HostEnv *env_module(HostEnv *env);
/* The slot of a name in this environment alone; NULL: it has none. */
HostName *env_find(const HostEnv *env, const char *name);
void env_set(Program *p, HostEnv *env, const char *name, HostValue value);
/* What a name holds where the program is; false after a NameError. */
bool env_read(Program *p, const AstExpr *expr, HostValue *out);
/* Assigns a name where the program is. */
void env_write(Program *p, const char *name, HostValue value);
/* Assigns to a target: a name, an element, several. */
bool host_assign(Program *p, const AstExpr *target, HostValue value);
/* Unbinds a name. */
bool env_delete(Program *p, const AstExpr *expr);
/* How many places of a text assign a name, those in its functions too. */
int env_assigned(const AstBody *body, const char *name);
/* Whether a text may bind a name at all. */
bool env_binds(const AstBody *body, const char *name);
/* Whether one place alone binds it, by whatever statement. */
bool env_bound_once(const AstBody *body, const char *name);
const HostCode *code_of(Program *p, const AstFunction *ast);

/* ---- raise.c -------------------------------------------------------------------------------- */

/* Notes an exception at a place; false. */
bool host_raise(Program *p, Span span, const char *class_, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same without a place: the call that is left gives it. */
bool host_fail(Program *p, const char *class_, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool host_fail_exception(Program *p, HostException *exception);
bool host_raise_exception(Program *p, Span span, HostException *exception);
/* What is not there, and what to write instead. */
bool host_refuse(Program *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A failure that a lower function left as a message. */
bool host_failed(Program *p, kjit_status status);
/* Adds the place at which the frame at hand was left by what failed, unless it has one; false. */
bool host_place(Program *p, Span span);
/* As if nothing had been raised. */
void host_forget(Program *p);
HostException *host_exception(Program *p, const char *class_, HostValue args);
/* What kjit has not and Python has, or a limit of kjit's, by the class that says it best: nothing
** catches it. */
bool host_lacks(Program *p, const char *class_, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What was raised, with its traceback, as if nothing had been raised; and raises it again. */
HostException *host_caught(Program *p);
bool host_again(Program *p, HostException *exception);
/* Whether what was raised ends the program, whatever handlers there are. */
bool host_is_final(const Program *p);
/* All of it, as Python prints it, with what it was raised for. */
void host_traceback(Program *p, Buf *out, const HostException *exception);

/* ---- python/exceptions.c ------------------------------------------------------------------- */

/* The class of exceptions of that name that is built in, or NULL. */
const char *exception_class(const char *name);
/* np.linalg.LinAlgError and its like, by their paths. */
bool exception_path(const char *path, HostValue *out);
/* Whether it is of a class that is built in, or of one that is made of it. */
bool exception_is(const HostException *exception, const char *class_);
/* The same of a class of either kind, or of several in a tuple. False after a TypeError. */
bool exception_matches(Program *p, const HostException *exception, HostValue class_, bool *is);
bool exception_class_is(const char *class_, const char *base);
/* ValueError(...) */
bool exception_call(Program *p, const char *class_, HostArgs *args, HostValue *out);
/* Raises what the number says of a file; false. */
bool exception_of_file(Program *p, int number, const char *path);
/* A new one, of MyError(...) */
HostException *exception_new(Program *p, const HostClass *class_, const HostArgs *args);
/* exception.args, and what super() of one has. */
bool exception_attribute(Program *p, HostValue object, const char *name, HostValue *out);
/* The methods that all have, of `self` or of its class. */
bool exception_method(Program *p, HostValue self, const char *name, HostValue *out);
HostValue exception_type(const HostException *exception);
void exception_str(Program *p, Buf *out, HostValue exception);
void exception_repr(Program *p, Buf *out, HostValue exception);

/* ---- run/repeats.c -------------------------------------------------------------------------- */

/* Launches what was left for later, before anybody looks at what it does. */
kjit_status repeats_flush(Program *p);

/* ---- python/dict.c --------------------------------------------------------------------------- */

HostValue host_dict(Program *p);
/* An empty one of the same class. */
HostValue dict_like(Program *p, const HostDict *like);
HostValue dict_view(Program *p, HostDict *dict, HostViewOf of);
/* *found: the value under a key, until the next change; NULL: there is none. False after a
** TypeError. */
bool dict_find(Program *p, const HostDict *dict, HostValue key, HostValue **found);
/* A hash of a key, by which equal ones are found; false after a TypeError. */
bool host_hash(Program *p, HostValue key, uint64_t *hash);
/* dict[key] */
bool dict_index(Program *p, HostDict *dict, HostValue key, HostValue *out);
/* Puts or replaces. */
bool dict_put(Program *p, HostDict *dict, HostValue key, HostValue value);
/* *value: what was removed, which may be NULL. */
bool dict_remove(Program *p, HostDict *dict, HostValue key, HostValue *value, bool *found);
/* As a name in a module: "collections.Counter". */
const char *dict_path(const HostDict *dict);
/* Adds the entries of a dictionary, or of pairs. */
bool dict_update(Program *p, HostDict *dict, HostValue from);
/* The same of what is given, and then of the keywords. */
bool dict_update_by(Program *p, HostDict *dict, const HostArgs *args);
void dict_clear(HostDict *dict);
bool dict_equal(Program *p, HostValue a, HostValue b, bool *equal);
/* As sets, unless they are of values. */
bool views_equal(Program *p, HostValue a, HostValue b, bool *equal);
/* Raises a KeyError of a key; false. */
bool dict_missing(Program *p, HostValue key);
/* An entry with its part of the iterator's view, all of a dictionary being its keys. */
bool dict_next(Program *p, HostIterator *it, HostValue *out);
/* The dictionary that a value is or is a view of; NULL: it is neither. */
static inline HostDict *dict_of(HostValue value)
{
    return value.kind == HOST_DICT ? value.dict : value.kind == HOST_VIEW ? value.view->dict : NULL;
}

/* ---- python/set.c, sets.c ------------------------------------------------------------------- */

static inline bool is_set(HostValue value)
{
    return value.kind == HOST_SET || value.kind == HOST_FROZEN_SET;
}
/* Keys and items of a dictionary are like sets. */
static inline bool is_like_set(HostValue value)
{
    return is_set(value) || (value.kind == HOST_VIEW && value.view->of != VIEW_VALUES);
}
HostValue host_set(Program *p, bool frozen);
/* CPython's hash, as far as it is the same in all its runs. */
bool host_set_hash(Program *p, HostValue value, uint64_t *hash);
bool host_set_add(Program *p, HostSet *set, HostValue item);
bool host_set_contains(Program *p, const HostSet *set, HostValue item, bool *found);
/* Adds the items of a set or of what can be gone over. */
bool host_set_update(Program *p, HostSet *set, HostValue from);
bool host_set_next(Program *p, HostIterator *it, HostValue *out);
bool eval_set(Program *p, const AstExpr *expr, HostValue *out);
void host_set_repr(Program *p, Buf *out, HostValue value);
/* a | b and its like, of sets and of keys of dictionaries; false without an error: there is no such
** operator. The other, for a |= b, changes `a`. */
bool host_set_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_set_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_set_compare(Program *p, AstOp op, HostValue a, HostValue b, bool *truth);
bool host_set_equal(Program *p, HostValue a, HostValue b, bool *equal);
const HostBuiltin *host_set_method(HostKind kind, const char *name);

/* ---- python/collections.c -------------------------------------------------------------------- */

/* a | b, and what counters have beside that; false without an error: there is no such operator. */
bool dict_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* The same for a |= b, which changes `a`. */
bool dict_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);

/* ---- eval.c --------------------------------------------------------------------------------- */

bool host_eval(Program *p, const AstExpr *expr, HostValue *out);
/* Where an expression stands, without the brackets around it. */
Span host_span(const AstExpr *expr);
/* Whether a function of the program may be called in it. */
bool host_calls_something(const AstExpr *expr);
/* Whether the stack has room for one more evaluation. */
bool host_deep(Program *p, Span span);

/* ---- display.c ------------------------------------------------------------------------------ */

bool eval_comprehension(Program *p, const AstExpr *expr, HostValue *out);
bool eval_fstring(Program *p, const AstExpr *expr, HostValue *out);

/* ---- run/results.c --------------------------------------------------------------------------- */

/* A value as an argument of a kernel; false after a complaint. Its memory goes to a block of
** `values`; where that is NULL it stays the program's. */
bool host_argument(Program *p, kjit_values *values, HostValue value, kjit_arg *out);
/* Hands what the module's names hold over to `values`: the program is at its end. */
kjit_status host_results(Program *p, kjit_values *values);

/* ---- exec.c --------------------------------------------------------------------------------- */

typedef enum HostFlow {
    FLOW_NEXT,
    FLOW_BREAK,
    FLOW_CONTINUE,
    FLOW_RETURN,
    FLOW_YIELD,
    FLOW_FAILED
} HostFlow;

HostFlow host_exec(Program *p, const AstBody *body);
/* What a decorator makes of a function. */
bool host_decorate(Program *p, const AstExpr *decorator, HostValue *function);

/* ---- python/lacks.c ------------------------------------------------------------------------ */

/* Whether Python has a name built in that programs have not; an attribute, of an object that has
** none such here. */
bool lacks_builtin(const char *name);
bool lacks_attribute(HostValue object, const char *name);

/* ---- python/unwind.c ----------------------------------------------------------------------- */

/* The statements that raise, handle what was raised, and look after things left by it. */
/* An exception, or a new one of a class; *out: NULL where it is neither. False after an error. */
bool exception_of(Program *p, HostValue value, HostException **out);
bool exec_assert(Program *p, const AstStmt *stmt);
bool exec_raise(Program *p, const AstStmt *stmt);
/* A loop over a generator that nothing else holds was left in this way: the generator ends. */
HostFlow exec_leaves(Program *p, HostFlow left, HostProducer *generator);
HostFlow exec_try(Program *p, const AstStmt *stmt);
HostFlow exec_with(Program *p, const AstStmt *stmt);

/* ---- python/patterns.c ---------------------------------------------------------------------- */

HostFlow exec_match(Program *p, const AstStmt *stmt);

/* ---- call.c --------------------------------------------------------------------------------- */

bool eval_call(Program *p, const AstExpr *expr, HostValue *out);
/* Computes what is an expression of arrays; a result without axes is a number. */
bool host_settle(Program *p, HostValue *value);
bool host_settle_all(Program *p, HostValue *values, size_t count);
/* Runs a body in a frame of its own; *out: what it returns, or yields. */
HostFlow host_run(Program *p, HostFrame *frame, const AstBody *body, HostValue *out);
/* Calls what can be called. */
bool host_call(Program *p, HostValue function, HostArgs *args, HostValue *out);
/* Puts the arguments of a call in the function's order, defaults where there is none. */
bool host_complete(Program *p, const HostFunction *function, HostArgs *args);
bool host_call_one(Program *p, HostValue function, HostValue argument, HostValue *out);
/* A function of the program, with its defaults evaluated. */
bool host_function(Program *p, const AstFunction *ast, HostValue *out);
/* The same function, interpreted. */
HostValue host_py_func(Program *p, const HostFunction *compiled);
/* The keyword of that name; NULL if it was not given. */
const HostValue *args_named(const HostArgs *args, const char *name);
/* Argument `index`, or the keyword of that name, or what it is without. */
HostValue args_get(const HostArgs *args, size_t index, const char *name, HostValue otherwise);

/* ---- convert.c ------------------------------------------------------------------------------ */

/* Whether a value is a class: int, np.ndarray, np.integer, ValueError. */
bool host_is_type(HostValue value);
/* isinstance(value, type) */
bool host_is_instance(Program *p, HostValue value, HostValue type, bool *is);

/* ---- interpreted.c -------------------------------------------------------------------------- */

/* NumPy's functions that are written in the language: "np.flip". */
bool interpreted_find(Program *p, const char *path, HostValue *out);
/* Calls one that programs do not see, by its name there. */
bool interpreted_call(Program *p, const char *name, HostValue *values, size_t count,
                      HostValue *out);
bool interpreted_method(Program *p, HostValue self, const char *name, HostValue *out);
/* What such a function has an attribute for: chain.from_iterable. */
bool interpreted_part(Program *p, const HostFunction *function, const char *name, HostValue *out);
/* Whether a function is one of them. */
bool interpreted_has(const Program *p, const HostFunction *function);

/* ---- numba/device.c -------------------------------------------------------------------------- */

bool device_attribute(Program *p, const char *name, HostValue *out);

/* ---- builtin.c ------------------------------------------------------------------------------ */

/* To where print() writes. */
void host_print(Program *p, const char *text, size_t length);

/* ---- imported.c ----------------------------------------------------------------------------- */

bool host_import(Program *p, const AstStmt *stmt);

/* The file that an import in the file at hand means: "a.b", with dots in front as in Python. It is
** run when it is imported first. HOST_NONE: there is none; false if running it fails. */
bool imported_find(Program *p, const char *name, HostValue *out);
/* What it calls a name; false if it has none such. */
bool imported_name(Program *p, const HostFile *file, const char *name, HostValue *out);
/* from a import *: all names of a module from here on, those of a file, and what a name is in the
** modules that a file has all of. */
void imported_star(Program *p, HostValue module);
bool imported_all(Program *p, const AstAlias *alias, const HostFile *file);
bool imported_star_name(Program *p, const HostEnv *globals, const char *name, HostValue *out);
/* The statements of the file of the program that a text is; NULL: of none. */
const AstBody *imported_body(const Program *p, const Source *source);

/* ---- foreign.c ------------------------------------------------------------------------------ */

/* Says once of a module that kjit has not that what only uses it is passed over. */
void foreign_note(Program *p, HostValue value, Span span);
/* What a call of something in such a module gives: a stand-in, whose value cannot be asked for. */
bool foreign_call(Program *p, HostValue function, const HostArgs *args, HostValue *out);
/* What an index gives, which may be a kernel with its grid and block. */
HostValue foreign_item(Program *p, HostValue object, HostValue index);
/* Whether calling it may be a launch, `kernel[grid, block]` or `kernel.forall(n)`. */
bool foreign_launches(HostValue function);
/* Whether it is a kernel, with or without grid and block. */
bool foreign_is_kernel(HostValue value);
/* Whether a statement only uses a module that kjit does not know: that is said once. */
bool host_passes_over(Program *p, const AstExpr *expr);
/* The error of asking for the value of one; false. */
bool foreign_needed(Program *p, HostValue value);

/* ---- python/keywords.c ----------------------------------------------------------------------- */

/* A text as a name, which stays when the text does not. */
const char *host_word(Program *p, const HostString *text);
/* A text that is room for the names of so many keywords. */
HostValue keyword_room(Program *p, size_t count);
const char **keyword_names(HostValue room);
/* Evaluates the keywords of a call into `args`. */
bool keywords_eval(Program *p, const AstExpr *call, HostValue function, HostArgs *args);

/* ---- python/partial.c ------------------------------------------------------------------------ */

/* Calls its function with the arguments that it has in front of those of the call. */
bool partial_call(Program *p, const HostPartial *partial, const HostArgs *args, HostValue *out);
/* partial.func and partial.args */
bool partial_attribute(const HostPartial *partial, const char *name, HostValue *out);

/* ---- python/classes.c ------------------------------------------------------------------------ */

/* The class that an object, a namedtuple or a member is of; NULL: it is none of them. */
static inline const HostClass *class_of(HostValue value)
{
    return value.kind == HOST_TUPLE                     ? value.list->class_
           : value.kind == HOST_INSTANCE                ? value.instance->class_
           : value.kind == HOST_MEMBER                  ? value.member->class_
           : value.kind == HOST_EXCEPTION               ? value.exception->of
           : value.kind == HOST_INT && value.enumerated ? value.enumerated->class_
                                                        : NULL;
}
/* Whether a class is another, or is made of it. */
bool class_is_made_of(const HostClass *class_, const HostClass *of);
/* Whether a value is of a class, or of one that is made of it. */
bool class_has(const HostClass *class_, HostValue value);
/* Whether a base of classes is one that such a class has, which may be NULL; false: `base` is
** none. */
bool class_is_base(HostValue base, const HostClass *class_, bool *has);
/* The class of a class statement, which is refused if it is another; what it is decorated with is
** looked at, too. */
bool class_define(Program *p, const AstStmt *stmt);
/* Python's `object`. */
HostValue class_object(Program *p);
bool class_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out);
/* What a class, a namedtuple or a member has; false where it has none such, or after an error. */
bool class_attribute(Program *p, HostValue object, const char *name, HostValue *out);
/* The name of a field of namedtuples. */
const char *class_field(const HostClass *class_, size_t index);

/* ---- python/objects.c ------------------------------------------------------------------------ */

/* Whether a value is an object whose class has a special method. */
bool object_has(HostValue value, const char *name);
/* Calls a special method, as __len__; false without an error: the value has none such. */
bool object_calls(Program *p, HostValue self, const char *name, const HostValue *values,
                  size_t count, HostValue *out);
/* The attributes that an object has of its own; NULL: it can have none. */
static inline HostEnv *object_fields(HostValue object)
{
    return object.kind == HOST_INSTANCE    ? object.instance->fields
           : object.kind == HOST_EXCEPTION ? object.exception->fields
                                           : NULL;
}
/* object.name = value, of a class, too */
bool object_set(Program *p, HostValue object, const char *name, HostValue value);
bool object_delete(Program *p, HostValue object, const char *name);
bool object_super(Program *p, const HostSuper *super, const char *name, HostValue *out);
/* repr() if it is `shown`, else str(). A method that fails leaves p->failed. */
void object_text(Program *p, Buf *out, HostValue object, bool shown);
/* Of two values one of which is an object. */
bool object_equal(Program *p, HostValue a, HostValue b, bool *equal);
bool object_is_hashable(HostValue object);

/* ---- python/specials.c ---------------------------------------------------------------------- */

/* False without an error: there is no such operator. */
bool object_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_in_place(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_unary(Program *p, AstOp op, HostValue a, HostValue *out);
bool object_ordered(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_differs(Program *p, HostValue a, HostValue b, HostValue *out);
/* The number that an object stands for by its method, "__int__", "__float__" or "__index__", in its
** place; left alone if it has none. */
bool object_number(Program *p, const char *name, HostValue *value);

/* ---- python/enums.c -------------------------------------------------------------------------- */

/* A new member, or another name of one with the same value; false after an error. */
bool enum_add(Program *p, HostClass *class_, const char *name, Span span, HostValue *value);
/* The member of that value. */
bool enum_call(Program *p, const HostClass *class_, HostValue value, HostValue *out);
bool enum_index(Program *p, const HostClass *class_, HostValue name, HostValue *out);
bool enum_contains(Program *p, const HostClass *class_, HostValue value, bool *found);
/* member.name and member.value */
bool enum_attribute(Program *p, HostValue member, const char *name, HostValue *out);
/* <Color.RED: 1> */
void enum_repr(Program *p, Buf *out, HostValue member);
/* Whether it is a member of an IntFlag, and the members that are in it, a list. */
bool enum_has_flags(HostValue value);
HostValue enum_members(Program *p, HostValue flags);
/* What `| & ^` make of flags, and ~ of one; false if these are none. */
bool enum_flags(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);

/* ---- number.c ------------------------------------------------------------------------------- */

bool host_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* The same for a += b, which changes a list in place. */
bool host_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_unary(Program *p, AstOp op, HostValue a, HostValue *out);
/* What NumPy calls an operator: "floor_divide". */
const char *ufunc_name(AstOp op);
bool host_is_number(HostValue value);
/* An int, bool or NumPy integer; false after a TypeError. */
bool host_integer(Program *p, HostValue value, int64_t *integer);
bool host_is_integer(HostValue value);
/* The dtype of a number, as NumPy has it; NONE of what is none. */
kjit_dtype host_dtype_of(HostValue value);
/* Whether a dtype has a Python int; true of other numbers. */
bool dtype_holds(kjit_dtype dtype, HostValue value);
/* The same; false after an error, as for a float that is none of its integers. */
bool host_fits(Program *p, HostValue value, kjit_dtype dtype);
/* A NaN of its own: `x in [x]` compares identities. */
HostValue host_nan(Program *p);
/* Any number as a double; false after a TypeError. */
bool host_double(Program *p, HostValue value, double *number);
double host_as_double(HostValue value);
/* A float that is whole as an int; false after an error. */
bool host_whole(Program *p, double number, HostValue *out);
/* A number as a scalar of kjit's, and back. */
kjit_arg host_scalar(HostValue value);
HostValue host_number(kjit_dtype dtype, const kjit_arg *scalar);
/* "int", "list", "numpy.float32" */
const char *host_type_name(Program *p, HostValue value);

/* ---- array/result.c ------------------------------------------------------------------------- */

/* What NumPy makes of two dtypes. */
kjit_dtype dtype_promote(kjit_dtype a, kjit_dtype b);
bool dtype_is_integer(kjit_dtype dtype);
/* Whether it takes the dtype of what it meets: a number of Python's own, but no bool, and none that
** is a member of an enumeration. */
bool host_is_weak(HostValue value);
/* The dtype in which NumPy computes a binary operation, by NEP 50, and that of what it gives; NONE,
** if it has none for them. */
kjit_dtype dtype_operands(AstOp op, HostValue a, HostValue b, kjit_dtype *result);

/* ---- complex/complex.c ----------------------------------------------------------------------- */

typedef struct Complex {
    double real, imaginary;
} Complex;

HostValue host_complex(double real, double imaginary);
/* Of Python or of NumPy. */
bool host_is_complex(HostValue value);
Complex host_parts(HostValue number);
/* The dtype of a complex dtype's parts; of others, itself. */
kjit_dtype dtype_part(kjit_dtype dtype);
bool complex_python(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
Complex complex_numpy(AstOp op, kjit_dtype dtype, Complex a, Complex b);
/* number.real and number.imag */
bool complex_attribute(HostValue number, const char *name, HostValue *out);
/* (1+2j) */
void complex_text(Buf *out, HostValue number);
/* By the format of its parts; brackets stand around what has no type. */
bool complex_format(Program *p, HostValue number, char sign, const char *spec, bool untyped,
                    Buf *out);

/* ---- compare.c ------------------------------------------------------------------------------ */

bool host_compare(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* As lists compare their items, and look for one. */
bool host_same_or_equal(Program *p, HostValue a, HostValue b, bool *equal);
bool host_less(Program *p, HostValue a, HostValue b, bool *less);
bool host_truth(Program *p, HostValue value, bool *truth);
/* The same of a number. */
bool host_truth_of(HostValue number);

/* ---- text.c --------------------------------------------------------------------------------- */

void host_repr(Program *p, Buf *out, HostValue value);
/* False: the object is one that the repr() at hand is inside of. After true, the one who entered
** sets p->shown to shown->outer when the object is shown. */
bool repr_enter(Program *p, HostShown *shown, const void *object);
/* The same, with characters beyond ASCII escaped. */
void host_ascii(Program *p, Buf *out, HostValue value);
void host_str(Program *p, Buf *out, HostValue value);
/* What !s, !r or !a makes of a value. */
HostValue host_converted(Program *p, HostValue value, char conversion);
/* A float of a dtype as NumPy writes it by itself. */
void numpy_float(Buf *out, kjit_dtype dtype, double number);
/* What becomes of a number in a float dtype. */
double numpy_rounded(kjit_dtype dtype, double number);
/* The double whose shortest text is the shortest of `number` in its dtype. */
double numpy_shortest(kjit_dtype dtype, double number);

/* ---- format.c ------------------------------------------------------------------------------- */

/* format(value, spec) */
bool host_format(Program *p, HostValue value, const char *spec, size_t length, Buf *out);
/* text % values */
bool host_percent(Program *p, const HostString *text, HostValue values, HostValue *out);
/* text.format(...) */
bool string_format(Program *p, HostArgs *args, HostValue *out);

/* ---- iterate.c ------------------------------------------------------------------------------ */

bool host_is_iterable(HostValue value);
/* False after a TypeError. */
bool host_iterate(Program *p, HostValue value, HostIterator *it);
/* False where there are no more items, or after an error. */
bool host_next(Program *p, HostIterator *it, HostValue *out);
/* All of it as a new list or tuple. */
bool host_collect(Program *p, HostKind kind, HostValue value, HostValue *out);

HostProducer *host_producer(Program *p, const char *class_, HostProduce *next);
/* Notes what it goes over; false after a TypeError. */
bool producer_over(Program *p, HostProducer *self, HostValue value);

/* ---- generate.c ----------------------------------------------------------------------------- */

/* Generators: bodies that stop at a yield, and go on behind it.
**
** A yield leaves all statements that it stands in, by FLOW_YIELD, and each notes where it was. The
** next time each takes its note, from the outermost one inwards, and goes on there. */
HostValue generator_new(Program *p, const char *name, const AstBody *body, HostEnv *env);
/* (e for x in s) */
bool eval_generator(Program *p, const AstExpr *expr, HostValue *out);
/* Whether it has stopped where more is to run when it is left. */
static inline bool producer_waits(const HostProducer *self)
{
    return self->guarded && !self->finished;
}
/* Ends one: what it stopped in is left by a GeneratorExit. */
bool generator_end(Program *p, HostProducer *self);
/* Executes a yield; where it goes on, *out is what it is worth. */
HostFlow generator_yield(Program *p, const AstExpr *expr, HostValue *out);
/* Whether the statement at hand goes on, and where. */
bool generator_resumes(Program *p, HostPoint *point);
/* Notes where it is to go on, if it is left by a yield. */
HostFlow generator_leaves(Program *p, HostFlow left, HostPoint point);

/* ---- sequence.c ----------------------------------------------------------------------------- */

bool host_length(Program *p, HostValue value, int64_t *length);
bool host_index(Program *p, HostValue object, HostValue index, HostValue *out);
bool host_set_index(Program *p, HostValue object, HostValue index, HostValue value);
bool host_delete_index(Program *p, HostValue object, HostValue index);
bool host_contains(Program *p, HostValue item, HostValue in, bool *found);
/* Stable, by what `key` makes of the items, which may be None. */
bool host_sort(Program *p, HostList *list, HostValue key, bool reverse);

/* ---- module.c ------------------------------------------------------------------------------- */

/* Whether names of a module lie in that path; and the path under which kjit has it: "numpy.random"
** is "np.random", "numba.cuda" is "cuda". */
bool module_is_space(const char *path);
const char *module_canonical(Arena *arena, const char *path);
bool eval_attribute(Program *p, HostValue object, const AstExpr *expr, HostValue *out);
/* What is built in under a bare name: len, print, ValueError. */
bool module_builtin(Program *p, const char *name, HostValue *out);
/* Adds the functions that values may call without a module in front; the new count. */
size_t value_names(const char **names, size_t count, size_t most);
/* What a path stands for, "math.pi". */
bool module_path(Program *p, const char *path, HostValue *out);

/* Tables of functions: each ends with a row without a name. */
extern const HostBuiltin python_functions[], dict_functions[], collection_functions[],
    math_functions[], complex_functions[], cmath_functions[], type_functions[], list_methods[],
    string_methods[], system_functions[], device_functions[], compiled_functions[],
    attribute_functions[], iterator_functions[], operator_functions[], partial_functions[],
    class_functions[], object_functions[], enum_functions[], namedtuple_functions[],
    numba_type_functions[], exception_functions[], set_functions[];
