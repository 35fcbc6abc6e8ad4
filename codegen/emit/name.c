/* Names: the user's own where C allows them, with an underscore behind where it does not,
** and behind a k where the compiler has macros of such names. */
#include "codegen/emit/emit.h"

/* Words of C, C++ and CUDA, and macros that their compilers define, which no variable may have. */
static const char reserved[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
    " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
    " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
    " else enum explicit export extern false float for friend goto if inline int long"
    " mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected"
    " public register reinterpret_cast requires restrict return short signed sizeof static"
    " static_assert static_cast struct switch template this thread_local throw true try"
    " typedef typeid typename typeof union unsigned using virtual void volatile wchar_t"
    " while xor xor_eq linux unix i386 NULL INFINITY NAN NDEBUG EOF errno stdin stdout"
    " stderr I complex imaginary assert offsetof va_list size_t ptrdiff_t int8_t int16_t"
    " int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t INT_MAX INT_MIN"
    " LONG_MAX LONG_MIN UINT_MAX CHAR_BIT DBL_MAX DBL_MIN FLT_MAX FLT_MIN DBL_EPSILON"
    " FLT_EPSILON RAND_MAX BUFSIZ HUGE_VAL HUGE_VALF signgam main threadIdx blockIdx"
    " blockDim gridDim warpSize dim3 uint3 int2 int3 int4 uint2 uint4 float2 float3 float4"
    " double2 double3 double4 char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short2"
    " short3 short4 ushort2 ushort3 ushort4 long2 long4 longlong2 longlong4 ulonglong2"
    " cudaStream_t cudaError_t cudaRoundNearest cudaRoundZero cudaRoundPosInf cudaRoundMinInf"
    " NV_IF_TARGET NV_IF_ELSE_TARGET NV_DISPATCH_TARGET std clock clock64"
    " printf malloc free memcpy memset abort exit"
    " calloc realloc trap kjit_entry kjit_check_thread kjit_stored CheckAxis KjitCheckOps"
    " launch params KjitHostLaunch KjitHostWork dynamic_shared"
    " BIG_ENDIAN BYTE_ORDER EXIT_FAILURE EXIT_SUCCESS FD_SETSIZE FILENAME_MAX FOPEN_MAX"
    " FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VALL"
    " L_ctermid L_tmpnam LITTLE_ENDIAN M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E"
    " M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 MATH_ERREXCEPT math_errhandling"
    " MATH_ERRNO MB_CUR_MAX NFDBITS P_tmpdir PDP_ENDIAN SEEK_CUR SEEK_END SEEK_SET TMP_MAX"
    " WCONTINUED WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED ";

/* Functions that the emitted text calls; each also with f and l behind. */
static const char called[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2"
    " expm1 fabs floor fma fmax fmin fmod frexp hypot isfinite isinf isnan ldexp lgamma"
    " log log10 log1p log2 nextafter pow remainder rint sin sinh sqrt tan tanh tgamma"
    " trunc ";

/* Other functions of C and CUDA, likewise: a variable may hide them, a function may not. */
static const char functions[] =
    " abs acospi all any asinpi barrier brkpt close cospi cyl_bessel_i0 cyl_bessel_i1 div"
    " double2int double2ll double2uint double2ull drem erfcinv erfcx erfinv exp10 fdim"
    " fdivide fminimum gamma gcd ilogb index isnormal"
    " j0 j1 jn kill labs lerp link llabs llmax llmin llrint llround logb lrint lround max"
    " min modf mul24 mulhi nan nearbyint norm norm3d norm4d normcdf normcdfinv open pause"
    " pipe powi rand random rcbrt read remquo rhypot rnorm rnorm3d rnorm4d rotate round"
    " rsqrt saturate scalbln scalbn select signal signbit sincos sincospi sinpi sleep time"
    " ullmax ullmin umax umin write y0 y1 yn ";

/* What else the headers of the emitted C declare, likewise. tests/cli/names.sh compares with
** them. */
static const char library[] =
    " a64l aligned_alloc alloca arc4random arc4random_buf arc4random_uniform at_quick_exit"
    " atexit atof atoi atol bcmp bcopy be16toh be32toh be64toh bsearch bzero clearenv"
    " clearerr ctermid dprintf drand48 drand48_r ecvt ecvt_r erand48 erand48_r"
    " explicit_bzero fclose fcvt fcvt_r FD_CLR FD_ISSET fd_mask FD_SET fd_set FD_ZERO"
    " fdopen feof ferror fflush ffsl fgetc fgetpos fgets FILE fileno finite flockfile"
    " fmemopen fopen fpclassify fprintf fputc fputs fread freopen fscanf fseek fseeko"
    " fsetpos ftell ftello ftrylockfile funlockfile fwrite gcvt getc getchar getdelim"
    " getenv getline getloadavg getsubopt getw htobe16 htobe32 htobe64 htole16 htole32"
    " htole64 initstate initstate_r isgreater isgreaterequal isless islessequal"
    " islessgreater isunordered jrand48 jrand48_r l64a lcong48 lcong48_r ldiv le16toh"
    " le32toh le64toh lgamma_r lgammaf_r lgammal_r lldiv lrand48 lrand48_r mblen mbstowcs"
    " mbtowc memccpy memchr memcmp memmove mkdtemp mkstemp mkstemps mktemp mrand48"
    " mrand48_r nexttoward nrand48 nrand48_r on_exit open_memstream pclose perror popen"
    " posix_memalign pselect putc putchar putenv puts putw qecvt qecvt_r qfcvt qfcvt_r"
    " qgcvt qsort quick_exit rand_r random_r reallocarray realpath remove rename renameat"
    " rewind rindex rpmatch scalb scanf seed48 seed48_r setbuf setbuffer setenv setlinebuf"
    " setstate setstate_r setvbuf significand snprintf sprintf srand srand48 srand48_r"
    " srandom srandom_r sscanf stpcpy stpncpy strcasecmp strcasecmp_l strcat strchr strcmp"
    " strcoll strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r strlen"
    " strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen strpbrk strrchr"
    " strsep strsignal strspn strstr strtod strtof strtok strtok_r strtol strtold strtoq"
    " strtoul strtouq strxfrm strxfrm_l system tempnam tmpfile tmpnam tmpnam_r u_char"
    " u_int u_long u_short uint ulong ungetc unsetenv ushort va_arg va_copy va_end"
    " va_start valloc vdprintf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf"
    " wcstombs wctomb WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG"
    " WTERMSIG ";

enum { WORD_MOST = 32 }; /* characters of a word in a list, or more than any has */

/* Whether `name` is one of the words of a list with blanks around each, which are searched for with
** it: letters alone would be met in many words. */
static bool listed(const char *name, const char *words)
{
    size_t length = strlen(name);
    char word[WORD_MOST + 3] = " ";

    if (length > WORD_MOST)
        return false;
    memcpy(word + 1, name, length);
    word[length + 1] = ' ';
    return strstr(words, word) != NULL;
}

/* Whether `name` is one of `words`, with an f or l behind or without. */
static bool listed_function(const char *name, const char *words)
{
    size_t length = strlen(name);
    char stem[32];

    if (listed(name, words))
        return true;
    if (length < 2 || length >= sizeof stem || !strchr("fl", name[length - 1]))
        return false;
    memcpy(stem, name, length - 1);
    stem[length - 1] = '\0';
    return listed(stem, words);
}

/* Whether `name` begins like names that belong to the compiler. */
static bool is_compilers(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* Whether `name` begins like names that belong to what the emitter makes. */
static bool is_family(const char *name)
{
    static const char *const families[] = { "array_",    "tuple_",   "make_", "view_",
                                            "atomic",    "item_of_", "ASK_",  "AT_",
                                            "WAIT_FOR_", "omp_",     "CHECK_" };

    if (!strchr(name, '_') && *name != 'a') /* as most names are */
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(families); i++)
        if (!strncmp(name, families[i], strlen(families[i])))
            return true;
    return false;
}

/* Whether headers declare `name` as a function or, as POSIX may whatever ends in _t, as a type. */
static bool is_declared(const char *name)
{
    size_t length = strlen(name);

    return listed_function(name, functions) || listed_function(name, library) ||
           (length > 2 && !strcmp(name + length - 2, "_t")) ||
           (length > 9 && !strcmp(name + length - 9, "_unlocked"));
}

static bool is_reserved(Emitter *e, const NameSet *set, const char *name)
{
    return listed(name, reserved) || listed_function(name, called) || is_family(name) ||
           type_vector_by_name(name) || (set == &e->globals && is_declared(name)) ||
           prelude_defines(e, name);
}

bool name_taken(const NameSet *set, const char *name)
{
    return table_get(&set->taken, name) != NULL;
}

static void take(Emitter *e, NameSet *set, const char *name, uintptr_t next)
{
    set->taken.arena = e->arena;
    table_put(&set->taken, name, (void *)next);
}

/* Latin letters for accented ones and for Greek, which kernels are fond of. */
static const char *letter_for(uint32_t code)
{
    static const char *const greek[] = { "alpha",   "beta", "gamma", "delta", "epsilon",
                                         "zeta",    "eta",  "theta", "iota",  "kappa",
                                         "lambda",  "mu",   "nu",    "xi",    "omicron",
                                         "pi",      "rho",  "sigma", "sigma", "tau",
                                         "upsilon", "phi",  "chi",   "psi",   "omega" };
    static const char latin[] = "AAAAAAACEEEEIIIIDNOOOOO_OUUUUYTsaaaaaaaceeeeiiiidnooooo_ouuuuyty";

    if (code >= 0x3b1 && code <= 0x3c9)
        return greek[code - 0x3b1];
    if (code >= 0x391 && code <= 0x3a9)
        return greek[code - 0x391];
    if (code >= 0xc0 && code <= 0xff)
        return &latin[code - 0xc0];
    return NULL;
}

/* Puts Latin letters for one character beyond ASCII, or its number. */
static void put_letters(Buf *out, uint32_t code)
{
    const char *letters = letter_for(code);

    if (!letters)
        buf_printf(out, "u%04x", (unsigned)code);
    else if (code <= 0xff)
        buf_putc(out, *letters);
    else
        buf_puts(out, letters);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* `name` with ASCII letters, digits and underscores alone. */
static const char *ascii_name(Emitter *e, const char *name)
{
    const char *end = name + strlen(name), *plain = name;

    while (is_word(*plain))
        plain++;
    if (plain == end && end > name && !is_digit(*name))
        return name;
    Buf out = buf_in(e->arena);
    if (is_digit(*name))
        buf_putc(&out, '_');
    for (const char *p = name; p < end;) {
        size_t length = utf8_length(p, end);
        if (length > 1)
            put_letters(&out, utf8_decode(p, length));
        else
            buf_putc(&out, is_word(*p) ? *p : '_');
        p += length ? length : 1;
    }
    return out.length ? buf_text(&out) : "_";
}

const char *name_unique(Emitter *e, NameSet *set, const char *name)
{
    const char *base = ascii_name(e, name), *unique;

    if (is_compilers(base))
        base = arena_printf(e->arena, "k%s", base);
    if (!name_taken(set, base) && is_reserved(e, set, base))
        base = arena_printf(e->arena, "%s_", base);
    unique = base;
    uintptr_t next = (uintptr_t)table_get(&set->taken, base);
    for (next = next ? next : 2; name_taken(set, unique) || name_taken(&e->globals, unique); next++)
        unique = arena_printf(e->arena, "%s_%d", base, (int)next);
    take(e, set, unique, 2);
    take(e, set, base, next);
    return unique;
}

const char *local_name(Emitter *e, const char *name)
{
    return name_unique(e, &e->locals, name);
}
