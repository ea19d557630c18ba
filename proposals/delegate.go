package proposals

import "encoding/json"

// NewOffer makes the offer of a thread from its parts, under the rules for
// the tool's arguments. The error is an *ArgumentError.
func NewOffer(title, summary, prompt string) (Offer, error) {
	raw, err := json.Marshal(Offer{Title: title, Summary: summary, Prompt: prompt})
	if err != nil {
		return Offer{}, &ArgumentError{Field: "arguments", Problem: "cannot be written as JSON"}
	}
	return Decode(raw)
}
