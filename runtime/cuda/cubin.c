/* Detects a miscompilation by ptxas.
**
** ptxas 13.0 combines max(min(a, b), 0), if the minimum is compared for equality with a or b,
** into one instruction, VIMNMX.RELU with a predicate, which it inverts by mistake.
** codegen/emit/cuda/equal.c avoids that pattern, but optimisation may produce it, so the machine
** code is scanned. Only some generations of GPUs have the instruction, all with the same
** encoding. */
#include "runtime/cuda/nvrtc.h"

#include <elf.h>

/* An instruction is 16 bytes, little-endian. */
enum { INSTRUCTION = 16 };

/* The low nine bits of the first half are VIMNMX's opcode, the next three the kind of the second
** operand: register, immediate, or uniform register. In the second half bit 12 is .RELU, and from
** bit 17 on there are two destination predicates of three bits; 7 is none. */
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
