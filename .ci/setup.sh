# shellcheck shell=bash
# Sourced by bench/run, tests/run and .ci/run from the top of the tree: installs what is missing and
# prepares build folders.

# What the library and the program need, and what the tests need besides.
build_packages="dpkg-dev gcc g++ meson ninja-build pkg-config"
# Machines other than x86 take their operations from SIMDe.
simde_packages=libsimde-dev
case $(uname -m) in
x86_64 | i?86) needs_simde=false ;;
*) needs_simde=true build_packages+=" $simde_packages" ;;
esac
test_packages="libcriterion-dev libqhull-dev libassimp-dev"

heading() {
	printf '\n== %s\n' "$*"
}

# has_simde: it is headers alone; not every distribution describes it to pkg-config.
has_simde() {
	echo '#include <simde/x86/sse2.h>' | ${CC:-cc} -E -x c - >/dev/null 2>&1
}

# What the build lacks on this machine, by the tools and libraries themselves, so that it works wherever
# they came from. missing_parts LIBRARY...: as pkg-config names them.
missing_parts() {
	local tool library
	for tool in "${CC:-cc}" "${CXX:-c++}" meson ninja pkg-config; do
		command -v "${tool%% *}" >/dev/null 2>&1 || echo "$tool"
	done
	# Meson asks it where Debian's libraries go; without it they go to lib64, where nothing here looks for them.
	if command -v dpkg >/dev/null 2>&1 && ! command -v dpkg-architecture >/dev/null 2>&1; then
		echo dpkg-dev
	fi
	! $needs_simde || has_simde || echo simde
	for library in "$@"; do
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

# refuse MISSING PACKAGES
refuse() {
	{
		printf '\nMissing on this machine: %s\n' "$1"
		printf 'On Debian or Ubuntu, as root: apt-get install %s\n' "$2"
		printf 'Elsewhere, install a C17 and C++17 compiler, meson (1.0 or later), ninja and pkg-config, outside of\n'
		printf 'x86 SIMDe, and for the tests the development packages of Criterion, qhull and assimp, then run this again.\n'
	} >&2
	exit 1
}

# install_missing PACKAGES [LIBRARY...]: what the build lacks, and libraries as pkg-config names them.
install_missing() {
	local packages=$1 missing
	shift
	missing=$(missing_parts "$@" | tr '\n' ' ')
	[ -z "$missing" ] && return
	command -v apt-get >/dev/null 2>&1 || refuse "$missing" "$packages"
	heading "Installing what is missing: $missing"
	echo "lists of packages"
	as_root apt-get update -qq || refuse "$missing" "$packages"
	echo "packages: $packages"
	# Word splitting is wanted: one argument for each package.
	# shellcheck disable=SC2086
	install_packages $packages || refuse "$missing" "$packages"
	missing=$(missing_parts "$@" | tr '\n' ' ')
	[ -z "$missing" ] || refuse "$missing" "$packages"
}

# logged FILE COMMAND...: its output is shown only where it fails.
logged() {
	local log=$1
	shift
	"$@" >"$log" 2>&1 || {
		cat "$log" >&2
		exit 1
	}
}

# set_up FOLDER [MESON OPTION...]: unless it is there.
set_up() {
	local folder=$1
	heading "Building in $folder"
	[ -f "$folder/build.ninja" ] && return
	logged "$folder.log" meson setup "$@"
	mv "$folder.log" "$folder/setup.log"
}

# set_up_tests FOLDER [MESON OPTION...]: with the tests. A folder that was set up without them, or before their framework
# was installed, gets them.
set_up_tests() {
	local folder=$1
	if [ ! -f "$folder/build.ninja" ]; then
		set_up "$@" -Dtests=true
		return
	fi
	set_up "$folder"
	ninja -C "$folder" -t query tests/test_api >/dev/null 2>&1 ||
		logged "$folder/setup.log" meson setup --reconfigure "$folder" -Dtests=true
}

# compile FOLDER TARGET...: with a line of progress now and then; ninja itself shows it on a terminal.
compile() {
	local folder=$1
	shift
	if [ -t 1 ]; then
		ninja -C "$folder" "$@"
	else
		NINJA_STATUS='[%f of %t steps, %e s] ' ninja -C "$folder" "$@" | awk '
			/^\[[0-9]+ of [0-9]+ steps, / {
				if ($5 >= due) { printf "%s of %s steps, %d s\n", substr($1, 2), $3, $5; fflush(); due = $5 + 15 }
				next
			}
			/^ninja: / && !/error|fatal|stopped/ { next }
			{ print; fflush() }'
	fi
}

# build_in FOLDER [MESON OPTION...]: all that is built by default.
build_in() {
	set_up "$@"
	compile "$1"
}
