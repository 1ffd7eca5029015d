package index

import (
	"fmt"
	"os"
	"testing"
)

func TestTmp(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("F"))
	fs := Scan(os.Getenv("L"), os.Getenv("F"), string(b))
	fmt.Println(fs.Package, fs.Language)
	for _, d := range fs.Defs {
		fmt.Printf("%d-%d-%d-%d %s %s.%s exp=%v loc=%v %v %d %d type=%q\n", d.DocLine, d.StartLine, d.SigEndLine, d.EndLine, d.Kind, d.Container, d.Name, d.Exported, d.Local, d.Params, d.MinParams, d.MaxParams, d.Type)
	}
	for _, d := range fs.Imports {
		fmt.Printf("%+v\n", d)
	}
}
