// Command tasks drives the built programs through deep tasks, as an editor and as a person
// at a terminal: it measures them (bench) and kills them at random moments (kill). Its
// tests run the scenarios of testdata/tasks.
//
// Invariant: it knows the programs only by their protocols and command lines. There is
// deliberately no import of the packages of the program.
package main
