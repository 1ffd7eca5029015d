package deps

import (
	"path/filepath"
	"runtime"

	"tandem/workspace/disk"
)

// The places of this machine where tools keep what they install, by the environment.

// modCache is the folder of downloaded modules.
func (o Options) modCache() string {
	if dir := o.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if list := filepath.SplitList(o.Getenv("GOPATH")); len(list) > 0 && list[0] != "" {
		return filepath.Join(list[0], "pkg", "mod")
	}
	return filepath.Join(o.Home, "go", "pkg", "mod")
}

// moduleFolders are where systems install packages of Node.js.
var moduleFolders = []string{"/usr/lib/node_modules", "/usr/local/lib/node_modules", "/usr/share/nodejs"}

// systemPythons are where systems install Python.
var systemPythons = []string{"/usr", "/usr/local", "/opt/homebrew"}

func (o Options) pyenv() string {
	if dir := o.Getenv("PYENV_ROOT"); dir != "" {
		return dir
	}
	return filepath.Join(o.Home, ".pyenv")
}

// pythonInstalls are the folders in which the user's tools keep one folder for
// each Python that they installed.
func (o Options) pythonInstalls() []string {
	home := o.Home
	out := []string{filepath.Join(o.pyenv(), "versions"), o.Getenv("UV_PYTHON_INSTALL_DIR")}
	for _, at := range []string{".local/share/uv/python", ".local/share/mise/installs/python", ".asdf/installs/python", ".rye/py",
		"miniconda3", "anaconda3", "miniforge3", "AppData/Local/Programs/Python", "AppData/Roaming/uv/python"} {
		out = append(out, filepath.Join(home, filepath.FromSlash(at)))
	}
	return append(out, "/Library/Frameworks/Python.framework/Versions", "/opt/homebrew", "/opt/conda")
}

// command finds a command on PATH without running it. It follows symbolic
// links, so that the result is inside the command's distribution. What lies in a
// workspace folder is no command of the user's: a link there names any folder.
func (r *reader) command(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(r.options.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || r.inWorkspace(dir) {
			continue
		}
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, name)); err == nil && disk.IsFile(real) {
			return real
		}
	}
	return ""
}

// inWorkspace reports whether a path leads through a workspace folder, so that the
// workspace decides what is there, even where the environment names the path.
func (r *reader) inWorkspace(path string) bool {
	gate := r.gate()
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if folder, _ := gate.FolderOf(disk.Real(at)); folder != "" {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}
