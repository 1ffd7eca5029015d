package model

import (
	"tandem/model/format"
	"tandem/workspace/redact"
)

// NextEditRequest is a request to a model in the format that it was trained on. prompt
// is what format.Prompt returned, region the text that the answer will replace.
func NextEditRequest(m ModelConfig, f *format.Format, prompt, region redact.Text, id string) *Request {
	req := &Request{ID: id, Model: m.Name, Purpose: NextEdit, Stop: f.Stops, Temperature: m.Temperature,
		MaxOutputTokens: int(1.5*Margin(m)*float64(Counter(m).Count(region.String()))) + answerMargin}
	if m.MaxOutputTokens > 0 {
		req.MaxOutputTokens = min(req.MaxOutputTokens, m.MaxOutputTokens)
	}
	if f.Conversation {
		req.Input = []Message{{Role: "user", Text: prompt}}
		return req
	}
	req.Raw = prompt
	if req.Temperature == nil {
		req.Temperature = new(float64) // the likeliest answer
	}
	return req
}

// answerMargin is how many tokens more than its region an answer may have, for what it
// adds.
const answerMargin = 128
