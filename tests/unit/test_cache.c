/* The disk cache against its contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/cache.h"
#include "runtime/runtime.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/kjit-cache-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    unsetenv("KJIT_CACHE_SIZE");
    return setenv("KJIT_CACHE", folder, 1);
}

static int remove_folder(void **state)
{
    char command[256];

    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

static CacheKey key_of(const char *text)
{
    CacheKey key;
    KeyState *state = key_begin();

    key_text(state, text);
    assert_true(key_end(state, &key));
    return key;
}

static bool holds(Cache *cache, const char *text, const char *payload)
{
    CacheKey key = key_of(text);
    size_t length = 0;
    char *found = cache_read(cache, &key, &length, NULL);
    bool same = found && length == strlen(payload) && strcmp(found, payload) == 0;

    memory_free(found);
    return same;
}

static bool put(Cache *cache, const char *text, const char *payload)
{
    CacheKey key = key_of(text);

    return cache_write(cache, &key, payload, strlen(payload), "k(int32)", "cpu", NULL);
}

static void what_is_written_is_read(void **state)
{
    Cache cache;
    struct stat info;

    (void)state;
    cache_open(&cache, false);
    assert_string_equal(cache.problem, "");
    assert_true(put(&cache, "a", "payload of a"));
    assert_true(put(&cache, "b", ""));
    assert_true(holds(&cache, "a", "payload of a"));
    assert_true(holds(&cache, "b", ""));
    assert_false(holds(&cache, "c", ""));
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    cache_close(&cache);
}

static void fields_do_not_run_together(void **state)
{
    KeyState *one = key_begin(), *two = key_begin();
    CacheKey first, second;

    (void)state;
    key_text(one, "-a");
    key_text(one, "b");
    key_text(two, "-ab");
    key_text(two, "");
    assert_true(key_end(one, &first) && key_end(two, &second));
    assert_string_not_equal(first.name, second.name);
}

/* Any changed byte, and any cut, makes an entry that is not there; and it is removed. */
static void damage_is_found_and_removed(void **state)
{
    Cache cache;
    CacheKey key = key_of("d");
    char path[CACHE_PATH_MAX], whole[512];

    (void)state;
    cache_open(&cache, false);
    assert_true(cache_write(&cache, &key, "0123456789", 10, "k()", "sm_90", path));
    FILE *file = fopen(path, "rb");
    size_t length = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t at = 0; at <= length; at++) {
        file = fopen(path, "wb");
        whole[at % length] ^= 1;
        fwrite(whole, 1, at == length ? length / 2 : length, file);
        whole[at % length] ^= 1;
        fclose(file);
        assert_false(holds(&cache, "d", "0123456789"));
        assert_int_not_equal(access(path, F_OK), 0);
    }
    cache_close(&cache);
}

static void count_entry(void *context, const kjit_cache_entry *entry)
{
    int *count = context;

    assert_string_equal(entry->kernel, "k(int32)");
    assert_string_equal(entry->target, "cpu");
    assert_true(entry->bytes > 0);
    ++*count;
}

static void entries_are_listed_and_cleared(void **state)
{
    Cache cache;
    int count = 0;
    size_t removed;

    (void)state;
    assert_int_equal(kjit_cache_clear(NULL), KJIT_OK);
    cache_open(&cache, false);
    assert_true(put(&cache, "a", "1") && put(&cache, "b", "2"));
    assert_int_equal(kjit_cache_list(count_entry, &count), KJIT_OK);
    assert_int_equal(count, 2);
    assert_int_equal(kjit_cache_clear(&removed), KJIT_OK);
    assert_int_equal(removed, 2);
    assert_false(holds(&cache, "a", "1"));
    cache_close(&cache);
}

static void set_age(const char *text, int seconds)
{
    CacheKey key = key_of(text);
    char path[256];
    struct timespec times[2] = { { 0 }, { 0 } };

    snprintf(path, sizeof path, "%s/%s.bin", folder, key.name);
    times[0].tv_sec = times[1].tv_sec = 1000000000 - seconds;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void the_longest_unused_goes_first(void **state)
{
    static char big[2000];
    Cache cache;

    (void)state;
    memset(big, 'x', sizeof big - 1);
    kjit_cache_clear(NULL);
    setenv("KJIT_CACHE_SIZE", "7K", 1);
    cache_open(&cache, false);
    assert_true(put(&cache, "a", big) && put(&cache, "b", big) && put(&cache, "c", big));
    set_age("a", 10);
    set_age("b", 30);
    set_age("c", 20);
    assert_true(holds(&cache, "b", big)); /* now it is the youngest */
    assert_true(put(&cache, "d", big));
    assert_false(holds(&cache, "c", big));
    assert_true(holds(&cache, "a", big));
    assert_true(holds(&cache, "b", big));
    assert_true(holds(&cache, "d", big));
    cache.limit = 100;
    assert_false(put(&cache, "e", big));
    unsetenv("KJIT_CACHE_SIZE");
    cache_close(&cache);
}

static void a_symbolic_link_is_refused(void **state)
{
    Cache cache;
    char link[128];

    (void)state;
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("/tmp", link), 0);
    setenv("KJIT_CACHE", link, 1);
    cache_open(&cache, false);
    assert_int_equal(cache.folder, -1);
    assert_non_null(strstr(cache.problem, "symbolic link"));
    assert_false(put(&cache, "a", "1"));
    cache_close(&cache);
    setenv("KJIT_CACHE", folder, 1);
}

/* Whatever else lies under an entry's name is no entry, and nobody waits for a pipe to speak. */
static void what_is_no_file_is_no_entry(void **state)
{
    CacheKey key = key_of("pipe");
    Cache cache;
    char path[128];
    int count = 0;

    (void)state;
    cache_open(&cache, false);
    snprintf(path, sizeof path, "%s/%s.bin", folder, key.name);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(holds(&cache, "pipe", "1"));
    assert_int_equal(kjit_cache_list(count_entry, &count), KJIT_OK);
    assert_true(put(&cache, "pipe", "1"));
    assert_true(holds(&cache, "pipe", "1"));
    cache_close(&cache);
}

/* The process may go elsewhere while the cache is open. */
static void a_relative_folder_stays_where_it_was(void **state)
{
    Cache cache;
    CacheKey key = key_of("a");
    char path[CACHE_PATH_MAX];

    (void)state;
    assert_int_equal(chdir(folder), 0);
    setenv("KJIT_CACHE", "below", 1);
    cache_open(&cache, false);
    assert_int_equal(chdir("/"), 0);
    assert_true(cache_write(&cache, &key, "1", 1, "k()", "cpu", path));
    assert_int_equal(access(path, R_OK), 0);
    cache_close(&cache);
    setenv("KJIT_CACHE", folder, 1);
}

static void without_a_folder_nothing_fails(void **state)
{
    Cache cache;
    char path[CACHE_PATH_MAX], temporary[CACHE_PATH_MAX];

    (void)state;
    setenv("KJIT_CACHE", "/proc/nowhere", 1);
    cache_open(&cache, false);
    assert_string_not_equal(cache.problem, "");
    assert_false(put(&cache, "a", "1"));
    assert_false(holds(&cache, "a", "1"));
    assert_true(cache_temporary(&cache, path, temporary));
    assert_string_not_equal(temporary, "");
    cache_remove_temporary(path, temporary);
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_int_equal(kjit_cache_list(count_entry, NULL), KJIT_FILE);
    cache_close(&cache);
    setenv("KJIT_CACHE", folder, 1);
}

/* Processes that write, and are killed at any moment, leave whole entries or none. */
static void killed_writers_leave_no_half_entries(void **state)
{
    static char big[200000];
    Cache cache;

    (void)state;
    memset(big, 'y', sizeof big - 1);
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            cache_open(&cache, false);
            for (int i = 0;; i++)
                put(&cache, i % 2 ? "p" : "q", big);
        }
        usleep((useconds_t)(500 * round));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        cache_open(&cache, false);
        CacheKey key = key_of("p");
        size_t length;
        char *found = cache_read(&cache, &key, &length, NULL);
        assert_true(!found || strcmp(found, big) == 0);
        memory_free(found);
        cache_close(&cache);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(fields_do_not_run_together),
        cmocka_unit_test(damage_is_found_and_removed),
        cmocka_unit_test(entries_are_listed_and_cleared),
        cmocka_unit_test(the_longest_unused_goes_first),
        cmocka_unit_test(a_symbolic_link_is_refused),
        cmocka_unit_test(what_is_no_file_is_no_entry),
        cmocka_unit_test(a_relative_folder_stays_where_it_was),
        cmocka_unit_test(without_a_folder_nothing_fails),
        cmocka_unit_test(killed_writers_leave_no_half_entries),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
