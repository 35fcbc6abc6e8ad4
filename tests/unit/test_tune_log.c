/* The log of a run: what goes on, what is put aside, and what is to stay as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/search/tune.h"

static char folder[] = "/tmp/kjit-log-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *out = fopen(path_of(name), "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void expect_text(const char *name, const char *wanted)
{
    char text[1024];
    FILE *in = fopen(path_of(name), "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(text, wanted);
}

static bool is_there(const char *name)
{
    return access(path_of(name), F_OK) == 0;
}

static bool open_log(TuneLog *log, const char *kernel)
{
    json_t *key = json_pack("{s:s}", "kernel", kernel);
    bool opened = log_open(log, path_of("run.jsonl"), key);
    json_decref(key);
    return opened;
}

static int forget(void **state)
{
    static const char *const names[] = { "run.jsonl", "run.jsonl.1", "run.jsonl.2" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return 0;
}

#define KEY    "{\"record\":\"key\",\"version\":1,\"key\":{\"kernel\":\"one\"}}\n"
#define RESULT "{\"record\":\"result\"}\n"

static void it_begins_with_its_key_and_goes_on_behind_its_records(void **state)
{
    TuneLog log;
    (void)state;
    assert_true(open_log(&log, "one"));
    log_add(&log, json_pack("{s:s}", "record", "result"));
    log_close(&log);
    expect_text("run.jsonl", KEY RESULT);
    assert_true(open_log(&log, "one"));
    assert_int_equal(json_array_size(log.records), 1);
    log_add(&log, json_pack("{s:s}", "record", "result"));
    log_close(&log);
    expect_text("run.jsonl", KEY RESULT RESULT);
}

static void what_was_cut_off_is_dropped_and_what_is_damaged_passed_over(void **state)
{
    TuneLog log;
    (void)state;
    put("run.jsonl", KEY "nonsense\n" RESULT "{\"record\":\"res");
    assert_true(open_log(&log, "one"));
    assert_int_equal(json_array_size(log.records), 1);
    log_close(&log);
    expect_text("run.jsonl", KEY "nonsense\n" RESULT);
    put("run.jsonl", "{\"record\":\"key\",\"ver");
    assert_true(open_log(&log, "one"));
    log_close(&log);
    expect_text("run.jsonl", KEY);
}

static void a_run_goes_on_though_nothing_can_be_written(void **state)
{
    TuneLog log;
    struct rlimit had, none;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &had), 0);
    none = had;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool opened = open_log(&log, "one");
    if (opened)
        log_add(&log, json_pack("{s:s}", "record", "result"));
    size_t count = opened ? json_array_size(log.records) : 0;
    log_close(&log);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &had), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(opened);
    assert_int_equal(count, 1);
    expect_text("run.jsonl", "");
}

static void another_runs_log_is_put_aside(void **state)
{
    TuneLog log;
    (void)state;
    put("run.jsonl", KEY RESULT);
    put("run.jsonl.1", "kept");
    assert_true(open_log(&log, "two"));
    assert_int_equal(json_array_size(log.records), 0);
    log_close(&log);
    expect_text("run.jsonl.1", "kept");
    expect_text("run.jsonl.2", KEY RESULT);
}

/* What a later kjit means by its records is unknown, and what it keys them by. */
static void a_log_of_a_later_version_is_left_alone(void **state)
{
    static const char newer[] = "{\"record\":\"key\",\"version\":2,\"key\":{\"kernel\":\"one\"}}\n";
    TuneLog log;
    (void)state;
    put("run.jsonl", newer);
    assert_false(open_log(&log, "one"));
    log_close(&log);
    expect_text("run.jsonl", newer);
    assert_false(is_there("run.jsonl.1"));
}

static void what_is_no_log_stays(void **state)
{
    TuneLog log;
    (void)state;
    put("run.jsonl", "def f(x):\n    pass\n");
    assert_false(open_log(&log, "one"));
    log_close(&log);
    expect_text("run.jsonl", "def f(x):\n    pass\n");
    assert_false(is_there("run.jsonl.1"));
}

/* Not even looked at: the run that goes on may be in the middle of a line. */
static void a_log_that_is_written_is_left_alone(void **state)
{
    TuneLog log, other;
    (void)state;
    assert_true(open_log(&log, "one"));
    assert_true(fputs("{\"record\":", log.file) >= 0);
    assert_int_equal(fflush(log.file), 0);
    assert_false(open_log(&other, "one"));
    log_close(&other);
    assert_false(open_log(&other, "two"));
    log_close(&other);
    expect_text("run.jsonl", KEY "{\"record\":");
    assert_false(is_there("run.jsonl.1"));
    log_close(&log);
}

/* A child that outlives its parent would keep the next run from the log. */
static void children_do_not_inherit_it(void **state)
{
    TuneLog log;
    (void)state;
    assert_true(open_log(&log, "one"));
    assert_true(fcntl(fileno(log.file), F_GETFD) & FD_CLOEXEC);
    log_close(&log);
}

static void a_finished_log_is_read(void **state)
{
    TuneLog log;
    json_t *key = NULL;
    (void)state;
    put("run.jsonl", KEY RESULT "cut o");
    assert_true(log_read(&log, path_of("run.jsonl"), &key));
    assert_int_equal(json_array_size(log.records), 1);
    assert_string_equal(json_string_value(json_object_get(json_object_get(key, "key"), "kernel")),
                        "one");
    json_decref(key);
    log_close(&log);
    expect_text("run.jsonl", KEY RESULT "cut o");
    assert_false(log_read(&log, path_of("nowhere.jsonl"), &key));
    log_close(&log);
    put("run.jsonl", RESULT);
    assert_false(log_read(&log, path_of("run.jsonl"), &key));
    log_close(&log);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, forget)
    const struct CMUnitTest tests[] = {
        TEST(it_begins_with_its_key_and_goes_on_behind_its_records),
        TEST(what_was_cut_off_is_dropped_and_what_is_damaged_passed_over),
        TEST(a_run_goes_on_though_nothing_can_be_written),
        TEST(another_runs_log_is_put_aside),
        TEST(a_log_of_a_later_version_is_left_alone),
        TEST(what_is_no_log_stays),
        TEST(a_log_that_is_written_is_left_alone),
        TEST(children_do_not_inherit_it),
        TEST(a_finished_log_is_read),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
