# shellcheck shell=bash
# Sourced by .ci/run and src/bindings/web/build: describes WebAssembly, compiled by emscripten and run by Node, to meson.

# write_wasm_file FOLDER: FOLDER/wasm.ini, the cross file, and FOLDER/wasm-include, which it names.
write_wasm_file() {
	local folder
	folder=$(realpath "$1")
	# SIMDe lies among the system's own headers, which are not for this target.
	mkdir -p "$folder/wasm-include"
	ln -sfn "$(dirname "$(find /usr/include /usr/local/include -path '*/simde/x86' -print -quit)")" "$folder/wasm-include/simde"
	cat >"$folder/wasm.ini" <<-END
		[binaries]
		c = 'emcc'
		cpp = 'em++'
		ar = 'emar'
		# This emscripten is older than the fetch of Node, which it takes for a browser's.
		exe_wrapper = ['node', '--no-experimental-fetch']

		[built-in options]
		# Meson compares its version with clang's and thinks it too old for the standards it knows.
		c_std = 'none'
		cpp_std = 'none'
		c_args = ['-std=c17', '-isystem', '$folder/wasm-include']
		cpp_args = ['-std=c++17']
		c_link_args = ['-sNODERAWFS=1', '-sALLOW_MEMORY_GROWTH=1']

		[host_machine]
		system = 'emscripten'
		cpu_family = 'wasm32'
		cpu = 'wasm32'
		endian = 'little'
	END
}
