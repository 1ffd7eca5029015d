# Model servers: the vendor's own client as judge of the scripted one, and what
# a token and a round trip cost.

OPENAI_ORACLE := .cache/oracle/openai

.PHONY: oracle oracle-openai
oracle: oracle-openai
oracle-openai: build ## the scripted server, judged by openai-go over SSE and WebSocket
	cd tools/oracle/openai && go build -o $(abspath $(OPENAI_ORACLE)) .
	$(OPENAI_ORACLE) -scripted bin/scripted

.PHONY: bench-model
bench-model: build ## decoding, streams, round trips, first token, CPU beside openai-go
	cd tools/oracle/openai && go build -o $(abspath $(OPENAI_ORACLE)) .
	OPENAI_ORACLE=$(abspath $(OPENAI_ORACLE)) go test ./model/provider -run '^$$' -bench . -benchtime 1s -timeout 10m
