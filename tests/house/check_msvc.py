#!/usr/bin/env python3
"""Checks that each public header compiles alone for MSVC's ABI, by Clang, and has no extensions of GNU there.

usage: check_msvc.py CLANG FOLDER     FOLDER has the public headers

MSVC's own headers are not free: of C Clang brings what is needed, of C++ a few lines stand here in their place, and of an
engine the declarations that a public header for it uses.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77

# What a user may define, see base.h.
DEFINES = ([], ["-DWP_SHARED"], ["-DWP_SHARED", "-DWP_BUILDING"])

# A template is compiled where it stands, not only where it is used, which MSVC leaves to that.
TARGET = ["--target=x86_64-pc-windows-msvc", "-fms-compatibility", "-fno-delayed-template-parsing", "-nostdinc++",
    "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LANGUAGES = {".h": ["-xc -std=c17", "-xc++ -std=c++17"], ".hpp": ["-xc++ -std=c++17"]}

GNU_WORD = re.compile(r"\b(?:__attribute(?:__)?|__asm(?:__)?|asm|__extension__|__builtin_\w+|(?:__)?typeof(?:__)?|__int128)\b")
LINE_MARKER = re.compile(r'^# \d+ "([^"]*)"')

STANDARD = {
    "BulletCollision/CollisionDispatch/btCollisionDispatcher.h": """
        class btCollisionAlgorithm; class btCollisionConfiguration; class btCollisionShape; class btDispatcher;
        class btOverlappingPairCache; class btPersistentManifold; struct btCollisionObjectWrapper; struct btDispatcherInfo;
        enum ebtDispatcherQueryType { BT_CONTACT_POINT_ALGORITHMS = 1 };
        class btCollisionDispatcher {
        public:
            btCollisionDispatcher(btCollisionConfiguration *);
            virtual ~btCollisionDispatcher();
            virtual btCollisionAlgorithm *findAlgorithm(const btCollisionObjectWrapper *, const btCollisionObjectWrapper *,
                btPersistentManifold *, ebtDispatcherQueryType);
            virtual void dispatchAllCollisionPairs(btOverlappingPairCache *, const btDispatcherInfo &, btDispatcher *);
        };""",
    "dart/collision/CollisionDetector.hpp": """
        #include <cstddef>
        #include <memory>
        #include <string>
        namespace Eigen { struct Vector3d; }
        namespace dart { namespace dynamics { class ShapeFrame; } }
        namespace dart { namespace collision {
        class CollisionGroup; class CollisionObject; struct DistanceResult; struct RaycastResult; class CollisionResult;
        struct CollisionOption { CollisionOption(bool, std::size_t, std::nullptr_t); };
        struct DistanceOption { DistanceOption(bool, double, std::nullptr_t); };
        struct RaycastOption {};
        class CollisionDetector {
        public:
            virtual ~CollisionDetector();
            virtual std::shared_ptr<CollisionDetector> cloneWithoutCollisionObjects() const = 0;
            virtual const std::string &getType() const = 0;
            virtual std::unique_ptr<CollisionGroup> createCollisionGroup() = 0;
            virtual bool collide(CollisionGroup *, const CollisionOption &, CollisionResult *) = 0;
            virtual bool collide(CollisionGroup *, CollisionGroup *, const CollisionOption &, CollisionResult *) = 0;
            virtual double distance(CollisionGroup *, const DistanceOption &, DistanceResult *) = 0;
            virtual double distance(CollisionGroup *, CollisionGroup *, const DistanceOption &, DistanceResult *) = 0;
            virtual bool raycast(CollisionGroup *, const Eigen::Vector3d &, const Eigen::Vector3d &, const RaycastOption &,
                RaycastResult *);
        protected:
            virtual std::unique_ptr<CollisionObject> createCollisionObject(const dynamics::ShapeFrame *) = 0;
            virtual void refreshCollisionObject(CollisionObject *) = 0;
        };
        } }""",
    "mujoco/mjmodel.h": "typedef struct mjModel_ mjModel;",
    "string": "namespace std { class string; }",
    "cstddef": "#include <stddef.h>\nnamespace std { using ::size_t; using nullptr_t = decltype(nullptr); }",
    "cstdint": "#include <stdint.h>\nnamespace std { using ::uint8_t; using ::uint32_t; }",
    "type_traits": """
        namespace std {
        template <class T, T V> struct integral_constant { static constexpr T value = V; };
        using true_type = integral_constant<bool, true>;
        using false_type = integral_constant<bool, false>;
        template <bool, class T = void> struct enable_if {};
        template <class T> struct enable_if<true, T> { using type = T; };
        template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
        template <class...> using void_t = void;
        template <class T> struct remove_pointer { using type = T; };
        template <class T> struct remove_pointer<T *> { using type = T; };
        template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
        template <class T> struct remove_const { using type = T; };
        template <class T> struct remove_const<const T> { using type = T; };
        template <class T> using remove_const_t = typename remove_const<T>::type;
        template <class T> struct remove_volatile { using type = T; };
        template <class T> struct remove_volatile<volatile T> { using type = T; };
        template <class T> using remove_cv_t = remove_const_t<typename remove_volatile<T>::type>;
        template <class T> struct remove_reference { using type = T; };
        template <class T> struct remove_reference<T &> { using type = T; };
        template <class T> struct remove_reference<T &&> { using type = T; };
        template <class A, class B> inline constexpr bool is_same_v = __is_same(A, B);
        template <class A, class B> inline constexpr bool is_base_of_v = __is_base_of(A, B);
        template <class A, class B> inline constexpr bool is_convertible_v = __is_convertible_to(A, B);
        template <class T> inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
        template <class T> inline constexpr bool is_const_v = __is_const(T);
        template <class T> inline constexpr bool is_class_v = __is_class(T);
        template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
        template <class T> inline constexpr bool is_standard_layout_v = __is_standard_layout(T);
        }""",
    "utility": """
        #include <type_traits>
        namespace std {
        template <class T> T &&declval() noexcept;
        template <class T> constexpr typename remove_reference<T>::type &&move(T &&value) noexcept
        { return static_cast<typename remove_reference<T>::type &&>(value); }
        template <class T, class U> T exchange(T &place, U &&value)
        { T old = move(place); place = static_cast<U &&>(value); return old; }
        }""",
    "new": """
        #include <cstddef>
        namespace std {
        enum class align_val_t : size_t {};
        struct nothrow_t {};
        extern const nothrow_t nothrow;
        }
        void *operator new(std::size_t, std::align_val_t, const std::nothrow_t &) noexcept;
        void operator delete(void *, std::align_val_t) noexcept;""",
    "memory": """
        namespace std {
        template <class T> struct default_delete;
        template <class T, class Deleter = default_delete<T>> class unique_ptr {
        public:
            unique_ptr() = default;
            unique_ptr(unique_ptr &&) noexcept;
            unique_ptr &operator=(unique_ptr &&) noexcept;
            ~unique_ptr();
            void reset(T *value = nullptr) noexcept;
            T *get() const noexcept;
            T *release() noexcept;
            explicit operator bool() const noexcept;
        };
        template <class T> class shared_ptr;
        }""",
}


def run(clang, include, standard, arguments, header):
    """The exit status, the output and the errors for a source that includes the header alone."""
    command = [clang, *TARGET, *arguments, f"-I{include}", f"-isystem{standard}", "-"]
    source = f"#include <widephase/{header}>\nextern int compiled;\n"
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def gnu_words(text, include):
    """Words of GNU in what the preprocessor leaves of the public headers."""
    words, is_own = set(), False
    for line in text.splitlines():
        marker = LINE_MARKER.match(line)
        if marker:
            is_own = marker.group(1).startswith(str(include))
        elif is_own:
            words |= set(GNU_WORD.findall(re.sub(r'"(?:\\.|[^"\\])*"', "", line)))
    return sorted(words)


def check(clang, include, standard):
    count, problems = 0, []
    for path in sorted((include / "widephase").iterdir()):
        for language in LANGUAGES.get(path.suffix, []):
            for defines in DEFINES:
                count += 1
                arguments = language.split() + defines
                where = f"{path.name}, {' '.join(arguments)}"
                status, _, said = run(clang, include, standard, ["-fsyntax-only", *arguments], path.name)
                if status != 0:
                    problems.append(f"{where}:\n{said}")
                words = gnu_words(run(clang, include, standard, ["-E", *arguments], path.name)[1], include)
                problems += [f"{where}: {word} is GNU's" for word in words]
    return count, problems


def check_control(clang, include, standard, folder):
    """An attribute and a type that MSVC lacks are found."""
    control = folder / "control"
    (control / "widephase").mkdir(parents=True)
    for path in include.glob("widephase/*.h"):
        text = path.read_text(encoding="utf-8")
        if path.name == "base.h":
            text = text.replace("WP_API const char *wp_version", "__attribute__((pure)) const char *wp_version", 1)
        if path.name == "reference.h":
            text = text.replace("#include ", "#include <unistd.h>\n#include ", 1)
        (control / "widephase" / path.name).write_text(text, encoding="utf-8")
    problems = check(clang, control, standard)[1]
    wanted = ("base.h, -xc -std=c17: __attribute__ is GNU's", "reference.h, -xc++ -std=c++17:\n")
    return [f"not found: {want!r}" for want in wanted if not any(problem.startswith(want) for problem in problems)]


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    clang, include = arguments[0], pathlib.Path(arguments[1]).resolve().parent
    if not clang:
        print("no Clang")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        standard = folder / "standard"
        standard.mkdir()
        for header, text in STANDARD.items():
            (standard / header).parent.mkdir(parents=True, exist_ok=True)
            (standard / header).write_text(f"#pragma once\n{text}\n", encoding="utf-8")
        count, problems = check(clang, include, standard)
        if not count:
            problems.append("no headers")
        problems += check_control(clang, include, standard, folder)
    print("\n".join(problems) or f"{count} times a header, and nothing of GNU's")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
