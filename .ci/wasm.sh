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

# unpack_qhull FOLDER: FOLDER/qhull, qhull's sources as the distribution has them, of which the package for JavaScript makes
# its module that cooks hulls; to the output the option for meson, nothing where there are no sources.
unpack_qhull() {
	local folder=$1/qhull apt
	if [ ! -d "$folder" ] && command -v apt-get >/dev/null && command -v dpkg-source >/dev/null; then
		apt=$(mktemp -d)
		chmod 755 "$apt"
		mkdir -p "$apt/parts" "$apt/lists/partial"
		[ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/parts/old.list"
		for file in /etc/apt/sources.list.d/*.sources; do
			[ ! -f "$file" ] || sed 's/^Types: *deb.*/Types: deb-src/' "$file" >"$apt/parts/$(basename "$file")"
		done
		local options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists"
			-o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
		if (cd "$apt" && apt-get "${options[@]}" update && apt-get "${options[@]}" source qhull) >&2; then
			mv "$apt"/qhull-*/ "$folder"
		fi
		rm -rf "$apt"
	fi
	[ ! -d "$folder" ] || echo "-Dqhull_source=$(realpath "$folder")"
}
