package names

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestStandardNames: modules that are written in C or make names as they run are known by what
// typeshed and interpreters say, in the versions that these say it of; so are values that are
// written where an attribute of theirs is read.
func TestStandardNames(t *testing.T) {
	t.Parallel()
	const wrong, right, unknown = "error", "", "unknown"
	for _, c := range []struct{ python, code, want string }{
		{"3.11", "import math\nmath.sqroot(2)\n", wrong},
		{"3.11", "import math\nmath.sqrt(2)\n", right},
		{"3.11", "from math import sqroot\n", wrong},
		{"3.11", "from math import sqrt\n", right},
		{"3.11", "import os\nos.getcwdd()\n", wrong},
		{"3.11", "import os\nos.getcwd()\n", right},
		{"3.11", "import os\nos.O_MADE_UP\n", unknown}, // constants differ by platform
		{"3.11", "import os\nos._made_up\n", unknown},
		{"3.8", "import os\nos.getcwdd()\n", unknown}, // typeshed has left this version
		{"3.99", "import os\nos.getcwdd()\n", unknown},
		{"3.99", "', '.joins([])\n", right},
		{"3.11", "', '.joins([])\n", wrong},
		{"3.11", "', '.join([])\n", right},
		{"3.11", "b''.encode()\n", wrong},
		{"3.11", "f'{1}'.uper()\n", wrong},
		{"3.11", "f'{1} bytes'.encode()\n", right},
		{"3.11", "rb'\\d'.decode()\n", right},
		{"3.11", "[1].push(2)\n", wrong},
		{"3.11", "def f(a):\n    a[0].push(2)\n    f(a)[0].push(2)\n    'a'[0].push()\n", "warning"},
		{"3.11", "{}.iteritems()\n", wrong},
		{"3.11", "{'a': [1], **{}}.itemss()\n", wrong},
		{"3.11", "{1, 2}.append(3)\n", wrong},
		{"3.11", "{1, 2}.add(3)\n{n for n in [{1: 2}]}.add(3)\n{k: {1} for k in []}.items()\n", right},
		{"3.11", "def f():\n    x = [1]\n    x.push(2)\n", wrong},
		{"3.11", "def f():\n    x = [1]\n    x.append(2)\n    x = {}\n    x.items()\n", right},
		{"3.11", "x = 1\ndef f():\n    global y, x\n    x = [1]\n    x.items()\n", right}, // items is known of another type
		{"3.11", "def f():\n    x = [1] + sorted([])\n    x.items()\n", right},
		{"3.11", "def f(x):\n    x = x or []\n    x.items()\n", right},
		{"3.11", "def f(x=None):\n    if x:\n        x.items()\n    x = [1]\n", right},
		{"3.11", "found = globals()\nfor n in 'ab':\n    found[n] = 1\nprint(a, b)\n", right},
		{"3.11", "def f(name):\n    return globals()[f'_{name}']\nmade_up()\n", wrong},
		{"3.11", "for name in 'ab':\n    globals()[f'_{name}'] = 1\nprint(_a)\n", right},
		{"3.11", "globals()['b'], c = 1, 2\nprint(b)\n", right},
		{"3.11", "if sys.version_info < (3, 11):\n    pass\n", wrong},
		{"3.11", "import sys\nif sys.version_info < (3, 11):\n    made_up()\n", right},
		{"3.11", "def f(code, names=globals()):\n    return made_up\n", wrong},
		{"3.11", "import wide\nwide.IntEnum._convert_('E', __name__, lambda n: n > 'e')\nprint(exported)\n", right},
	} {
		lib := "venv/lib/python" + c.python + "/"
		x := writeFixture(t, txtar.Parse([]byte("-- "+lib+"wide.py --\nclass IntEnum: _convert_ = 1\n-- "+lib+"os.py --\nfrom posix import *\nappend = items = 1\n-- a.py --\n\n-- after/a.py --\n"+c.code)))
		found, not := x.names.Check(x.files)
		got := right
		for _, f := range found {
			got = f.Severity
		}
		if len(found) == 0 && len(not) > 0 {
			got = unknown
		}
		if got != c.want {
			t.Errorf("Python %s: %q: %s, want %s: %v %q", c.python, strings.TrimSpace(c.code), got, c.want, found, not)
		}
	}
}
