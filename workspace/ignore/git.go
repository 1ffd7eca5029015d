package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// A repository is where a git repository keeps its metadata. Only a few files
// of it are read, as data.
type repository struct {
	gitDir    string // of this worktree
	commonDir string // shared by all worktrees
}

// repositoryAround returns the root of the repository that holds path.
func repositoryAround(path string) (string, bool) {
	for at := path; ; {
		if _, ok := repositoryAt(at); ok {
			return at, true
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", false
		}
		at = parent
	}
}

// repositoryAt returns the repository whose root is dir: one with a .git
// folder, or with a .git file (a linked worktree, a submodule).
func repositoryAt(dir string) (repository, bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return repository{}, false
	}
	if !info.IsDir() {
		target, ok := readPointer(dot, "gitdir:")
		if !ok {
			return repository{}, false
		}
		dot = target
	}
	if !present(filepath.Join(dot, "HEAD")) {
		return repository{}, false
	}
	common, ok := readPointer(filepath.Join(dot, "commondir"), "")
	if !ok {
		common = dot
	}
	return repository{gitDir: dot, commonDir: common}, true
}

// readPointer reads a small file that holds a path after prefix, relative to
// the file's own folder.
func readPointer(file, prefix string) (string, bool) {
	content, ok := readRules(file, true)
	if !ok {
		return "", false
	}
	path, ok := strings.CutPrefix(content, prefix)
	path = strings.TrimSpace(path)
	if !ok || path == "" || len(path) > 4096 {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
	}
	return filepath.Clean(path), true
}

// gitLists are the lists that apply after every .gitignore of a repository: its
// info/exclude, before the user's own. A list that the repository's configuration
// names is added to the user's and cannot replace it.
func gitLists(repo repository, base int, fold bool) *list {
	var chain *list
	files := []string{userExcludes()}
	if repo.commonDir != "" {
		files = append(files, repo.config().value("core", "excludesfile"), filepath.Join(repo.commonDir, "info", "exclude"))
	}
	for _, file := range files {
		content, ok := readRules(expandHome(file), true)
		if file == "" || !ok {
			continue
		}
		l := parseList(content, displayName(file), base, fold, false)
		l.farther = chain
		chain = l
	}
	return chain
}

// displayName is the displayed path of a list outside the folders' own ignore
// files.
func displayName(file string) string {
	if strings.HasSuffix(filepath.ToSlash(file), "info/exclude") {
		return ".git/info/exclude"
	}
	return file
}

// userExcludes is the user's own list: what their configuration names, else
// the default place.
func userExcludes() string {
	for _, file := range userConfigs() {
		if path := readConfig(file, 0).value("core", "excludesfile"); path != "" {
			return path
		}
	}
	if dir := configHome(); dir != "" {
		return filepath.Join(dir, "git", "ignore")
	}
	return ""
}

// userConfigs are git's configuration files outside repositories, the one that
// wins first.
func userConfigs() []string {
	var files []string
	if global, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		files = append(files, global)
	} else {
		if home, err := os.UserHomeDir(); err == nil {
			files = append(files, filepath.Join(home, ".gitconfig"))
		}
		if dir := configHome(); dir != "" {
			files = append(files, filepath.Join(dir, "git", "config"))
		}
	}
	system, ok := os.LookupEnv("GIT_CONFIG_SYSTEM")
	if !ok {
		system = "/etc/gitconfig"
	}
	if no := os.Getenv("GIT_CONFIG_NOSYSTEM"); no == "" || no == "0" || no == "false" {
		files = append(files, system)
	}
	return files
}

func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config")
}

func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}

func (r repository) config() config { return readConfig(filepath.Join(r.commonDir, "config"), 0) }

// foldsCase reports whether git compares the repository's names without case.
func (r repository) foldsCase() bool {
	switch strings.ToLower(r.config().value("core", "ignorecase")) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
