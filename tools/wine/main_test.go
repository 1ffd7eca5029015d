package main

import "fmt"

// What the compiler says of a package that does not build is printed, and so is what a test said
// that did not pass.
func Example() {
	ran := count([]byte(`{"ImportPath":"a [a.test]","Action":"build-output","Output":"./a.go:3:1: undefined: b\n"}
{"ImportPath":"a [a.test]","Action":"build-fail"}
{"Action":"fail","Package":"a","FailedBuild":"a [a.test]"}
{"Action":"output","Package":"c","Test":"TestC/part","Output":"no link\n"}
{"Action":"skip","Package":"c","Test":"TestC/part"}
{"Action":"skip","Package":"c","Test":"TestC"}
{"Action":"pass","Package":"c","Test":"TestD"}
{"Action":"pass","Package":"c"}
`))
	fmt.Println(ran["pass"], ran["skip"], ran["fail"])
	// Output:
	// ./a.go:3:1: undefined: b
	// no link
	// 1 1 0
}
