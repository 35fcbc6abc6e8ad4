/* The values of programs, and the objects that some of them point to. */
#pragma once

#include "base/table.h"
#include "runtime/program/model/random.h"
#include "runtime/runtime.h"

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
    HOST_WIDE,        /* an int that 64 bits do not hold: python/wide.c */
    HOST_BLOCK,       /* never a value */
    HOST_ENVIRONMENT, /* never a value */
    HOST_KINDS
} HostKind;

typedef struct HostObject {
    struct HostObject *next; /* of all there are */
    HostKind kind;
    bool marked;
    bool constant; /* CPython has one object for all constants of this value */
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
        struct HostWide *wide;
    };
    union {
        double imaginary;                    /* of a complex number, whose real part is `number` */
        bool aligned;                        /* a dtype of records: made with align=True */
        const struct HostMember *enumerated; /* that an int or a text is; NULL: it is none */
    };
};

typedef struct HostWide {
    HostObject head;
    bool negative;
    size_t count;
    uint32_t digits[]; /* from the least on; the last is not 0 */
} HostWide;

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
    HostObject *of;    /* vars() of this object, which has what is put; NULL: of none */
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
    uint32_t order; /* in which names came */
} HostName;

/* Names and what they hold: of the module, of a call, of a comprehension. */
typedef struct HostEnv {
    HostObject head;
    struct HostEnv *outer;       /* around it, NULL for the module's */
    kjit_module *module;         /* of the module's: that it is of; NULL for others */
    const struct HostCode *code; /* whose call it is, NULL for others */
    HostName *slots;
    size_t count, capacity;
    bool library;  /* of a module in library/python/ */
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
    HostEnv *fields;                       /* attributes of its own; NULL: there are none */
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
    CLASS_FLAGS,
    CLASS_TEXTS
} ClassForm;

/* A class of objects or of namedtuples, or an enumeration: there until the program ends. */
typedef struct HostClass {
    struct HostClass *next;         /* of all that were made */
    const struct HostClass **order; /* in which it, first, and its bases are asked for a name */
    size_t order_count;
    const struct HostClass **bases; /* that its statement names */
    size_t base_count;
    bool counts;                 /* its abstract methods: it is of ABC */
    const struct HostFile *file; /* that it stands in; NULL: in the program's own */
    const char *raises; /* of exceptions: the one of Python's that it is made of; NULL: of others */
    ClassForm form;
    const char *name, *doc; /* what its text says of it; NULL: nothing */
    HostFunction *make;   /* of namedtuples and data classes: its parameters, but for the first, are
                        ** the fields */
    bool frozen;          /* a data class whose objects cannot be assigned to */
    bool slotted;         /* it and those that it is made of have __slots__ */
    bool ordered, hashed; /* @dataclass(order=True, unsafe_hash=True) */
    const unsigned char *without; /* what fields of a data class are left out of; NULL: nothing */
    bool protocol;                /* a typing.Protocol: what has its names is one */
    HostList *members; /* of an enumeration, by their first names; of a protocol, its names */
    int64_t highest;   /* of the integers that its names have, for auto(); 0: there is none */
    bool numbered;     /* there is one */
    HostEnv *names;    /* of methods, constants, and of members all that they have */
    bool mixed; /* an enumeration of (str, Enum), or a Flag: str() of a member is "Kind.CALL" */
    const HostBuiltin *holds; /* `dict` or its like, of which it is made; NULL: of none */
} HostClass;

/* An object of a class of the program's own. */
typedef struct HostInstance {
    HostObject head;
    const HostClass *class_;
    HostEnv *fields;
    HostValue held; /* the dictionary or list that it is; None: it is none */
    bool open;      /* self.__dict__ = self: its items are attributes, too */
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
    HostEnv *fields; /* what __init__ sets; NULL: the class has none */
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
    const char *meant;                     /* a name that may be meant; NULL: none is like it */
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
