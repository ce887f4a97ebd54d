# shellcheck shell=bash
# Sourced by .ci/run: builds that few people make and the documents promise; each in a minute or so, by kernels of one or
# of few lanes. Each check ends with one line.

# gcc-multilib itself conflicts with the compilers for AArch64.
builds_packages="g++-12-multilib libsimde-dev qemu-user-static"

# expect_text TEXT FILE: or show the file and fail.
expect_text() {
	grep -qF -e "$1" "$2" || {
		cat "$2" >&2
		echo "not said: $1" >&2
		return 1
	}
}

# emulate_32_bits FOLDER: for Meson, what runs programs of 32 bits where the kernel does not.
emulate_32_bits() {
	cat >"$1.ini" <<-'EOF'
		[binaries]
		c = ['gcc', '-m32']
		cpp = ['g++', '-m32']
		ar = 'ar'
		strip = 'strip'
		exe_wrapper = 'qemu-i386-static'
		[properties]
		needs_exe_wrapper = true
		[host_machine]
		system = 'linux'
		cpu_family = 'x86'
		cpu = 'i686'
		endian = 'little'
	EOF
}

# The library and the parity program, for a machine with 32 bits; what computes by x87 is refused. Some kernels do not run programs
# of 32 bits: there an emulator does, in fewer ways.
check_32_bits() {
	local folder=build-ci/builds-32 cross=() run=() ways=()
	echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o "$folder.probe"
	if ! "./$folder.probe" 2>/dev/null; then
		emulate_32_bits $folder
		cross=(--cross-file "$folder.ini") run=(qemu-i386-static) ways=(--few-ways plain)
	fi
	CC='gcc -m32' CXX='g++ -m32' PKG_CONFIG_LIBDIR=/nonexistent build_program $folder tests/parity "${cross[@]}" \
		-Dprogram=disabled -Dpython=disabled -Ddocs=disabled -Dvariants=scalar,sse2 -Doptimization=1
	"${run[@]}" $folder/tests/parity tests/kernels/parity.digests "${ways[@]}" >$folder.parity || {
		cat $folder.parity >&2
		return 1
	}
	if gcc -m32 -mno-sse -std=c17 -Iinclude -Isrc -fsyntax-only src/shape/shape.c 2>$folder.x87; then
		echo "x87 arithmetic is taken for exact" >&2
		return 1
	fi
	expect_text "needs float arithmetic that is rounded to float" $folder.x87
	echo "32-bit x86: the same bits, $(wc -l <$folder.parity) digests"
}

# write_refusing FOLDER HEADER: a folder for the include path, whose HEADER is not to be included.
write_refusing() {
	mkdir -p "$(dirname "$1/$2")"
	echo "#error \"no $2 here\"" >"$1/$2"
}

# On x86 nothing includes SIMDe.
check_without_simde() {
	build_native "tests/parity src/package/widephase.c"
	build-ci/native/tests/parity tests/kernels/parity.digests --few-ways plain >build-ci/builds-simde.parity
	${CC:-cc} -O1 -I"$PWD/build-ci/without-simde" -fsyntax-only build-ci/native/src/package/widephase.c
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
		"tests/parity src/package/widephase.c" -Dvariants=scalar -Doptimization=1
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

# Clang 19 ends, for the kernels of sixteen lanes: masks that it turned into one another without end once kept it from that.
check_clang_19() {
	local level kernels
	for level in 1 2; do
		for kernels in src/wide/*.c; do
			timeout 300 clang-19 -O$level -std=c17 -ffp-contract=off -fno-math-errno -fno-builtin -Isrc -Iinclude \
				-mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512 -DWP_VARIANT=avx512 -DWP_WIDTH=16 \
				-c "$kernels" -o build-ci/builds-clang-19.o || {
				echo "clang-19 -O$level does not compile $kernels in 300 s" >&2
				return 1
			}
		done
	done
	echo "clang 19, 16 lanes: compiled"
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

# 16 lanes on machines without AVX-512: by SIMDe, operation by operation. GCC takes twice as long to compile that.
check_emulated() {
	local folder=build-ci/builds-emulated
	CC=clang CXX=clang++ build_program $folder "tests/parity tests/campaign" -Dvariants=scalar,avx512 -Demulate=true -Doptimization=1
	$folder/tests/parity tests/kernels/parity.digests --few-ways plain >$folder.parity || {
		cat $folder.parity >&2
		return 1
	}
	$folder/tests/campaign --pairs 5k --out build-ci >$folder.campaign
	echo "16 lanes, emulated: the same bits"
}

# What a CPU lacks is never run: on one without AVX, and on one with AVX2 and without AVX-512.
check_dispatch() {
	local program=build-ci/gcc/src/tools/cli/widephase folder=build-ci/builds-dispatch cpu best
	build_by_gcc src/tools/cli/widephase
	for cpu in Nehalem:sse2 max:avx2; do
		best=${cpu#*:}
		qemu-x86_64-static -cpu "${cpu%:*}" $program info >$folder.$best
		expect_text "auto takes $best" $folder.$best
		qemu-x86_64-static -cpu "${cpu%:*}" $program compare bench/data/rec_ragdoll.pairs >$folder.$best.compare
		expect_text "Contract holds" $folder.$best.compare
	done
	echo "what a CPU lacks: not run"
}
