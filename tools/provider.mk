# Model servers: the scripted server checked by the vendor's own client, and servers that fail.

OPENAI_ORACLE := .cache/oracle/openai

.PHONY: oracle oracle-openai
oracle: oracle-openai
oracle-openai: build ## the scripted server, checked by openai-go over SSE and WebSocket
	cd tools/oracle/openai && go build -o $(abspath $(OPENAI_ORACLE)) .
	$(OPENAI_ORACLE) -scripted bin/scripted

.PHONY: wrong-set-ups
wrong-set-ups: ## configurations that cannot work, against servers that answer as real ones do: what the editor and the doctor say, and after how long
	$(GO) test -count=1 ./cmd/tandem -run '^TestWrongSetUps' -v | grep -E '^ +(---|wrong)|FAIL'
