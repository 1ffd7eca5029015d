.PHONY: reliability
reliability: .cache/tools/reliability ## the reliability table A1 to A31: what was measured, the figure to beat, pass or fail
	@.cache/tools/reliability
