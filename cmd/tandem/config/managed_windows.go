package config

import "golang.org/x/sys/windows"

// programData is the folder for all users. It is asked from the system, since
// a user may set the environment variable of that name.
func programData() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		return `C:\ProgramData`
	}
	return dir
}
