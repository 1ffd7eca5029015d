// A company's gateway in front of the scripted models, and what can be wrong with it.
import * as http from "node:http";

export class Gateway {
  /** What it asks for, and what is wrong; scenarios change it. */
  key = "sk-right-0123456789";
  fault = undefined;

  constructor(target) {
    this.target = new URL(target);
    this.server = http.createServer((request, response) => this.handle(request, response));
    this.server.on("connect", (request, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"));
  }

  /** Listens at a port that is free, or at one of those. */
  async listen(...ports) {
    for (const port of ports.length > 0 ? ports : [0]) {
      const failed = await new Promise((done) => this.server.once("error", done).listen(port, "127.0.0.1", () => done(undefined)));
      this.server.removeAllListeners("error");
      if (!failed) {
        break;
      }
    }
    this.address = `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  handle(request, response) {
    if (this.key && request.headers.authorization !== `Bearer ${this.key}`) {
      response.writeHead(401, { "Content-Type": "application/json" }).end('{"error":{"message":"unknown key","code":"invalid_api_key"}}');
      return;
    }
    if (this.fault?.(request, response)) {
      return;
    }
    const { authorization, ...headers } = request.headers;
    const on = http.request({ host: this.target.hostname, port: this.target.port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    on.on("error", () => response.destroy());
    request.pipe(on);
  }
}
