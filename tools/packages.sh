# Sourced by tools/run, tools/test and .ci/run: finds out which Debian packages a build lacks and
# installs those, and only those. Everything it says goes to standard error.
#
#   need PACKAGE COMMAND...   notes PACKAGE as missing unless COMMAND succeeds
#   need_build, need_tests    the same for everything a build, or the tests, want
#   install_missing           installs what was noted; fails with a message when it cannot

missing=

need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

can_compile() {
    printf '#include <stdio.h>\n' | "${CC:-cc}" -E - && command -v ar
}

need_build() {
    need gcc command -v "${CC:-cc}"
    need libc6-dev can_compile
    need meson command -v meson
    need ninja-build command -v ninja
    need pkg-config command -v pkg-config
    need libcjson-dev pkg-config --exists libcjson
    need libutf8proc-dev pkg-config --exists libutf8proc
    need libzstd-dev pkg-config --exists libzstd
    need libxxhash-dev pkg-config --exists libxxhash
    need libedit-dev pkg-config --exists libedit
}

need_tests() {
    need_build
    need python3 command -v python3
    need libcmocka-dev pkg-config --exists cmocka
}

install_missing() {
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        if ! command -v sudo >/dev/null 2>&1; then
            echo "These packages are missing and only root can install them:$missing" >&2
            echo "As root: apt-get install --no-install-recommends$missing" >&2
            return 1
        fi
    fi
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "These packages (by their Debian names) are missing:$missing" >&2
        return 1
    fi
    echo "installing:$missing" >&2
    install_log=$(mktemp)
    if $as_root sh -c "export DEBIAN_FRONTEND=noninteractive
            apt-get update && apt-get install -y --no-install-recommends $missing" \
            >"$install_log" 2>&1 </dev/null; then
        rm -f "$install_log"
        missing=
        return 0
    fi
    tail -n 20 "$install_log" >&2
    rm -f "$install_log"
    echo "Could not install:$missing" >&2
    return 1
}
