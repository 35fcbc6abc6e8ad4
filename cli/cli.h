/* The command `kjit`: what its files share. It uses the public headers alone, so that any program
** can do what it does.
**
** A function that can fail reports the error on stderr and returns one of the exit statuses below;
** EXIT_DONE is 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/kjit_tools.h"
#include "cli/measure/complain.h"
#include "cli/measure/measure.h"
#include "cli/measure/memory.h"
#include "cli/measure/draft.h"

/* ---- the subcommands, a file each: argv[0] is "kjit run" and so on -------------------------- */

int run_command(int argc, char **argv);
int build_command(int argc, char **argv);
int test_command(int argc, char **argv);
int check_command(int argc, char **argv);
int bench_command(int argc, char **argv);
int tune_command(int argc, char **argv);
int cache_command(int argc, char **argv);
int doctor_command(int argc, char **argv);
int lsp_command(int argc, char **argv);
int complete_command(int argc, char **argv);

/* ---- main.c --------------------------------------------------------------------------------- */

typedef int CommandMain(int argc, char **argv);

/* The names of the subcommands that help lists, NULL beyond; and the one of a name, NULL for
** another. */
const char *command_name_at(size_t index);
CommandMain *command_named(const char *name);

/* ---- complain.c ----------------------------------------------------------------------------- */

/* Prints the library's message about its last failed call; the exit status of `status`. */
int complain_status(kjit_status status);

/* ---- doing.c -------------------------------------------------------------------------------- */

/* Says what is wrong with the variables of the environment; EXIT_COMMAND: they cannot be used. */
int environment_check(void);
/* From now on, when the command takes longer than a second (KJIT_PROGRESS), a progress line on
** standard error shows what it is doing. The line is removed before other output, and at exit.
** There is none if standard error is no terminal, with `quiet`, or if `json` goes to a terminal. */
void doing_open(bool quiet, bool json);
/* Shows what a context is doing until doing_unwatch(), which must precede closing it. NULL is
** harmless. */
void doing_watch(kjit_context *context);
void doing_unwatch(const kjit_context *context);
/* Sets what the command itself is doing, "saving x.npy", or NULL. An activity of a context takes
** precedence once it lasts. */
void doing_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets the progress of that: 3 of 9 "rounds". */
void doing_count(uint64_t done, uint64_t of, const char *unit);
/* Sets when that began, by clock_seconds(), if not just now. */
void doing_since(double clock);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* From now on an interrupt (Ctrl-C) does not end the command at once: what is long goes by
** interrupted(), stops, and prints what it has found, and the command ends by interrupt_end(). If
** that takes longer than a moment, another thread calls `tell`, which prints it (NULL: says
** "interrupted"), and ends the process. To be called before doing_open(). */
void interrupt_open(void (*tell)(void *context), void *context);
/* Whether there was one: the caller's thread, which is always the same, is then to end the command
** before long. */
bool interrupted(void);
/* The status, unless there was an interrupt: then it ends the process by that. */
int interrupt_end(int status);

/* ---- options.c ------------------------------------------------------------------------------ */

typedef struct Pair {
    char *name, *value; /* value is NULL if only a name was given */
} Pair;

typedef struct Pairs {
    Pair *list;
    size_t count;
} Pairs;

/* Parses NAME, NAME=..., NAME[=...] or NAME[,NAME...][=...], as `form` says; EXIT_COMMAND if it is
** malformed, or names a pair, or an array's file, that was given before. `what` is for the
** message. */
int pairs_add(Pairs *pairs, const char *text, const char *what, const char *form);
/* Adds a pair unless the name exists. */
void pairs_default(Pairs *pairs, const char *name, const char *value);
const Pair *pairs_find(const Pairs *pairs, const char *name);
void pairs_free(Pairs *pairs);

enum { OPTION_REPEATS = 1 << 16 }; /* a flag of argp's options: may be given several times */

/* Says what is wrong with the command line, and ends the command. */
#define usage_error(...) (complain(__VA_ARGS__), exit(EXIT_COMMAND))
/* argp_parse() that suggests corrections of misspelt options, and refuses options given twice. */
struct argp;
void options_parse(const struct argp *parser, int argc, char **argv, void *input);
/* The result of an argp parser function: 0; a status of failure ends the process. */
int option_result(int status);

/* What becomes of the field that an option sets: true, 1, its text, or one more pair. */
typedef enum OptionSets { SETS_FLAG = 1, SETS_ONE, SETS_TEXT, SETS_PAIR } OptionSets;
enum { OPTION_FIELD = 1 << 13 }; /* offsets of fields are below it */
/* The key of an option that does nothing but set a field of a parser's input; option_set() sets
** it. */
#define OPTION_SETS(Input, field)                                                                  \
    (_Generic(((Input *)0)->field,                                                                 \
         bool: SETS_FLAG,                                                                          \
         int: SETS_ONE,                                                                            \
         const char *: SETS_TEXT,                                                                  \
         Pairs: SETS_PAIR) *                                                                       \
         OPTION_FIELD +                                                                            \
     (int)offsetof(Input, field))
struct argp_option;
/* The result of an argp parser function for the keys that it does not know by itself. */
int option_set(const struct argp_option *options, int key, const char *text, void *input);

/* FILE[:KERNEL]. */
typedef struct Target {
    char *file, *kernel; /* kernel is NULL if none is named */
} Target;

/* Splits FILE:KERNEL; the parts are the target's: target_free(). */
Target target_parse(const char *text);
void target_free(Target *target);
/* An argument of a command that takes one FILE[:KERNEL] and then NAME=VALUE. */
int target_argument(Target *target, Pairs *values, const char *text);
/* Whether a file's name has an ending like ".svg", and more in front of it. */
bool ends_in(const char *path, const char *ending);

/* numba's [grid, block] as `64x64`, `16,16x32,32`, `[64, 64]` or `[(16, 16), (32, 32)]`. */
int grid_parse(const char *text, kjit_launch_config *config);
/* A count from `lowest` to `highest`; `option` is for the message. */
int count_parse(const char *option, const char *text, uint64_t lowest, uint64_t highest,
                uint64_t *count);
/* A number from 0 to `most`, which may be INFINITY; `option` is for the message. */
int number_parse(const char *option, const char *text, double most, double *number);
/* The candidate most similar to a misspelt name; NULL if none is similar. */
const char *nearest_name(const char *name, const char *const *candidates, size_t count);

/* ---- shape.c -------------------------------------------------------------------------------- */

/* Completes `config` if its grid is 0: from @tune, else from the @example, else by the kernel and
** the sizes of its arrays, in which case `*chosen` is set. */
kjit_status shape_choose(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config,
                         bool *chosen);
/* Prints a launch's shape as an option --grid, and a remark. */
void shape_print(FILE *out, const kjit_launch_config *config, const char *remark);
/* Warns on stderr if the kernel is written for blocks of another size. */
void shape_tell_misfit(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args);
/* Says on stderr of a grid that it is too small for the kernel's results, besides arrays that have
** one of these flags. */
void shape_tell_left_over(kjit_kernel *kernel, const kjit_launch_config *config,
                          const kjit_arg *args, uint32_t besides);

/* ---- tuned.c -------------------------------------------------------------------------------- */

/* The grid and block of @tune for the source's own constants. Fails as kjit_own_shape() does. */
kjit_status tuned_own_shape(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config);
/* The record of wisdom in use: "exact", "nearest", or "constants" if none is; why; its
** configuration. All NULL if wisdom was not consulted. */
typedef struct Taken {
    char *how, *why, *configuration;
} Taken;

/* Replaces the kernel, and the shape in `config`, by what wisdom has for the arguments; without a
** record both are left alone. Prints errors in the file and, with `remarks`, which record is used
** and why. `taken`, which may be NULL, receives the same: taken_free() it, failed or not. */
int tuned_take(kjit_kernel **kernel, const kjit_arg *args, bool remarks, kjit_launch_config *config,
               Taken *taken);
void taken_free(Taken *taken);

/* ---- edited.c ------------------------------------------------------------------------------- */

/* A text that replaces an emitted one: --cuda FILE.cu or --c FILE.c. */
typedef struct EditedText {
    const char *stage, *file; /* stage: "cuda" or "c"; both NULL without one */
    char *text;
} EditedText;

/* Notes the option; EXIT_COMMAND if there was one before. */
int edited_option(EditedText *edited, const char *stage, const char *file);
/* Reads the file, if there is one. Afterwards edited_free(), failed or not. */
int edited_read(EditedText *edited);
void edited_free(EditedText *edited);
/* The contents of a text file, to be free()d; NULL after an error. */
char *text_read(const char *path);

/* ---- session.c ------------------------------------------------------------------------------ */

typedef struct Session {
    kjit_context *context;
    kjit_module *module;
} Session;

typedef struct SessionOptions {
    const char *device;   /* NULL: auto */
    const Pairs *defines; /* NULL: none */
    bool debug, fastmath;
    const char *passes; /* NULL: unspecified, like the following */
    const char *matmul;
    int max_registers, unroll;
    const char *compiler_options;
    const char *schedule, *schedule_text; /* a file with one, or its text */
} SessionOptions;

/* Opens a device and loads a file on it. Afterwards session_close(), failed or not. */
kjit_status session_try(Session *session, const char *file, const SessionOptions *options);
/* The same with error messages; an exit status. */
int session_open(Session *session, const char *file, const SessionOptions *options);
void session_close(Session *session);
/* For the file `std:`: prints the standard library's modules and kernels, with a line of
** documentation each. */
int session_list_standard(void);
/* The kernel a target names; if it names none and there are several, lists them. */
int session_kernel(const Session *session, const Target *target, kjit_kernel **kernel);
/* Adds the values of the kernel's @example; `*has`: whether it has one. */
int session_example(kjit_kernel *kernel, kjit_values *values, bool *has);
int session_has_example(kjit_kernel *kernel, bool *has);
/* Is there a line `NAME = ...` in the file? */
bool session_constant(const char *file, const char *name);
/* One argument a parameter, pointing into `values`; free() the list. */
int session_args(kjit_kernel *kernel, const kjit_values *values, kjit_arg **args);

/* ---- launching.c: what `run` and `check` share ---------------------------------------------- */

typedef struct LaunchOptions {
    const char *file; /* the kernel's */
    SessionOptions session;
    Pairs values, defines;
    kjit_launch_config config;
    bool has_grid;
    uint64_t forall, shared;
    kjit_replay *replay;                /* of a captured launch, or NULL */
    const kjit_launch_config *captured; /* its */
} LaunchOptions;

/* The options of a launch, for a LaunchOptions; a child of the subcommand's own. */
extern const struct argp launching_parser;
void launching_free(LaunchOptions *launch);
bool launching_has_param(kjit_kernel *kernel, const char *name);
/* Sets the values that were given, then those of the capture or of the @example. */
int launching_values(const LaunchOptions *launch, kjit_module *module, kjit_kernel *kernel,
                     kjit_values *values);
/* The grid and the block; `*chosen`: they follow from the sizes of the arrays. */
kjit_status launching_shape(const LaunchOptions *launch, kjit_kernel *kernel, const kjit_arg *args,
                            kjit_launch_config *config, bool *chosen);
/* Of --swap A,B: two arrays change places after each launch, as a program's loop swaps them. This
** complains of what is something else. */
int swap_check(const char *text);
/* The two arguments that change places: 0 and 0 where none do, as with a `text` of NULL. */
int swap_find(const char *text, const kjit_kernel *kernel, const kjit_arg *args, size_t places[2]);
void swap_args(kjit_arg *args, const size_t places[2]);

/* ---- measured.c ----------------------------------------------------------------------------- */

/* What the compiler has to say of the kernel, for these arguments, to `out` unless that is NULL;
** `*rounds`: among it, that tensor cores round its sums in their own way. */
int measured_remarks(FILE *out, kjit_context *context, kjit_kernel *kernel, const kjit_arg *args,
                     const kjit_launch_config *config, bool *rounds);
/* Says how far a launch's results are from sums in float64, and how far without tensor cores. */
int measured_tell(FILE *out, const Target *target, const LaunchOptions *launch);
/* The same of the @examples of a file's kernels whose sums tensor cores round. */
int measured_examples(FILE *out, const char *file, const char *device);

/* ---- many.c --------------------------------------------------------------------------------- */

/* What is said of arrays of a launch that is split over ranks. */
typedef struct ManyOptions {
    kjit_wish *list;
    size_t count;
} ManyOptions;

/* For a ManyOptions; a child of the subcommand's own. */
extern const struct argp many_parser;
void many_free(ManyOptions *many);

/* run.c: launches a kernel on its @example and prints the arrays it wrote, with `heading` below a
** line `== name ==`. Skips a kernel without an example; `*ran` counts the others. */
int run_example(kjit_context *context, kjit_kernel *kernel, bool heading, size_t *ran);

/* expected.c: may `kjit test` overwrite the file? If it is empty or missing, has text that only
** kjit writes to files of that ending, or has a line of the new output `now`. */
bool expected_is_ours(const char *path, const char *ending, FILE *now);
/* Is it a C program of the user's beside the kernels it launches? */
bool expected_is_program(const char *path, const char *ending);

/* ---- element.c ------------------------------------------------------------------------------ */

typedef enum NumberKind {
    NUMBER_BOOL,
    NUMBER_INTEGER,
    NUMBER_UNSIGNED,
    NUMBER_TIME, /* NaT is no number */
    NUMBER_REAL,
    NUMBER_COMPLEX
} NumberKind;

/* An element of any array. */
typedef struct Number {
    NumberKind kind;
    int64_t integer;   /* bool, integers and times; uint64 by its bits */
    double real, imag; /* reals: `real`; every other kind but complex: its value rounded */
} Number;

Number number_real(double value);

/* Iterates over an array's elements in row-major order, for any strides. */
typedef struct Walk {
    const kjit_array *array;
    const char *at;
    int64_t index[KJIT_RANK_MAX];
    int64_t left;
} Walk;

/* Begins at the first element. */
void walk_start(Walk *walk, const kjit_array *array);
/* The same for `count` elements from index `first` on. */
void walk_from(Walk *walk, const kjit_array *array, int64_t first, int64_t count);
bool walk_next(Walk *walk, Number *number);
/* Skips an element. */
void walk_skip(Walk *walk);

enum { NUMBER_TEXT = 96 };
/* As Python writes it, reals with `digits` significant digits, or with 0 the fewest that read back
** as the same value of the dtype. */
void number_format(char text[NUMBER_TEXT], const Number *number, kjit_dtype dtype, int digits);

typedef struct Summary {
    int64_t count, nans;
    Number least, most, sum; /* least and most without NaNs; complex: the sum alone */
} Summary;

/* How many elements an array has. */
int64_t array_count(const kjit_array *array);
/* summary.c: independent of the number of threads. */
void array_summarize(const kjit_array *array, Summary *summary);
/* Of `count` elements in row-major order from index `first` on. */
void array_summarize_part(const kjit_array *array, int64_t first, int64_t count, Summary *summary);

/* ---- replay.c: launches that were captured -------------------------------------------------- */

/* Whether a path is a folder that exists. */
bool is_folder(const char *path);

/* The comparison of a written array with the captured one. */
typedef struct Difference {
    char *name;
    kjit_dtype dtype;
    int64_t count, differ, beyond; /* elements; differing ones; those beyond the tolerance */
    int32_t rank;
    int64_t first[KJIT_RANK_MAX]; /* index of the first beyond the tolerance, else of the first
                                     that differs */
    Number now, then;             /* its values */
    double most, most_relative, most_scaled; /* the last relative to the larger of 1 and the size */
} Difference;

typedef struct Comparison {
    kjit_replay_facts captured;
    const char *given; /* an argument that is not the captured one, so that nothing was compared */
    Difference *list;
    size_t count;
    bool same, within; /* equal; equal within the tolerance */
} Comparison;

/* Is the path one of a captured launch, or of a folder of them? */
bool replay_named(const char *path);
/* Opens the captured launch that a target names: it completes the options, and the target gets its
** file and kernel. `*captured` is valid as long as launch->replay, which must be closed, failed or
** not. */
int replay_take(Target *target, LaunchOptions *launch, kjit_replay_facts *captured);
/* Compares the outputs in `args` with the captured ones. A tolerance below 0: the default of each
** dtype. Then comparison_free(), failed or not. */
int replay_compare(const kjit_replay *replay, kjit_kernel *kernel, const kjit_arg *args,
                   double tolerance, Comparison *comparison);
/* Compares two arrays of one dtype and shape; `difference` has its name set, and zeros. */
void array_compare(Difference *difference, const kjit_array *now, const kjit_array *then,
                   double tolerance);
/* Quickly decides whether all elements are within the tolerance. */
bool array_is_within(const kjit_array *now, const kjit_array *then, double tolerance);
void comparison_print(FILE *out, const Comparison *comparison);
void comparison_free(Comparison *comparison);

/* ---- findings.c: what the checker found ----------------------------------------------------- */

/* The findings of a checked kernel, whose context stays open. */
typedef struct Checked {
    const char *file;
    kjit_kernel *kernel;
    kjit_check_finding *list; /* by their lines */
    size_t count;
    int rehearsed; /* launches proved free of findings by a rehearsal */
} Checked;

typedef struct CheckedList {
    Checked *list;
    size_t count, passed_over; /* the latter: kernels without an example */
    bool cut;                  /* the last kernel had not ended when the command was interrupted */
    bool interrupted;          /* the command was: there may be more kernels, and findings */
} CheckedList;

/* The findings of a context, by their lines, deadlocks behind what may have caused them: free() the
** list. */
kjit_check_finding *findings_sorted(kjit_context *context, size_t *count);
/* Prints findings as text, with `heading` below a line `== kernel ==` if there are any. */
void findings_print(FILE *out, const kjit_check_finding *list, size_t count, const char *heading);
/* Prints "2 findings in 1 kernel" and the number of pieces of advice, or that there are none. */
void findings_summary(FILE *out, const CheckedList *checked);
/* Whether any of them is a defect, and not advice. */
bool findings_have_defect(const CheckedList *checked);
/* check/json.c: as JSON, and as SARIF 2.1.0. */
int json_checked(FILE *out, const CheckedList *checked);
int sarif_checked(const char *path, const CheckedList *checked);

/* ---- showing results ------------------------------------------------------------------------ */

/* report.c: a line for an array: name, dtype and shape, least, most, sum, the first values. */
void report_array(FILE *out, const char *name, const kjit_array *array);
/* Visits every array that was written according to `access`: inside a tuple as `name[0]`, fields of
** records as `name.field`. */
typedef void ArrayAction(void *context, const char *name, const kjit_array *array);
void each_written(kjit_kernel *kernel, const kjit_arg *args, const uint32_t *access,
                  ArrayAction *action, void *context);
/* All of an array, as NumPy prints it; of records one field after the other. */
void print_array(FILE *out, const char *name, const kjit_array *array);

/* A run and its results. */
typedef struct RunFacts {
    const char *file;
    kjit_context *context;
    kjit_kernel *kernel;
    const kjit_arg *args;
    const uint32_t *access;
    kjit_launch_config config;
    bool chosen;                  /* `config` is not given completely by the command line or the
                                     @example */
    const Timing *timing;         /* NULL if nothing was timed */
    const Comparison *comparison; /* with a captured launch, or NULL */
    const Taken *taken;           /* of wisdom; NULL: it was not consulted */
} RunFacts;

/* timing.c: times `wanted` launches after a warm-up, on copies of the arrays. Then timing_free(),
** failed or not. */
kjit_status time_launches(const RunFacts *facts, uint64_t wanted, Timing *timing);

/* crash.c: after crash_guard() a kernel that crashes on the processor, where its work is counted,
** too, or that damaged memory so that kjit does after crash_launched(), ends the process with a
** message and EXIT_FAILED. `kernel` is its name; NULL: it may be any of a program's. */
void crash_guard(const char *kernel, bool debug);
void crash_launched(void);

/* trial.c: the result of a trial kernel on a device. `finding` points into the other fields. */
typedef struct Trial {
    kjit_finding finding;
    kjit_counters counters;
    char what[64], detail[1024];
} Trial;

/* Launches a small kernel on the device and notes whether its result is right. */
void trial_run(Trial *trial, const char *device);

/* json.c: each prints a JSON object or list. The last `trial_count` findings are those of the
** trials, and get their counters. */
int json_run(FILE *out, const RunFacts *facts);
/* Of a program: what it printed, and the arrays that its names hold at the end. */
int json_program(FILE *out, const char *file, const kjit_context *context, const char *printed,
                 const kjit_values *values);
/* Prints and frees `root`, a json_t; NULL: out of memory. */
int json_print(FILE *out, void *root);
int json_findings(FILE *out, const kjit_finding *findings, size_t count, const Trial *trials,
                  size_t trial_count);
