/** `/healthz`, `/leader` and `/metrics` over plain HTTP on the loopback interface. */
import { createServer, type Server } from 'node:http';
import type { Metrics } from './metrics.ts';

export interface Health {
  readonly leading: boolean;
  readonly ready: boolean;
}

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  health(): Health;
  readonly metrics: Metrics;
}

/** Listens until the signal ends it; resolves with the server when it listens. */
export function startHealthServer(options: HealthServerOptions, signal: AbortSignal): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    answer(path, options).then(
      ({ code, type, body }) => response.writeHead(code, { 'content-type': type }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  signal.addEventListener('abort', () => server.close(), { once: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve(server));
  });
}

async function answer(
  path: string,
  { health, metrics }: HealthServerOptions,
): Promise<{ code: number; type: string; body: string }> {
  switch (path) {
    case '/healthz':
      return {
        code: 200,
        type: 'application/json',
        body: JSON.stringify({ apiserver: { connectivity: 'ok' } }),
      };
    case '/leader':
      return { code: 200, type: 'application/json', body: JSON.stringify(health()) };
    case '/metrics':
      return { code: 200, ...(await metrics.render()) };
    default:
      return { code: 404, type: 'text/plain', body: 'not found\n' };
  }
}
