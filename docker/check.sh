#!/bin/sh
# `make containers`: build the image, check every file of this folder, and use an installation from the image once.
# Debian: apt install buildah podman runc mmdebstrap prometheus; kubectl from its own site.
# No registry is needed: the base is made from Debian's packages, unless BASE_IMAGE names one.
# BUILD_OPTIONS: for buildah, such as a mount of a company's certificates.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
MAX_MB=520

for tool in buildah podman runc kubectl promtool; do
  command -v $tool >/dev/null || { echo "✗ $tool is missing" >&2; exit 1; }
done

make_base() { # make_base NAME VARIANT PACKAGES [HOOK]: an image of Debian, without texts and manuals
  podman image exists "localhost/$1" && return
  mmdebstrap --quiet --variant="$2" --include="$3" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    ${4:+--customize-hook="$4"} bookworm - http://deb.debian.org/debian | podman import --quiet - "localhost/$1"
}
if [ -z "${BASE_IMAGE:-}" ]; then
  make_base postloom-build:bookworm minbase python3,python3-venv,ca-certificates
  # perl's modules only serve the installation of packages
  make_base postloom-base:bookworm essential python3,ca-certificates,libstdc++6 'rm -rf "$1"/usr/share/perl'
  BASE_IMAGE=localhost/postloom-base:bookworm BUILD_IMAGE=localhost/postloom-build:bookworm
fi

buildah bud --isolation chroot --format docker --layers ${BUILD_OPTIONS:-} \
  --build-arg "BASE_IMAGE=$BASE_IMAGE" --build-arg "BUILD_IMAGE=${BUILD_IMAGE:-$BASE_IMAGE}" \
  -f docker/Dockerfile -t localhost/postloom:check .
megabytes=$(($(podman image inspect --format '{{.Size}}' localhost/postloom:check) / 1000000))
[ $megabytes -le $MAX_MB ] || { echo "✗ the image has $megabytes MB, more than $MAX_MB" >&2; exit 1; }
echo "✓ image: $megabytes MB"

$PYTHON docker/check_compose.py
kubectl kustomize docker/kubernetes/base >/dev/null
kubectl kustomize docker/kubernetes/with-autoscaling >/dev/null
echo "✓ Kubernetes: both sets are complete"
promtool check config docker/monitoring/prometheus.yaml
(cd docker/monitoring && promtool test rules alerts_test.yaml)

$PYTHON docker/smoke.py localhost/postloom:check
