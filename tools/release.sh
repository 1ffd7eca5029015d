#!/usr/bin/env bash
# Makes a release in a folder: release.sh FOLDER PLATFORM...; for each platform an archive and the
# VS Code extension with the program inside, then SBOM, provenance and checksums. The same commit
# gives the same bytes: times are the commit's, names are sorted, owners are none. Pages name the
# address in REPOSITORY where they have this word.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(cat cmd/tandem/VERSION) out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
export CGO_ENABLED=0 GOFLAGS="-trimpath -buildvcs=false" SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
rm -rf "${out:?}"/*
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
commit=$(git rev-parse HEAD)
git diff --quiet HEAD || commit=$commit-and-changes
build() { GOOS=$1 GOARCH=$2 go build -ldflags "-s -w -buildid= -X main.commit=$commit -X main.date=$(git log -1 --format=%cs)" -o "$3" ./cmd/tandem; }

build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$stage/host"
mkdir -p "$stage/common/completions" "$stage/common/man" "$stage/common/editors"
for shell in bash zsh fish powershell; do "$stage/host" completion "$shell" > "$stage/common/completions/tandem.$shell"; done
go run -C tools ./manpage "$stage/host" "$version" > "$stage/common/man/tandem.1"
cp -r editors/neovim "$stage/common/editors/neovim" && rm -f "$stage/common/editors/neovim/doc/tags"
mkdir -p "$stage/common/editors/vscode" && cp editors/vscode/README.md "$stage/common/editors/vscode/" && cp -r editors/claude-code "$stage/common/editors/"
cp -r docs README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md LICENSE THIRD_PARTY_NOTICES.txt install.sh "$stage/common/"
sed -i "s/^## $version, not released yet/## $version, $(git log -1 --format=%cs)/" "$stage/common/CHANGELOG.md"
[ -z "${REPOSITORY:-}" ] || find "$stage/common" -name '*.md' -exec sed -i "s#<!-- REPOSITORY -->#; the repository is REPOSITORY#; s#uses: REPOSITORY#uses: $(echo "$REPOSITORY" | sed -E 's,^https?://[^/]*/,,')#; s#REPOSITORY#$REPOSITORY#g" {} +

for platform in "$@"; do
  os=${platform%/*} arch=${platform#*/} exe=
  [ "$os" = windows ] && exe=.exe
  name=tandem-$version-$os-$arch
  cp -r "$stage/common" "$stage/$name"
  build "$os" "$arch" "$stage/$name/tandem$exe"
  tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --format=ustar -cf - "$name" | gzip -n9 > "$out/$name.tar.gz"
  target=$(echo "$os" | sed 's/windows/win32/')-$(echo "$arch" | sed 's/amd64/x64/')
  rm -rf editors/vscode/bin && mkdir -p editors/vscode/bin
  cp "$stage/$name/tandem$exe" editors/vscode/bin/ && cp LICENSE THIRD_PARTY_NOTICES.txt editors/vscode/
  (cd editors/vscode && npx --no-install vsce package --target "$target" --no-dependencies --allow-missing-repository --out "$out/tandem-$version-$target.vsix" > /dev/null 2> "$stage/vsce.log" || { cat "$stage/vsce.log" >&2; exit 1; })
done
go run -C tools ./sbom "$stage/host" "$version" ../THIRD_PARTY_NOTICES.txt > "$out/tandem-$version.spdx.json"

# What was built from which commit, as an in-toto statement in SLSA's terms. Who publishes a release signs it.
{
  printf '{"_type":"https://in-toto.io/Statement/v1","subject":[\n'
  (cd "$out" && sha256sum -- *) | sed -E 's/^([0-9a-f]+)  (.*)$/{"name":"\2","digest":{"sha256":"\1"}},/; $s/,$//'
  printf '],"predicateType":"https://slsa.dev/provenance/v1","predicate":{"buildDefinition":{"buildType":"tandem:tools/release.sh",\n'
  printf '"externalParameters":{"version":"%s","platforms":"%s"},\n' "$version" "$*"
  printf '"resolvedDependencies":[{"uri":"git+tandem","digest":{"gitCommit":"%s"}},{"uri":"pkg:golang/stdlib@%s"}]},\n' "$commit" "$(go env GOVERSION | sed 's/^go//')"
  printf '"runDetails":{"builder":{"id":"tandem:tools/release.sh"}}}}\n'
} > "$stage/provenance" && mv "$stage/provenance" "$out/tandem-$version.intoto.json"
(cd "$out" && sha256sum -- * > SHA256SUMS)
