.PHONY: demo
demo: build .cache/tools/demo ## the main job on this repository: built-in engine, then scripted models; no key, no network
	@.cache/tools/demo
