import * as path from "node:path";

/**
 * The absolute path of the program: the user's setting, the one that comes with
 * the extension, or the first on PATH. A bare name is never returned: Windows
 * looks for it in the working directory first, which is the workspace. Where
 * there is none, it is the place at which the bundled one is missing.
 */
export function absoluteProgram(
	setting: string | undefined,
	bundled: string,
	name: string,
	env: Record<string, string | undefined>,
	exists: (file: string) => boolean,
): string {
	if (setting && path.isAbsolute(setting)) {
		return setting;
	}
	if (!setting && exists(bundled)) {
		return bundled;
	}
	const wanted = setting || name;
	if (path.basename(wanted) !== wanted) {
		return bundled; // a relative path would be looked for in the workspace
	}
	const folders = (env.PATH ?? env.Path ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
	return folders.map((folder) => path.join(folder, wanted)).find(exists) ?? bundled;
}
