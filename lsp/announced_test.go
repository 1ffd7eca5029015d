package lsp

// announced is a client that asked for notifications of CONTRACTS and announced nothing else.
func announced(wants extensions) Client {
	var c Client
	c.can.Experimental.Tandem = wants
	return c
}
