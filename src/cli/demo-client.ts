/** An answer of the running service, with the time of the call. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
  milliseconds: number;
}

/** Calls the service over HTTP as one caller; an unsuccessful answer ends the demonstration. */
export class DemoClient {
  constructor(
    private readonly origin: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  as(headers: Record<string, string>): DemoClient {
    return new DemoClient(this.origin, headers);
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call('POST', path, body);
  }

  private async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const begin = performance.now();
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const milliseconds = performance.now() - begin;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return { status: response.status, body: answer, milliseconds };
  }
}
