package main

import (
	"slices"
	"strings"
)

// calls are the function calls of an answer: those of the rule whose functions the request
// offers.
func (s *server) calls(req *request, r *rule) []scriptedCall {
	var out []scriptedCall
	for _, c := range r.Calls {
		if slices.Contains(req.Offered, c.Name) || strings.HasPrefix(c.Name, "!") { // !NAME is called although it is not offered
			c.Name, c.ID = strings.TrimPrefix(c.Name, "!"), or(c.ID, s.newID("call"))
			out = append(out, c)
		}
	}
	return out
}

// callItems are the parts of a response that call functions. sent receives each one.
func (resp *response) callItems(output []any, yield func(frame) bool, sent func(any)) bool {
	for i, c := range resp.calls {
		index, id := len(output)+i, "fc_"+c.ID
		item := func(status, arguments string) obj {
			call := obj{{"id", id}, {"type", "function_call"}, {"status", status}, {"call_id", c.ID}}
			name := c.Name
			if space, inner, ok := strings.Cut(name, "/"); ok {
				call, name = append(call, kv{"namespace", space}), inner
			}
			return append(call, kv{"name", name}, kv{"arguments", arguments})
		}
		at := []kv{{"item_id", id}, {"output_index", index}}
		if !yield(resp.event("response.output_item.added", kv{"output_index", index}, kv{"item", item("in_progress", "")})) {
			return false
		}
		for _, piece := range pieces(c.Arguments) {
			f := resp.event("response.function_call_arguments.delta", append(at[:2:2], kv{"delta", piece})...)
			f.token = true
			if !yield(f) {
				return false
			}
		}
		whole := item("completed", c.Arguments)
		if !yield(resp.event("response.function_call_arguments.done", append(at[:2:2], kv{"arguments", c.Arguments})...)) ||
			!yield(resp.event("response.output_item.done", kv{"output_index", index}, kv{"item", whole})) {
			return false
		}
		sent(whole)
	}
	return true
}

// chatCalls are calls as a chat message has them.
func chatCalls(list []scriptedCall) []any {
	var out []any
	for _, c := range list {
		out = append(out, obj{{"id", c.ID}, {"type", "function"}, {"function", obj{{"name", c.Name}, {"arguments", c.Arguments}}}})
	}
	return out
}

// callChunks are the deltas that stream calls: the name first, then pieces of the
// arguments.
func callChunks(list []scriptedCall) []obj {
	var out []obj
	delta := func(members ...kv) {
		out = append(out, obj{{"tool_calls", []any{obj(members)}}})
	}
	for i, c := range list {
		delta(kv{"index", i}, kv{"id", c.ID}, kv{"type", "function"}, kv{"function", obj{{"name", c.Name}, {"arguments", ""}}})
		for _, piece := range pieces(c.Arguments) {
			delta(kv{"index", i}, kv{"function", obj{{"arguments", piece}}})
		}
	}
	return out
}
