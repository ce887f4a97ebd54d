# shellcheck shell=bash
# Sourced by bench/run, tests/run and .ci/run from the top of the tree: installs what is missing and
# prepares build folders.

packages="dpkg-dev gcc g++ meson ninja-build pkg-config libsimde-dev libcriterion-dev libqhull-dev libassimp-dev"

heading() {
	printf '\n== %s\n' "$*"
}

# What the build lacks on this machine, by the tools and libraries themselves, so that it works wherever
# they came from.
missing_parts() {
	local tool library
	for tool in "${CC:-cc}" "${CXX:-c++}" meson ninja pkg-config; do
		command -v "${tool%% *}" >/dev/null 2>&1 || echo "$tool"
	done
	# Meson asks it where Debian's libraries go; without it they go to lib64, where nothing here looks for them.
	if command -v dpkg >/dev/null 2>&1 && ! command -v dpkg-architecture >/dev/null 2>&1; then
		echo dpkg-dev
	fi
	# SIMDe is headers alone; not every distribution describes it to pkg-config.
	echo '#include <simde/x86/sse2.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1 || echo simde
	for library in criterion qhull_r assimp; do
		pkg-config --exists "$library" 2>/dev/null || echo "$library"
	done
}

# Run a command as root: directly, or by sudo.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		return 1
	fi
}

install_packages() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" >/dev/null
}

refuse() {
	{
		printf '\nMissing on this machine: %s\n' "$1"
		printf 'On Debian or Ubuntu, as root: apt-get install %s\n' "$packages"
		printf 'Elsewhere, install a C17 and C++17 compiler, meson (1.0 or later), ninja, pkg-config and the\n'
		printf 'development packages of SIMDe, Criterion, qhull and assimp, then run this again.\n'
	} >&2
	exit 1
}

install_missing() {
	local missing
	missing=$(missing_parts | tr '\n' ' ')
	[ -z "$missing" ] && return
	command -v apt-get >/dev/null 2>&1 || refuse "$missing"
	heading "Installing what is missing: $missing"
	as_root apt-get update -qq || refuse "$missing"
	# Word splitting is wanted: one argument for each package.
	# shellcheck disable=SC2086
	install_packages $packages || refuse "$missing"
	missing=$(missing_parts | tr '\n' ' ')
	[ -z "$missing" ] || refuse "$missing"
}

# build_in FOLDER [MESON OPTION...]: set up the folder unless it is there, and compile.
build_in() {
	local folder=$1
	shift
	heading "Building in $folder"
	if [ ! -f "$folder/build.ninja" ]; then
		meson setup "$folder" "$@" >"$folder.log" 2>&1 || {
			cat "$folder.log" >&2
			exit 1
		}
		mv "$folder.log" "$folder/setup.log"
	fi
	ninja -C "$folder" --quiet
}
