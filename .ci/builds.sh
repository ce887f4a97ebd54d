# shellcheck shell=bash
# Sourced by .ci/run: builds that few people make and the documents promise; each in a minute or so, by kernels of one or
# of few lanes. Each check ends with one line.

# gcc-multilib itself conflicts with the compilers for AArch64.
builds_packages="g++-12-multilib libsimde-dev qemu-user-static g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev wine64"

# expect_text TEXT FILE: or show the file and fail.
expect_text() {
	grep -qF -e "$1" "$2" || {
		cat "$2" >&2
		echo "not said: $1" >&2
		return 1
	}
}

# The library and the parity program, for a machine with 32 bits; what computes by x87 is refused.
check_32_bits() {
	CC='gcc -m32' CXX='g++ -m32' PKG_CONFIG_LIBDIR=/nonexistent build_program build-ci/builds-32 tests/parity \
		-Dprogram=disabled -Dpython=disabled -Ddocs=disabled
	build-ci/builds-32/tests/parity tests/kernels/parity.digests >build-ci/builds-32.parity || {
		cat build-ci/builds-32.parity >&2
		return 1
	}
	if gcc -m32 -mno-sse -std=c17 -Iinclude -Isrc -fsyntax-only src/shape/shape.c 2>build-ci/builds-32.x87; then
		echo "x87 arithmetic is taken for exact" >&2
		return 1
	fi
	expect_text "needs float arithmetic that is rounded to float" build-ci/builds-32.x87
	echo "32-bit x86: the same bits, $(wc -l <build-ci/builds-32.parity) digests"
}

# Headers alone, for checks of syntax where the system's are missing.
write_bare_headers() {
	mkdir -p "$1"
	echo '#define assert(x) ((void)0)' >"$1/assert.h"
	cat >"$1/string.h" <<-END
		#include <stddef.h>
		void *memcpy(void *, const void *, size_t);
		void *memset(void *, int, size_t);
		int memcmp(const void *, const void *, size_t);
		int strcmp(const char *, const char *);
		size_t strlen(const char *);
	END
	cat >"$1/math.h" <<-END
		double cos(double), fabs(double), sin(double), sqrt(double);
		float fabsf(float), sqrtf(float);
		#define INFINITY __builtin_inff()
		#define NAN __builtin_nanf("")
		#define isfinite(x) __builtin_isfinite(x)
		#define isnan(x) __builtin_isnan(x)
		#define signbit(x) __builtin_signbit(x)
	END
}

# write_mingw_file FILE: the cross file.
write_mingw_file() {
	local libraries
	libraries=$(dirname "$(x86_64-w64-mingw32-gcc -print-libgcc-file-name)")
	cat >"$1" <<-END
		[binaries]
		c = ['clang', '--target=x86_64-w64-mingw32']
		cpp = ['clang++', '--target=x86_64-w64-mingw32']
		ar = 'x86_64-w64-mingw32-ar'
		strip = 'x86_64-w64-mingw32-strip'

		[built-in options]
		# Clang does not find GCC's libraries where Debian has them.
		c_link_args = ['-L$libraries', '-static']
		cpp_link_args = ['-L$libraries', '-static']

		[host_machine]
		system = 'windows'
		cpu_family = 'x86_64'
		cpu = 'x86_64'
		endian = 'little'
	END
}

# Windows, by Clang: the parity program, run by Wine; a user of the installed DLL by the CMake package; for
# MSVC's ABI, whose headers are not free, that all files compile.
check_mingw() {
	local folder=build-ci/builds-mingw wine place file
	local installed="src/libwidephase.a src/libwidephase-0.dll src/package/widephase.c"
	write_mingw_file build-ci/mingw.ini
	build_program $folder "tests/parity.exe $installed" --cross-file build-ci/mingw.ini --prefix=/ -Dpython=disabled -Ddocs=disabled \
		-Dvariants=scalar,avx2
	wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
	export WINEDEBUG=-all WINEPREFIX=$PWD/build-ci/wine
	"$wine" $folder/tests/parity.exe tests/kernels/parity.digests >$folder.parity

	place=$PWD/$folder-place
	rm -rf "$place"
	mkdir -p "$place/user"
	DESTDIR=$place/installed meson install -C $folder --no-rebuild >$folder.log
	cp tests/install/consumers/main.c "$place/user"
	cat >"$place/user/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.16)
		project(main C)
		find_package(widephase 0.1 REQUIRED)
		add_executable(main main.c)
		target_link_libraries(main widephase::widephase)
		add_executable(main_static main.c)
		target_link_libraries(main_static widephase::widephase_static)
	END
	logged $folder.cmake cmake -S "$place/user" -B "$place/user" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=clang \
		-DCMAKE_C_COMPILER_TARGET=x86_64-w64-mingw32 -DCMAKE_RC_COMPILER=x86_64-w64-mingw32-windres \
		"-DCMAKE_EXE_LINKER_FLAGS=-L$(dirname "$(x86_64-w64-mingw32-gcc -print-libgcc-file-name)") -static" \
		"-Dwidephase_DIR=$(dirname "$(find "$place" -name widephase-config.cmake)")"
	logged $folder.make cmake --build "$place/user"
	"$wine" "$place/user/main_static.exe"
	cp "$place"/installed/bin/*.dll "$place/user"
	"$wine" "$place/user/main.exe"

	write_bare_headers build-ci/bare-headers
	for file in src/{core,shape,job,strong,batch,motion,reference}/*.c; do
		clang --target=x86_64-pc-windows-msvc -std=c17 -Wall -Werror -ffreestanding -Iinclude -Isrc \
			-isystem build-ci/bare-headers -fsyntax-only "$file"
	done
	for file in src/wide/*.c; do
		clang --target=x86_64-pc-windows-msvc -std=c17 -Wall -Werror -ffreestanding -Iinclude -Isrc \
			-isystem build-ci/bare-headers -DWP_VARIANT=avx2 -DWP_WIDTH=8 -mavx2 -fsyntax-only "$file"
	done
	echo "Windows by Clang: the same bits, $(wc -l <$folder.parity) digests; MSVC's ABI: all files compile"
}

# write_refusing FOLDER HEADER: a folder for the include path, whose HEADER is not to be included.
write_refusing() {
	mkdir -p "$(dirname "$1/$2")"
	echo "#error \"no $2 here\"" >"$1/$2"
}

# Where argp is missing: the library and its tests without the program, whose own tests are skipped.
check_without_argp() {
	local folder=build-ci/builds-argp
	write_refusing build-ci/without-argp argp.h
	CFLAGS="-I$PWD/build-ci/without-argp" build_program $folder "tests/parity src/libwidephase.a" -Dvariants=scalar
	expect_text "The program is left out: argp is missing" $folder/meson-logs/meson-log.txt
	meson test -C $folder --no-rebuild "compare smooth" >$folder.test
	expect_text "the program is left out: argp is missing" $folder/meson-logs/testlog.txt
	if CFLAGS="-I$PWD/build-ci/without-argp" meson setup $folder-enabled -Dprogram=enabled >$folder.enabled; then
		echo "a program without argp" >&2
		return 1
	fi
	expect_text "program: argp is missing" $folder.enabled
	echo "without argp: the library alone"
}

# On x86 nothing includes SIMDe.
check_without_simde() {
	write_refusing build-ci/without-simde simde/x86/sse2.h
	CFLAGS="-I$PWD/build-ci/without-simde" build_program build-ci/builds-simde "tests/parity src/package/widephase.c" \
		-Dvariants=scalar,sse2
	build-ci/builds-simde/tests/parity tests/kernels/parity.digests plain >build-ci/builds-simde.parity
	${CC:-cc} -O1 -I"$PWD/build-ci/without-simde" -fsyntax-only build-ci/builds-simde/src/package/widephase.c
	echo "without SIMDe: the same bits"
}

# Flags that change arithmetic: refused by the compiler or found out by the library, overridden by the build.
check_flags() {
	local flags width found drop_in=build-ci/builds-flags/src/package/widephase.c
	# shellcheck disable=SC2086
	for width in 1 4 "8 -mavx2"; do
		for flags in -O0 "-O2 -march=native" "-O3 -Os"; do
			clang -std=c17 $flags -ffp-contract=off -DWP_VARIANT=v -DWP_WIDTH=$width -Iinclude -Isrc tests/kernels/exact.c -lm -o build-ci/exact
			build-ci/exact || {
				echo "$flags, width $width: arithmetic is taken for changed" >&2
				return 1
			}
		done
		for flags in -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros "-ffp-contract=fast -mfma" \
			"-fassociative-math -fno-signed-zeros -fno-trapping-math"; do
			clang -std=c17 -O2 -ffp-contract=off $flags -DWP_VARIANT=v -DWP_WIDTH=$width -Iinclude -Isrc tests/kernels/exact.c -lm -o build-ci/exact
			if build-ci/exact; then
				echo "$flags, width $width: changed arithmetic is taken for exact" >&2
				return 1
			fi
		done
	done
	for flags in -ffast-math -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros -ffinite-math-only; do
		if gcc -std=c17 -O2 $flags -Iinclude -Isrc -fsyntax-only src/shape/shape.c 2>build-ci/builds-flags.gcc; then
			echo "gcc takes $flags" >&2
			return 1
		fi
		expect_text "without -ffast-math and its parts only" build-ci/builds-flags.gcc
	done

	CC=clang CXX=clang++ CFLAGS=-funsafe-math-optimizations build_program build-ci/builds-flags \
		"tests/parity src/package/widephase.c" -Dvariants=scalar
	# Linked by that flag, too, a program starts with flush to zero, and would make other pairs.
	clang -o build-ci/builds-flags/parity build-ci/builds-flags/tests/parity.p/kernels_parity.c.o \
		build-ci/builds-flags/tests/libgenerator.a build-ci/builds-flags/src/libwidephase.a -lm -lpthread
	build-ci/builds-flags/parity tests/kernels/parity.digests plain >build-ci/builds-flags.parity
	clang -O1 -funsafe-math-optimizations -DWP_DROP_IN_SCALAR "$drop_in" tests/install/consumers/variant.c -DDROP_IN \
		-I"$(dirname "$drop_in")" -lm -o build-ci/builds-flags.user
	found=$(build-ci/builds-flags.user)
	[ "$found" = "the library was compiled with flags that change floating-point results, such as -funsafe-math-optimizations" ] || {
		echo "the drop-in says: $found" >&2
		return 1
	}
	echo "flags that change bits: refused by GCC, found out with Clang, overridden by Meson"
}

# In C++14: one line, which names the standard.
check_cxx14() {
	local header compiler
	for compiler in g++ clang++; do
		for header in widephase cook; do
			if echo "#include <widephase/$header.hpp>" |
				$compiler -std=c++14 -Iinclude -fsyntax-only -x c++ - 2>build-ci/builds-cxx14.$compiler; then
				echo "$compiler takes $header.hpp as C++14" >&2
				return 1
			fi
			expect_text "needs C++17" build-ci/builds-cxx14.$compiler
			[ "$(grep -c 'error: ' build-ci/builds-cxx14.$compiler)" -eq 1 ] || {
				cat build-ci/builds-cxx14.$compiler >&2
				return 1
			}
		done
	done
	echo "C++14: one line"
}

# Names of variants that are none, or none of this machine.
check_variants() {
	local variants
	for variants in bogus neon; do
		if meson setup build-ci/builds-variants -Dvariants=$variants >build-ci/builds-variants.log; then
			echo "setup takes the variant $variants" >&2
			return 1
		fi
		expect_text "$variants" build-ci/builds-variants.log
	done
	echo "wrong variants: refused"
}

# 16 lanes on machines without AVX-512: by SIMDe, operation by operation.
check_emulated() {
	local folder=build-ci/builds-emulated
	build_program $folder "tests/parity tests/campaign" -Dvariants=scalar,avx512 -Demulate=true -Doptimization=1
	$folder/tests/parity tests/kernels/parity.digests plain >$folder.parity || {
		cat $folder.parity >&2
		return 1
	}
	$folder/tests/campaign --pairs 5k --out build-ci >$folder.campaign
	echo "16 lanes, emulated: the same bits"
}

# What a CPU lacks is never run: on one without AVX, and on one with AVX2 and without AVX-512.
check_dispatch() {
	local folder=build-ci/builds-dispatch cpu best
	build_program $folder src/tools/cli/widephase -Dvariants=scalar,sse2,avx2,avx512
	for cpu in Nehalem:sse2 max:avx2; do
		best=${cpu#*:}
		qemu-x86_64-static -cpu "${cpu%:*}" $folder/src/tools/cli/widephase info >$folder.$best
		expect_text "auto takes $best" $folder.$best
		qemu-x86_64-static -cpu "${cpu%:*}" $folder/src/tools/cli/widephase compare bench/data/rec_ragdoll.pairs >$folder.$best.compare
		expect_text "Contract holds" $folder.$best.compare
	done
	echo "what a CPU lacks: not run"
}
