/* The disk cache against its contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/cache/room.h"
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

/* Whatever else lies under an entry's name is no entry, and a pipe is not waited for. */
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

    (void)state;
    setenv("KJIT_CACHE", "/proc/nowhere", 1);
    cache_open(&cache, false);
    assert_string_not_equal(cache.problem, "");
    assert_false(put(&cache, "a", "1"));
    assert_false(holds(&cache, "a", "1"));
    assert_int_equal(kjit_cache_list(count_entry, NULL), KJIT_FILE);
    cache_close(&cache);
    setenv("KJIT_CACHE", folder, 1);
}

/* A home that is missing stays missing: it may yet be mounted. */
static void no_home_is_made(void **state)
{
    Cache cache;
    char home[128];

    (void)state;
    snprintf(home, sizeof home, "%s/home", folder);
    unsetenv("KJIT_CACHE");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    cache_open(&cache, false);
    assert_int_equal(cache.folder, -1);
    assert_string_not_equal(cache.problem, "");
    assert_int_not_equal(access(home, F_OK), 0);
    assert_int_equal(mkdir(home, 0700), 0);
    cache_open(&cache, false);
    assert_true(put(&cache, "a", "1"));
    assert_non_null(strstr(cache.directory, "/home/.cache/kjit"));
    cache_close(&cache);
    setenv("KJIT_CACHE", folder, 1);
}

static void a_size_is_bytes_or_has_a_unit(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = { { "0", 0 },           { "1000", 1000 },    { "7K", 7 << 10 },
                 { "7k", 7 << 10 },    { "1.5M", 3 << 19 }, { "2.G", 2ull << 30 },
                 { "3T", 3ull << 40 }, { "", 1ull << 30 } };
    static const char *const bad[] = { "abc", "-1",  "1X",  "1.5.5", "1 G",
                                       "K",   ".5G", "5GB", "0x10",  "99999999999G" };
    Cache cache;
    kjit_context *opened;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(good); i++) {
        setenv("KJIT_CACHE_SIZE", good[i].text, 1);
        assert_int_equal(cache_open(&cache, false), KJIT_OK);
        assert_int_equal(cache.limit, good[i].bytes);
        cache_close(&cache);
    }
    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        setenv("KJIT_CACHE_SIZE", bad[i], 1);
        assert_int_equal(kjit_open(NULL, &opened), KJIT_ARGUMENT);
        assert_null(opened);
        assert_non_null(strstr(kjit_error_message(), "KJIT_CACHE_SIZE is '"));
        assert_non_null(strstr(kjit_error_message(), bad[i]));
        assert_int_equal(kjit_cache_clear(NULL), KJIT_ARGUMENT);
        assert_int_equal(kjit_cache_list(count_entry, NULL), KJIT_ARGUMENT);
        assert_int_equal(cache_open(&cache, true), KJIT_OK);
    }
    unsetenv("KJIT_CACHE_SIZE");
}

/* Gives a file of the folder another time, in seconds from now. */
static void move_in_time(const char *name, int64_t seconds)
{
    char path[256];
    struct timespec times[2] = { { 0 }, { 0 } };

    snprintf(path, sizeof path, "%s/%s", folder, name);
    times[0].tv_sec = times[1].tv_sec = time(NULL) + seconds;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A clock that was years ahead makes no entry immortal. */
static void what_is_still_to_come_goes_first(void **state)
{
    static char big[2000];
    Cache cache;
    char name[64];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    kjit_cache_clear(NULL);
    setenv("KJIT_CACHE_SIZE", "7K", 1);
    cache_open(&cache, false);
    assert_true(put(&cache, "a", big) && put(&cache, "b", big) && put(&cache, "c", big));
    set_age("a", 10);
    set_age("c", 20);
    snprintf(name, sizeof name, "%s.bin", key_of("b").name);
    move_in_time(name, 10ll * 365 * 86400);
    assert_true(put(&cache, "d", big));
    assert_false(holds(&cache, "b", big));
    assert_true(holds(&cache, "a", big) && holds(&cache, "c", big) && holds(&cache, "d", big));
    unsetenv("KJIT_CACHE_SIZE");
    cache_close(&cache);
}

static bool is_there(const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void leave(const char *name)
{
    static char big[3000];
    char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(big, 1, sizeof big, file);
    fclose(file);
}

/* Whatever the clock says of them; and what is not the cache's stays. */
static void what_killed_writers_left_goes(void **state)
{
    Cache cache;

    (void)state;
    leave("tmp-1-0-now");
    leave("tmp-1-0-future");
    leave("tmp-1-0-past");
    leave("notes.txt");
    move_in_time("tmp-1-0-future", 1000000000);
    move_in_time("tmp-1-0-past", -1000000000);
    cache_open(&cache, false);
    cache.limit = 3000;
    assert_true(put(&cache, "a", "1"));
    assert_false(is_there("tmp-1-0-now"));
    assert_false(is_there("tmp-1-0-future"));
    assert_false(is_there("tmp-1-0-past"));
    assert_true(is_there("notes.txt"));
    leave("tmp-1-1-now");
    assert_int_equal(kjit_cache_clear(NULL), KJIT_OK);
    assert_false(is_there("tmp-1-1-now"));
    cache_close(&cache);
}

/* To list thousands of files takes longer than to write one: that is done now and then, and after a
** writer was killed, of whom the lock file then tells. */
static void files_are_not_listed_for_each_write(void **state)
{
    Cache cache;
    char lock[128];

    (void)state;
    cache_open(&cache, false);
    snprintf(lock, sizeof lock, "%s/lock", folder);
    assert_int_equal(truncate(lock, 0), 0);
    assert_true(put(&cache, "a", "1"));
    leave("tmp-1-2-now");
    assert_true(put(&cache, "b", "1"));
    assert_true(is_there("tmp-1-2-now"));
    assert_int_equal(truncate(lock, 0), 0);
    assert_true(put(&cache, "c", "1"));
    assert_false(is_there("tmp-1-2-now"));
    leave("tmp-1-2-now");
    cache.limit /= 2; /* what another knew of its own limit says nothing */
    assert_true(put(&cache, "d", "1"));
    assert_false(is_there("tmp-1-2-now"));
    cache_close(&cache);
}

/* At any time, whoever writes in turn. */
static void the_limit_holds_between_listings(void **state)
{
    static char big[3000];
    Cache one, other;
    CacheFiles files;

    (void)state;
    memset(big, 'z', sizeof big - 1);
    kjit_cache_clear(NULL);
    cache_open(&one, false);
    cache_open(&other, false);
    one.limit = other.limit = 300000;
    for (int i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        assert_true(put(i % 3 ? &one : &other, name, big));
        cache_list_files(&one, false, &files);
        assert_true(files.bytes <= one.limit);
        assert_true(i < 90 || files.bytes > one.limit * 4 / 5);
        memory_free(files.list);
    }
    cache_close(&one);
    cache_close(&other);
}

/* One that stands still, and keeps the lock, is not waited for for ever. */
static void a_writer_that_stands_still_stops_nobody(void **state)
{
    Cache cache;
    int ready[2];
    char byte;

    (void)state;
    cache_open(&cache, false);
    assert_true(put(&cache, "a", "1"));
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        char path[128];
        snprintf(path, sizeof path, "%s/lock", folder);
        int held = open(path, O_RDWR);
        byte = held >= 0 && flock(held, LOCK_EX) == 0 ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    assert_false(put(&cache, "b", "2"));
    assert_true(holds(&cache, "a", "1"));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(put(&cache, "b", "2"));
    close(ready[0]);
    close(ready[1]);
    cache_close(&cache);
}

/* Under another name, even of the same length, an entry is none. */
static void an_entry_belongs_to_its_key(void **state)
{
    Cache cache;
    char from[128], to[128];

    (void)state;
    cache_open(&cache, false);
    assert_true(put(&cache, "one", "1"));
    snprintf(from, sizeof from, "%s/%s.bin", folder, key_of("one").name);
    snprintf(to, sizeof to, "%s/%s.bin", folder, key_of("other").name);
    assert_int_equal(rename(from, to), 0);
    assert_false(holds(&cache, "other", "1"));
    cache_close(&cache);
}

/* A file of 1 TB is not read to find that it is no entry. */
static void what_only_has_the_name_is_not_read(void **state)
{
    Cache cache;
    char path[128];

    (void)state;
    cache_open(&cache, false);
    snprintf(path, sizeof path, "%s/%s.bin", folder, key_of("vast").name);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    if (ftruncate(fd, (off_t)1 << 40) != 0)
        assert_int_equal(ftruncate(fd, (off_t)1 << 33), 0);
    close(fd);
    assert_false(holds(&cache, "vast", "1"));
    assert_false(access(path, F_OK) == 0);
    cache_close(&cache);
}

/* A limit on the size of files is a failure, not the signal that would end the program. */
static void a_file_that_may_not_grow_is_no_entry(void **state)
{
    static char big[3000];
    struct rlimit before, small;
    Cache cache;

    (void)state;
    memset(big, 'x', sizeof big - 1);
    cache_open(&cache, false);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = put(&cache, "limited", big);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_false(holds(&cache, "limited", big));
    assert_true(put(&cache, "limited", big));
    assert_true(holds(&cache, "limited", big));
    cache_close(&cache);
}

/* ---- folders for other programs ----------------------------------------------------------- */

static void scratch_goes_with_its_files(void **state)
{
    Scratch one, two;
    char path[CACHE_PATH_MAX], other[CACHE_PATH_MAX];

    (void)state;
    setenv("TMPDIR", folder, 1);
    assert_true(scratch_open(&one, NULL));
    assert_true(scratch_open(&two, NULL));
    assert_string_not_equal(one.folder, two.folder);
    scratch_path(&one, "file", path);
    scratch_path(&two, "file", other);
    fclose(fopen(path, "w"));
    fclose(fopen(other, "w"));
    scratch_close(&one);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    scratch_close(&two);
    assert_int_not_equal(access(other, F_OK), 0);
    scratch_close(&two);
    setenv("TMPDIR", "/proc/nowhere", 1);
    assert_false(scratch_open(&one, NULL));
    scratch_close(&one);
    unsetenv("TMPDIR");
}

/* The folder of a killed process goes with the next one's; that of a living one stays. */
static void scratch_of_killed_processes_goes(void **state)
{
    Scratch mine, next;
    char path[CACHE_PATH_MAX];
    int folders[2];

    (void)state;
    setenv("TMPDIR", folder, 1);
    assert_true(scratch_open(&mine, NULL));
    assert_int_equal(pipe(folders), 0);
    pid_t child = fork();
    if (child == 0) {
        scratch_open(&next, NULL);
        scratch_path(&next, "file", path);
        fclose(fopen(path, "w"));
        if (write(folders[1], path, sizeof path) > 0)
            pause();
        _exit(1);
    }
    assert_int_equal(read(folders[0], path, sizeof path), sizeof path);
    assert_true(scratch_open(&next, NULL));
    scratch_close(&next);
    assert_int_equal(access(path, F_OK), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(scratch_open(&next, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(access(mine.folder, F_OK), 0);
    scratch_close(&next);
    scratch_close(&mine);
    close(folders[0]);
    close(folders[1]);
    unsetenv("TMPDIR");
}

/* Processes that write, and are killed at any moment, leave whole entries or none. */
static void killed_writers_leave_no_half_entries(void **state)
{
    static char big[200000];
    char name[128];
    Cache cache;
    glob_t left;

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
        assert_true(put(&cache, "r", "1"));
        snprintf(name, sizeof name, "%s/tmp-*", folder);
        assert_int_equal(glob(name, 0, NULL, &left), GLOB_NOMATCH);
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
        cmocka_unit_test(no_home_is_made),
        cmocka_unit_test(a_size_is_bytes_or_has_a_unit),
        cmocka_unit_test(what_is_still_to_come_goes_first),
        cmocka_unit_test(what_killed_writers_left_goes),
        cmocka_unit_test(files_are_not_listed_for_each_write),
        cmocka_unit_test(the_limit_holds_between_listings),
        cmocka_unit_test(a_writer_that_stands_still_stops_nobody),
        cmocka_unit_test(an_entry_belongs_to_its_key),
        cmocka_unit_test(what_only_has_the_name_is_not_read),
        cmocka_unit_test(a_file_that_may_not_grow_is_no_entry),
        cmocka_unit_test(scratch_goes_with_its_files),
        cmocka_unit_test(scratch_of_killed_processes_goes),
        cmocka_unit_test(killed_writers_leave_no_half_entries),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
