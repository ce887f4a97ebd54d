# shellcheck shell=bash
# Sourced after setup.sh: builds for AArch64 on another machine, and runs what was built by user-mode emulation.

aarch64_packages="gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"

install_aarch64() {
	command -v aarch64-linux-gnu-gcc >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null &&
		command -v qemu-aarch64-static >/dev/null && return
	heading "Installing compilers and an emulator for AArch64"
	as_root apt-get update -qq
	# shellcheck disable=SC2086
	install_packages $aarch64_packages
}

# write_aarch64_file FILE: the cross file.
write_aarch64_file() {
	cat >"$1" <<-END
		[binaries]
		c = 'aarch64-linux-gnu-gcc'
		cpp = 'aarch64-linux-gnu-g++'
		ar = 'aarch64-linux-gnu-ar'
		nm = 'aarch64-linux-gnu-nm'
		objdump = 'aarch64-linux-gnu-objdump'
		strip = 'aarch64-linux-gnu-strip'
		exe_wrapper = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu']

		[host_machine]
		system = 'linux'
		cpu_family = 'aarch64'
		cpu = 'aarch64'
		endian = 'little'
	END
}
