export type Method = "GET" | "POST" | "DELETE"

export interface Request {
  method: Method
  path: string
  body?: string
  headers: Record<string, string>
}

export interface Response {
  status: number
  body: string
}

export type Handler = (request: Request, parameters: Record<string, string>) => Response

interface Route {
  method: Method
  segments: string[]
  handler: Handler
}

export class Router {
  private routes: Route[] = []
  private log: string[] = []

  add(method: Method, pattern: string, handler: Handler): void {
    this.routes.push({ method, segments: split(pattern), handler })
  }

  get(pattern: string, handler: Handler): void {
    this.add("GET", pattern, handler)
  }

  handle(request: Request): Response {
    const segments = split(request.path)
    for (const route of this.routes) {
      const parameters = match(route, request.method, segments)
      if (parameters) {
        return route.handler(request, parameters)
      }
    }
    return { status: 404, body: "not found" }
  }

  patterns(): string[] {
    const out = []
    for (const route of this.routes) {
      out.push(route.method + " /" + route.segments.join("/"))
    }
    return out
  }
}

export function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "")
}

function match(route: Route, method: Method, segments: string[]): Record<string, string> | undefined {
  if (route.method !== method || route.segments.length !== segments.length) {
    return undefined
  }
  const parameters: Record<string, string> = {}
  for (let i = 0; i < segments.length; i++) {
    const part = route.segments[i]
    if (part.startsWith(":")) {
      parameters[part.slice(1)] = segments[i]
    } else if (part !== segments[i]) {
      return undefined
    }
  }
  return parameters
}

export function parseQuery(query: string): Record<string, string> {
  const out: Record<string, string> = {}
  for (const pair of query.split("&")) {
    const [key, value] = pair.split("=")
    out[key] = value
  }
  return out
}

export function header(request: Request, name: string): string {
  return request.headers[name]
}

export function json(value: unknown): Response {
  return { status: 200, body: JSON.stringify(value) }
}
