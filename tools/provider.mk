# Model servers: the scripted server checked by the vendor's own client, and servers that fail.

OPENAI_ORACLE := .cache/oracle/openai

.PHONY: oracle oracle-openai
oracle: oracle-openai
oracle-openai: build ## the scripted server, checked by openai-go over SSE and WebSocket
	cd tools/oracle/openai && go build -o $(abspath $(OPENAI_ORACLE)) .
	$(OPENAI_ORACLE) -scripted bin/scripted
