package threads

import "aside/proposals"

// Doing says what a start does after a step, for the person; "" at its end.
func Doing(step proposals.Step) string {
	switch step {
	case proposals.StepTaken:
		return "making its thread"
	case proposals.StepCreated:
		return "making its checkout"
	case proposals.StepGranted:
		return "writing its prompt down"
	case proposals.StepPrompted, proposals.StepStarted:
		return "starting its agent"
	}
	return ""
}
