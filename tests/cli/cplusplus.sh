# kjit.hpp, as C++17 and C++20 by g++ and clang++; the example; and CMake's package.
case $BUILD in /*) library=$BUILD ;; *) library=$ROOT/$BUILD ;; esac
flags="-Wall -Wextra -Wpedantic -Wshadow -Werror -I$ROOT/include"
linked="-L$library -lkjit -Wl,-rpath,$library"
# Sanitizers want to be loaded before programs that lack them.
case $BUILD in *asan* | *tsan*) ways= ;; *) ways='g++ clang++' ;; esac
for compiler in $ways; do
    if ! command -v "$compiler" >/dev/null; then
        echo "4 skipped: $compiler is not installed"
        continue
    fi
    for standard in c++17 c++20; do
        holds $compiler -std=$standard $flags "$ROOT/tests/cli/cplusplus.cc" -o kinds $linked
        expect 0 ./kinds cpu
    done
done
# What kjit.hpp does not take is told of in its own terms.
cat >wrong.cc <<'C'
#include <kjit.hpp>
void wrong(const kjit::kernel &kernel)
{
    kernel(1, 1)("text that ends", std::vector<bool>(3));
}
C
expect 1 g++ -std=c++17 $flags -fsyntax-only wrong.cc
says err 'kjit takes no argument of this type: numbers, std::complex, arrays, std::tuple'
if [ "$ways" ] && ! command -v cmake >/dev/null; then
    skips 8 'cmake is not installed'
elif [ "$ways" ]; then
    holds make -C "$ROOT" --no-print-directory install BUILD="$BUILD" DESTDIR="$PWD/root" \
        PREFIX=/usr
    mkdir project
    cp "$ROOT/examples/embed/hist.cc" "$ROOT/examples/hist.k" project
    cat >project/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.13)
project(hist CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(kjit 0.1 REQUIRED)
add_executable(hist hist.cc)
target_link_libraries(hist kjit::kjit)
C
    holds cmake -S project -B made -DCMAKE_PREFIX_PATH="$PWD/root/usr"
    holds cmake --build made
    expect 0 made/hist cpu project/hist.k
    says out '^100000 of 100000 samples on cpu$'
    expect 1 made/hist cpu nowhere.k
    says err 'nowhere.k'
    sed -i 's/kjit 0.1/kjit 1.0/' project/CMakeLists.txt
    expect 1 cmake -S project -B other -DCMAKE_PREFIX_PATH="$PWD/root/usr"
    says err 'kjit'
fi
