/* Machine code that is wrong though the PTX was right.
**
** ptxas 13.0 makes one instruction, VIMNMX.RELU with a predicate, of a maximum of 0 and a minimum
** that is compared for equality with one of what the minimum was taken of, and takes the predicate
** the wrong way round. codegen/emit/equal.c keeps to what it does not make that of; here its work
** is looked through, since what it sees is what a compiler left of the text. Of the generations of
** GPUs some have the instruction, and all of those have the same code for it. */
#include "runtime/cuda/nvrtc.h"

#include <elf.h>
#include <string.h>

/* An instruction is 16 bytes, little-endian. */
enum { INSTRUCTION = 16 };

/* The low nine bits of the first half tell VIMNMX, the next three where the second operand is: a
** register, a number, or a uniform register. In the second half bit 12 is .RELU, and from bit 17 on
** there are two predicates of three bits that are set; 7 is none. */
static bool is_relu_with_predicate(const unsigned char *code)
{
    uint64_t low, high;

    memcpy(&low, code, sizeof low);
    memcpy(&high, code + sizeof low, sizeof high);
    return (low & 0x1ff) == 0x048 && (low >> 9 & 7) != 0 && (high >> 12 & 1) != 0 &&
           (high >> 17 & 0x3f) != 0x3f;
}

static bool section_has(const char *image, size_t length, const Elf64_Shdr *section)
{
    if (section->sh_type != SHT_PROGBITS || !(section->sh_flags & SHF_EXECINSTR) ||
        section->sh_offset > length || section->sh_size > length - section->sh_offset)
        return false;
    const unsigned char *code = (const unsigned char *)image + section->sh_offset;
    for (uint64_t i = 0; i + INSTRUCTION <= section->sh_size; i += INSTRUCTION)
        if (is_relu_with_predicate(code + i))
            return true;
    return false;
}

bool cubin_mistakes_clamps(const char *image, size_t length, int arch)
{
    Elf64_Ehdr head;
    Elf64_Shdr section;

    if (arch < 90 || arch >= 110 || length < sizeof head)
        return false;
    memcpy(&head, image, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof section)
        return false;
    for (uint64_t i = 0; i < head.e_shnum; i++) {
        uint64_t at = head.e_shoff + i * sizeof section;
        if (at > length || length - at < sizeof section)
            return false;
        memcpy(&section, image + at, sizeof section);
        if (section_has(image, length, &section))
            return true;
    }
    return false;
}
