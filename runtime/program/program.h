/* Programs: the host's part of a file, run as Python runs it.
**
** A file is a program if its module level does something: calls, prints, loops, launches. It is
** then interpreted over the syntax tree, from the first line to the last, with Python's dynamic
** semantics; kernels that it calls are compiled as ever.
**
** Values. A HostValue is a word with its kind: None, bool, an int of 64 bits (beyond that it is
** an OverflowError), a float, a NumPy scalar, a dtype, a module, a function that is built in; or
** it points to an object: str, tuple, list, range, slice, array, function, kernel, and what the
** host side of numba has. What an array is made of, what is read from files and what random
** numbers are comes from runtime/values/ and runtime/array/, which is the library of this
** evaluator.
**
** Memory. Objects are found by marking and sweeping (heap.c), and only where a statement begins.
** What an expression has got hold of by then is kept by a stack of temporaries, to which every
** object is added that an expression comes to; a statement takes its part of the stack away when
** it is done. So a function that is called here never has to count references.
**
** Names. The module's names lie in one environment, those of a call in one of its own, which a
** closure keeps (env.c). Which names of a function are local is decided by its text, as in
** Python.
**
** Errors. What fails returns false after host_raise(), which notes the place; each call that is
** left by it adds its own. At last they make Python's traceback (raise.c). Memory that is not
** there leaves by the arena's catch, like in all of the compiler.
**
** What there is: names of modules are paths, "math.sqrt", that a table lists (module.c, and the
** tables at the end of the files with the functions). docs/programs.md is the manual. */
#pragma once

#include "runtime/program/model/python.h"

/* The end of a message about what Python has and programs have not. */
#define HOST_BY_PYTHON "; or run the script by Python: python -m kjit FILE"

/* ---- heap.c --------------------------------------------------------------------------------- */

/* A new object, which is a temporary; never NULL. */
void *host_new(Program *p, HostKind kind, size_t bytes);
/* Keeps a value until the statement is done. */
void host_keep(Program *p, HostValue value);
/* Where a statement begins: sweeps if there is enough to sweep. */
void host_sweep(Program *p);
/* Frees at once what nothing holds. */
void host_sweep_all(Program *p);
/* Keeps a module that was loaded for the program until its end. */
void host_module(Program *p, kjit_module *module);
/* Frees every object, and closes the modules. */
void host_free_all(Program *p);

/* `text` may be NULL for zeros. */
HostValue host_string(Program *p, const char *text, size_t length);
HostValue host_text(Program *p, const char *text);
/* The text of a name, or what stands in the source: see HostObject.constant. */
HostValue host_name(Program *p, const char *name);
HostValue host_constant(HostValue value);
/* What was put into a Buf of p->scratch. */
HostValue host_buf(Program *p, const Buf *buf);
/* A tuple or list, of copies of the items. */
HostValue host_items(Program *p, HostKind kind, const HostValue *items, size_t count);
/* An empty one, with room for so many. */
HostValue host_room(Program *p, HostKind kind, size_t count);
void host_append(Program *p, HostList *list, HostValue value);

/* ---- env.c ---------------------------------------------------------------------------------- */

/* An environment without names. `outer`: that around it, or NULL; `code`: whose locals it has, or
** NULL for a module. */
HostEnv *env_new(Program *p, HostEnv *outer, const HostCode *code);
/* The names of the module that an environment lies in. */
HostEnv *env_module(HostEnv *env);
/* The slot of a name in this environment alone; NULL: it has none. */
HostName *env_find(const HostEnv *env, const char *name);
void env_set(Program *p, HostEnv *env, const char *name, HostValue value);
/* What a name holds where the program is; false after a NameError. */
bool env_read(Program *p, const AstExpr *expr, HostValue *out);
/* Assigns a name where the program is. */
void env_write(Program *p, const char *name, HostValue value);
/* Assigns to a target: a name, an element, several. */
bool host_assign(Program *p, const AstExpr *target, HostValue value);
/* Unbinds a name. */
bool env_delete(Program *p, const AstExpr *expr);
/* Whether a text may bind a name at all. */
bool env_binds(const AstBody *body, const char *name);
/* Whether one place alone binds it, by whatever statement. */
bool env_bound_once(const AstBody *body, const char *name);
const HostCode *code_of(Program *p, const AstFunction *ast);

/* ---- raise.c -------------------------------------------------------------------------------- */

/* Notes an exception at a place; false. */
bool host_raise(Program *p, Span span, const char *class_, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same without a place: the call that is left gives it. */
bool host_fail(Program *p, const char *class_, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool host_fail_exception(Program *p, HostException *exception);
bool host_raise_exception(Program *p, Span span, HostException *exception);
/* What is not there, and what to write instead. */
bool host_refuse(Program *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What a kernel has reported under debug, a message of this form:
** "file:line:column: Class: text (block ...". */
typedef struct HostFault {
    unsigned line;      /* 0: it is not known */
    int place;          /* the length of "file:line:column: " */
    const char *class_; /* NULL: it is no class of Python's */
    const char *text;   /* "": there is none */
    const char *thread; /* " (block ..." */
} HostFault;
HostFault host_fault(Program *p, const char *message);
/* A failure that a lower function left as a message. */
bool host_failed(Program *p, kjit_status status);
/* Adds the place at which the frame at hand was left by what failed, unless it has one; false. */
bool host_place(Program *p, Span span);
/* As if nothing had been raised. */
void host_forget(Program *p);
HostException *host_exception(Program *p, const char *class_, HostValue args);
/* What kjit has not and Python has, or a limit of kjit's, by the class that says it best: nothing
** catches it. */
bool host_lacks(Program *p, const char *class_, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What was raised, with its traceback, as if nothing had been raised; and raises it again. */
HostException *host_caught(Program *p);
bool host_again(Program *p, HostException *exception);
/* Whether what was raised ends the program, whatever handlers there are. */
bool host_is_final(const Program *p);
/* All of it, as Python prints it, with what it was raised for. */
void host_traceback(Program *p, Buf *out, const HostException *exception);

/* ---- python/wide.c --------------------------------------------------------------------------- */

/* Whether it is an int of Python's, however many bits it has. */
bool host_is_whole(HostValue value);
/* An operator of two ints, of which one or the result is beyond 64 bits; of one. */
bool wide_binary(Program *p, AstOp op, HostValue left, HostValue right, HostValue *out);
bool wide_unary(Program *p, AstOp op, HostValue value, HostValue *out);
/* How one stands to a real number: -1, 1, 0; 2 if that is NaN. */
int wide_order(Program *p, HostValue a, HostValue b);
uint64_t wide_hash(Program *p, HostValue value);
int64_t wide_bits(Program *p, HostValue value);
/* It as a float; false after an error: none is so large. */
bool wide_double(Program *p, HostValue value, double *number);
/* The int that a whole float beyond 64 bits is, and that a uint64 is. */
bool wide_whole(Program *p, double number, HostValue *out);
bool wide_plain(Program *p, HostValue number, HostValue *out);
/* It as a uint64, which NumPy and kernels take; false: it is none. */
bool wide_natural(HostValue value, HostValue *out);
/* What an array of a dtype stores for it; false after an error if it holds no such number. */
bool wide_as(Program *p, kjit_dtype dtype, HostValue *value);
/* Its digits, with '-' in front; and an int of digits. */
void wide_text(Program *p, Buf *out, HostValue value, uint32_t base);
bool wide_parse(Program *p, const char *digits, size_t length, uint32_t base, bool negative,
                HostValue *out);

/* ---- python/texts.c -------------------------------------------------------------------------- */

/* Whether a function, which is surely NumPy's or has the name of one, was called for texts. */
bool texts_call(Program *p, const char *name, bool numpy, HostArgs *args, HostValue *out);
bool texts_is_array(HostValue value);
/* The dtype of a text that is an element of an array. */
#define HOST_NUMPY_TEXT KJIT_DTYPE_UINT32

/* ---- exec.c --------------------------------------------------------------------------------- */

/* Executes statements; how they were left. */
HostFlow host_exec(Program *p, const AstBody *body);
/* The name whose value -D or NAME=VALUE gives where this statement of the module assigns it; NULL:
** it assigns none like that. */
const char *exec_givable(const AstStmt *stmt);
/* What a decorator makes of a function. */
bool host_decorate(Program *p, const AstExpr *decorator, HostValue *function);

/* ---- eval.c --------------------------------------------------------------------------------- */

/* The value of an expression; false after an error. */
bool host_eval(Program *p, const AstExpr *expr, HostValue *out);
/* Where an expression stands, without the brackets around it. */
Span host_span(const AstExpr *expr);
/* Whether a function of the program may be called in it. */
bool host_calls_something(const AstExpr *expr);
/* Whether the stack has room for one more evaluation. */
bool host_deep(Program *p, Span span);

/* ---- display.c ------------------------------------------------------------------------------ */

/* A list, set or dictionary comprehension; an f-string. */
bool eval_comprehension(Program *p, const AstExpr *expr, HostValue *out);
bool eval_fstring(Program *p, const AstExpr *expr, HostValue *out);

/* ---- call.c --------------------------------------------------------------------------------- */

/* Evaluates a call: the function, its arguments, the result. */
bool eval_call(Program *p, const AstExpr *expr, HostValue *out);
/* Computes what is an expression of arrays; a result without axes is a number. */
bool host_settle(Program *p, HostValue *value);
bool host_settle_all(Program *p, HostValue *values, size_t count);
/* Runs a body in a frame of its own; *out: what it returns, or yields. */
HostFlow host_run(Program *p, HostFrame *frame, const AstBody *body, HostValue *out);
/* Calls what can be called. */
bool host_call(Program *p, HostValue function, HostArgs *args, HostValue *out);
/* Puts the arguments of a call in the function's order, defaults where there is none. */
bool host_complete(Program *p, const HostFunction *function, HostArgs *args);
bool host_call_one(Program *p, HostValue function, HostValue argument, HostValue *out);
/* A function of the program, with its defaults evaluated. */
bool host_function(Program *p, const AstFunction *ast, HostValue *out);
/* The same function, interpreted. */
HostValue host_py_func(Program *p, const HostFunction *compiled);
/* The keyword of that name; NULL if it was not given. */
const HostValue *args_named(const HostArgs *args, const char *name);
/* Argument `index`, or the keyword of that name, or what it is without. */
HostValue args_get(const HostArgs *args, size_t index, const char *name, HostValue otherwise);

/* ---- generate.c ----------------------------------------------------------------------------- */

/* Generators: bodies that stop at a yield, and go on behind it.
**
** A yield leaves all statements that it stands in, by FLOW_YIELD, and each notes where it was. The
** next time each takes its note, from the outermost one inwards, and goes on there. */
HostValue generator_new(Program *p, const char *name, const AstBody *body, HostEnv *env);
/* (e for x in s) */
bool eval_generator(Program *p, const AstExpr *expr, HostValue *out);
/* Whether it has stopped where more is to run when it is left. */
static inline bool producer_waits(const HostProducer *self)
{
    return self->guarded && !self->finished;
}
/* Ends one: what it stopped in is left by a GeneratorExit. */
bool generator_end(Program *p, HostProducer *self);
/* Executes a yield; where it goes on, *out is what it is worth. */
HostFlow generator_yield(Program *p, const AstExpr *expr, HostValue *out);
/* Whether the statement at hand goes on, and where. */
bool generator_resumes(Program *p, HostPoint *point);
/* Notes where it is to go on, if it is left by a yield. */
HostFlow generator_leaves(Program *p, HostFlow left, HostPoint point);

/* ---- iterate.c ------------------------------------------------------------------------------ */

/* Whether iter(value) gives something. */
bool host_is_iterable(HostValue value);
/* False after a TypeError. */
bool host_iterate(Program *p, HostValue value, HostIterator *it);
/* False where there are no more items, or after an error. */
bool host_next(Program *p, HostIterator *it, HostValue *out);
/* All of it as a new list or tuple. */
bool host_collect(Program *p, HostKind kind, HostValue value, HostValue *out);

/* An iterator of that class, whose items `next` gives. */
HostProducer *host_producer(Program *p, const char *class_, HostProduce *next);

/* ---- sequence.c ----------------------------------------------------------------------------- */

/* len(value); value[index], which is read, set or deleted; `item in in`. False after an error. */
bool host_length(Program *p, HostValue value, int64_t *length);
bool host_index(Program *p, HostValue object, HostValue index, HostValue *out);
bool host_set_index(Program *p, HostValue object, HostValue index, HostValue value);
bool host_delete_index(Program *p, HostValue object, HostValue index);
bool host_contains(Program *p, HostValue item, HostValue in, bool *found);
/* Stable, by what `key` makes of the items, which may be None. */
bool host_sort(Program *p, HostList *list, HostValue key, bool reverse);

/* ---- number.c ------------------------------------------------------------------------------- */

/* a op b; false after an error. */
bool host_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* The same for a += b, which changes a list in place. */
bool host_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_unary(Program *p, AstOp op, HostValue a, HostValue *out);
/* What NumPy calls an operator: "floor_divide". */
const char *ufunc_name(AstOp op);
bool host_is_number(HostValue value);
/* An int, bool or NumPy integer; false after a TypeError. */
bool host_integer(Program *p, HostValue value, int64_t *integer);
bool host_is_integer(HostValue value);
/* The dtype of a number, as NumPy has it; NONE of what is none. */
kjit_dtype host_dtype_of(HostValue value);
/* Whether a dtype has a Python int; true of other numbers. */
bool dtype_holds(kjit_dtype dtype, HostValue value);
/* The same; false after an error, as for a float that is none of its integers. */
bool host_fits(Program *p, HostValue value, kjit_dtype dtype);
/* A NaN of its own: `x in [x]` compares identities. */
HostValue host_nan(Program *p);
/* Any number as a double; false after a TypeError. */
bool host_double(Program *p, HostValue value, double *number);
double host_as_double(HostValue value);
/* A float that is whole as an int; false after an error. */
bool host_whole(Program *p, double number, HostValue *out);
/* A number as a scalar of kjit's, and back. */
kjit_arg host_scalar(HostValue value);
HostValue host_number(kjit_dtype dtype, const kjit_arg *scalar);
/* "int", "list", "numpy.float32" */
const char *host_type_name(Program *p, HostValue value);

/* ---- complex/complex.c ----------------------------------------------------------------------- */

typedef struct Complex {
    double real, imaginary;
} Complex;

/* A complex number of Python's. */
HostValue host_complex(double real, double imaginary);
/* Of Python or of NumPy. */
bool host_is_complex(HostValue value);
Complex host_parts(HostValue number);
/* The dtype of a complex dtype's parts; of others, itself. */
kjit_dtype dtype_part(kjit_dtype dtype);
bool complex_python(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
Complex complex_numpy(AstOp op, kjit_dtype dtype, Complex a, Complex b);
/* number.real and number.imag */
bool complex_attribute(HostValue number, const char *name, HostValue *out);
/* (1+2j) */
void complex_text(Buf *out, HostValue number);
/* By the format of its parts; brackets stand around what has no type. */
bool complex_format(Program *p, HostValue number, char sign, const char *spec, bool untyped,
                    Buf *out);

/* ---- compare.c ------------------------------------------------------------------------------ */

/* a op b, a comparison, which of arrays is an array; false after an error. */
bool host_compare(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* As lists compare their items, and look for one. */
bool host_same_or_equal(Program *p, HostValue a, HostValue b, bool *equal);
bool host_less(Program *p, HostValue a, HostValue b, bool *less);
bool host_truth(Program *p, HostValue value, bool *truth);
/* The same of a number. */
bool host_truth_of(HostValue number);

/* ---- convert.c ------------------------------------------------------------------------------ */

/* Whether a value is a class: int, np.ndarray, np.integer, ValueError. */
bool host_is_type(HostValue value);
/* isinstance(value, type) */
bool host_is_instance(Program *p, HostValue value, HostValue type, bool *is);

/* ---- text.c --------------------------------------------------------------------------------- */

/* Appends repr(value). A method that fails leaves p->failed. */
void host_repr(Program *p, Buf *out, HostValue value);
/* False: the object is one that the repr() at hand is inside of. After true, the one who entered
** sets p->shown to shown->outer when the object is shown. */
bool repr_enter(Program *p, HostShown *shown, const void *object);
/* The same, with characters beyond ASCII escaped. */
void host_ascii(Program *p, Buf *out, HostValue value);
void host_str(Program *p, Buf *out, HostValue value);
/* What !s, !r or !a makes of a value. */
HostValue host_converted(Program *p, HostValue value, char conversion);
/* A float of a dtype as NumPy writes it by itself. */
void numpy_float(Buf *out, kjit_dtype dtype, double number);
/* What becomes of a number in a float dtype. */
double numpy_rounded(kjit_dtype dtype, double number);
/* The double whose shortest text is the shortest of `number` in its dtype. */
double numpy_shortest(kjit_dtype dtype, double number);

/* ---- format.c ------------------------------------------------------------------------------- */

/* format(value, spec) */
bool host_format(Program *p, HostValue value, const char *spec, size_t length, Buf *out);
/* text % values */
bool host_percent(Program *p, const HostString *text, HostValue values, HostValue *out);
/* text.format(...) */
bool string_format(Program *p, HostArgs *args, HostValue *out);

/* ---- module.c ------------------------------------------------------------------------------- */

/* Whether names of a module lie in that path; and the path under which kjit has it: "numpy.random"
** is "np.random", "numba.cuda" is "cuda". */
bool module_is_space(const char *path);
const char *module_canonical(Arena *arena, const char *path);
bool eval_attribute(Program *p, HostValue object, const AstExpr *expr, HostValue *out);
/* What is built in under a bare name: len, print, ValueError. */
bool module_builtin(Program *p, const char *name, HostValue *out);
/* Adds the functions that values may call without a module in front; the new count. */
size_t value_names(const char **names, size_t count, size_t most);
/* What was meant by the last name of a path that stands for nothing: " (did you mean
** 'zeros'?)". */
const char *module_near(Program *p, const char *path);
/* What a path stands for, "math.pi". */
bool module_path(Program *p, const char *path, HostValue *out);
/* A method that is built in, or in _methods.k, of a type by its name, for an object. */
bool module_method(Program *p, const char *type, HostValue object, const char *name,
                   HostValue *out);

/* Tables of functions: each ends with a row without a name. */
extern const HostBuiltin python_functions[], dict_functions[], collection_functions[],
    math_functions[], complex_functions[], cmath_functions[], type_functions[], list_methods[],
    string_methods[], device_functions[], compiled_functions[], iterator_functions[],
    operator_functions[], partial_functions[], class_functions[], method_functions[],
    text_array_functions[], object_functions[], data_functions[], digest_functions[],
    enum_functions[], namedtuple_functions[], numba_type_functions[], exception_functions[],
    set_functions[], hash_functions[], reflect_functions[], file_functions[];

/* ---- imported.c ----------------------------------------------------------------------------- */

/* Executes an import statement. */
bool host_import(Program *p, const AstStmt *stmt);
/* What a module's names hold before its first statement: __name__, __doc__, __file__. */
void imported_names(Program *p, HostEnv *globals, const kjit_module *module, const char *name);

/* What it calls a name; false if it has none such. */
bool imported_name(Program *p, const HostFile *file, const char *name, HostValue *out);
/* What a name is in the modules that a file has all of, by `from a import *`. */
bool imported_star_name(Program *p, const HostEnv *globals, const char *name, HostValue *out);
/* The statements of the file of the program that a text is; NULL: of none. */
const AstBody *imported_body(const Program *p, const Source *source);

/* ---- modules.c ------------------------------------------------------------------------------ */

/* Whether a path is a module that is written in the language: "heapq". */
bool modules_have(const char *path);
/* Whether a path lies in one. */
bool modules_reach(const char *path);
/* Whether one has a function or a class of that name. */
bool modules_define(const char *module, const char *name);
/* What a path in one stands for, "heapq.heappush"; false if it has none such, or after an error. */
bool modules_find(Program *p, const char *path, HostValue *out);
/* Calls what a path in one stands for. */
bool modules_call(Program *p, const char *path, HostValue *values, size_t count, HostValue *out);
/* A method that NumPy's module has for an array, a ufunc or a source of random numbers. */
bool modules_method(Program *p, HostValue self, const char *name, HostValue *out);
/* What a function of one has an attribute for: chain.from_iterable. */
bool modules_part(const HostFunction *function, const char *name, HostValue *out);
/* Whether a function is of that module. */
bool modules_have_function(const Program *p, const char *module, const HostFunction *function);

/* ---- foreign.c ------------------------------------------------------------------------------ */

/* Says once of a module that kjit has not that what only uses it is passed over. */
void foreign_note(Program *p, HostValue value, Span span);
/* Says at the import of such a module which one may be meant, if its name is near to one. */
void foreign_imported(Program *p, const char *name, Span span);
/* What a call of something in such a module gives: a stand-in, whose value cannot be asked for. */
bool foreign_call(Program *p, HostValue function, const HostArgs *args, HostValue *out);
/* What an index gives, which may be a kernel with its grid and block. */
HostValue foreign_item(Program *p, HostValue object, HostValue index);
/* Whether a statement only uses a module that kjit does not know: that is said once. */
bool host_passes_over(Program *p, const AstExpr *expr);
/* The error of asking for the value of one; false. */
bool foreign_needed(Program *p, HostValue value);

/* ---- builtin.c ------------------------------------------------------------------------------ */

/* To where print() writes. */
void host_print(Program *p, const char *text, size_t length);
/* Writes a text to what is given as a file, or, for None, to what sys.stdout or sys.stderr is. */
bool stream_put(Program *p, HostValue file, bool errors, HostValue text);
/* What sys.stdout and sys.stderr are; false: another path. */
bool stream_path(Program *p, const char *path, HostValue *out);
/* `sys.stdout = file`; false: another path, or an error. */
bool stream_set(Program *p, const char *path, HostValue file);

/* ---- run/program.c --------------------------------------------------------------------------- */

/* Where a program begins, in an arena, with the frame of its module. */
void program_start(Program *p, Arena *arena, HostFrame *frame);
/* The same of a module's program; `options` stay as long as it runs. */
kjit_status program_begin(Program *p, kjit_module *module, const kjit_program_options *options,
                          Arena *arena, HostFrame *frame);
/* Runs the statements of its level, where `__name__` is so. What is not KJIT_OK was raised if
** p->failed, else it has its message. */
kjit_status program_level(Program *p, const char *name);
/* From here on the stack is what this thread has left. */
void program_stack(Program *p);
/* Makes what was raised the message: Python's traceback; not KJIT_OK. */
kjit_status program_report(Program *p);
/* Opens a context, the processor's, where there is none; false after a complaint. */
bool program_context(Program *p);

/* ---- value/value.c -------------------------------------------------------------------------- */

/* A number as Python's where that has its dtype, else as NumPy's. */
HostValue value_of_scalar(const kjit_arg *arg);

/* What a name stands for in an expression given as text: what the launch or the values before say,
** or a constant of the module. *found: it does; false after a complaint. */
bool value_name(Program *p, const char *name, bool *found, HostValue *out);
/* The error that it stands for nothing; false. */
bool value_no_name(Program *p, const AstExpr *expr);

/* ---- value/functions.c ---------------------------------------------------------------------- */

/* Whether what is evaluated stands in an expression given as text, or at the level of its module,
** and in no function that it calls. */
bool value_is_text(const Program *p);
/* What expressions given as text have beside what programs have, by its path; NULL: none. */
const HostBuiltin *value_function(const char *path);
/* Whether a list is of the fields of a record; and the dtype that it is. */
bool value_is_fields(const AstExpr *list);
bool value_fields(Program *p, const AstExpr *list, HostValue *out);
/* Text as a time, in the unit that it shows. */
bool value_time(Program *p, HostValue text, HostValue *out);

/* ---- run/repeats.c -------------------------------------------------------------------------- */

/* Launches what was left for later, before anybody looks at what it does. */
kjit_status repeats_flush(Program *p);

/* ---- run/results.c --------------------------------------------------------------------------- */

/* A value as an argument of a kernel; false after a complaint. Its memory goes to a block of
** `values`; where that is NULL it stays the program's. */
bool host_argument(Program *p, kjit_values *values, HostValue value, kjit_arg *out);
/* Hands what the module's names hold over to `values`: the program is at its end. */
kjit_status host_results(Program *p, kjit_values *values);

/* ---- numba/device.c -------------------------------------------------------------------------- */

/* What the current device, an object of numba, has under a name; false: nothing. */
bool device_attribute(Program *p, const char *name, HostValue *out);

/* ---- array/result.c ------------------------------------------------------------------------- */

/* What NumPy makes of two dtypes. */
kjit_dtype dtype_promote(kjit_dtype a, kjit_dtype b);
bool dtype_is_integer(kjit_dtype dtype);
/* Whether it takes the dtype of what it meets: a number of Python's own, but no bool, and none that
** is a member of an enumeration. */
bool host_is_weak(HostValue value);
/* The dtype in which NumPy computes a binary operation, by NEP 50, and that of what it gives; NONE,
** if it has none for them. */
kjit_dtype dtype_operands(AstOp op, HostValue a, HostValue b, kjit_dtype *result);
