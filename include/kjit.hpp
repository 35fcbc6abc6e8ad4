/* SPDX-License-Identifier: BSD-2-Clause
** Copyright (c) 2026, The kjit developers
**
** kjit for C++17: kjit.h with owners, exceptions and typed arguments. Header only.
**
**     #include <kjit.hpp>
**     #include <iostream>
**     #include <vector>
**
**     int main()
**     {
**         kjit::context context;
**         kjit::kernel histogram = context.load("hist.k").kernel("histogram");
**         std::vector<float> samples(100000);
**         std::vector<int32_t> counts(150);
**
**         histogram(64, 64)(samples, -4.0f, 4.0f, counts);
**         std::cout << counts[75] << '\n';
**     }
**
** What a function does, costs and may be called from is said in kjit.h of the C function behind it.
** - Owners (context, stream, event, graph, array, prepared) give back what they hold at their end.
**   They move and do not copy. Streams, events, graphs, prepared launches and arrays go before the
**   context that they are of. get() lends the C handle.
** - Modules and kernels belong to their context and may be copied freely.
** - A call that fails throws kjit::error with kjit.h's status, and the message, diagnostics
**   included. Destructors do not throw.
** - Arguments of a launch are numbers, bool, std::complex<float or double>; std::vector,
**   std::array, std::span, C arrays and whatever else has data() and size(), of such elements, as
**   arrays with one axis; kjit::host(pointer, extents...) for more; kjit::array; std::tuple and
**   std::pair of such things; and the C structs kjit_array and kjit_arg. What is const cannot be
**   written by kernels. */
#ifndef KJIT_HPP
#define KJIT_HPP

#include <kjit.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kjit
{

/* ---- errors ---------------------------------------------------------------------------------- */

class error : public std::runtime_error
{
  public:
    error(kjit_status status, const std::string &message)
        : std::runtime_error(message), status_(status)
    {
    }
    kjit_status status() const noexcept
    {
        return status_;
    }

  private:
    kjit_status status_;
};

/* Throws unless a C function was successful. */
inline void check(kjit_status status)
{
    if (status != KJIT_OK)
        throw error(status, kjit_error_message());
}

/* ---- types of elements and of scalars -------------------------------------------------------- */

namespace detail
{

template <class T> struct always_false : std::false_type {
};

template <class T> constexpr kjit_dtype integer_dtype()
{
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1)
        return is_signed ? KJIT_DTYPE_INT8 : KJIT_DTYPE_UINT8;
    else if constexpr (sizeof(T) == 2)
        return is_signed ? KJIT_DTYPE_INT16 : KJIT_DTYPE_UINT16;
    else if constexpr (sizeof(T) == 4)
        return is_signed ? KJIT_DTYPE_INT32 : KJIT_DTYPE_UINT32;
    else
        return is_signed ? KJIT_DTYPE_INT64 : KJIT_DTYPE_UINT64;
}

template <class T> constexpr kjit_dtype dtype_or_none()
{
    if constexpr (std::is_same_v<T, bool>)
        return KJIT_DTYPE_BOOL;
    else if constexpr (std::is_integral_v<T>)
        return integer_dtype<T>();
    else if constexpr (std::is_same_v<T, float>)
        return KJIT_DTYPE_FLOAT32;
    else if constexpr (std::is_same_v<T, double>)
        return KJIT_DTYPE_FLOAT64;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        return KJIT_DTYPE_COMPLEX64;
    else if constexpr (std::is_same_v<T, std::complex<double>>)
        return KJIT_DTYPE_COMPLEX128;
    else
        return KJIT_DTYPE_NONE;
}

} // namespace detail

/* The dtype of a C++ type; what has none does not compile. */
template <class T> constexpr kjit_dtype dtype_of()
{
    constexpr kjit_dtype dtype = detail::dtype_or_none<std::remove_cv_t<T>>();
    static_assert(
        dtype != KJIT_DTYPE_NONE,
        "kjit has no element of this type: bool, integers, float, double and std::complex "
        "of these; for records see kjit_record_array()");
    return dtype;
}

/* ---- arrays of the host ---------------------------------------------------------------------- */

/* Host memory as a row-major array, which stays the caller's: host(p, rows, columns). */
template <class T, class... Extents> kjit_array host(T *data, Extents... extents)
{
    static_assert(sizeof...(Extents) <= KJIT_RANK_MAX, "kjit's arrays have at most 8 axes");
    const std::array<int64_t, sizeof...(Extents) + 1> shape = { static_cast<int64_t>(extents)...,
                                                                0 };
    kjit_array made = kjit_host_array(const_cast<std::remove_cv_t<T> *>(data), dtype_of<T>(),
                                      static_cast<int32_t>(sizeof...(Extents)), shape.data());
    if constexpr (std::is_const_v<T>)
        made.flags |= KJIT_READONLY;
    return made;
}

/* ---- owners ---------------------------------------------------------------------------------- */

namespace detail
{

/* A C handle, closed at its owner's end. */
template <class Handle, void (*close)(Handle *)> class owner
{
  public:
    owner() = default;
    explicit owner(Handle *handle) : handle_(handle)
    {
    }
    Handle *get() const noexcept
    {
        return handle_.get();
    }
    explicit operator bool() const noexcept
    {
        return handle_ != nullptr;
    }

  private:
    struct closer {
        void operator()(Handle *handle) const noexcept
        {
            close(handle);
        }
    };
    std::unique_ptr<Handle, closer> handle_;
};

} // namespace detail

/* A queue of work; made by context::stream(). */
class stream : public detail::owner<kjit_stream, kjit_stream_close>
{
  public:
    using owner::owner;
    void synchronize() const
    {
        check(kjit_stream_synchronize(get()));
    }
    bool done() const
    {
        int is_done = 0;
        check(kjit_stream_query(get(), &is_done));
        return is_done != 0;
    }
};

/* A point in a stream's work; made by context::event(). */
class event : public detail::owner<kjit_event, kjit_event_close>
{
  public:
    using owner::owner;
    /* Without a stream: the context's default stream. */
    void record(const stream &where = stream())
    {
        check(kjit_event_record(get(), where.get()));
    }
    void wait(const stream &waiting = stream())
    {
        check(kjit_event_wait(get(), waiting.get()));
    }
    void synchronize() const
    {
        check(kjit_event_synchronize(get()));
    }
    /* Milliseconds since an earlier event. */
    double since(const event &earlier) const
    {
        double ms = 0;
        check(kjit_event_elapsed(earlier.get(), get(), &ms));
        return ms;
    }
};

/* Work that was recorded on a stream. */
class graph : public detail::owner<kjit_graph, kjit_graph_close>
{
  public:
    using owner::owner;
    void launch(const stream &where = stream())
    {
        check(kjit_graph_launch(get(), where.get()));
    }
};

/* Records what `work()` asks of a stream. If it throws, what was recorded is forgotten. */
template <class Work> graph capture(const stream &recording, Work &&work)
{
    kjit_graph *made = nullptr;
    check(kjit_capture_begin(recording.get()));
    try {
        work();
    } catch (...) {
        kjit_capture_end(recording.get(), &made);
        kjit_graph_close(made);
        throw;
    }
    check(kjit_capture_end(recording.get(), &made));
    return graph(made);
}

/* Memory of a device; made by context::empty() and context::to_device(). */
class array
{
  public:
    array() = default;
    array(kjit_context *context, kjit_array made) : context_(context), array_(made)
    {
    }
    array(array &&other) noexcept
    {
        swap(other);
    }
    array &operator=(array &&other) noexcept
    {
        array(std::move(other)).swap(*this);
        return *this;
    }
    ~array()
    {
        if (array_.data)
            kjit_array_free(context_, &array_);
    }
    void swap(array &other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(array_, other.array_);
    }
    /* The C struct, for views (kjit_array_slice() and the like) and as an argument. */
    const kjit_array &get() const noexcept
    {
        return array_;
    }
    uint64_t size() const noexcept
    {
        return kjit_array_count(&array_);
    }
    int64_t extent(int axis) const
    {
        return array_.shape[axis];
    }

    /* Copies all elements to or from the host: memory of as many of the same dtype, and a C struct
    ** of the same shape. */
    void copy_to(const kjit_array &to) const
    {
        check(kjit_copy(context_, &to, &array_));
    }
    void copy_from(const kjit_array &from)
    {
        check(kjit_copy(context_, &array_, &from));
    }
    template <class T> void copy_to(std::vector<T> &to) const
    {
        copy_to(shaped(to.data(), to.size()));
    }
    template <class T> void copy_from(const std::vector<T> &from)
    {
        copy_from(shaped(from.data(), from.size()));
    }
    /* All elements, row by row. */
    template <class T> std::vector<T> to_vector() const
    {
        std::vector<T> elements(size());
        copy_to(elements);
        return elements;
    }

  private:
    template <class T> kjit_array shaped(T *data, std::size_t count) const
    {
        kjit_array flat = host(data, count), made = flat;
        check(kjit_array_reshape(&flat, array_.rank, array_.shape, &made));
        return made;
    }

    kjit_context *context_ = nullptr;
    kjit_array array_ = {};
};

/* ---- arguments ------------------------------------------------------------------------------- */

namespace detail
{

template <class T, class = void> struct is_range : std::false_type {
};
template <class T>
struct is_range<
    T, std::void_t<decltype(std::data(std::declval<T &>()), std::size(std::declval<T &>()))>>
    : std::true_type {
};

template <class T, class = void> struct is_tuple : std::false_type {
};
template <class T>
struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {
};

/* An argument, with the items of a tuple, which lie where they are as long as it lives. */
template <class T, class = void> struct argument {
    static_assert(always_false<T>::value,
                  "kjit takes no argument of this type: numbers, std::complex, arrays, std::tuple");
};

struct one_argument {
    kjit_arg value;
    const kjit_arg &get() const noexcept
    {
        return value;
    }
};

template <class T> struct argument<T, std::enable_if_t<std::is_integral_v<T>>> : one_argument {
    explicit argument(T number) : one_argument{ kjit_arg_int64(static_cast<int64_t>(number)) }
    {
        value.dtype = dtype_of<T>();
    }
};

template <class T>
struct argument<T, std::enable_if_t<std::is_floating_point_v<T>>> : one_argument {
    explicit argument(T number) : one_argument{ kjit_arg_float64(static_cast<double>(number)) }
    {
        value.dtype = dtype_of<T>();
    }
};

template <class T> struct argument<std::complex<T>> : one_argument {
    explicit argument(const std::complex<T> &number)
        : one_argument{ kjit_arg_complex128(number.real(), number.imag()) }
    {
        value.dtype = dtype_of<std::complex<T>>();
    }
};

template <> struct argument<kjit_arg> : one_argument {
    explicit argument(const kjit_arg &arg) : one_argument{ arg }
    {
    }
};

template <> struct argument<kjit_array> : one_argument {
    explicit argument(const kjit_array &array) : one_argument{ kjit_arg_array(array) }
    {
    }
};

template <> struct argument<array> : one_argument {
    explicit argument(const array &array) : one_argument{ kjit_arg_array(array.get()) }
    {
    }
};

template <class T> struct argument<T, std::enable_if_t<is_range<T>::value>> : one_argument {
    template <class Range>
    explicit argument(Range &range)
        : one_argument{ kjit_arg_array(host(std::data(range), std::size(range))) }
    {
    }
};

template <class T> struct argument<T, std::enable_if_t<is_tuple<T>::value && !is_range<T>::value>> {
    template <class Tuple>
    explicit argument(Tuple &tuple) : argument(tuple, std::make_index_sequence<count>())
    {
    }
    argument(const argument &) = delete;
    const kjit_arg &get() const noexcept
    {
        return value;
    }

  private:
    static constexpr std::size_t count = std::tuple_size<T>::value;

    template <class Tuple, std::size_t... index>
    argument(Tuple &tuple, std::index_sequence<index...>) : items(std::get<index>(tuple)...)
    {
        std::size_t at = 0;
        ((list[at++] = std::get<index>(items).get()), ...);
        value = kjit_arg_tuple(count ? list.data() : nullptr, count);
    }

    template <class Sequence> struct items_of;
    template <std::size_t... index> struct items_of<std::index_sequence<index...>> {
        using type = std::tuple<argument<std::remove_cv_t<std::tuple_element_t<index, T>>>...>;
    };

    typename items_of<std::make_index_sequence<count>>::type items;
    std::array<kjit_arg, count + 1> list = {};
    kjit_arg value = {};
};

template <class T> using argument_of = argument<std::remove_cv_t<std::remove_reference_t<T>>>;

/* Calls use(args, count) with the C form of arguments. */
template <class Use, class... Args> decltype(auto) with_arguments(Use &&use, Args &&...args)
{
    const std::tuple<argument_of<Args>...> made(args...);
    return std::apply(
        [&](const auto &...argument) -> decltype(auto) {
            const std::array<kjit_arg, sizeof...(Args) + 1> list = { argument.get()...,
                                                                     kjit_arg{} };
            return use(list.data(), sizeof...(Args));
        },
        made);
}

} // namespace detail

/* ---- launching ------------------------------------------------------------------------------- */

/* The size of a grid or a block: 64, or { 16, 16 }. */
struct extent {
    uint32_t x, y, z;
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    constexpr extent(T width, uint32_t height = 1, uint32_t depth = 1)
        : x(static_cast<uint32_t>(width)), y(height), z(depth)
    {
    }
};

/* A launch with everything decided; made by launcher::prepare(). */
class prepared : public detail::owner<kjit_prepared, kjit_close_prepared>
{
  public:
    using owner::owner;
    void operator()() const
    {
        check(kjit_launch_prepared(get()));
    }
};

/* A kernel with its configuration: numba's kernel[grid, block, stream, shared]. */
class launcher
{
  public:
    launcher(kjit_kernel *kernel, const kjit_launch_config &config)
        : kernel_(kernel), config_(config)
    {
    }

    template <class... Args> void operator()(Args &&...args) const
    {
        detail::with_arguments(
            [&](const kjit_arg *list, std::size_t count) {
                check(kjit_launch(kernel_, &config_, list, count));
            },
            args...);
    }
    /* For launching again and again; arrays are on the device. */
    template <class... Args> kjit::prepared prepare(Args &&...args) const
    {
        return detail::with_arguments(
            [&](const kjit_arg *list, std::size_t count) {
                kjit_prepared *made = nullptr;
                check(kjit_prepare(kernel_, &config_, list, count, &made));
                return kjit::prepared(made);
            },
            args...);
    }

  private:
    kjit_kernel *kernel_;
    kjit_launch_config config_;
};

class kernel
{
  public:
    explicit kernel(kjit_kernel *handle) : handle_(handle)
    {
    }
    kjit_kernel *get() const noexcept
    {
        return handle_;
    }
    std::string name() const
    {
        return kjit_kernel_name(handle_);
    }

    /* kernel(grid, block)(arguments...); then a stream, and bytes of dynamic shared memory. */
    launcher operator()(extent grid, extent block, const stream &where = stream(),
                        std::size_t shared_bytes = 0) const
    {
        return launcher(handle_, config(grid, block, where, shared_bytes));
    }
    /* A grid and a block chosen for these arguments, as `kjit run` does (kjit_auto_config()). */
    template <class... Args> void automatic(Args &&...args) const
    {
        detail::with_arguments(
            [&](const kjit_arg *list, std::size_t count) {
                kjit_launch_config chosen = {};
                chosen.size = sizeof chosen;
                check(kjit_auto_config(handle_, list, count, &chosen));
                check(kjit_launch(handle_, &chosen, list, count));
            },
            args...);
    }
    /* As many threads along x, in blocks of kjit's choice: numba's forall. */
    template <class... Args> void forall(uint64_t threads, Args &&...args) const
    {
        detail::with_arguments(
            [&](const kjit_arg *list, std::size_t count) {
                kjit_launch_config chosen = {};
                chosen.size = sizeof chosen;
                check(kjit_forall(handle_, list, count, threads, &chosen));
                check(kjit_launch(handle_, &chosen, list, count));
            },
            args...);
    }
    /* Compiles for types that are written: "float32[::1], int64". */
    void compile(const std::string &signature) const
    {
        check(kjit_compile_signature(handle_, signature.c_str()));
    }

  private:
    static kjit_launch_config config(extent grid, extent block, const stream &where,
                                     std::size_t shared_bytes)
    {
        return { sizeof(kjit_launch_config),
                 { grid.x, grid.y, grid.z },
                 { block.x, block.y, block.z },
                 shared_bytes,
                 where.get() };
    }

    kjit_kernel *handle_;
};

/* A file's host part, whose functions are called by name: what stands in a `kjit_arg` of them is
** good until the next call. Belongs to whoever opened it, and goes before its module. */
class program : public detail::owner<kjit_program, kjit_program_close>
{
  public:
    using owner::owner;
    template <class... Args> kjit_arg call(const std::string &function, Args &&...args) const
    {
        return detail::with_arguments(
            [&](const kjit_arg *list, std::size_t count) {
                kjit_arg result = {};
                check(kjit_program_call(get(), function.c_str(), list, count, &result));
                return result;
            },
            args...);
    }
    /* What a name of its level holds. */
    kjit_arg value(const std::string &name) const
    {
        kjit_arg found = {};
        check(kjit_program_get(get(), name.c_str(), &found));
        return found;
    }
};

/* What a file defines. Belongs to its context. */
class module
{
  public:
    explicit module(kjit_module *handle) : handle_(handle)
    {
    }
    kjit_module *get() const noexcept
    {
        return handle_;
    }
    /* The kernel of that name; without one the only one there is. */
    kjit::kernel kernel(const std::string &name = std::string()) const
    {
        kjit_kernel *found = nullptr;
        check(kjit_get_kernel(handle_, name.empty() ? nullptr : name.c_str(), &found));
        return kjit::kernel(found);
    }
    /* Runs the statements of its level, for calling its functions. */
    kjit::program program() const
    {
        kjit_program *made = nullptr;
        check(kjit_program_open(handle_, nullptr, &made));
        return kjit::program(made);
    }
    std::vector<std::string> kernels() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < kjit_kernel_count(handle_); i++)
            names.push_back(kjit_kernel_name_at(handle_, i));
        return names;
    }

  private:
    kjit_module *handle_;
};

/* ---- contexts -------------------------------------------------------------------------------- */

/* A device, with what is compiled for it. */
class context : public detail::owner<kjit_context, kjit_close>
{
  public:
    /* "auto": the first GPU, else the processor; or "cuda:1", "cpu", "check". */
    explicit context(const std::string &device = "auto") : owner(open(device))
    {
    }

    std::string device() const
    {
        return kjit_device_name(get());
    }
    std::string model() const
    {
        return kjit_device_model(get());
    }
    void synchronize() const
    {
        check(kjit_synchronize(get()));
    }

    /* A file of kernels; `options` as in C. */
    kjit::module load(const std::string &path, const kjit_load_options *options = nullptr) const
    {
        kjit_module *made = nullptr;
        check(kjit_load_file(get(), path.c_str(), options, &made));
        return kjit::module(made);
    }
    /* Kernels in a text, which diagnostics call `name`. */
    kjit::module compile(const std::string &text, const std::string &name = "text",
                         const kjit_load_options *options = nullptr) const
    {
        kjit_module *made = nullptr;
        check(kjit_load_source(get(), text.c_str(), name.c_str(), options, &made));
        return kjit::module(made);
    }

    /* A device array, its elements undefined. */
    template <class T> array empty(std::initializer_list<int64_t> shape) const
    {
        kjit_array made = {};
        check(kjit_array_new(get(), dtype_of<T>(), static_cast<int32_t>(shape.size()),
                             shape.begin(), nullptr, &made));
        return array(get(), made);
    }
    /* A device array with the elements of the host's: a vector and the like, or host(p, ...). */
    template <class T> array to_device(const T &elements) const
    {
        kjit_array made = {};
        if constexpr (std::is_same_v<T, kjit_array>) {
            check(kjit_to_device(get(), &elements, &made));
        } else {
            const kjit_array here = host(std::data(elements), std::size(elements));
            check(kjit_to_device(get(), &here, &made));
        }
        return array(get(), made);
    }

    kjit::stream stream() const
    {
        kjit_stream *made = nullptr;
        check(kjit_stream_new(get(), nullptr, &made));
        return kjit::stream(made);
    }
    /* `timed`: event::since() will be asked of it. */
    kjit::event event(bool timed = true) const
    {
        kjit_event *made = nullptr;
        check(kjit_event_new(get(), timed, &made));
        return kjit::event(made);
    }

  private:
    static kjit_context *open(const std::string &device)
    {
        kjit_open_options options = {};
        kjit_context *made = nullptr;
        options.size = sizeof options;
        options.device = device.c_str();
        check(kjit_open(&options, &made));
        return made;
    }
};

} // namespace kjit

#endif
