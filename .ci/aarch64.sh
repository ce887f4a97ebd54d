# shellcheck shell=bash
# Sourced after setup.sh: the cross file of any machine; builds for AArch64 and programs of it by user-mode emulation.

aarch64_packages="gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static $simde_packages"

install_aarch64() {
	command -v aarch64-linux-gnu-gcc >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null &&
		command -v qemu-aarch64-static >/dev/null && has_simde && return
	heading "Installing compilers and an emulator for AArch64"
	as_root apt-get update -qq
	# shellcheck disable=SC2086
	install_packages $aarch64_packages
}

# write_machine_file FILE CPU TRIPLET ENDIAN [ARGUMENT]: the cross file; ARGUMENT is for the compilers.
write_machine_file() {
	local argument=${5:+"'$5'"}
	cat >"$1" <<-END
		[binaries]
		c = '$3-gcc'
		cpp = '$3-g++'
		ar = '$3-ar'
		nm = '$3-nm'
		objdump = '$3-objdump'
		strip = '$3-strip'
		exe_wrapper = ['qemu-$2-static', '-L', '/usr/$3']

		[built-in options]
		c_args = [$argument]
		cpp_args = [$argument]

		[host_machine]
		system = 'linux'
		cpu_family = '$2'
		cpu = '$2'
		endian = '$4'
	END
}

# write_aarch64_file FILE: the cross file.
write_aarch64_file() {
	write_machine_file "$1" aarch64 aarch64-linux-gnu little
}

# unpack_for_aarch64 FOLDER PACKAGE...: Debian's packages for AArch64 and what they depend on, unpacked in FOLDER
# and not installed, so that they need no root and meet no packages of this machine.
unpack_for_aarch64() {
	local root=$1 package
	shift
	[ -d "$root/usr" ] && return
	mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial"
	local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=
		-o "Dir::State=$root/apt" -o Dir::State::status=/dev/null -o "Dir::Cache=$root/apt/cache")
	"${apt[@]}" update
	"${apt[@]}" install -y --download-only --no-install-recommends "$@" >/dev/null
	for package in "$root"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$root"
	done
}

# write_aarch64_packages_file FILE FOLDER: the cross file for those packages, beside the other one.
write_aarch64_packages_file() {
	local libraries=$2/usr/lib/aarch64-linux-gnu
	cat >"$1" <<-END
		[binaries]
		pkgconfig = 'pkg-config'
		exe_wrapper = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', '-E', 'LD_LIBRARY_PATH=$libraries']

		[properties]
		sys_root = '$2'
		pkg_config_libdir = '$libraries/pkgconfig:$2/usr/share/pkgconfig'
	END
}
