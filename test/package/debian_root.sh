# Functions of the tests in this folder, which run commands in a new Debian. Sourced by bash, with these variables:
#
#   work   a folder that is removed at the end of the test
#   root   a folder for the new system, below `work`

# skip REASON: ends a test with the status that ctest counts as skipped.
skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

# Runs a command; prints its output only if it fails, and ends the test then.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

settings=()  # variables of the environment of commands in `root`
in_root() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    "${settings[@]}" ${proxy:+http_proxy="$proxy"} chroot "$root" "$@"
}

install_in_root() { quietly in_root apt-get -qq -y --no-install-recommends install "$@"; }

# Installs the base system of the Debian $STRUCTURED_SUITE in `root`, by default that of this machine, from this machine's mirror.
make_root() {
  ((EUID == 0)) || skip "only root can run chroot"
  command -v debootstrap >/dev/null || skip "debootstrap is missing, which \`./dev test --only=package\` installs"
  suite=${STRUCTURED_SUITE:-$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")}
  local mirror
  mirror=$(apt-get indextargets --format '$(SITE)' | head -1 || true)
  [[ -n $suite && -n $mirror ]] || skip "this system is not Debian, or has no mirror"
  proxy=''
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  http_proxy=${proxy:-${http_proxy-}} debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" ||
    { tail -5 "$work/log"; skip "debootstrap could not install $suite from $mirror"; }
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  quietly in_root apt-get -qq update
}
