/* The command `kjit`: what its files share. It stands on the public headers alone, so that all
** it does any program can do.
**
** A function that can fail returns one of the exit statuses below, after having said why on
** stderr; EXIT_DONE is 0, so `if ((status = f()) != EXIT_DONE)` reads as elsewhere. */
#ifndef KJIT_CLI_H
#define KJIT_CLI_H

#include <stdbool.h>
#include <stdio.h>

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

/* ---- complain.c ----------------------------------------------------------------------------- */

/* Prints what the library says of its last failed call; the exit status that belongs to it. */
int complain_status(kjit_status status);

/* ---- doing.c -------------------------------------------------------------------------------- */

/* From now on, where the command takes longer than a second (KJIT_PROGRESS), the terminal that is
** the standard error shows what it is doing, in a line that goes before anything else is printed
** and as the process ends. Nothing if it is no terminal, with `quiet`, or with `json` where that
** goes to a terminal. */
void doing_open(bool quiet, bool json);
/* What the context is doing is shown, until doing_unwatch(), which comes before it is closed.
** NULL is harmless. */
void doing_watch(kjit_context *context);
void doing_unwatch(const kjit_context *context);
/* What the command itself does from now on, "saving x.npy"; NULL: nothing to speak of. What a
** context has been doing for longer than an instant goes before it. */
void doing_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* How much of that is done: 3 of 9 "rounds". */
void doing_count(uint64_t done, uint64_t of, const char *unit);
/* When that began, by clock_seconds(), if it was not just now. */
void doing_since(double clock);

/* ---- options.c ------------------------------------------------------------------------------ */

typedef struct Pair {
    char *name, *value; /* value is NULL where only a name was given */
} Pair;

typedef struct Pairs {
    Pair *list;
    size_t count;
} Pairs;

/* Takes apart what `form` allows, NAME, NAME=... or NAME[=...]; EXIT_COMMAND if it is another.
** `what` is for the complaint. Nor may a name be given twice, or, where they are names of arrays,
** the file that one of them goes to. */
int pairs_add(Pairs *pairs, const char *text, const char *what, const char *form);
/* Adds a pair, unless the name is there. */
void pairs_default(Pairs *pairs, const char *name, const char *value);
const Pair *pairs_find(const Pairs *pairs, const char *name);
void pairs_free(Pairs *pairs);

enum { OPTION_REPEATS = 1 << 16 }; /* a flag beside argp's: it may be given several times */

/* argp_parse(), but tells what a misspelt option may have meant, and refuses an option whose value
** is given twice. */
struct argp;
void options_parse(const struct argp *parser, int argc, char **argv, void *input);

/* FILE[:KERNEL]. */
typedef struct Target {
    char *file, *kernel; /* kernel is NULL if none is named */
} Target;

Target target_parse(const char *text);
void target_free(Target *target);

/* numba's [grid, block] as `64x64`, `16,16x32,32`, `[64, 64]` or `[(16, 16), (32, 32)]`. */
int grid_parse(const char *text, kjit_launch_config *config);
/* A count from `lowest` up to `highest`; `option` is for the complaint. */
int count_parse(const char *option, const char *text, uint64_t lowest, uint64_t highest,
                uint64_t *count);
/* The candidate nearest to a misspelt name, NULL if none is near. */
const char *nearest_name(const char *name, const char *const *candidates, size_t count);

/* ---- shape.c -------------------------------------------------------------------------------- */

/* Fills what `config` lacks, if its grid is 0: from @tune, else from the @example, else by the
** kernel and the sizes of its arrays, which `*chosen` tells of. */
kjit_status shape_choose(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config,
                         bool *chosen);
/* A line: a launch's shape as --grid would say it, and a remark on it. */
void shape_print(FILE *out, const kjit_launch_config *config, const char *remark);
/* Says in a line on stderr that the kernel is written for other blocks, if it is. */
void shape_tell_misfit(kjit_kernel *kernel, const kjit_launch_config *config, const kjit_arg *args);

/* ---- tuned.c -------------------------------------------------------------------------------- */

/* The grid and the block that the kernel's @tune gives its constants as they stand. Fails as
** kjit_own_shape() does. */
kjit_status tuned_own_shape(kjit_kernel *kernel, const kjit_arg *args, kjit_launch_config *config);
/* What was said of wisdom: "exact", "nearest", or "constants" if none was taken; why; and which
** configuration. All are NULL if it was not asked. */
typedef struct Taken {
    char *how, *why, *configuration;
} Taken;

/* Puts what wisdom has for the arguments in place of the kernel, with its grid and block into
** `config`; without any both stay as they are. Prints what in the file makes no sense; with
** `remarks` which record was taken and why. `taken`, which may be NULL, is told the same:
** afterwards taken_free(), failed or not. */
int tuned_take(kjit_kernel **kernel, const kjit_arg *args, bool remarks, kjit_launch_config *config,
               Taken *taken);
void taken_free(Taken *taken);

/* ---- edited.c ------------------------------------------------------------------------------- */

/* A text that takes the place of an emitted one: --cuda FILE.cu or --c FILE.c. */
typedef struct EditedText {
    const char *stage, *file; /* "cuda" or "c"; NULL, both, if there is none */
    char *text;
} EditedText;

/* Notes the option; EXIT_COMMAND if there was one before. */
int edited_option(EditedText *edited, const char *stage, const char *file);
/* Reads the file, if there is one. Afterwards edited_free(), failed or not. */
int edited_read(EditedText *edited);
void edited_free(EditedText *edited);
/* The whole of a text file, to be free()d; NULL after a complaint. */
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
    const char *passes; /* NULL: not said, as what follows */
    int max_registers, unroll;
    const char *compiler_options;
} SessionOptions;

/* Opens a device and loads a file on it. Afterwards session_close(), failed or not. */
kjit_status session_try(Session *session, const char *file, const SessionOptions *options);
/* The same, and complains; an exit status. */
int session_open(Session *session, const char *file, const SessionOptions *options);
void session_close(Session *session);
/* What the file `std:` stands for: prints the standard library's modules and their kernels, with a
** line of documentation each. */
int session_list_standard(void);
/* The kernel a target names; if it names none and there are several, lists them. */
int session_kernel(const Session *session, const Target *target, kjit_kernel **kernel);
/* Adds the values of the kernel's @example; `*has` tells whether it has one. */
int session_example(kjit_kernel *kernel, kjit_values *values, bool *has);
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
/* The grid and the block; `*chosen`: by the sizes of the arrays. */
kjit_status launching_shape(const LaunchOptions *launch, kjit_kernel *kernel, const kjit_arg *args,
                            kjit_launch_config *config, bool *chosen);

/* run.c: launches a kernel on its @example and prints what it wrote, with `heading` under a line
** `== name ==`. A kernel without an example is passed over; `*ran` counts the others. */
int run_example(kjit_context *context, kjit_kernel *kernel, bool heading, size_t *ran);

/* expected.c: may `kjit test` write over the file? If it is empty or not there, or has what only
** kjit writes into a file of that ending, or a line of what it would write `now`. */
bool expected_is_ours(const char *path, const char *ending, FILE *now);
/* Is it in C, and not kjit's: a program that lies beside the kernels it launches? */
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

/* Goes over an array's elements in row-major order, whatever its strides. */
typedef struct Walk {
    const kjit_array *array;
    const char *at;
    int64_t index[KJIT_RANK_MAX];
    int64_t left;
} Walk;

void walk_start(Walk *walk, const kjit_array *array);
/* The same for `count` of them, from the one of that number on. */
void walk_from(Walk *walk, const kjit_array *array, int64_t first, int64_t count);
bool walk_next(Walk *walk, Number *number);
/* Goes on to the next element, of which there is one less then. */
void walk_skip(Walk *walk);

enum { NUMBER_TEXT = 96 };
/* As Python would write it, reals with `digits` significant digits, or with 0 as few as bring the
** very same value of that dtype back. */
void number_format(char text[NUMBER_TEXT], const Number *number, kjit_dtype dtype, int digits);

typedef struct Summary {
    int64_t count, nans;
    Number least, most, sum; /* nans left out of the first two; complex: the sum alone */
} Summary;

int64_t array_count(const kjit_array *array);
/* summary.c: the same whatever threads there are. */
void array_summarize(const kjit_array *array, Summary *summary);
/* Of so many elements, row by row, from the one of that number on. */
void array_summarize_part(const kjit_array *array, int64_t first, int64_t count, Summary *summary);

/* ---- replay.c: launches that were captured -------------------------------------------------- */

/* One written array against what was captured of it. */
typedef struct Difference {
    char *name;
    kjit_dtype dtype;
    int64_t count, differ, beyond; /* elements; that differ; by more than the tolerance */
    int32_t rank;
    int64_t first[KJIT_RANK_MAX]; /* the first of these, if there are any, else that differs */
    Number now, then;             /* what is there */
    double most, most_relative, most_scaled; /* the last by 1 or the size */
} Difference;

typedef struct Comparison {
    kjit_replay_facts captured;
    const char *given; /* an argument that is not the captured one: nothing was compared */
    Difference *list;
    size_t count;
    bool same, within; /* exactly; but for rounding */
} Comparison;

/* Is it a captured launch, by its path, or a folder that should hold some? */
bool replay_named(const char *path);
/* Opens the captured launch that a target names: what it says goes behind what the options say, and
** the target gets its file and kernel. `*captured` stays as long as launch->replay, which is to be
** closed, failed or not. */
int replay_take(Target *target, LaunchOptions *launch, kjit_replay_facts *captured);
/* Compares what the kernel left in `args` with what was captured. A tolerance below 0 stands for
** that of each dtype. Afterwards comparison_free(), failed or not. */
int replay_compare(const kjit_replay *replay, kjit_kernel *kernel, const kjit_arg *args,
                   double tolerance, Comparison *comparison);
/* Counts what differs of two arrays of one dtype and shape; `difference` begins with its name
** alone. */
void array_compare(Difference *difference, const kjit_array *now, const kjit_array *then,
                   double tolerance);
/* The same, but says only whether all is within the tolerance, as quickly as it can. */
bool array_is_within(const kjit_array *now, const kjit_array *then, double tolerance);
void comparison_print(FILE *out, const Comparison *comparison);
void comparison_free(Comparison *comparison);

/* ---- findings.c: what the checker found ----------------------------------------------------- */

/* Kernels that were checked, in contexts that stay open, and what was found in each. */
typedef struct Checked {
    const char *file;
    kjit_kernel *kernel;
    kjit_check_finding *list; /* by their lines */
    size_t count;
    int rehearsed; /* launches in which nothing could be found, as was seen before */
} Checked;

typedef struct CheckedList {
    Checked *list;
    size_t count, passed_over; /* the latter: kernels without an example */
} CheckedList;

/* The findings of a context, by their lines: free() the list. */
kjit_check_finding *findings_sorted(kjit_context *context, size_t *count);
/* As people read them, with `heading` under a line `== kernel ==` if there are any. */
void findings_print(FILE *out, const kjit_check_finding *list, size_t count, const char *heading);
/* "2 findings in 1 kernel", and how much advice there was; or that there are none. */
void findings_summary(FILE *out, const CheckedList *checked);
/* Whether any of them is a defect, and not advice. */
bool findings_have_defect(const CheckedList *checked);
/* check/json.c: the same for programs, and as SARIF 2.1.0. */
int json_checked(FILE *out, const CheckedList *checked);
int sarif_checked(const char *path, const CheckedList *checked);

/* ---- showing results ------------------------------------------------------------------------ */

/* report.c: a line for an array: name, dtype and shape, least, most, sum, the first values. */
void report_array(FILE *out, const char *name, const kjit_array *array);
/* Every array that `access` says was written, one inside a tuple as `name[0]`, a field of records
** as `name.field`. */
typedef void ArrayAction(void *context, const char *name, const kjit_array *array);
void each_written(kjit_kernel *kernel, const kjit_arg *args, const uint32_t *access,
                  ArrayAction *action, void *context);
/* All of an array, as NumPy prints it; of records one field after the other. */
void print_array(FILE *out, const char *name, const kjit_array *array);

/* bars.c: a 1-D array as bars, `columns` wide, its neighbours merged to fit on a screen. Arrays of
** other ranks, of complex numbers or with nothing to show are passed over. */
void draw_bars(FILE *out, const kjit_array *array, int columns);
/* The width of the terminal that `out` is, 0 if it is none. */
int terminal_columns(FILE *out);

/* plot.c: writes an .svg or .png: bars or a line of a 1-D array, an image of a 2-D one. What
** plot_check() has not allowed must not be plotted. */
int plot_check(const char *path, const char *name, const kjit_array *array);
int plot_array(const char *path, const char *name, const kjit_array *array);

/* What a run did. */
typedef struct RunFacts {
    const char *file;
    kjit_context *context;
    kjit_kernel *kernel;
    const kjit_arg *args;
    const uint32_t *access;
    kjit_launch_config config;
    bool chosen;                  /* neither the command nor the @example says all of `config` */
    const Timing *timing;         /* NULL if nothing was timed */
    const Comparison *comparison; /* with a captured launch, or NULL */
    const Taken *taken;           /* of wisdom; NULL: it was not asked */
} RunFacts;

/* timing.c: `wanted` launches after a warm-up, on copies of the arrays. Afterwards timing_free(),
** failed or not. */
kjit_status time_launches(const RunFacts *facts, uint64_t wanted, Timing *timing);

/* crash.c: after crash_guard() a kernel that crashes on the processor, or that damaged memory so
** that kjit does after crash_launched(), ends the process with a message and EXIT_FAILED. */
void crash_guard(const RunFacts *facts, bool debug);
void crash_launched(void);

/* trial.c: what became of a kernel on a device. `finding` points into the rest. */
typedef struct Trial {
    kjit_finding finding;
    kjit_counters counters;
    char what[64], detail[1024];
} Trial;

void trial_run(Trial *trial, const char *device);

/* json.c: a JSON object or list each. The last `trial_count` findings are those of the trials, and
** get their counters. */
int json_run(FILE *out, const RunFacts *facts);
/* Prints and lets go of `root`, a json_t, which is NULL if there was no memory for it. */
int json_print(FILE *out, void *root);
int json_findings(FILE *out, const kjit_finding *findings, size_t count, const Trial *trials,
                  size_t trial_count);

#endif
