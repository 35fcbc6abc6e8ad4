/* Files that are written whole: what was there before stays if they are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/library.h"

static char path[256];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void expect_text(const char *name, const char *text)
{
    char found[64] = "";
    FILE *in = fopen(in_folder(name), "r");

    assert_non_null(in);
    found[fread(found, 1, sizeof found - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(found, text);
}

static mode_t mode_of(const char *name)
{
    struct stat info;

    assert_int_equal(lstat(in_folder(name), &info), 0);
    return info.st_mode;
}

/* The files of the folder whose names have a part. */
static int files_with(const char *part)
{
    DIR *open = opendir(folder);
    struct dirent *entry;
    int count = 0;

    assert_non_null(open);
    while ((entry = readdir(open)) != NULL)
        count += strstr(entry->d_name, part) != NULL;
    closedir(open);
    return count;
}

static void a_file_is_made_and_replaced_in_its_mode(void **state)
{
    (void)state;
    expect_ok(kjit_save_file(in_folder("plain"), "first", 5));
    expect_text("plain", "first");
    assert_int_equal(chmod(in_folder("plain"), 0640), 0);
    expect_ok(kjit_save_file(in_folder("plain"), "2nd", 3));
    expect_text("plain", "2nd");
    assert_int_equal(mode_of("plain") & 0777, 0640);
    expect_ok(kjit_save_file(in_folder("plain"), NULL, 0));
    expect_text("plain", "");
    assert_int_equal(files_with("plain"), 1);
}

static void links_are_followed(void **state)
{
    (void)state;
    write_file("there", "old");
    assert_int_equal(symlink("there", in_folder("link")), 0);
    expect_ok(kjit_save_file(in_folder("link"), "new", 3));
    assert_true(S_ISLNK(mode_of("link")));
    expect_text("there", "new");
    assert_int_equal(symlink("missing", in_folder("dangling")), 0);
    expect_ok(kjit_save_file(in_folder("dangling"), "made", 4));
    assert_true(S_ISLNK(mode_of("dangling")));
    expect_text("missing", "made");
}

/* A file that may not grow is as a disk that is full. */
static void what_was_there_stays_if_the_new_one_cannot_be_written(void **state)
{
    static const char data[8192];
    struct rlimit before, little;

    (void)state;
    write_file("kept", "of before");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    kjit_status status = kjit_save_file(in_folder("kept"), data, sizeof data);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect(status, KJIT_FILE, "cannot write '");
    assert_non_null(strstr(kjit_error_message(), "File too large"));
    expect_text("kept", "of before");
    assert_int_equal(files_with("kept"), 1);
}

static void what_cannot_be_written_is_known_before(void **state)
{
    static const struct {
        const char *name, *why;
    } wrong[] = {
        { "nowhere/file", "there is no folder '" },
        { "", "it is a folder" },
        { "kept/file", "Not a directory" },
        { "nowhere/deeper/file", "there is no folder '" },
    };

    (void)state;
    write_file("kept", "of before");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(kjit_save_check(in_folder(wrong[i].name)), KJIT_FILE, wrong[i].why);
        expect(kjit_save_file(in_folder(wrong[i].name), "new", 3), KJIT_FILE, wrong[i].why);
    }
    expect_ok(kjit_save_check(in_folder("kept")));
    expect_text("kept", "of before");
    expect_ok(kjit_save_check(in_folder("not_yet")));
    assert_int_equal(files_with("not_yet"), 0);
    expect_ok(kjit_save_check("/dev/null"));
    expect(kjit_save_check("/dev/fd/987"), KJIT_FILE, "cannot write");
    expect(kjit_save_check(NULL), KJIT_ARGUMENT, "has a name");
    expect(kjit_save_check(""), KJIT_ARGUMENT, "has a name");
    if (geteuid() == 0) /* whom nothing is forbidden */
        return;
    assert_int_equal(chmod(in_folder("kept"), 0400), 0);
    expect(kjit_save_check(in_folder("kept")), KJIT_FILE, "Permission denied");
    assert_int_equal(chmod(folder, 0500), 0);
    expect(kjit_save_check(in_folder("not_yet")), KJIT_FILE, "Permission denied");
    assert_int_equal(chmod(folder, 0700), 0);
}

static void what_a_shell_hands_over_is_written_on(void **state)
{
    char name[32];
    int fd = open(in_folder("handed"), O_WRONLY | O_CREAT, 0600);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "one ", 4), 4);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    expect_ok(kjit_save_file(name, "two ", 4));
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    expect_ok(kjit_save_file(name, "three ", 6));
    assert_int_equal(write(fd, "four", 4), 4);
    close(fd);
    expect_text("handed", "one two three four");
    expect(kjit_save_file(name, "five", 4), KJIT_FILE, "cannot write");
}

static void pipes_and_devices_are_written_to(void **state)
{
    char found[8] = "";

    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    expect_ok(kjit_save_file(path, "data", 4));
    assert_int_equal(read(fd, found, sizeof found), 4);
    close(fd);
    assert_string_equal(found, "data");
    assert_true(S_ISFIFO(mode_of("pipe")));
    expect_ok(kjit_save_file("/dev/null", "data", 4));
    expect(kjit_save_file("/dev/full", "data", 4), KJIT_FILE, "No space left on device");
}

static void what_may_not_be_written_is_told(void **state)
{
    (void)state;
    expect(kjit_save_file(in_folder("nowhere/file"), "", 0), KJIT_FILE, "there is no folder");
    expect(kjit_save_file(folder, "", 0), KJIT_FILE, "it is a folder");
    expect(kjit_save_file("", "", 0), KJIT_ARGUMENT, "has a name and bytes");
    expect(kjit_save_file(in_folder("file"), NULL, 3), KJIT_ARGUMENT, "has a name and bytes");
    if (geteuid() == 0)
        return; /* to whom nothing is forbidden */
    write_file("forbidden", "old");
    assert_int_equal(chmod(in_folder("forbidden"), 0400), 0);
    expect(kjit_save_file(path, "new", 3), KJIT_FILE, "Permission denied");
    expect_text("forbidden", "old");
    write_file("writable", "old");
    assert_int_equal(chmod(folder, 0500), 0);
    kjit_status status = kjit_save_file(in_folder("writable"), "new", 3);
    assert_int_equal(chmod(folder, 0700), 0);
    expect_ok(status);
    expect_text("writable", "new");
}

/* The sanitizer watches that no more of a short path is read than there is. */
static void paths_may_be_short(void **state)
{
    (void)state;
    for (size_t length = 1; length < 12; length++) {
        char *name = malloc(length + 1);
        assert_non_null(name);
        memset(name, 'a', length);
        name[length] = '\0';
        expect_ok(kjit_save_file(name, "short", 5));
        assert_int_equal(unlink(name), 0);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_made_and_replaced_in_its_mode),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_was_there_stays_if_the_new_one_cannot_be_written),
        cmocka_unit_test(what_cannot_be_written_is_known_before),
        cmocka_unit_test(what_a_shell_hands_over_is_written_on),
        cmocka_unit_test(pipes_and_devices_are_written_to),
        cmocka_unit_test(what_may_not_be_written_is_told),
        cmocka_unit_test(paths_may_be_short),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}
