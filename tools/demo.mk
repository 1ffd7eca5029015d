.PHONY: demo
demo: build ## the main job on this repository: built-in engine, then scripted models; no key, no network
	@tools/demo/demo.sh bin
