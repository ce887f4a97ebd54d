# shellcheck shell=bash
# Sourced after setup.sh: builds for Windows by GCC and by Clang on another machine, for mingw's ABI, and runs what was
# built by Wine. For MSVC's ABI, whose headers are not free, all files compile.

windows_packages="g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev wine64"

# start_wine: $wine runs a program. A program that crashes is to fail: the debugger would end it well.
start_wine() {
	local folder=build-ci/windows-crash
	wine=$PWD/.ci/wine
	wine_program=$(command -v wine64 || echo /usr/lib/wine/wine64)
	export wine_program WINEDEBUG=-all WINEPREFIX=$PWD/build-ci/wine WINEDLLOVERRIDES=winedbg.exe=d
	# Without a delay its server ends with each program, and may reset what the next one asks.
	mkdir -p "$WINEPREFIX"
	"$(dirname "$(readlink -f "$wine_program")")/wineserver" -p60 >/dev/null 2>&1 || echo "Wine's server runs already"
	echo 'int main(void) { __builtin_trap(); }' | x86_64-w64-mingw32-gcc -x c - -o $folder.exe
	if "$wine" $folder.exe 2>$folder.log; then
		echo "Wine takes a crash for success" >&2
		return 1
	fi
}

# write_windows_file FILE COMPILER: the cross file, for gcc or clang, whose programs need no DLL of the compiler's.
write_windows_file() {
	local name=x86_64-w64-mingw32 binaries arguments=() libraries
	libraries=$(dirname "$($name-gcc -print-libgcc-file-name)")
	if [ "$2" = gcc ]; then
		binaries="c = '$name-gcc'"$'\n'"cpp = '$name-g++'"
	else
		# Clang does not find GCC's libraries where Debian has them.
		binaries="c = ['clang', '--target=$name']"$'\n'"cpp = ['clang++', '--target=$name']"
		arguments=("cpp_args = ['-isystem', '$libraries/include/c++', '-isystem', '$libraries/include/c++/$name']")
	fi
	cat >"$1" <<-END
		[binaries]
		$binaries
		ar = '$name-ar'
		nm = '$name-nm'
		objdump = '$name-objdump'
		strip = '$name-strip'
		exe_wrapper = '$wine'

		[built-in options]
		${arguments[*]}
		c_link_args = ['-L$libraries', '-static']
		cpp_link_args = ['-L$libraries', '-static', '-pthread']

		[host_machine]
		system = 'windows'
		cpu_family = 'x86_64'
		cpu = 'x86_64'
		endian = 'little'
	END
}

# expect_variants PROGRAM [VARIANT...]: that it asks these variants, by default all that run here.
expect_variants() {
	local program=$1 wanted
	shift
	# shellcheck disable=SC2046
	[ $# -gt 0 ] || set -- scalar sse2 $(grep -m1 '^flags' /proc/cpuinfo | grep -owE 'avx2|avx512dq' | sed s/dq// | sort)
	wanted=$(printf '%s\n' "$@" '38 overlaps, 0 variants differ from scalar, no error')
	"$wine" "$program" | tr -d '\r' >"$program.log" || {
		cat "$program.log" >&2
		return 1
	}
	diff <(echo "$wanted") "$program.log" >&2 || return 1
	echo "$(basename "$program"): $*"
}

# What a DLL asks of the system, and of nothing else.
expect_system_dlls() {
	local others
	others=$(x86_64-w64-mingw32-objdump -p "$1" | sed -n 's/^\s*DLL Name: //p' | grep -vixE 'kernel32\.dll|msvcrt\.dll' || true)
	[ -z "$others" ] || {
		echo "$1 needs $others" >&2
		return 1
	}
}

# check_windows_users COMPILER: of the installed DLL and of the static library, by the CMake package.
check_windows_users() {
	local folder=build-ci/windows-$1 variants=() place name=x86_64-w64-mingw32 compiler=(-DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc)
	# Clang's build has these.
	[ "$1" = gcc ] || variants=(scalar avx2)
	[ "$1" = gcc ] || compiler=(-DCMAKE_C_COMPILER=clang "-DCMAKE_C_COMPILER_TARGET=$name")
	place=$PWD/$folder-place
	rm -rf "$place"
	mkdir -p "$place/user"
	DESTDIR=$place/installed logged $folder.install meson install -C $folder --no-rebuild
	cp tests/install/consumers/{main,each_variant}.c "$place/user"
	cat >"$place/user/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.16)
		project(main C)
		find_package(widephase 0.1 REQUIRED)
		foreach(name main each_variant)
			add_executable(\${name} \${name}.c)
			target_link_libraries(\${name} widephase::widephase)
			add_executable(\${name}_static \${name}.c)
			target_link_libraries(\${name}_static widephase::widephase_static)
		endforeach()
		# The other way to call a DLL.
		target_compile_definitions(each_variant PRIVATE WP_SHARED)
	END
	logged $folder.cmake cmake -S "$place/user" -B "$place/user" -DCMAKE_SYSTEM_NAME=Windows "${compiler[@]}" \
		-DCMAKE_RC_COMPILER=$name-windres \
		"-DCMAKE_EXE_LINKER_FLAGS=-L$(dirname "$($name-gcc -print-libgcc-file-name)") -static" \
		"-Dwidephase_DIR=$(dirname "$(find "$place" -name widephase-config.cmake)")"
	logged $folder.make cmake --build "$place/user"
	"$wine" "$place/user/main_static.exe"
	expect_variants "$place/user/each_variant_static.exe" "${variants[@]}"
	if "$wine" "$place/user/main.exe" 2>$folder.alone; then
		echo "main.exe runs without the DLL" >&2
		return 1
	fi
	cp "$place"/installed/bin/*.dll "$place/user"
	expect_system_dlls "$place"/user/*.dll
	"$wine" "$place/user/main.exe"
	expect_variants "$place/user/each_variant.exe" "${variants[@]}"
}

# check_windows_campaign COMPILER: random pairs, each judged.
check_windows_campaign() {
	local folder=build-ci/windows-$1
	"$wine" "$folder/tests/campaign.exe" --pairs 20k --out "$folder"
}

# MSVC's extensions of C, which Clang knows too: the digests of all other machines.
check_windows_extensions() {
	local folder=build-ci/windows-extensions
	build_program $folder tests/parity.exe --cross-file build-ci/windows-clang.ini -Dprogram=disabled -Dwerror=true \
		-Dvariants=scalar,sse2,avx2 -Doptimization=1 \
		"-Dc_args=['-fms-extensions','-DWP_MSVC','-mxsave','-Wno-language-extension-token','-Wno-unused-function']"
	"$wine" $folder/tests/parity.exe tests/kernels/parity.digests --few-ways
	echo "MSVC's extensions of C: the same bits"
}

# The drop-in as a DLL, by the macros of the header and GCC's flag against moves that the stack is not aligned for.
check_windows_drop_in() {
	local place=build-ci/windows-drop-in drop_in=build-ci/windows-gcc/src/package
	mkdir -p $place
	x86_64-w64-mingw32-gcc -O1 -mavx2 -Wa,-muse-unaligned-vector-move -Wall -Wextra -Werror -shared -static -DWP_SHARED -DWP_BUILDING \
		$drop_in/widephase.c -o $place/widephase.dll -Wl,--out-implib,$place/widephase.lib
	python3 tests/install/check_exports.py x86_64-w64-mingw32-nm x86_64-w64-mingw32-objdump $place/widephase.dll \
		$drop_in/widephase.h
	x86_64-w64-mingw32-gcc -std=c17 -DDROP_IN -DWP_SHARED -I$drop_in tests/install/consumers/each_variant.c $place/widephase.lib \
		-o $place/each_variant.exe
	expect_variants $place/each_variant.exe scalar avx2
}

# Headers alone, for checks of syntax where the system's are missing.
write_bare_headers() {
	mkdir -p "$1"
	echo '#define assert(x) ((void)0)' >"$1/assert.h"
	cat >"$1/string.h" <<-END
		#include <stddef.h>
		void *memcpy(void *, const void *, size_t);
		void *memmove(void *, const void *, size_t);
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

# For MSVC's ABI.
check_msvc() {
	local file
	write_bare_headers build-ci/bare-headers
	for file in src/{core,shape,mesh,job,strong,batch,motion,mesh_contact,mesh_query,compound,reference}/*.c; do
		clang --target=x86_64-pc-windows-msvc -std=c17 -Wall -Werror -ffreestanding -Iinclude -Isrc \
			-isystem build-ci/bare-headers -fsyntax-only "$file"
	done
	for file in src/wide/*.c; do
		clang --target=x86_64-pc-windows-msvc -std=c17 -Wall -Werror -ffreestanding -Iinclude -Isrc \
			-isystem build-ci/bare-headers -DWP_VARIANT=avx2 -DWP_WIDTH=8 -mavx2 -fsyntax-only "$file"
	done
	echo "MSVC's ABI: all files compile"
}
