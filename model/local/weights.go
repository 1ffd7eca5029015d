package local

// Threshold is the confidence from which on a suggestion is shown.
const Threshold = 0.5

// weights belong to hole.features, in its order. They were fitted by logistic
// regression on held-out lines (make bench-local FIT=1).
var weights = [...]float64{
	-0.435, 0.605, 0.811, 0.323, 0.112, 0.502,
	0.620, -0.702, -0.422, 0.198, -0.932, 0.963,
	-0.211, 0.301, 0.126, -0.154, -0.990, -0.205,
	-0.335, -1.201, 1.101, -0.371, -2.190, 1.085,
	-0.453, -3.080, 0.347,
}
