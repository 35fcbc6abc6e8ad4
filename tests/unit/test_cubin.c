/* The instruction that machine code for some GPUs must not have is found where it is, and nowhere
** else; what is no machine code, or is cut short, is no reason to read beyond it. And PTX of which
** ptxas forgets a sign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/nvrtc.h"

typedef struct Image {
    Elf64_Ehdr head;
    uint64_t code[6];
    Elf64_Shdr sections[2];
} Image;

/* A file with machine code for two instructions of no interest, and this one between them. */
static Image image_of(uint64_t low, uint64_t high)
{
    Image image = {
        .head = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 },
                  .e_shoff = offsetof(Image, sections),
                  .e_shentsize = sizeof(Elf64_Shdr),
                  .e_shnum = 2 },
        .code = { 0x0000000402057825, 0x002fc800078e0205, low, high, 0x000000000000794d,
                  0x000fea0003800000 },
    };

    image.sections[1] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
                                      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                      .sh_offset = offsetof(Image, code),
                                      .sh_size = sizeof image.code };
    return image;
}

static bool is_found(uint64_t low, uint64_t high, int arch)
{
    Image image = image_of(low, high);

    return cubin_mistakes_clamps((const char *)&image, sizeof image, arch);
}

static void each_form_is_found_and_nothing_else(void **state)
{
    (void)state;
    assert_true(is_found(0x0000000802ff7848, 0x004fd00003801100, 90));  /* RZ, P0, P0, R2, 0x8 */
    assert_true(is_found(0x0000000700077248, 0x000fc80003801100, 100)); /* R7, P0, P0, R0, R7 */
    assert_true(is_found(0x0000000602ff7c48, 0x004fd0000b801100, 103)); /* RZ, P0, P0, R2, UR6 */
    assert_true(is_found(0x0000000802007848, 0x008fc80003801300, 100)); /* .S16x2 */
    assert_true(is_found(0x0000000802ff7848, 0x004fd00003fa1100, 90));  /* one predicate is none */
    assert_false(
        is_found(0x0000000802007848, 0x004fc80003fe1100, 90)); /* R0, R2, 0x8: no predicate */
    assert_false(is_found(0x0000000802007848, 0x004fc80003800100, 90)); /* no .RELU */
    assert_false(is_found(0x000000080400780c, 0x004fc80003f01100, 90)); /* ISETP */
    assert_false(
        is_found(0x0000000802ff7848, 0x004fd00003801100, 80)); /* has no such instruction */
    assert_false(is_found(0x0000000802ff7848, 0x004fd00003801100, 120));
}

static void what_is_cut_short_is_not_read_beyond(void **state)
{
    Image image = image_of(0x0000000802ff7848, 0x004fd00003801100);

    (void)state;
    for (size_t length = 0; length < sizeof image; length++) {
        char *exact = malloc(length + !length);
        assert_non_null(exact);
        memcpy(exact, &image, length);
        assert_false(cubin_mistakes_clamps(exact, length, 90));
        free(exact);
    }
    image.sections[1].sh_offset = UINT64_MAX - 8;
    assert_false(cubin_mistakes_clamps((const char *)&image, sizeof image, 90));
    image.head.e_shoff = UINT64_MAX - 8;
    assert_false(cubin_mistakes_clamps((const char *)&image, sizeof image, 90));
    image.head.e_ident[0] = 0;
    assert_false(cubin_mistakes_clamps((const char *)&image, sizeof image, 90));
}

static bool forgets(const char *body, int arch)
{
    char ptx[512];
    bool found;

    snprintf(ptx, sizeof ptx,
             ".func f()\n{\n\t.reg .b32 \t%%r<3>;\n\tneg.s32 \t%%r2, %%r1;\n}\n"
             ".entry k()\n{\n\t.reg .b32 \t%%r<9>;\n%s\tret;\n}\n",
             body);
    assert_int_equal(ptx_forgets_signs(ptx, arch, &found), KJIT_OK);
    return found;
}

static void signs_are_forgotten_of_two_minima(void **state)
{
    static const char inner[] =
        "neg.s32 %r3, %r2;\nmin.s32 %r4, %r1, %r3;\nmin.s32 %r5, %r6, %r4;\n";

    (void)state;
    assert_true(forgets(inner, 90) && forgets(inner, 100) && forgets(inner, 103));
    assert_false(forgets(inner, 89) || forgets(inner, 120));
    assert_true(forgets("neg.s32 %r3, %r2;\nmax.s32 %r4, %r3, 7;\nmax.s32 %r5, %r4, %r6;\n", 90));
    assert_true(forgets("min.s32 %r4, %r1, %r6;\n{ sub.s32 %r3, 0, %r2; }\nmov.u32 %r7, %r3;\n"
                        "min.s32 %r5, %r4, %r7;\n",
                        90));
    /* ptxas may unroll a loop */
    assert_true(forgets("$L1:\nneg.s32 %r3, %r2;\nmin.s32 %r4, %r4, %r3;\nbra $L1;\n", 90));
    assert_true(forgets("mov.u32 %r5, %r1;\n$L1:\nneg.s32 %r3, %r2;\nmin.s32 %r4, %r5, %r3;\n"
                        "mov.b32 %r5, %r4;\nbra $L1;\n",
                        90));
    assert_false(forgets("$L1:\nmin.s32 %r4, %r5, %r3;\nmov.b32 %r5, %r4;\nbra $L1;\n", 90));
    assert_false(forgets("neg.s32 %r3, %r2;\nmin.s32 %r4, %r1, %r3;\n", 90));
    assert_false(
        forgets("neg.s32 %r3, %r2;\nmin.s32 %r4, %r1, %r3;\nmax.s32 %r5, %r6, %r4;\n", 90));
    assert_false(
        forgets("neg.s32 %r3, %r2;\nmin.u32 %r4, %r1, %r3;\nmin.u32 %r5, %r6, %r4;\n", 90));
    assert_false(forgets("min.s32 %r4, %r1, %r2;\nmin.s32 %r5, %r6, %r4;\n", 90)); /* r2 is f's */
    assert_false(forgets("neg.s32 %r3, %r2;\nadd.s32 %r3, %r2, 1;\nmin.s32 %r4, %r1, %r2;\n"
                         "min.s32 %r5, %r6, %r4;\n",
                         90));
    assert_false(
        forgets("neg.s32 %r99, %r2;\nmin.s32 %r4, %r99, %r-1;\nmin.s32 %r5, %r4, %r99;\n", 90));
    assert_false(forgets("", 90));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_is_found_and_nothing_else),
        cmocka_unit_test(what_is_cut_short_is_not_read_beyond),
        cmocka_unit_test(signs_are_forgotten_of_two_minima),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
