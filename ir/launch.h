/* What a compilation may know of the launches that its code is for, and how these are carried out.
**
** A launch shows more than the types of its arguments: how large and how aligned its arrays are,
** whether they overlap, the shape of its blocks. Passes ask for such facts one by one, and what was
** asked is kept: the code serves every launch that would have given the same answers, and no
** other. All of it is plain data that can outlive the compilation. */
#pragma once

#include "base/base.h"
#include "ir/gpu.h"

enum { LAUNCH_PARAMS = 64 }; /* facts of parameters beyond are false */
/* Limits of facts, in elements, integers and blocks. Blocks have copies of arrays
** (schedule/privatise): 64 KB of 8 bytes each; 32 KB, so that they fit into SHARED_BYTES; about as
** many elements as a block has threads. */
enum { ELEMENTS_8192 = 8192, ELEMENTS_4096 = 4096, ELEMENTS_256 = 256 };
enum { LIMIT_30_BITS = 1 << 30 };
enum { BLOCKS_4096 = 4096 };   /* enough for any GPU if one does the work of several */
enum { LONG_AXIS = 128 };      /* iterations enough for the lanes of a warp */
enum { SHORT_AXIS = 1 << 15 }; /* so many products of bytes add up to an int32 */
enum { SLIM_AXIS = 1 << 10 };  /* elements of a row that shared memory has room for, many times */
enum { NARROW_THREADS = 1 << 30, NARROW_SLACK = 1 << 16 };

/* The facts that are sets of parameters, and launch_...() that asks for each. */
/* clang-format off */
#define LAUNCH_SETS(FACT)                                                                          \
    FACT(alone, alone)                        /* an array that has no byte in common with another  \
                                                 argument's */                                     \
    FACT(aligned, aligned)                    /* an array whose first element and rows (columns,   \
                                                 layout F) begin at 16's */                        \
    FACT(elements_to_8192, elements_to_8192)  /* an array of 1 to 8192 elements */                 \
    FACT(elements_to_4096, elements_to_4096)  /* an array of 1 to 4096 elements */                 \
    FACT(elements_to_256, elements_to_256)    /* an array of 1 to 256 elements */                  \
    FACT(scalars_30_bits, scalar_30_bits)     /* an integer of less than LIMIT_30_BITS, either     \
                                                 sign */                                           \
    FACT(positive_scalars, positive_scalar)   /* an integer scalar of 1 or more */                 \
    FACT(multiples_4, multiple_4)             /* an integer scalar that is a multiple of 4 */      \
    FACT(multiples_16, multiple_16)                                                                \
    FACT(axes_to_32768, axes_to_32768)        /* an array of bytes none of whose axes is longer    \
                                                 than SHORT_AXIS, an integer scalar that is not    \
                                                 greater */                                        \
    FACT(rows_to_1024, rows_to_1024)          /* an array of several axes whose last has at most   \
                                                 SLIM_AXIS elements, an integer scalar that is not \
                                                 greater */                                        \
    FACT(width_2, width_2)                    /* an array of several axes whose last has just 2    \
                                                 elements; 3; ... */                               \
    FACT(width_3, width_3)                                                                         \
    FACT(width_4, width_4)                                                                         \
    FACT(width_6, width_6)                                                                         \
    FACT(short_rows, short_row)               /* an array whose rows, without gaps, are 2 or 4     \
                                                 elements of 2, 4 or 8 bytes, and which begins at  \
                                                 a multiple of 16 */                               \
    FACT(axes_from_128, axes_from_128)        /* an array none of whose axes is shorter than       \
                                                 LONG_AXIS, or of three axes and more that of      \
                                                 neighbours in memory alone; an integer scalar     \
                                                 that is not less */                               \
    FACT(alike, alike)                        /* an array that has the extents of the first        \
                                                 argument of as many axes, which is another; of    \
                                                 two axes or more */
/* clang-format on */

enum {
#define FACT(name, asks) LAUNCH_SET_##name,
    LAUNCH_SETS(FACT)
#undef FACT
        LAUNCH_SET_COUNT
};

extern const char *const launch_set_names[LAUNCH_SET_COUNT];

/* The answers. Bit p of a set speaks of parameter p. */
typedef struct IrFacts {
    /* No array spans 2^31 elements or more, whatever of the grid's threads along an axis is added
    ** to its extents or to the elements it spans: that sum is at most 2^31 - 1, and there are at
    ** most NARROW_THREADS along an axis. Both with room to spare: what a pass adds to either, by
    ** rounding up to whole blocks or looking some elements ahead, up to NARROW_SLACK, fits too. */
    bool narrow;
    bool blocks_from_4096;
    bool parts; /* others do some of its blocks, in other memory: none does another's work */
    union {
        struct {
#define FACT(name, asks) uint64_t name;
            LAUNCH_SETS(FACT)
#undef FACT
        };
        uint64_t sets[LAUNCH_SET_COUNT];
    };
    uint32_t block[3]; /* threads of a block along each axis; 0: not known */
    /* Of a launch like many before it, what all of them have: for each parameter in turn the
    ** extents of an array, or a bool, an integer, or the bits of a float64 that is a float's value.
    ** NULL: they differ. */
    const int64_t *values;
    int value_count;
    /* GRID_ bits, of the grid asked for and of one with a thread for each element of the largest
    ** array, its last axis along x: they say what pays, not what is right */
    unsigned grid_size, array_size;
} IrFacts;

/* What is known of a grid's size, a bit each: which of the thresholds below it reaches. */
enum {
    GRID_X_64 = 1 << 0, /* 64 (GRID_ALONG) threads or more along the axis: launch_along_64() */
    GRID_Y_64 = 1 << 1,
    GRID_Z_64 = 1 << 2,
    GRID_COARSENS_4 = 1 << 3,  /* GRID_THREADS_4 or more: all processors of a GPU keep a few blocks
                                  to do if each thread does the work of four; */
    GRID_COARSENS_64 = 1 << 4, /* of sixty-four, GRID_THREADS_64 or more */
    GRID_TILES = 1 << 5, /* for the processor: so many along x that long tiles are enough for it */
    GRID_BROAD = 1 << 6, /* along each axis of GRID_ALONG threads or more GRID_TILE or more */
    GRID_BELOW_8192 = 1 << 7,  /* fewer threads than 8192, and more than none */
    GRID_COARSENS_16 = 1 << 8, /* as GRID_COARSENS_64, of sixteen */
    GRID_X_32 = 1 << 9, /* 32 (GRID_CHANNELS) threads or more along the axis: launch_along_32() */
    GRID_Y_32 = 1 << 10,
    GRID_Z_32 = 1 << 11,
    GRID_BELOW_1024 = 1 << 12, /* fewer threads than 1024, and more than none */
    GRID_COARSENS_8 = 1 << 13, /* as GRID_COARSENS_64, of eight */
    GRID_TO_256 = 1 << 14,     /* 256 threads at most, about one for each multiprocessor, and more
                                  than none */
    GRID_TALL = 1 << 15,       /* more threads along y or z than blocks may be */
    GRID_FROM_32768 = 1 << 16, /* 32768 threads or more: a multiprocessor has many warps */
    /* of a large grid, without the bits of small ones: GRID_X_64 to GRID_BROAD, and more */
    GRID_ALL = 127 | GRID_COARSENS_8 | GRID_COARSENS_16 | GRID_X_32 | GRID_Y_32 | GRID_Z_32 |
               GRID_FROM_32768
};

/* In threads: along an axis, */
enum {
    GRID_ALONG = 64,
    GRID_CHANNELS = 32, /* as many channels as a block's threads go through together */
    GRID_TILE = 512,    /* for some blocks of the largest tiles */
    GRID_LONG = 2048,   /* of a long tile of the processor's, */
    GRID_SHORT = 512    /* and of one for launches of few threads that have much to do each; */
};
/* and of a whole grid: about GRID_THREADS_8 run at a time on an H200, 132 * 2048. */
enum {
    GRID_THREADS_4 = 1 << 16,
    GRID_THREADS_8 = 1 << 18,
    GRID_THREADS_16 = 1 << 20,
    GRID_THREADS_64 = 1 << 22
};

typedef struct IrLaunch {
    IrFacts facts;
    IrFacts asked; /* a bit, or block[0], is set for what a pass has asked */
    bool raised;   /* the grid counts as one of `array_size` */
} IrLaunch;

/* Each answers for the launch and notes that it was asked; false without a launch. */
bool launch_narrow(IrLaunch *launch);
bool launch_blocks_from_4096(IrLaunch *launch);
/* This is not noted: it is the same for all launches that code of a rank serves. */
bool launch_in_parts(const IrLaunch *launch);
#define FACT(name, asks) bool launch_##asks(IrLaunch *launch, int param);
LAUNCH_SETS(FACT)
#undef FACT
/* How many elements an array's last axis has, if that is one of few numbers; else 0. */
int64_t launch_width(IrLaunch *launch, int param);
/* `of` is 4 or 16. */
bool launch_multiple(IrLaunch *launch, int param, int of);
/* `bit` is one of GRID_. */
bool launch_large_grid(IrLaunch *launch, unsigned bit);
/* So many threads or more along axis 0, 1 or 2. */
bool launch_along_64(IrLaunch *launch, int axis);
bool launch_along_32(IrLaunch *launch, int axis);
/* The block's shape, if it is known. */
bool launch_block(IrLaunch *launch, uint32_t block[3]);
/* The values; NULL if they differ. */
const int64_t *launch_values(IrLaunch *launch);
/* Whether code made for `launch` is right for one with these facts. */
bool launch_serves(const IrLaunch *launch, const IrFacts *facts);

/* Whether it is right, if not the best: what was taken to hold does hold. */
bool launch_allows(const IrLaunch *launch, const IrFacts *facts);

/* Reads facts as people write them: "common", "none", "narrow,alone,block=16x16". A name stands
** for all parameters; common is all of them but the block. Returns what is wrong, or NULL. */
const char *facts_read(const char *text, IrFacts *facts);
extern const char launch_fact_names[]; /* "none, common, ...", for messages */

/* What of a launch a parameter holds that the kernel's text does not have. */
typedef enum IrHiddenKind {
    HIDDEN_THREADS, /* threads of the grid asked for, along `axis` */
    HIDDEN_BLOCKS,  /* blocks of the grid asked for */
    HIDDEN_MAP,     /* how a GPU finds boxes of an array, ir_map(): of parameter `axis` */
    HIDDEN_PART     /* of a kernel for a part of a grid: number `axis` of its values
                       (predict/split_part.c) */
} IrHiddenKind;

typedef struct IrHidden {
    IrHiddenKind kind;
    int axis;
    int along, rows; /* of a map: a box has so many rows, side by side along that axis of the
                        array */
} IrHidden;

enum { HIDDEN_MAX = 10, SHAPE_ARRAYS = 4 };
/* Of maps, which are a driver's CUtensorMap. */
enum {
    MAP_MOST = 2,           /* of a kernel */
    MAP_MOST_AXES = 5,      /* of an array */
    MAP_MOST_ROWS = 256,    /* of a box */
    MAP_MOST_PARAMS = 4096, /* that a kernel which is read may have in front of one */
    MAP_BYTES = 128         /* of a map itself */
};

/* A number that a launch shows: what is counted, and `plus`, divided by `over`, rounded down. */
typedef struct ShapeCount {
    bool any;
    int param, axis; /* the extent of array `param` along `axis`, or that scalar where axis is
                        negative; where param is, the blocks asked for along it, or none */
    int64_t plus, over;
} ShapeCount;

/* How a launch is carried out: which grid and block stand for those asked for. All zero: these
** themselves. Axis k of what is launched stands for axis `axis[k]` of what was asked. */
typedef struct IrShape {
    bool changed;
    bool free;  /* the code asks for neither block nor grid, only for a thread's index among all */
    bool whole; /* for the processor: the code of one thread does the work of its block */
    uint8_t axis[3];
    /* if free: blocks of block[k] threads, each of which stands for tile[k] neighbours along k (in
    ** whatever way the code has them share these out), and as many blocks as that takes */
    uint32_t block[3], tile[3];
    uint32_t team;  /* if free: so many threads of a block do together what one of those asked for
                      does, along what is launched first; 0: one */
    uint32_t least; /* blocks along what is launched first, at least: more do no harm */
    uint32_t share; /* if free: so many blocks along what is launched first do together what one
                       would; 0: one */
    /* if free: blocks along what is launched first that a multiprocessor gets at most, as fewer do
    ** the same; 0: it does not matter. With `iterations`, the tile is what a thread has to do at
    ** least, unless as many threads were asked for as there are iterations */
    uint32_t stay;
    uint32_t light; /* for the processor: so many blocks are done before its other threads wake */
    /* if free and `any`: any number of threads along x does the same, and as many are launched as
    ** there are iterations to share */
    ShapeCount iterations;
    /* by axis, if `any`: the grid counts as one of so many threads, rounded up to whole blocks,
    ** whatever was asked for (raise.c) */
    ShapeCount raised[3];
    /* if not: block[k] is that asked for divided by divide[k], which is known to divide it; a block
    ** stands for merge[k] blocks */
    uint32_t divide[3], merge[3];
    /* dynamic shared memory in front of the launch's own: copies of arrays, one behind the other,
    ** each of so many bytes for each element of a parameter; as many copies as have room */
    struct {
        int param;
        uint32_t bytes,
            room; /* room: bytes that a thread of the block brings, COPIES_ROOM in all */
    } shared[SHAPE_ARRAYS];
    int shared_count;
} IrShape;

enum { COPIES_MOST = 32, COPIES_ROOM = SHARED_BYTES, COPIES_ALIGN = 16 };

/* Of a free shape: how many of the threads asked for a block of what is launched stands for, along
** its axis k. */
uint64_t launch_together(const IrShape *shape, int k);
/* The axis asked for that axis k of what is launched stands for. */
int launch_axis(const IrShape *shape, int k);

/* The bytes of all of them, with what follows aligned. */
uint64_t launch_shared(const IrShape *shape, int i, uint64_t elements, uint64_t threads);
