/* What CUDA fixes for all GPUs: CUDA C++ Programming Guide, "Technical Specifications per Compute
** Capability", and its chapters on accesses of memory. What differs from one GPU to another is in
** schedule/machines.def. */
#pragma once

enum {
    WARP_LANES = 32,
    BLOCK_THREADS = 1024,   /* that a block may have, */
    BLOCK_DEEP = 64,        /* and along its axis z */
    BLOCKS_HIGH = 65535,    /* that a grid may have along y and z */
    WIDE_BYTES = 16,        /* that a lane loads or stores at once, at most */
    SECTOR_BYTES = 32,      /* of global memory, which come together */
    BANKS = 32,             /* of shared memory: lanes that ask one for different words wait, */
    BANK_BYTES = 4,         /* of a word */
    SHARED_BYTES = 48 << 10 /* of shared memory that a block gets without asking for more */
};
