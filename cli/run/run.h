/* What the files of `kjit run` share. */
#pragma once

#include "cli/plot/plot.h"

/* The command line. */
typedef struct RunOptions {
    LaunchOptions launch;
    Target target;
    Pairs saves, prints, plots;
    PlotStyle style; /* of what is drawn */
    Movie **movies;  /* one a plot, NULL where only the end is drawn */
    EditedText edited;
    bool json, quiet, remarks, no_wisdom, profile, share;
    uint64_t times, repeat; /* repeat 0: once */
    const char *swap;       /* "u,v"; NULL: none are */
    const char *stage;      /* that is shown of a program's launches; NULL: none is */
    double tolerance;       /* below 0: not given */
    Comparison comparison;
    ManyOptions many;
    const char *devices; /* --devices */
} RunOptions;

/* ---- results.c: exit statuses --------------------------------------------------------------- */

/* Whether an array is saved to the standard output, which has nothing else then. */
bool results_own_stdout(const RunOptions *run);
/* Whether the arrays that are asked for are among the values, and the files for them can be
** written. Names are looked at before anything is launched: a long run must not end in a
** misspelling. */
int results_check(const RunOptions *run, const kjit_values *values);
/* Shows what the launch did, and what is asked for. EXIT_DEFECT if a captured launch left something
** else. */
int results_show(const RunOptions *run, const RunFacts *facts, const kjit_values *values);

/* The same of a program: whether the files can be written, which is asked before it runs; and what
** its names hold at its end. */
int results_check_program(const RunOptions *run, const Session *session);
int results_show_program(const RunOptions *run, const kjit_values *values);
/* The array of that name, which may be an item of a tuple, "t[0][1]"; EXIT_COMMAND: there is none,
** which it says. And the item of an argument, NULL if there is none. */
int results_array(const kjit_values *values, const char *option, const char *name,
                  const kjit_array **array);
const kjit_arg *results_item(const kjit_arg *arg, const char *indices);

/* ---- pictures.c: --plot ---------------------------------------------------------------------- */

extern const struct argp pictures_parser;
void pictures_free(RunOptions *run);
/* Whether what is asked for can be drawn, of these values or, if NULL, of a program; before the
** launch. */
int pictures_check(const RunOptions *run, const kjit_values *values);
/* A launch is done: notes its arrays for a movie, if one was requested. */
void pictures_step(const RunOptions *run, const kjit_kernel *kernel, const kjit_arg *args);
/* The same of a program, as kjit_program_options.step with the RunOptions. */
void pictures_program_step(void *run, kjit_program_state *state);
/* Whether an option needs steps. */
bool pictures_want_steps(const RunOptions *run);
int pictures_draw(const RunOptions *run, const kjit_values *values);
/* And of a function: a line for each array that it gives. */
void results_show_function(const kjit_values *values);

/* ---- repeat.c -------------------------------------------------------------------------------- */

/* The launches behind the first one. */
kjit_status repeat_launches(const RunOptions *run, const RunFacts *facts, const size_t places[2],
                            uint32_t *access);

/* ---- mapped.c -------------------------------------------------------------------------------- */

/* From now on a file that is made shorter while it is mapped is an error with a message. */
void mapped_watch(void);

/* ---- many.c ---------------------------------------------------------------------------------- */

/* If a launcher made this process one of several ranks, joins them: before anything else. */
int many_begin(void);
/* --devices */
int many_devices(RunOptions *run);
/* Behind the command line: which GPU a rank of a launcher's has. */
int many_place(RunOptions *run);
/* Whether there are several ranks; whether this one prints and saves. */
bool many_ranks(void);
bool many_speaks(void);
/* Whether the options can be carried out over ranks, or need them. */
int many_check(const RunOptions *run);
int many_check_program(const RunOptions *run);
kjit_group *many_group(void); /* NULL: there are none */
/* A program has ended, and if that is so of all ranks none waits for another. */
void many_ran(bool fine);
/* The first launch; one more, with these arguments; behind the last one, unless that is the first:
** brings back what they wrote. */
kjit_status many_launch(const RunOptions *run, const RunFacts *facts);
kjit_status many_launch_again(const RunOptions *run, const RunFacts *facts, const kjit_arg *args);
kjit_status many_launched(void);
/* Before the context is closed; at the end. */
void many_leave(void);
void many_end(void);

/* ---- program.c ------------------------------------------------------------------------------- */

/* Whether a kernel is to be launched though the file may be a program: one is named, or there are
** options that only a launch has, as --grid. */
bool run_is_launch(const RunOptions *run);
/* Where such an option is why arguments are missing or refused, says what becomes of a program
** without it. */
void run_hint_program(const RunOptions *run, const Session *session);
/* The function of the file's that is to be called, or NULL. */
const char *run_function(const RunOptions *run, const Session *session);
/* Complains, and gives EXIT_COMMAND, where no kernel is named and those of the file are its own,
** which an underscore says, while `__all__` lists functions that launch them. */
int run_lacks_function(const RunOptions *run, const Session *session);
/* Runs a file that has host code, or that function of it; an exit status. */
int run_program(const RunOptions *run, Session *session);
