package nextedit

import (
	"context"
	"testing"

	"tandem/model/local/localtest"
)

// TestBoundUsersOfBrokenText: a text that ends anywhere, or lacks a bracket, is read to its
// end.
func TestBoundUsersOfBrokenText(t *testing.T) {
	for path, src := range map[string]string{
		"b.ts": "import { File, use as u } from './a'\nexport class Job<T> extends File {\n  file: File = new File()\n  constructor(private readonly f: File, { read }: { read: File }) { super() }\n  next = async <T,>(a: T[], ...b: Map<string, File>[]) => (await this.open(`x${a.read()}`)).read()\n}\n" +
			"for (const [k, v] of all) { v.read() }\nconst { read: r = 1, ...rest } = (x as File)!, y: Array<File> = [{ read }, f?.read?.(1), z[0].read]\nu(({ file }, n) => file.read(), async function (g) { return g.read() })\nexport { Job as Other }\nreturn a < b ? c.read() : d.read\n",
		"b.py": "from a import File as F\nimport a.b as c\n\n\nclass Job(F):\n    file: \"F\" = F()\n\n    def read(self, *a: F, b: list[F] = [], **k) -> 'F':\n        with open() as f, F() as g:\n            for x in self.all(): x.read()\n        return super().read(f\"{self.file.read()}\")\n\n\nx = [y.read() for y in F()[0].all if y]\nlambda z: z.read()\n",
	} {
		files := map[string]string{"a.ts": "export class File {\n  read() { return this }\n}\n", "a.py": "class File:\n    def read(self):\n        return self\n"}
		for cut := 0; cut < len(src); cut += 3 {
			for _, text := range []string{src[:cut], src[:cut] + src[cut+1:]} {
				files[path] = text
				m := localtest.New(files)
				id, _ := m.Indexed.FileID("a" + path[1:])
				for _, d := range m.Indexed.Defs(id) {
					if d.Name != "read" {
						continue
					}
					for _, p := range Users(context.Background(), m, d) {
						if body := files[p.Path]; body[p.Span.Start:p.Span.End] != "read" {
							t.Fatalf("%q is used at %q of %q", d.Name, body[p.Span.Start:p.Span.End], text)
						}
					}
				}
			}
		}
	}
}
