/* A run of tuning from its beginning to its end, with a child that follows a script: this program
** once more, which says times that were not measured, and crashes or hangs where it is to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/measure/complain.h"
#include "cli/measure/text.h"
#include "cli/search/tune.h"
#include "tests/paced/paced.h"

/* What becomes of a configuration, in the order of its number. */
typedef struct Step {
    const char *outcome; /* NULL: "ok"; "crash", "hang", "dies": it ends as it is compiled */
    double ms, again;    /* measured first, and once more; again 0: the same */
    double registers;
    double busy;  /* what it takes while others disturb it, the first time */
    bool busy_on; /* and each time */
} Step;

typedef struct Script {
    const char *name;
    bool quiet;        /* nothing is compiled while it is measured */
    bool other_device; /* from the second child on */
    bool gone;         /* the second child does not begin */
    int own;           /* the value that the source has; 0: none of them */
    double timeout;    /* seconds; 0: so many that nothing runs into it */
    double untuned;    /* what its constants take; 0: 6 ms */
    bool siege;        /* what is measured again is disturbed */
    double noise;      /* what is measured again is within such a part of that */
    Step steps[8];     /* as many as there are times */
} Script;

/* The budget of "late" is over within the nap, and the nap within the timeout, by the clock of
** tests/paced/paced.h: with so much to spare that the machine's own speed does not matter. */
#define BUDGET 10000
#define NAP    11000

/* clang-format off */
#define TAKES(ms)        { NULL, ms, 0, 0, 0, false }
#define NAPS(ms)         { "naps", ms, 0, 0, 0, false } /* NAP seconds are over meanwhile */
#define AGAIN(ms, again) { NULL, ms, again, 0, 0, false }
#define NEEDS(ms, count) { NULL, ms, 0, count, 0, false } /* so many registers */
#define ENDS(outcome)    { outcome, 1, 0, 0, 0, false }
#define BUSY(ms, on)     { NULL, 3, 0, 0, ms, on }
/* clang-format on */

static const Script scripts[] = {
    { .name = "plain", .quiet = true, .steps = { TAKES(5), TAKES(3), TAKES(4), TAKES(8) } },
    { .name = "lucky", .steps = { AGAIN(3, 3.6), AGAIN(3.1, 3.05), TAKES(9), TAKES(3.3) } },
    { .name = "far", .steps = { AGAIN(3, 3.6), AGAIN(3.1, 3.7), TAKES(9), TAKES(3.5) } },
    { .name = "worse", .quiet = true, .steps = { AGAIN(5, 7), TAKES(9) } },
    { .name = "slower", .quiet = true, .own = 2, .steps = { TAKES(8), TAKES(9), ENDS("wrong") } },
    { .name = "wrong", .quiet = true, .steps = { ENDS("wrong"), TAKES(5), ENDS("compile") } },
    { .name = "none", .quiet = true, .steps = { ENDS("wrong"), ENDS("launch") } },
    { .name = "crash", .steps = { TAKES(5), ENDS("crash"), TAKES(4), ENDS("crash") } },
    { .name = "hang",
      .quiet = true,
      .timeout = 600,
      .steps = { TAKES(5), ENDS("hang"), TAKES(4) } },
    { .name = "late",
      .quiet = true,
      .timeout = 20000,
      .steps = { TAKES(4.1), NAPS(4), ENDS("hang") } },
    { .name = "dies", .steps = { TAKES(5), TAKES(6), ENDS("dies"), TAKES(4), TAKES(7) } },
    { .name = "other",
      .quiet = true,
      .other_device = true,
      .steps = { TAKES(5), ENDS("crash"), TAKES(4) } },
    { .name = "gone", .quiet = true, .gone = true, .steps = { TAKES(5), ENDS("crash"), TAKES(4) } },
    { .name = "alike",
      .quiet = true,
      .own = 2,
      .untuned = 4,
      .noise = 0.1,
      .steps = { AGAIN(3.7, 4), AGAIN(5, 4), AGAIN(3.9, 4), AGAIN(4.1, 4), AGAIN(3.8, 4) } },
    { .name = "stranger", .untuned = 4, .noise = 0.1, .steps = { AGAIN(3.7, 4), AGAIN(4.1, 4) } },
    { .name = "faster", .own = 1, .untuned = 4, .noise = 0.1, .steps = { TAKES(4), TAKES(2.8) } },
    { .name = "same", .own = 2, .untuned = 4, .steps = { TAKES(4), TAKES(4), TAKES(4.01) } },
    /* six are within a twentieth of the best, one more than are measured again at once; all were
    ** lucky but those behind them */
    { .name = "crowd",
      .steps = { AGAIN(3, 5), AGAIN(3.01, 5.1), AGAIN(3.02, 5.2), AGAIN(3.03, 5.3),
                 AGAIN(3.04, 5.4), AGAIN(3.05, 4.5), AGAIN(3.06, 4.9) } },
    /* while others disturb the child, which they do not for ever, or do */
    { .name = "busy", .quiet = true, .own = 1, .steps = { TAKES(6), BUSY(60, false), TAKES(4) } },
    { .name = "besieged",
      .quiet = true,
      .own = 1,
      .steps = { TAKES(6), BUSY(0.1, true), TAKES(4) } },
    { .name = "sieged", .quiet = true, .own = 1, .siege = true, .steps = { TAKES(6), TAKES(3) } },
    { .name = "barely", .own = 1, .untuned = 4, .steps = { TAKES(4), TAKES(3.95) } },
    { .name = "frugal", .own = 1, .untuned = 4, .steps = { TAKES(4), NEEDS(5, 20) } },
    { .name = "small", .quiet = true, .steps = { NEEDS(5, 40), NEEDS(3, 60), NEEDS(5.1, 20) } },
};
enum { SCRIPTS = sizeof scripts / sizeof scripts[0] };

static size_t step_count(const Script *script)
{
    size_t count = 0;
    while (script->steps[count].ms > 0)
        count++;
    return count;
}

static const Script *script_of(const char *name)
{
    for (size_t i = 0; i < SCRIPTS; i++)
        if (!strcmp(scripts[i].name, name))
            return &scripts[i];
    return NULL;
}

/* ---- the child ------------------------------------------------------------------------------- */

static void say(json_t *line)
{
    json_dumpf(line, stdout, JSON_COMPACT);
    json_decref(line);
    putchar('\n');
    fflush(stdout);
}

/* A part of the noise, another one each time, from a small generator: the same in each run. */
static double noise(const Script *script)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return 1 + script->noise * (2 * (double)(state >> 40) / 0x1p24 - 1);
}

/* Seven samples about a time, the record's median being that time. */
static json_t *timing(double ms, double above, double registers)
{
    json_t *times = json_array();
    for (int i = -3; i <= 3; i++)
        json_array_append_new(times, json_real(ms + i * 0.01));
    return json_pack("{s:s,s:f,s:f,s:f,s:o,s:f,s:f}", "outcome",
                     above > 0 && ms > above ? "slow" : "ok", "ms", ms, "low", ms - 0.02, "high",
                     ms + 0.02, "times", times, "registers", registers, "above", above);
}

static void greet(const Script *script, bool again)
{
    json_t *values = json_array(), *configs = json_array();
    if (again && script->gone) {
        fputs("kjit: the device is gone\n", stderr);
        exit(EXIT_FAILED);
    }
    for (size_t i = 0; i < step_count(script); i++) {
        json_array_append_new(values, json_integer(1 << i));
        json_array_append_new(configs, json_integer((json_int_t)i));
    }
    say(json_pack("{s:s,s:{s:s},s:[{s:s,s:o}],s:o,s:s,s:s,s:i,s:b,s:[{s:s,s:[i]}]}", "say", "hello",
                  "key", "device", again && script->other_device ? "another" : "one", "params",
                  "name", "tile", "values", values, "configs", configs, "file", "a.k", "kernel",
                  "a", "cores", 2, "quiet", script->quiet, "own", "name", "tile", "values",
                  script->own));
}

static void end(const char *outcome)
{
    if (!strcmp(outcome, "crash"))
        fputs("it was \xfc\xfc\n", stderr);
    if (!strcmp(outcome, "hang"))
        paced_hang();
    raise(SIGKILL);
}

/* What others disturb is never given up. */
static json_t *disturbed(double ms)
{
    json_t *record = timing(ms, 0, 0);
    json_object_set_new(record, "outcome", json_string("disturbed"));
    json_object_set_new(record, "why", json_string("its threads waited"));
    return record;
}

static json_t *record_of(const Step *step, double above)
{
    if (step->outcome && strchr("cdh", *step->outcome) && strcmp(step->outcome, "compile") != 0)
        end(step->outcome);
    if (step->outcome && strcmp(step->outcome, "naps") != 0)
        return json_pack("{s:s,s:s,s:f}", "outcome", step->outcome, "why", "so it is", "ms",
                         step->ms);
    if (step->busy > 0)
        return disturbed(step->busy);
    return timing(step->ms, above, step->registers);
}

static json_t *listen(void)
{
    char line[4096];
    json_t *message =
        fgets(line, sizeof line, stdin) ? json_loadb(line, strlen(line), 0, NULL) : NULL;
    if (!message)
        exit(feof(stdin) ? EXIT_DONE : EXIT_FAILED);
    return message;
}

/* Until the parent waits for this result, having asked for the next: that message. */
static json_t *nap(void)
{
    json_t *message = listen();
    while (strcmp(json_string_value(json_object_get(message, "do")), "measure") != 0) {
        json_decref(message);
        message = listen();
    }
    paced_pass(NAP);
    return message;
}

static void obey(const Script *script, const json_t *message)
{
    const char *what = json_string_value(json_object_get(message, "do"));
    json_t *config = json_object_get(message, "config"), *id = json_object_get(message, "id");
    const Step *step = &script->steps[json_integer_value(json_array_get(config, 0))];
    json_t *line = NULL, *next = NULL;
    if (!strcmp(what, "begin")) {
        greet(script, json_is_true(json_object_get(message, "again")));
    } else if (!strcmp(what, "expect")) {
        say(json_pack("{s:s,s:{}}", "say", "ready", "marks"));
    } else if (!strcmp(what, "compile")) {
        if (step->outcome && !strcmp(step->outcome, "dies"))
            end("dies");
    } else if (!strcmp(what, "measure")) {
        say(json_pack("{s:s,s:O}", "say", "measuring", "id", id));
        next = step->outcome && !strcmp(step->outcome, "naps") ? nap() : NULL;
        line = record_of(step, json_number_value(json_object_get(message, "above")));
        json_object_set_new(line, "say", json_string("result"));
        json_object_set(line, "id", id);
    } else {
        static int times_again;
        bool again = !strcmp(what, "again");
        bool more = again || json_is_true(json_object_get(message, "again"));
        double ms = !again ? script->untuned : step->again > 0 ? step->again : step->ms;
        ms = (ms > 0 ? ms : 6) * (more && script->noise > 0 ? noise(script) : 1);
        bool busy = again ? step->busy_on : more && script->siege;
        line = busy ? disturbed(ms) : timing(ms, 0, again ? step->registers : 40);
        json_object_set_new(line, "energy", json_real(10 + (again ? ++times_again : 0)));
        json_object_set_new(line, "say", json_string("answer"));
    }
    if (line)
        say(line);
    if (next)
        obey(script, next);
    json_decref(next);
}

static int child(const char *name)
{
    const Script *script = script_of(name);
    while (script) {
        json_t *message = listen();
        obey(script, message);
        json_decref(message);
    }
    return EXIT_FAILED;
}

/* ---- the parent ------------------------------------------------------------------------------ */

static char folder[] = "/tmp/kjit-run-XXXXXX", log_path[64];

typedef struct Played {
    TuneOptions options;
    TuneRun run;
    int status;
} Played;

static void play_for(Played *played, const char *script, const char *objective, size_t budget,
                     double seconds)
{
    static char program[] = "kjit", role[] = "child", name[32];
    static char *const argv[] = { program, role, name, NULL };
    double timeout = script_of(script)->timeout;
    snprintf(name, sizeof name, "%s", script);
    *played = (Played){ .options = { .strategy = strategy_find("exhaustive"),
                                     .seed = 1,
                                     .count = budget,
                                     .seconds = seconds,
                                     .timeout = timeout > 0 ? timeout : 600,
                                     .objective = objective_new(objective, SENSE_BY_NAME),
                                     .log_path = log_path,
                                     .child = argv,
                                     .quiet = true } };
    played->status = tune_run(&played->run, &played->options);
}

static void play_on(Played *played, const char *script, const char *objective, size_t budget)
{
    play_for(played, script, objective, budget, 0);
}

static void play(Played *played, const char *script, const char *objective)
{
    unlink(log_path);
    play_on(played, script, objective, SIZE_MAX);
}

static void stop(Played *played)
{
    tune_free(&played->run);
    objective_free(played->options.objective);
}

static void expect_outcomes(const Played *played, const char *const *wanted, size_t count)
{
    assert_int_equal(played->run.space.search.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(record_text(played->run.records[i], "outcome"), wanted[i]);
}

static double last_ms(const Played *played, size_t index)
{
    return record_number(tune_last_record(&played->run, index), "ms");
}

/* No row of the table looks better than the one that is named. */
static void expect_best_of_table(const Played *played)
{
    const TuneRun *run = &played->run;
    size_t *list = tune_sorted(run);
    assert_true(run->best_value == last_ms(played, run->best));
    for (size_t i = 0; i < run->done; i++)
        if (record_is_good(run->records[run->order[i]]))
            assert_true(last_ms(played, run->order[i]) >= run->best_value);
    assert_true(last_ms(played, list[0]) == run->best_value);
    free(list);
}

static void the_fastest_is_chosen(void **state)
{
    static const char *const outcomes[] = { "ok", "ok", "ok", "slow" };
    Played played;
    (void)state;
    play(&played, "plain", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 4);
    assert_int_equal(played.run.best, 1);
    assert_true(played.run.best_value == 3);
    assert_true(record_number(played.run.untuned, "ms") == 6);
    stop(&played);
}

/* What failed is worth nothing, whatever time was taken; what was given up, what is known of it. */
static void what_failed_is_worth_nothing_to_the_search(void **state)
{
    Played played;
    (void)state;
    play(&played, "wrong", "time");
    assert_true(isinf(tune_worth(&played.run, played.run.records[0])));
    assert_true(tune_worth(&played.run, played.run.records[1]) == 5);
    json_t *slow = json_pack("{s:s,s:f,s:f}", "outcome", "slow", "ms", 9.0, "registers", 8.0);
    assert_true(tune_worth(&played.run, slow) == 9);
    stop(&played);
    play(&played, "small", "registers");
    assert_true(isinf(tune_worth(&played.run, slow)));
    json_decref(slow);
    stop(&played);
}

static void what_is_slower_than_untuned_may_all_be_given_up(void **state)
{
    static const char *const outcomes[] = { "slow", "ok", "wrong" };
    Played played;
    (void)state;
    play(&played, "slower", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 3);
    /* what the source has is not measured twice */
    assert_int_equal(played.run.best, 1);
    assert_int_equal(played.run.own, 1);
    assert_true(played.run.best_value == 6);
    assert_false(tune_is_better(&played.run) || tune_is_worse(&played.run));
    stop(&played);
    play_on(&played, "slower", "time", SIZE_MAX); /* that stays so */
    expect_outcomes(&played, outcomes, 3);
    assert_int_equal(json_array_size(played.run.log.records), 5);
    assert_int_equal(played.run.best, 1);
    stop(&played);
    play(&played, "none", "time");
    assert_false(tune_untuned_is_best(&played.run));
    stop(&played);
}

/* A log of before that has what the source's own constants are as given up. */
static void what_the_source_has_is_not_given_up(void **state)
{
    Played played;
    (void)state;
    play(&played, "slower", "time");
    stop(&played);
    char command[256];
    snprintf(command, sizeof command,
             "sed -i '/\"result\"/ s/\"outcome\":\"ok\"/\"outcome\":\"slow\"/' %s", log_path);
    assert_int_equal(system(command), 0);
    play_on(&played, "slower", "time", SIZE_MAX);
    assert_string_equal(record_text(played.run.records[1], "outcome"), "ok");
    assert_int_equal(played.run.best, 1);
    stop(&played);
}

/* Of equals none is a gain, however lucky one was; of those with the same figure it is the source's
** own that wins. */
static void equals_are_told_apart_from_gains(void **state)
{
    Played played;
    (void)state;
    play(&played, "alike", "time");
    expect_best_of_table(&played);
    assert_int_equal(tune_verdict(&played.run), VERDICT_SAME);
    assert_false(tune_is_better(&played.run));
    assert_true(json_array_size(json_object_get(played.run.untuned, "rounds")) >= 3);
    stop(&played);
    play(&played, "stranger", "time");
    assert_int_equal(tune_verdict(&played.run), VERDICT_SAME);
    assert_false(tune_is_better(&played.run));
    stop(&played);
    play(&played, "faster", "time");
    assert_int_equal(played.run.best, 1);
    assert_int_equal(tune_verdict(&played.run), VERDICT_FASTER);
    assert_true(tune_is_better(&played.run));
    stop(&played);
    play(&played, "barely", "time"); /* sure, and nothing to speak of */
    assert_int_equal(tune_verdict(&played.run), VERDICT_SAME);
    expect_best_of_table(&played);
    stop(&played);
    play(&played, "same", "time");
    assert_int_equal(played.run.best, 1);
    stop(&played);
}

/* What is better by another measure than time. */
static void another_objective_has_its_own_gain(void **state)
{
    Played played;
    (void)state;
    play(&played, "frugal", "registers");
    assert_int_equal(played.run.best, 1);
    assert_true(tune_is_better(&played.run));
    assert_int_equal(tune_verdict(&played.run), VERDICT_SLOWER);
    stop(&played);
}

/* In rounds of both in turns: what was measured first may have been luck. */
static void a_winner_that_is_slower_than_untuned_is_known(void **state)
{
    Played played;
    (void)state;
    play(&played, "plain", "time");
    assert_false(tune_is_worse(&played.run));
    stop(&played);
    play(&played, "worse", "time");
    assert_int_equal(played.run.best, 0);
    assert_true(tune_is_worse(&played.run));
    played.run.own = 0; /* then it is the untuned kernel, and chance */
    assert_false(tune_is_worse(&played.run));
    stop(&played);
}

/* The bound of what is given up is a quarter above the best so far, as it was when the
** configuration was asked for: one is asked for while the one before it is measured. */
static void what_is_clearly_slower_may_be_given_up(void **state)
{
    Played played;
    (void)state;
    play(&played, "plain", "time");
    assert_true(record_number(played.run.records[0], "above") == 0);
    assert_true(record_number(played.run.records[1], "above") == 0);
    assert_true(fabs(record_number(played.run.records[2], "above") - 6.25) < 1e-9);
    assert_true(fabs(record_number(played.run.records[3], "above") - 3.75) < 1e-9);
    stop(&played);
    play(&played, "small", "registers");
    for (size_t i = 0; i < 3; i++) /* time is not what counts */
        assert_true(record_number(played.run.records[i], "above") == 0);
    assert_int_equal(played.run.best, 2);
    assert_true(played.run.best_value == 20);
    stop(&played);
}

/* What was fast by chance is found out, by three rounds whose samples all count. */
static void the_best_are_measured_again_before_one_is_chosen(void **state)
{
    Played played;
    (void)state;
    play(&played, "lucky", "time");
    assert_int_equal(played.run.best, 1);
    assert_true(fabs(played.run.best_value - 3.05) < 1e-9);
    assert_true(fabs(last_ms(&played, 0) - 3.6) < 1e-9);
    assert_true(last_ms(&played, 2) == 9);
    const json_t *again = tune_last_record(&played.run, 1);
    assert_string_equal(record_text(again, "record"), "again");
    assert_int_equal(json_array_size(json_object_get(again, "times")), 21);
    assert_true(record_number(again, "low") > 3.0 && record_number(again, "high") < 3.1);
    /* of two in turns: of one 11, 13, 15 mJ, of the other 12, 14, 16 */
    assert_true(fabs(record_number(tune_last_record(&played.run, 0), "energy") - 13) < 1e-9);
    assert_true(fabs(record_number(again, "energy") - 14) < 1e-9);
    stop(&played);
}

/* All that were near were lucky: what looks better now is measured with them. */
static void winners_that_were_all_lucky_are_found_out(void **state)
{
    Played played;
    (void)state;
    play(&played, "far", "time");
    assert_int_equal(played.run.best, 3);
    assert_string_equal(record_text(tune_last_record(&played.run, 3), "record"), "again");
    stop(&played);
}

/* However many looked better at first: what is named is the best by all figures there are. */
static void what_looks_better_than_the_best_is_measured_again(void **state)
{
    Played played;
    (void)state;
    play(&played, "crowd", "time");
    assert_int_equal(played.run.best, 5);
    expect_best_of_table(&played);
    stop(&played);
}

/* What was timed while others had the processor neither wins nor loses by that: nothing is given up
** because of it, and it is measured again. */
static void what_was_disturbed_is_measured_again(void **state)
{
    static const char *const outcomes[] = { "ok", "ok", "ok" };
    Played played;
    (void)state;
    play(&played, "busy", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 3);
    assert_null(played.run.undecided);
    assert_int_equal(played.run.best, 1);
    expect_best_of_table(&played);
    stop(&played);
}

/* Where that does not help there is no winner, not even in words; the next run goes on with it. */
static void what_stays_disturbed_leaves_no_winner(void **state)
{
    static const char *const outcomes[] = { "ok", "disturbed", "ok" };
    char *text = NULL;
    size_t length;
    Played played;
    (void)state;
    play(&played, "besieged", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 3);
    assert_true(played.run.best == SIZE_MAX);
    assert_string_equal(played.run.undecided, "its threads waited");
    /* 0.1 ms was no bound */
    assert_true(record_number(played.run.records[2], "above") > 1);
    FILE *out = open_memstream(&text, &length);
    table_print(out, &played.run);
    fclose(out);
    assert_non_null(strstr(text, "no winner is named: its threads waited"));
    assert_null(strchr(text, '*'));
    free(text);
    json_t *summary = export_summary(&played.run);
    assert_true(json_is_null(json_object_get(summary, "best")));
    json_decref(summary);
    stop(&played);
    play_on(&played, "besieged", "time", SIZE_MAX);
    assert_true(played.run.best == SIZE_MAX);
    stop(&played);
    play(&played, "sieged", "time"); /* the rounds with the untuned kernel are disturbed */
    assert_int_equal(played.status, EXIT_DONE);
    assert_true(played.run.best == SIZE_MAX);
    assert_non_null(played.run.undecided);
    assert_int_equal(json_array_size(played.run.again), 0);
    stop(&played);
}

static void what_is_wrong_is_never_chosen(void **state)
{
    static const char *const outcomes[] = { "wrong", "ok", "compile" };
    Played played;
    (void)state;
    play(&played, "wrong", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 3);
    assert_int_equal(played.run.best, 1);
    stop(&played);
    play(&played, "none", "time");
    assert_true(played.run.best == SIZE_MAX);
    assert_int_equal(played.run.done, 2);
    stop(&played);
}

/* What it says last may be any bytes. */
static void a_crash_costs_its_configuration_alone(void **state)
{
    static const char *const outcomes[] = { "ok", "crash", "ok", "crash" };
    Played played;
    (void)state;
    play(&played, "crash", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 4);
    assert_int_equal(played.run.best, 2);
    const char *why = record_text(played.run.records[1], "why");
    assert_non_null(strstr(why, "signal 9"));
    assert_non_null(strstr(why, "it was ??"));
    stop(&played);
}

static void what_hangs_is_ended(void **state)
{
    static const char *const outcomes[] = { "ok", "timeout", "ok" };
    Played played;
    (void)state;
    play(&played, "hang", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 3);
    assert_int_equal(played.run.best, 2);
    stop(&played);
}

/* Time was over while the next one was under way already, and that one hangs: it costs neither the
** winners their confirmation nor the run its end. */
static void what_hangs_when_time_is_over_is_ended(void **state)
{
    static const char *const outcomes[] = { "ok", "ok", "timeout" };
    Played played;
    (void)state;
    unlink(log_path);
    play_for(&played, "late", "time", SIZE_MAX, BUDGET);
    assert_int_equal(played.status, EXIT_DONE);
    assert_int_equal(played.run.done, 2);
    expect_outcomes(&played, outcomes, 3);
    assert_int_equal(json_array_size(played.run.again), 2);
    stop(&played);
}

/* Which of those that are compiled at once it was is found out by compiling one at a time. */
static void what_cannot_be_compiled_without_a_crash_is_found(void **state)
{
    static const char *const outcomes[] = { "ok", "ok", "crash", "ok", "slow" };
    Played played;
    (void)state;
    play(&played, "dies", "time");
    assert_int_equal(played.status, EXIT_DONE);
    expect_outcomes(&played, outcomes, 5);
    assert_non_null(strstr(record_text(played.run.records[2], "why"), "compiling it"));
    stop(&played);
}

static void a_device_that_is_gone_or_another_ends_the_run(void **state)
{
    Played played;
    (void)state;
    play(&played, "other", "time");
    assert_int_equal(played.status, EXIT_FAILED);
    assert_non_null(strstr(played.run.lost, "another now"));
    assert_int_equal(played.run.best, 0);
    stop(&played);
    play(&played, "gone", "time");
    assert_int_equal(played.status, EXIT_FAILED);
    assert_non_null(strstr(played.run.lost, "the device is gone"));
    assert_non_null(played.run.records[0]);
    assert_null(played.run.records[2]);
    stop(&played);
}

/* A budget ends it; with a larger one it goes on, and what is known is not measured again. */
static void a_run_goes_on_where_it_ended(void **state)
{
    Played played;
    (void)state;
    unlink(log_path);
    play_on(&played, "plain", "time", 2);
    assert_int_equal(played.run.done, 2);
    assert_null(played.run.records[2]);
    json_t *first = json_deep_copy(played.run.records[0]);
    stop(&played);
    play_on(&played, "plain", "time", SIZE_MAX);
    assert_int_equal(played.run.done, 4);
    assert_int_equal(played.run.best, 1);
    assert_true(json_equal(first, played.run.records[0]));
    /* and it counts on from the seconds that were taken before */
    assert_true(played.run.before >= record_number(first, "at"));
    assert_true(record_number(played.run.records[2], "at") > played.run.before);
    json_decref(first);
    stop(&played);
}

/* One that comes before it is waited for is not slept through. */
static void a_signal_ends_the_waiting_that_comes_after_it(void **state)
{
    static char program[] = "kjit", role[] = "child", name[] = "plain";
    static char *const argv[] = { program, role, name, NULL };
    Worker worker = { 0 };
    json_t *line;
    (void)state;
    worker_catch_signals();
    assert_true(worker_start(&worker, argv));
    assert_false(worker_signalled());
    raise(SIGTERM);
    assert_true(worker_signalled());
    assert_int_equal(worker_receive(&worker, -1, &line), WORKER_INTERRUPTED);
    worker_catch_signals();
    assert_false(worker_signalled());
    assert_int_equal(worker_receive(&worker, 0, &line), WORKER_LATE);
    worker_free(&worker);
}

/* Records without the objective leave a hole, and move nothing. */
static void a_report_has_a_value_a_record(void **state)
{
    char path[64], page[1 << 16];
    Played played;
    (void)state;
    play(&played, "plain", "time");
    json_object_del(played.run.records[0], "ms");
    snprintf(path, sizeof path, "%s/report.html", folder);
    assert_true(report_write(&played.run, NULL, path));
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    page[fread(page, 1, sizeof page - 1, in)] = '\0';
    fclose(in);
    unlink(path);
    assert_non_null(strstr(page, "\"values\":[null,3.0,4.0,null]"));
    stop(&played);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_chosen),
        cmocka_unit_test(what_failed_is_worth_nothing_to_the_search),
        cmocka_unit_test(what_is_slower_than_untuned_may_all_be_given_up),
        cmocka_unit_test(what_the_source_has_is_not_given_up),
        cmocka_unit_test(equals_are_told_apart_from_gains),
        cmocka_unit_test(another_objective_has_its_own_gain),
        cmocka_unit_test(a_winner_that_is_slower_than_untuned_is_known),
        cmocka_unit_test(what_is_clearly_slower_may_be_given_up),
        cmocka_unit_test(the_best_are_measured_again_before_one_is_chosen),
        cmocka_unit_test(winners_that_were_all_lucky_are_found_out),
        cmocka_unit_test(what_looks_better_than_the_best_is_measured_again),
        cmocka_unit_test(what_was_disturbed_is_measured_again),
        cmocka_unit_test(what_stays_disturbed_leaves_no_winner),
        cmocka_unit_test(what_is_wrong_is_never_chosen),
        cmocka_unit_test(a_crash_costs_its_configuration_alone),
        cmocka_unit_test(what_hangs_is_ended),
        cmocka_unit_test(what_hangs_when_time_is_over_is_ended),
        cmocka_unit_test(what_cannot_be_compiled_without_a_crash_is_found),
        cmocka_unit_test(a_device_that_is_gone_or_another_ends_the_run),
        cmocka_unit_test(a_run_goes_on_where_it_ended),
        cmocka_unit_test(a_signal_ends_the_waiting_that_comes_after_it),
        cmocka_unit_test(a_report_has_a_value_a_record),
    };
    if (argc == 3 && !strcmp(argv[1], "child"))
        return child(argv[2]);
    if (!mkdtemp(folder))
        return 1;
    snprintf(log_path, sizeof log_path, "%s/run.jsonl", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(log_path);
    rmdir(folder);
    return failed;
}
