# shellcheck shell=bash
# Sourced by .ci/run after aarch64.sh: machines that have the kernels of one lane alone, built by Debian's cross compilers and emulated, and
# musl in the place of glibc. Each check ends with one line.

machines_packages="gcc-arm-linux-gnueabihf g++-arm-linux-gnueabihf libc6-dev-armhf-cross"
machines_packages+=" gcc-riscv64-linux-gnu g++-riscv64-linux-gnu libc6-dev-riscv64-cross"
machines_packages+=" gcc-s390x-linux-gnu g++-s390x-linux-gnu libc6-dev-s390x-cross"
machines_packages+=" musl-tools qemu-user-static"

# build_native TARGETS: for this machine, with what other machines have: no qhull, and kernels of one lane beside those of four.
# A header of SIMDe that is not to be included lies in the way; on x86 nothing includes it.
build_native() {
	write_refusing build-ci/without-simde simde/x86/sse2.h
	CFLAGS="-I$PWD/build-ci/without-simde" build_program build-ci/native "$1" -Dvariants=scalar,sse2 -Doptimization=1
}

# make_answers: what the native program answers to recorded pairs, by scalar kernels. Other machines have no qhull, which finds
# the faces of hulls, so this one goes without it, too. Once a run: two stages that run side by side read the answers.
have_answers=
make_answers() {
	[ -z "$have_answers" ] || return 0
	local program=build-ci/native/src/tools/cli/widephase pairs query
	build_native src/tools/cli/widephase
	mkdir -p build-ci/answers
	for pairs in bench/data/*.pairs; do
		for query in overlap distance contact manifold; do
			$program collide "$pairs" --query $query --variant scalar >"build-ci/answers/$(basename "$pairs").$query" 2>build-ci/answers/summary
		done
	done
	have_answers=yes
}

# expect_answers PROGRAM [EMULATOR...]: the same bytes, on standard output; contacts also in a file and by two threads.
expect_answers() {
	local program=$1 found=${1%/*}/answers answers name
	shift
	for answers in build-ci/answers/*.pairs.*; do
		name=${answers##*/}
		"$@" "$program" collide "bench/data/${name%.*}" --query "${name##*.}" >"$found" 2>"$found.summary"
		cmp "$answers" "$found"
		[ "${name##*.}" = contact ] || continue
		"$@" "$program" collide "bench/data/${name%.*}" --query contact --threads 2 --out "$found" 2>"$found.summary"
		cmp "$answers" "$found"
	done
	echo "$program: the same answers"
}

# drop_in_digests FOLDER CPU TRIPLET [ARGUMENT]: of half-spaces, by the drop-in of a build, with the compiler's own choice of
# standard and contraction.
drop_in_digests() {
	local support=tests/support
	"$3-gcc" -O1 ${4:+"$4"} -Wall -Wextra -Werror -c "$1/src/package/widephase.c" -o "$1/drop_in.o" &&
		"$3-gcc" -O1 ${4:+"$4"} -Iinclude -Itests tests/kernels/parity.c $support/gen.c $support/gen_random.c $support/gen_2d.c \
			"$1/drop_in.o" -lm -lpthread -o "$1/drop_in" &&
		"qemu-$2-static" -L "/usr/$3" "$1/drop_in" tests/kernels/parity.digests --few-ways half_space
}

# check_machine CPU TRIPLET ENDIAN [ARGUMENT]: all plain programs and the drop-in, for the digests of all other machines.
check_machine() {
	local folder=build-ci/emulated-$1
	write_machine_file "$folder.ini" "$@"
	logged "$folder.tests" tests/run --without once "$folder" --cross-file "$folder.ini" -Dcook=disabled -Dwerror=true
	expect_answers "$folder/src/tools/cli/widephase" "qemu-$1-static" -L "/usr/$2"
	logged "$folder.drop-in" drop_in_digests "$folder" "$1" "$2" ${4:+"$4"}
	tail -1 "$folder.tests"
}

# Has NEON and fused multiply-adds, which the compiler must not use: NEON of 32 bits flushes to zero.
check_arm() { check_machine arm arm-linux-gnueabihf little -mfpu=neon-vfpv4; }

check_riscv64() { check_machine riscv64 riscv64-linux-gnu little; }

# The machine with the other byte order. Its compiler takes a named standard for a wish to compute in double, which is
# refused.
check_s390x() {
	if s390x-linux-gnu-gcc -std=c17 -Iinclude -Isrc -fsyntax-only src/shape/shape.c 2>build-ci/emulated-s390x.double; then
		echo "arithmetic in double is taken for exact" >&2
		return 1
	fi
	expect_text "needs float arithmetic that is rounded to float: -fexcess-precision=fast" build-ci/emulated-s390x.double
	check_machine s390x s390x-linux-gnu big
}

# Vectors of big-endian machines are refused, and left out of the build and the drop-in. Debian has the compiler of one that
# has vectors, AArch64, and not this header.
check_big_endian() {
	local folder=build-ci/big-endian compiler
	compiler="aarch64-linux-gnu-gcc -mbig-endian -std=c17 -I$folder -fsyntax-only"
	mkdir -p $folder/gnu
	touch $folder/gnu/stubs-lp64_be.h
	if $compiler -Iinclude -Isrc -DWP_VARIANT=neon -DWP_WIDTH=4 src/wide/kernels.c 2>$folder/vectors; then
		echo "vectors of the other byte order are taken" >&2
		return 1
	fi
	expect_text "widephase has vectors of little-endian machines alone" $folder/vectors
	python3 src/package/drop_in.py . 0 $folder src/{core,shape,mesh,job,strong,batch,motion,reference}/*.c
	$compiler $folder/widephase.c
	write_aarch64_file $folder/aarch64.ini
	sed -i "s/'little'/'big'/" $folder/aarch64.ini
	if meson setup $folder/build --cross-file $folder/aarch64.ini -Dvariants=neon >$folder/setup; then
		echo "setup takes NEON on a big-endian machine" >&2
		return 1
	fi
	expect_text "variants: none of neon is for aarch64" $folder/setup
	echo "vectors: refused, left out"
}

# The library, the program, and the drop-in, in programs that are linked to musl at run time and in static ones. Kernels call
# nothing of the C library, so that two variants are enough, which are compiled faster than the stage gcc does.
check_musl() {
	local folder=build-ci/musl drop_in example linkage
	drop_in=$folder/src/package
	CC=musl-gcc PKG_CONFIG_LIBDIR=/nonexistent build_program $folder \
		"tests/parity tests/mesh_bytes tests/compounds src/tools/cli/widephase tests/cases tests/capture_bytes tests/campaign tests/example_threads tests/example_tasks tests/example_custom src/package/widephase.c" \
		-Dpython=disabled -Ddocs=disabled -Dwerror=true -Dvariants=scalar,avx2 -Doptimization=1
	expect_answers $folder/src/tools/cli/widephase
	python3 tests/program/check_options.py $folder/src/tools/cli/widephase
	$folder/tests/campaign --pairs 5k --out build-ci
	meson compile -C $folder widephase:shared_library >$folder.shared
	musl-gcc -Iinclude tests/install/consumers/main.c $folder/src/libwidephase.so "-Wl,-rpath,$PWD/$folder/src" -o $folder.main
	$folder.main
	musl-gcc -O1 -Wall -Wextra -Werror -c $drop_in/widephase.c -o $folder.drop_in.o
	for linkage in -static -no-pie; do
		musl-gcc $linkage -DDROP_IN -I$drop_in tests/install/consumers/each_variant.c $folder.drop_in.o -o $folder$linkage
		$folder$linkage >$folder$linkage.log
		expect_text "0 variants differ from scalar, no error" $folder$linkage.log
	done
	$folder/tests/cases tests/cases/*.pairs
	$folder/tests/capture_bytes
	$folder/tests/mesh_bytes
	$folder/tests/compounds
	for example in threads tasks custom; do
		$folder/tests/example_$example
	done
	logged $folder.parity $folder/tests/parity tests/kernels/parity.digests --few-ways
	echo "the same bits, $(wc -l <$folder.parity) digests"
}
