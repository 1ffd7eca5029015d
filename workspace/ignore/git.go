package ignore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
	"tandem/workspace/repo"
)

// gitLists are the lists behind every .gitignore of a repository: its
// info/exclude, before the user's own. A list that the repository's
// configuration names comes on top of the user's and cannot replace it.
func (m *Matcher) gitLists(in repo.Repository, base int, fold bool) *list {
	var chain *list
	var files []string
	own := repo.ExpandHome(userExcludes())
	if own != "" {
		files = append(files, own)
		m.user.Allow(filepath.Dir(own), filepath.Dir(disk.Real(own)))
	}
	if in.CommonDir != "" {
		home, _ := os.UserHomeDir() // "" allows nothing
		m.user.Allow(in.Top, in.CommonDir, home)
		if named := in.Config().Value("core", "excludesfile"); named != "" {
			files = append(files, repo.ExpandHome(named))
		}
		files = append(files, filepath.Join(in.CommonDir, "info", "exclude"))
	}
	for _, file := range files {
		content, err := m.user.ReadFile(context.Background(), file, MaxRules)
		if errors.Is(err, fs.ErrNotExist) || file == os.DevNull {
			continue
		}
		l := parseList(string(content), displayName(file), base, fold, false)
		if err != nil && file != own {
			l.all = unread(displayName(file), err)
		}
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
		if path := repo.UserConfig(file).Value("core", "excludesfile"); path != "" {
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

// foldsCase reports whether git compares the repository's names without case.
func foldsCase(in repo.Repository) bool {
	switch strings.ToLower(in.Config().Value("core", "ignorecase")) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
