/* Arrays in files, damaged ones above all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/array/array.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/kjit-npy-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* A version 1 file with this header text and `count` bytes of elements, counting up. */
static void write_npy(const char *name, const char *header, size_t count)
{
    char bytes[1024] = "\x93NUMPY\x01";
    size_t length = strlen(header);

    bytes[8] = (char)(length & 255);
    bytes[9] = (char)(length >> 8);
    memcpy(bytes + 10, header, length);
    for (size_t i = 0; i < count; i++)
        bytes[10 + length + i] = (char)i;
    write_bytes(name, bytes, 10 + length + count);
}

static void arrays_survive_the_disk(void **state)
{
    const int64_t shape[] = { 2, 3 };
    int32_t numbers[6] = { 1, 2, 3, 4, 5, 6 };
    kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_INT32, 2, shape);
    LoadedArray loaded;

    (void)state;
    assert_int_equal(kjit_save_npy(path_of("a.npy"), &array), KJIT_OK);
    assert_int_equal(npy_load(path_of("a.npy"), &loaded), KJIT_OK);
    assert_int_equal(loaded.array.dtype, KJIT_DTYPE_INT32);
    assert_int_equal(loaded.array.rank, 2);
    assert_int_equal(loaded.array.shape[1], 3);
    assert_memory_equal(loaded.array.data, numbers, sizeof numbers);
    memory_free(loaded.block);
}

static void strided_arrays_are_written_row_by_row(void **state)
{
    double numbers[4] = { 1, 2, 3, 4 };
    kjit_array array = { .data = numbers + 3,
                         .dtype = KJIT_DTYPE_FLOAT64,
                         .rank = 1,
                         .shape = { 2 },
                         .strides = { -16 } };
    LoadedArray loaded;

    (void)state;
    assert_int_equal(kjit_save_npy(path_of("s.npy"), &array), KJIT_OK);
    assert_int_equal(npy_load(path_of("s.npy"), &loaded), KJIT_OK);
    assert_true(((double *)loaded.array.data)[0] == 4);
    assert_true(((double *)loaded.array.data)[1] == 2);
    memory_free(loaded.block);
}

static void every_dtype_and_byte_order_is_read(void **state)
{
    static const struct {
        const char *descr;
        kjit_dtype dtype;
    } rows[] = {
        { "|b1", KJIT_DTYPE_BOOL },
        { "|i1", KJIT_DTYPE_INT8 },
        { "<i2", KJIT_DTYPE_INT16 },
        { "=i4", KJIT_DTYPE_INT32 },
        { "<i8", KJIT_DTYPE_INT64 },
        { "|u1", KJIT_DTYPE_UINT8 },
        { "<u2", KJIT_DTYPE_UINT16 },
        { "<u4", KJIT_DTYPE_UINT32 },
        { "<u8", KJIT_DTYPE_UINT64 },
        { "<f2", KJIT_DTYPE_FLOAT16 },
        { "<f4", KJIT_DTYPE_FLOAT32 },
        { "<f8", KJIT_DTYPE_FLOAT64 },
        { "<c8", KJIT_DTYPE_COMPLEX64 },
        { "<c16", KJIT_DTYPE_COMPLEX128 },
        { "<M8[ns]", KJIT_DTYPE_DATETIME64_ns },
        { "<m8[D]", KJIT_DTYPE_TIMEDELTA64_D },
        { "<M8[as]", KJIT_DTYPE_DATETIME64_as },
        { "<m8", KJIT_DTYPE_TIMEDELTA64 },
    };
    char header[128];
    LoadedArray loaded;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }\n", rows[i].descr);
        write_npy("d.npy", header, 16);
        assert_int_equal(npy_load(path_of("d.npy"), &loaded), KJIT_OK);
        assert_int_equal(loaded.array.dtype, rows[i].dtype);
        memory_free(loaded.block);
    }
    write_npy("big.npy", "{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n", 8);
    assert_int_equal(npy_load(path_of("big.npy"), &loaded), KJIT_OK);
    assert_int_equal(((int32_t *)loaded.array.data)[0], 0x00010203);
    assert_int_equal(((int32_t *)loaded.array.data)[1], 0x04050607);
    memory_free(loaded.block);
}

static void columns_first_keeps_its_strides(void **state)
{
    LoadedArray loaded;

    (void)state;
    write_npy("f.npy", "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 6);
    assert_int_equal(npy_load(path_of("f.npy"), &loaded), KJIT_OK);
    assert_int_equal(loaded.array.strides[0], 1);
    assert_int_equal(loaded.array.strides[1], 2);
    assert_int_equal(array_layout(&loaded.array), LAYOUT_F);
    memory_free(loaded.block);
}

static void damaged_headers_are_one_message(void **state)
{
    static const struct {
        const char *header, *message;
    } rows[] = {
        { "", "damaged" },
        { "{", "damaged" },
        { "{'descr': '<f4', 'fortran_order': False}", "lacks" },
        { "{'descr': '<q9', 'fortran_order': False, 'shape': ()}", "'<q9' is not supported" },
        { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}",
          "its header says 12" },
        { "{'descr': [('a', '>f4')], 'fortran_order': False, 'shape': ()}", "little-endian" },
        { "{'descr': [('a', '<q9')], 'fortran_order': False, 'shape': ()}", "note: it says '<q9'" },
        { "{'descr': [('a', '<f4', (40000, 40000))]",
          "x.npy: the header's dtype: this record is too large\nnote: it says (40000, 40000)" },
        { "{'descr': [('a', '<f4'", "dtype is damaged" },
        { "{'descr': ['a']", "a field is written" },
        { "{'descr': [('a', 3)]", "not a type" },
        { "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}", "fortran_order" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "shape is damaged" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "shape" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "memory" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "more than 8" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (9,)}", "its header says 36" },
        { "{'descr': '<f4', 'other': 3}", "unknown 'other'" },
        { "{'descr", "damaged" },
    };
    LoadedArray loaded;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        write_npy("x.npy", rows[i].header, 8);
        assert_int_equal(npy_load(path_of("x.npy"), &loaded), KJIT_FILE);
        if (!strstr(kjit_error_message(), rows[i].message))
            fail_msg("%s -> %s", rows[i].header, kjit_error_message());
        assert_non_null(strstr(kjit_error_message(), "x.npy"));
    }
}

static void every_truncation_is_refused(void **state)
{
    const int64_t shape[] = { 3 };
    int64_t numbers[3] = { 1, 2, 3 };
    kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_INT64, 1, shape);
    char whole[256];
    LoadedArray loaded;

    (void)state;
    assert_int_equal(kjit_save_npy(path_of("w.npy"), &array), KJIT_OK);
    FILE *file = fopen(path_of("w.npy"), "rb");
    size_t length = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t cut = 0; cut < length; cut++) {
        write_bytes("t.npy", whole, cut);
        assert_int_equal(npy_load(path_of("t.npy"), &loaded), KJIT_FILE);
    }
    for (size_t at = 0; at < length; at++) {
        char changed[256];
        memcpy(changed, whole, length);
        changed[at] ^= 0x55;
        write_bytes("t.npy", changed, length);
        if (npy_load(path_of("t.npy"), &loaded) == KJIT_OK)
            memory_free(loaded.block);
    }
}

/* What is mapped is as what is read, and stays so whatever is saved under its name. */
static void files_are_mapped_where_that_is_the_same(void **state)
{
    const int64_t shape[] = { 3 };
    int32_t numbers[] = { 1, 2, 3 }, others[] = { 7, 8, 9 };
    kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_INT32, 1, shape);
    LoadedArray loaded, again;

    (void)state;
    assert_int_equal(kjit_save_npy(path_of("m.npy"), &array), KJIT_OK);
    assert_int_equal(npy_map(path_of("m.npy"), &loaded), KJIT_OK);
    assert_true(loaded.mapped > sizeof numbers);
    array.data = others;
    assert_int_equal(kjit_save_npy(path_of("m.npy"), &array), KJIT_OK);
    assert_memory_equal(loaded.array.data, numbers, sizeof numbers);
    ((int32_t *)loaded.array.data)[1] = 5;
    assert_int_equal(npy_map(path_of("m.npy"), &again), KJIT_OK);
    assert_memory_equal(again.array.data, others, sizeof others);
    block_release(loaded.block, loaded.mapped);
    block_release(again.block, again.mapped);

    write_npy("big.npy", "{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n", 8);
    assert_int_equal(npy_map(path_of("big.npy"), &loaded), KJIT_OK);
    assert_true(!loaded.mapped && ((int32_t *)loaded.array.data)[0] == 0x00010203);
    block_release(loaded.block, loaded.mapped);
    write_bytes("none.npy", "", 0);
    assert_int_equal(npy_map(path_of("none.npy"), &loaded), KJIT_FILE);
    assert_int_equal(npy_map(path_of("nowhere.npy"), &loaded), KJIT_FILE);
}

static void raw_files_need_whole_elements(void **state)
{
    LoadedArray loaded;
    const int64_t shape[] = { 2, 2 };

    (void)state;
    write_bytes("r.bin", "abcdefgh", 8);
    assert_int_equal(raw_load(path_of("r.bin"), KJIT_DTYPE_INT16, -1, NULL, &loaded), KJIT_OK);
    assert_int_equal(loaded.array.shape[0], 4);
    memory_free(loaded.block);
    assert_int_equal(raw_load(path_of("r.bin"), KJIT_DTYPE_INT16, 2, shape, &loaded), KJIT_OK);
    memory_free(loaded.block);
    assert_int_equal(raw_load(path_of("r.bin"), KJIT_DTYPE_INT32, 2, shape, &loaded), KJIT_FILE);
    write_bytes("r.bin", "abcdefg", 7);
    assert_int_equal(raw_load(path_of("r.bin"), KJIT_DTYPE_INT16, -1, NULL, &loaded), KJIT_FILE);
}

static void an_unwritable_place_is_a_message(void **state)
{
    float number = 1;
    kjit_array array = kjit_host_array(&number, KJIT_DTYPE_FLOAT32, 0, NULL);

    (void)state;
    assert_int_equal(kjit_save_npy("/nowhere/at/all.npy", &array), KJIT_FILE);
    assert_non_null(strstr(kjit_error_message(), "/nowhere/at/all.npy"));
}

/* A link stays a link, a device stays a device, and memory of a device is not looked at. */
static void saving_replaces_files_only(void **state)
{
    float number = 1;
    kjit_array array = kjit_host_array(&number, KJIT_DTYPE_FLOAT32, 0, NULL);
    LoadedArray loaded;
    char link[256];
    struct stat info;

    (void)state;
    assert_int_equal(kjit_save_npy("/dev/null", &array), KJIT_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(kjit_save_npy("/dev/full", &array), KJIT_FILE);
    snprintf(link, sizeof link, "%s", path_of("link.npy"));
    write_bytes("target.npy", "old", 3);
    assert_int_equal(symlink("target.npy", link), 0);
    assert_int_equal(kjit_save_npy(link, &array), KJIT_OK);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(npy_load(path_of("target.npy"), &loaded), KJIT_OK);
    memory_free(loaded.block);
    array.flags = KJIT_ON_DEVICE;
    assert_int_equal(kjit_save_npy(link, &array), KJIT_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_survive_the_disk),
        cmocka_unit_test(strided_arrays_are_written_row_by_row),
        cmocka_unit_test(every_dtype_and_byte_order_is_read),
        cmocka_unit_test(columns_first_keeps_its_strides),
        cmocka_unit_test(damaged_headers_are_one_message),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(files_are_mapped_where_that_is_the_same),
        cmocka_unit_test(raw_files_need_whole_elements),
        cmocka_unit_test(an_unwritable_place_is_a_message),
        cmocka_unit_test(saving_replaces_files_only),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
