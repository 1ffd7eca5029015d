package ignore

import (
	"strings"

	"tandem/workspace/rel"
)

// The built-in rules. They apply whatever the ignore files contain, in any letter
// case. Generated source code is not among them: names in it are real, and a
// check that did not know them would report errors in correct code.

const (
	whySecret    = "built-in rule: it usually holds keys or passwords"
	whyLock      = "built-in rule: it is a lock file"
	whyBinary    = "built-in rule: it is no text"
	whyArtifact  = "built-in rule: it is a build's output, nobody writes it"
	whyMetadata  = "built-in rule: it is a version control system's own data"
	whyThirdPart = "built-in rule: it is installed third-party code"
	whyCache     = "built-in rule: it is a tool's cache"
)

// deniedDirs are folders of which nothing below is shown.
var deniedDirs = reasons(map[string]string{
	whyMetadata:  ".git .hg .svn .jj .bzr _darcs cvs .pijul",
	whySecret:    ".aws .ssh .gnupg .password-store",
	whyThirdPart: "node_modules bower_components jspm_packages .venv site-packages .yarn .pnpm-store .bundle",
	whyCache: "__pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .gradle .terraform .next .nuxt " +
		".svelte-kit .parcel-cache .turbo .cache .nyc_output .dart_tool .eggs .ipynb_checkpoints .direnv .ccls-cache",
})

// deniedNames are file names.
var deniedNames = reasons(map[string]string{
	whySecret: ".npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .dockercfg " +
		".vault-token .boto .s3cfg .terraformrc terraform.rc .bash_history .zsh_history .psql_history .mysql_history .python_history " +
		"master.key secring.gpg kubeconfig",
	whyLock: "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum go.work.sum " +
		"packages.lock.json gradle.lockfile .terraform.lock.hcl package.resolved",
	whyArtifact: ".ds_store thumbs.db",
})

// deniedExtensions are what follows a name's last dot.
var deniedExtensions = reasons(map[string]string{
	whySecret:   "pem key p12 pfx p8 jks keystore bks kdbx kdb ppk gpg pgp asc age ovpn tfstate env der crt cer mobileprovision",
	whyLock:     "lock",
	whyArtifact: "map snap pyc pyo tsbuildinfo orig rej swp swo",
	whyBinary: "png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd xcf ai eps raw " +
		"mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv wav flac aac wma wmv " +
		"zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear aar apk ipa deb rpm dmg iso msi cab whl egg nupkg vsix crx " +
		"exe dll so dylib a o obj lib class wasm node ko elf bin dat dex pdb ilk exp gch pch rlib rmeta " +
		"ttf otf woff woff2 eot pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi " +
		"db sqlite sqlite3 mdb accdb parquet avro orc feather npy npz pkl pickle h5 hdf5 pt pth onnx gguf safetensors tflite ckpt " +
		"pack idx rdb dump dmp core blend fbx glb stl dwg skp swf fla",
})

// deniedSuffixes are longer ends of names, and deniedPrefixes their starts.
var (
	deniedSuffixes = []named{
		{".min.js", whyArtifact}, {".min.mjs", whyArtifact}, {".min.cjs", whyArtifact}, {".min.css", whyArtifact},
		{".min.html", whyArtifact}, {".bundle.js", whyArtifact}, {".chunk.js", whyArtifact}, {".chunk.css", whyArtifact},
		{"-min.js", whyArtifact}, {".tfstate.backup", whySecret},
	}
	deniedPrefixes = []named{{".env", whySecret}, {".tandem-", whyArtifact}}
	// codeOrSecret start both secrets and source files; the extension decides.
	codeOrSecret = []string{"id_", "credentials"}
)

type named struct{ text, why string }

// sourceExtensions are those of program text: credentials.go is a program,
// credentials.json holds credentials.
var sourceExtensions = reasons(map[string]string{
	"": "go py pyi ts tsx mts cts js jsx mjs cjs java kt kts scala groovy rs c h cc cpp cxx hh hpp hxx m mm cs fs vb swift " +
		"rb php pl pm lua ex exs erl hs ml mli clj cljs dart r jl sh bash zsh fish ps1 sql proto graphql html css scss less vue svelte astro zig nim v sol md rst adoc",
})

// Denied reports whether the built-in rules hide a file, and returns why.
func Denied(at rel.Path) (bool, string) {
	path := at.String()
	if deniedPair(path) {
		return true, whySecret
	}
	for start := 0; ; {
		slash := strings.IndexByte(path[start:], '/')
		if slash < 0 {
			return deniedFile(path[start:])
		}
		if denied, why := DeniedDir(path[start : start+slash]); denied {
			return true, why
		}
		start += slash + 1
	}
}

// DeniedDir reports whether the built-in rules hide a folder of this name and
// everything below it.
func DeniedDir(name string) (bool, string) {
	why, ok := deniedDirs[lower(name)]
	return ok, why
}

// deniedPairs are files that are secret in a folder of a certain name only.
var deniedPairs = []struct{ dir, name string }{
	{".kube", "config"}, {".docker", "config.json"}, {".azure", "accesstokens.json"}, {".cargo", "credentials"}, {".config", "hub"},
}

func deniedPair(path string) bool {
	for _, p := range deniedPairs {
		rest, ok := strings.CutSuffix(path, p.name)
		if ok && strings.HasSuffix(rest, p.dir+"/") {
			return true
		}
	}
	return false
}

func deniedFile(name string) (bool, string) {
	low := lower(name)
	if why, ok := deniedNames[low]; ok {
		return true, why
	}
	extension := low[strings.LastIndexByte(low, '.')+1:]
	if why, ok := deniedExtensions[extension]; ok && len(extension) < len(low) {
		return true, why
	}
	for _, p := range deniedPrefixes {
		if strings.HasPrefix(low, p.text) {
			return low != ".env.example", p.why
		}
	}
	for _, s := range deniedSuffixes {
		if strings.HasSuffix(low, s.text) {
			return true, s.why
		}
	}
	for _, p := range codeOrSecret {
		if strings.HasPrefix(low, p) {
			if _, source := sourceExtensions[extension]; !source || len(extension) == len(low) {
				return true, whySecret
			}
		}
	}
	return false, ""
}

// lower returns name in lower case, without trailing dots and spaces: some file systems do
// not see them.
func lower(name string) string { return strings.TrimRight(strings.ToLower(name), ". ") }

// reasons turns lists of words by reason into a map from word to reason.
func reasons(lists map[string]string) map[string]string {
	out := map[string]string{}
	for why, words := range lists {
		for _, w := range strings.Fields(words) {
			out[w] = why
		}
	}
	return out
}
