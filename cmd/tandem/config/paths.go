package config

import (
	"os"
	"path/filepath"
	"runtime"
)

// Dir returns the folder of the user's configuration: $XDG_CONFIG_HOME/tandem,
// or the platform's folder. A relative XDG_CONFIG_HOME is ignored: it would be
// inside the folder in which the editor was started. "" means there is none.
func Dir(getenv func(string) string) string {
	if getenv == nil {
		getenv = os.Getenv
	}
	if base := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "tandem")
	}
	switch runtime.GOOS {
	case "windows":
		return under(getenv("AppData"), "tandem")
	case "darwin":
		return under(getenv("HOME"), "Library", "Application Support", "tandem")
	}
	return under(getenv("HOME"), ".config", "tandem")
}

// DefaultFile returns the user's configuration file if no flag names another.
func DefaultFile(getenv func(string) string) string {
	return under(Dir(getenv), "config.toml")
}

// managedFile returns the path of the administrator's file. No environment variable
// changes it: what an administrator forbids, a user cannot move out of the way.
func managedFile() string {
	switch runtime.GOOS {
	case "windows":
		return under(programData(), "tandem", "managed.toml")
	case "darwin":
		return "/Library/Application Support/tandem/managed.toml"
	}
	return "/etc/tandem/managed.toml"
}

// under joins a path below an absolute base; it returns "" for any other base.
func under(base string, parts ...string) string {
	if !filepath.IsAbs(base) {
		return ""
	}
	return filepath.Join(append([]string{base}, parts...)...)
}
