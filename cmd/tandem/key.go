package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/keys"
	"tandem/edits"
)

func keyCommand(*globals) *cobra.Command {
	c := parent(&cobra.Command{
		Use:   "key",
		Short: "Put keys away in the OS keyring, list and delete them",
	})
	c.AddCommand(
		&cobra.Command{
			Use:   "set NAME",
			Short: "Read a key from standard input and put it away",
			Args:  keyName,
			RunE:  func(c *cobra.Command, args []string) error { return setKey(c, args[0]) },
		},
		&cobra.Command{
			Use:   "list",
			Short: "List the names of stored keys",
			Args:  takes(0, 0),
			RunE:  func(c *cobra.Command, _ []string) error { return listKeys(c) },
		},
		&cobra.Command{
			Use:   "delete NAME",
			Short: "Forget a key",
			Args:  keyName,
			RunE:  func(c *cobra.Command, args []string) error { return deleteKey(c, args[0]) },
		},
	)
	return c
}

// keyName accepts one name. A second argument may be a key, so the error does
// not repeat it.
func keyName(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return exit(exitUsage, errors.New("give the key's name alone; the key itself is read from standard input, since other programs can see arguments"))
	}
	return nil
}

func setKey(c *cobra.Command, name string) error {
	in := c.InOrStdin()
	if r, ok := in.(io.Writer); ok && isTerminal(r) {
		fmt.Fprintf(c.ErrOrStderr(), "Paste the key for %s and press Enter: ", edits.OneLine(name))
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && line == "" {
			return exit(exitFailed, fmt.Errorf("no key was read: %w", err))
		}
		in = strings.NewReader(line)
	}
	key, err := keys.Read(in)
	if err != nil {
		return exit(exitFailed, err)
	}
	where, err := keyRing().Set(name, key)
	if err != nil {
		return exit(exitFailed, err)
	}
	if where == "keyring" {
		where = "the OS keyring"
	}
	fmt.Fprintf(c.ErrOrStderr(), "The key %s is in %s.\n", edits.OneLine(name), where)
	return nil
}

func listKeys(c *cobra.Command) error {
	stored, err := keyRing().List()
	if err != nil {
		return exit(exitFailed, err)
	}
	if len(stored) == 0 {
		fmt.Fprintln(c.ErrOrStderr(), "No key is stored; tandem key set NAME reads one from standard input.")
	}
	var rows [][]string
	for _, s := range stored {
		rows = append(rows, []string{s.Name, s.Where})
	}
	return printTable(c, rows)
}

func deleteKey(c *cobra.Command, name string) error {
	if err := keyRing().Delete(name); err != nil {
		return exit(exitFailed, fmt.Errorf("the key %s cannot be deleted: %w", name, err))
	}
	fmt.Fprintf(c.ErrOrStderr(), "The key %s is forgotten.\n", edits.OneLine(name))
	return nil
}
