/* What the files of the runtime say to one another.
**
** Compiling allocates from arenas and leaves by arena_catch(); running owns real things (files,
** locks, device memory), checks every call and undoes in reverse order. The two never mix: no
** code that holds something may allocate from an arena. */
#pragma once

#include "codegen/codegen.h"
#include "include/kjit_tools.h"
#include "runtime/cache.h"
#include "runtime/device.h"
#include "runtime/handle.h"
#include "runtime/watch.h"

#include <pthread.h>
#include <stdatomic.h>

#define KJIT_TRY(expression)                                                                       \
    for (kjit_status try_status = (expression); try_status != KJIT_OK;)                            \
    return try_status

/* The structs of kjit.h that begin with their size: a program that was compiled with another
** version's has more fields, or fewer. What both have is copied: from what the program gives, which
** may be NULL, and to what it gets. */
#define SIZED_TAKE(own, given)                                                                     \
    ((given) ? sized_copy(own, given, (given)->size, sizeof *(own)) : (void)0)
#define SIZED_GIVE(out, own) sized_copy(out, own, (out)->size, sizeof *(own))
static inline void sized_copy(void *to, const void *from, size_t theirs, size_t ours)
{
    memcpy(to, from, theirs < ours ? theirs : ours);
}

/* ---- error.c -------------------------------------------------------------------------- */

/* Leaves a message for the calling thread and returns `status`. */
kjit_status error_set(kjit_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for a text that may be long; a newline at its end is dropped. */
kjit_status error_text(kjit_status status, const char *text);
/* Renders complaints made in an arena. KJIT_INVALID. */
kjit_status error_diags(const Diags *diags);
kjit_status error_memory(void);
/* Between error_quiet(true) and error_quiet(false) failures of the thread leave no message: while
** what failed before is being undone. They nest. */
void error_quiet(bool quiet);
/* The calling thread's report, which the functions that do something fill. */
kjit_report *report_current(void);
/* Milliseconds of a clock that only goes forward. */
double clock_ms(void);

/* ---- arena.c -------------------------------------------------------------------------- */

typedef kjit_status ArenaTask(void *context, Arena *arena);

/* Runs `task`; if it exhausts the memory the arena asks for, the answer is KJIT_MEMORY. This is
** the only catch there is. The arena is left as it is; arena_free() it. Within, numbers are read
** and written as C does, whatever locale the program has set. */
kjit_status arena_catch(Arena *arena, ArenaTask *task, void *context);
/* The same with an arena that lives for the task. */
kjit_status arena_run(ArenaTask *task, void *context);

/* ---- api/module.c --------------------------------------------------------------------- */

/* One file or text that a module was made of. */
typedef struct ModulePart {
    struct ModulePart *next;
    const char *path; /* as diagnostics call it */
    const Source *source;
    Module *module; /* NULL while it is being loaded */
    AstModule *ast;
    struct ModulePart *importer;
    const char *name; /* in imports; NULL for the first part */
    bool library;     /* one of stdlib.c's */
} ModulePart;

/* That one of them imports another, and as what. */
typedef struct ModuleImport {
    struct ModuleImport *next;
    const ModulePart *importer, *part;
    const char *name;
} ModuleImport;

struct kjit_kernel {
    HandleHead self;
    kjit_module *module;
    kjit_kernel *next; /* of those that were found */
    const KernelInfo *info;
    const char **param_names;
    const char **needs; /* kjit_kernel_need(); NULL: none */
    int param_count;
    _Atomic(struct Specialisation *) ready; /* complete, only ever added to */
    atomic_bool replaced;                   /* one of them is `fixed`, and goes before others */
    atomic_uint forks;                      /* as of which what follows is good: kernel_lock() */
    pthread_mutex_t lock;                   /* of what follows */
    pthread_cond_t built;
    struct Specialisation *building;
    struct Specialisation *described; /* without code */
    struct TunedKernel *tuned;        /* NULL: nothing was chosen yet */
};

struct kjit_module {
    HandleHead self;
    kjit_context *context;
    kjit_module *next;
    Arena arena;       /* of everything that was parsed */
    ModulePart *parts; /* the first one loaded comes last */
    ModulePart *main;
    ModuleImport *imports;
    char *image; /* a binary's bytes, if launches are captured, else NULL */
    size_t image_length;
    CacheKey digest; /* of what it was made from, if launches are captured */
    Define *defines;
    int define_count;
    bool debug, fastmath;
    IrPassSet passes;
    const Source *schedule;    /* NULL: not said */
    int max_registers, unroll; /* 0: not said */
    int matmul;                /* a TileForm; 0: not said */
    const char **options;      /* for the device's compiler, word by word */
    int option_count;
    bool from_file;       /* which main->path names */
    bool compiled;        /* from a binary: there is no source, and no other specialisations */
    const void *embedded; /* the binary's address and seal, if it is kjit_embedded_kernel()'s */
    uint64_t seal[2];
    struct kjit_module *next_embedded;
    kjit_kernel *kernels;
    int kernel_count;       /* that the file names, which come first */
    int made_count;         /* that calls of factories make, behind them */
    pthread_mutex_t tuning; /* of what follows, and of the kernels' `tuned` */
    kjit_kernel *found;     /* that expressions give, which were asked for: api/found.c */
    struct Wisdom *wisdom;  /* as read; NULL: not yet */
    pthread_mutex_t lock;   /* of the front end: one compilation at a time walks the tree */
};

/* Loads the file at `path`, or `text` if that is not NULL, which is called `path` then. */
kjit_status module_load(kjit_context *context, const char *path, const char *text,
                        const kjit_load_options *options, kjit_module **out);
/* The same module once more, of the texts that it was made of, whatever has become of its files.
** Passes that `options` do not name are as they are there. */
kjit_status module_load_again(const kjit_module *module, const kjit_load_options *options,
                              kjit_module **out);
void module_free(kjit_module *module);
/* Gives a kernel that was not launched yet parameters behind its own, for arrays that it captures,
** unless it has them already (ir/lower/captured.c). */
kjit_status kernel_capture(kjit_kernel *kernel, const char *const *names, int count);
/* The compiler options it was loaded with, as words that come to the same when they are read again;
** NULL: there are none. */
const char *module_options_text(Arena *arena, const kjit_module *module);
/* kjit_load_options.matmul, as it was loaded with. */
const char *module_matmul(const kjit_module *module);

/* All kernels of a module, with those that calls make and those that were found: the one behind
** `kernel`, the first behind NULL, and NULL behind the last. */
kjit_kernel *module_next_kernel(const kjit_module *module, const kjit_kernel *kernel);
/* Makes a kernel of what is known of it, in the module's arena; and its locks, once nothing can
** fail any more. */
void kernel_bind(kjit_module *module, kjit_kernel *kernel, const KernelInfo *info);
void kernel_open(kjit_kernel *kernel);

/* ---- api/found.c ------------------------------------------------------------------------- */

/* The kernel that an expression gives at the end of the module, evaluated when it is first asked
** for; an error that says why it is not known which one. `*kernel` is NULL without an error if the
** expression gives something else, or nothing binds its name. */
kjit_status found_kernel(kjit_module *module, const char *text, kjit_kernel **kernel);

/* ---- room.c --------------------------------------------------------------------------- */

/* An error if the machine has not that much memory at all, with what it has: a system that
** overcommits would give it, and end the process as it is filled. `path` is the file that it is
** for, or NULL. */
kjit_status memory_room(const char *path, uint64_t bytes);
/* That error, where memory was refused. */
kjit_status memory_no_room(const char *path, uint64_t bytes);

/* ---- file.c --------------------------------------------------------------------------- */

/* Whether a path ends like that, in letters of either case. */
bool path_ends_in(const char *path, const char *ending);
/* The whole of a file, NUL-terminated, to be memory_free()d. What goes wrong is one message that
** names the file. */
kjit_status file_read(const char *path, size_t limit, char **text, size_t *length);
/* Writes a file whole or not at all, through a temporary name beside it, which takes the mode of a
** file that is there. Links are followed. A device or pipe, what a shell has handed over
** (/dev/stdout), and a file whose folder may not be written are just written to. */
kjit_status file_write(const char *path, const void *head, size_t head_length, const void *data,
                       size_t length);
/* Writes all of it to a descriptor. */
bool write_all(int fd, const void *data, size_t length);
/* The bytes of all files in a folder, relative to the descriptor of another, and in its folders. */
uint64_t folder_bytes(int above, const char *name);
/* The whole of what a descriptor gives from its start, NUL-terminated; NULL if it fails. */
char *read_all(int fd, size_t *length);

/* ---- symbols.c ------------------------------------------------------------------------ */

typedef struct WantedSymbol {
    const char *name;
    void *place; /* a pointer to a function */
} WantedSymbol;

/* Sets each place, to NULL where the library has no such function; gives the name of the first one
** that it has not, or NULL. */
const char *symbols_find(void *library, const WantedSymbol *wanted, size_t count);

/* ---- spawn.c -------------------------------------------------------------------------- */

/* Runs a program found on PATH with `input` as its standard input. `output` and `errors`, each
** if not NULL, get what it printed, to be memory_free()d. Returns its exit status, 127 if it could
** not be started, 128 and more if a signal ended it. Where the host program keeps exit statuses to
** itself (SIGCHLD) that is 0: look for what the program was to make. No shell. */
int spawn_run(char *const *argv, const char *input, size_t input_length, char **output,
              size_t *output_length, char **errors);
/* Where PATH has a program; false if nowhere. */
bool spawn_find(const char *program, char *path, size_t size);

/* ---- api/emit.c ----------------------------------------------------------------------- */

/* A copy of a text for the caller of a public function, to be memory_free()d. */
kjit_status give_text(const char *text, size_t length, char **data, size_t *out_length);

/* ---- launch/pack.c --------------------------------------------------------------------- */

/* How many arrays an argument has: itself, or in the tuple that it is. */
size_t arg_arrays(const kjit_arg *arg);

/* ---- cuda/disassemble.c --------------------------------------------------------------- */

/* The program that would show machine code; false if there is none. */
bool disassembler_find(char path[CACHE_PATH_MAX]);
/* Machine code as text, to be memory_free()d. KJIT_NO_DEVICE without a disassembler. */
kjit_status cubin_disassemble(const char *cubin, size_t length, char **text, size_t *text_length);

/* ---- launch/behind.c ------------------------------------------------------------------ */

struct Hot; /* of hot.h */

/* Compilations that launches do not wait for, on a thread of the context's own. */
typedef struct Behind {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct BehindJob *jobs;
    const kjit_kernel *running; /* whose job is at work, or NULL */
    atomic_bool started;        /* `forks` is set by then */
    bool closing;
    unsigned forks; /* as of when it started */
    pthread_t thread;
} Behind;

/* No thread yet: the first job starts it. */
void behind_init(Behind *behind);
/* Waits for what runs, and drops the rest; from then on nothing is done. */
void behind_close(Behind *behind);
/* After behind_close() and the last behind_forget(). */
void behind_free(Behind *behind);
/* Drops what is to be done for a module's kernels, and waits for what runs for one. */
void behind_forget(Behind *behind, const kjit_module *module);

/* ---- api/context.c -------------------------------------------------------------------- */

struct kjit_context {
    HandleHead self;
    Device *device;
    Cache cache;
    Blocks blocks; /* of arrays that the program has */
    Counters counters;
    Watch watch;
    Behind behind;
    struct Capture *capture; /* of launches, or NULL */
    pthread_mutex_t lock;    /* of `modules` */
    kjit_module *modules;
    pthread_mutex_t embedding;       /* held while one is loaded */
    _Atomic(kjit_module *) embedded; /* only ever added to */
};

/* The module becomes the context's, and is ready to be captured. */
void context_add(kjit_context *context, kjit_module *module);

/* ---- api/stream.c --------------------------------------------------------------------- */

struct kjit_stream {
    HandleHead self;
    kjit_context *context;
    void *handle;          /* the device's; NULL: its default stream */
    bool owned;            /* to be closed with the handle */
    atomic_bool capturing; /* since its kjit_capture_begin(): others may have joined it */
    unsigned lifetime;     /* of the device when it was made */
};

/* The device's handle of a stream that may be NULL, if it is of that context and still there. */
kjit_status stream_handle(const kjit_context *context, const kjit_stream *stream, void **handle);
/* Whether a stream of the device, which may be NULL, records a graph: because that was begun there,
** or since it waited for a stream that does. */
kjit_status stream_records(Device *device, void *handle, bool *records);
/* Refuses `what` on such a stream: "waiting for it". */
kjit_status refuse_recording(Device *device, void *handle, const char *what);
/* Refuses a handle, "stream", that was made in an earlier lifetime of the device. */
kjit_status check_alive(const Device *device, unsigned lifetime, const char *what);
unsigned device_lifetime(const Device *device);

struct KernelRequest; /* of compile/compile.h */

/* ---- launch/dispatch.c ---------------------------------------------------------------- */

typedef struct FaultPlace {
    const char *message, *file;
    SourcePlace place;
} FaultPlace;

/* An array parameter whose sums are kept in `words` integers for each of its elements. */
typedef struct ExactSum {
    int param, words;
} ExactSum;

/* A kernel compiled for one list of argument types and for launches that show the same facts, as
** far as its passes asked; a second time for the largest blocks, where it uses too many registers
** for them. */
typedef struct Specialisation {
    struct Specialisation *next;
    uint32_t *key;
    int key_length;
    int block_threads; /* as in KernelRequest (compile/compile.h) */
    int most_threads;  /* a block of it can have */
    int launch_bound;  /* that its decorator states, or 0 */
    bool optimised;    /* for the launches that `launch` tells of; else for any */
    IrLaunch launch;
    int64_t *values; /* of its facts, or NULL */
    IrShape shape;   /* how launches are carried out */
    IrHidden hidden[HIDDEN_MAX];
    int hidden_count;
    ExactSum sums[EXACT_ARRAYS]; /* the parameters whose sums are kept exactly */
    int sum_count;
    struct Hot *hot; /* how often it is launched with the same values, or NULL */
    Code *code;      /* NULL: it is described, and not compiled */
    Arena keep;      /* of what follows, and the key */
    int *access;     /* IrAccess for each parameter */
    IrCovers covers;
    FaultPlace *faults;
    int fault_count;
    double frontend_ms, compiler_ms, load_ms; /* when it was made */
    bool disk_hit;
    uint64_t static_shared, moved_shared; /* as in Emitted */
    int axes;                             /* of the launch, along which it reads indices: 1 to 3 */
    unsigned threads_asked, blocks_asked; /* bits of axes along which it reads its index in its
                                             block, and that of its block in the grid */
    bool debug;
    bool fixed;    /* from a binary or an edited text: there is no other for larger blocks */
    bool *strided; /* for each parameter whether it is an array with strides */
    const char *call;
    struct CheckedKernel *checked; /* what the checker has to know of it, or NULL */
} Specialisation;

typedef enum DispatchBest {
    DISPATCH_NOW,  /* any that is ready and right; a better one is compiled behind it */
    DISPATCH_BEST, /* the one that is made for just such launches */
    DISPATCH_PLAIN /* one that is carried out as requested, whatever that costs */
} DispatchBest;

/* The specialisation for a launch (`config` is NULL if that is not known), compiled if need be. A
** second compile of the same waits for the first; what failed is tried again the next time. */
kjit_status dispatch(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                     const kjit_launch_config *config, DispatchBest best,
                     Specialisation **specialisation);
/* What is known of a kernel for the types of these arguments, whatever the launch: everything but
** the code, which may be missing. */
kjit_status dispatch_describe(kjit_kernel *kernel, const kjit_arg *args, size_t count,
                              Specialisation **specialisation);
/* The same for types that a user wrote, or with NULL the decorator declares. */
kjit_status dispatch_signature(kjit_kernel *kernel, const char *signature,
                               Specialisation **specialisation);
/* Whether a call has as many arguments as the kernel parameters. */
kjit_status check_count(const kjit_kernel *kernel, size_t count);
void dispatch_free(kjit_kernel *kernel);
/* The ready specialisation of just these types, or NULL. */
Specialisation *dispatch_find(const kjit_kernel *kernel, const uint32_t *words, int length);
/* From now on found before those that are ready. It becomes the kernel's. */
void dispatch_add(kjit_kernel *kernel, Specialisation *spec);
/* A text that takes the place of the emitted one, and what compilers are to call it. */
typedef struct EditedSource {
    const char *text, *name;
} EditedSource;

/* One without facts and code; NULL without memory. */
Specialisation *specialisation_new(const uint32_t *words, int length, int block_threads);
void specialisation_free(Specialisation *spec);
/* Its facts and code, made of what the kernel's source is for its key, or of the edited text if
** that is not NULL. */
kjit_status specialisation_compile(kjit_kernel *kernel, Specialisation *spec,
                                   const EditedSource *edited);
/* Whether its shared arrays fit a device. */
kjit_status specialisation_check(const Device *device, const Specialisation *spec);
/* Takes over what a launch must know of a translation, into its `keep`, whose catch is set. */
void specialisation_describe(Specialisation *spec, const struct KernelRequest *translation);

/* ---- api/edit.c ----------------------------------------------------------------------- */

/* What a compiler says of a text edited by hand. KJIT_INVALID. */
kjit_status edited_failure(const BuildRequest *request, const char *compiler, const char *log);
/* The same of a text that is compiled with what is linked. */
kjit_status linked_failure(const BuildRequest *request, const char *compiler, const char *log);
/* A text edited by hand, ready to be compiled in place of the emitted one, with the lines of
** its file: to be memory_free()d. KJIT_ARGUMENT if it lacks the entry, or that has other
** parameters. */
kjit_status edited_text(const Emitted *emitted, const char *text, const char *name, char **out);
/* Compiles such a text instead of the one of the request. */
kjit_status edited_build(Device *device, const Emitted *emitted, const EditedSource *source,
                         BuildRequest *request, Code **code);

/* ---- launch/launch.c ------------------------------------------------------------------ */

/* A configuration as this version of the header has it: itself, or `room` made so. */
const kjit_launch_config *config_read(const kjit_launch_config *config, kjit_launch_config *room);
/* The threads of its blocks. */
uint64_t config_threads(const kjit_launch_config *config);
/* A report's text (ir/lower/statement/fault.c) with its numbers in the places of its marks. */
void fault_print(char *out, size_t size, const char *message, const int64_t *integers,
                 const double *floats);

/* ---- launch/cover.c ------------------------------------------------------------------- */

/* Whether a launch overwrites an array parameter whole before it reads any of it. `args` are those
** of a call that the covers' kernel was compiled for. */
bool covers_whole(const IrCovers *covers, size_t param, const LaunchRequest *request,
                  const kjit_arg *args);
/* Writes how many blocks of `block` threads the kernel has work for along an axis of the grid, at
** least 1; false, and `*blocks` stays, if that is not known. */
bool covers_blocks(const IrCovers *covers, const uint32_t block[3], const kjit_arg *args, int axis,
                   uint64_t *blocks);
typedef enum CoversLeft {
    LEFT_NONE,
    LEFT_OF_ALL, /* elements, and `enough` blocks of the same threads would overwrite the array */
    LEFT_OF_PART /* and they would write all that the kernel's conditions let them */
} CoversLeft;

/* Which elements of a parameter a launch leaves as they were. */
CoversLeft covers_left(const IrCovers *covers, size_t param, const LaunchRequest *request,
                       const kjit_arg *args, uint32_t enough[3]);
/* A term's value in a launch; false if it overflows, or the arguments are others. */
bool covers_term(const IrTerm *term, const LaunchRequest *request, const kjit_arg *args,
                 int64_t *product);
/* A copy that lives as long as the arena. */
IrCovers covers_keep(Arena *arena, const IrCovers *covers);
