/** `/healthz` and `/leader` for probes, `/metrics` for those who may read them; over TLS. */
import { createServer, type Server } from 'node:https';
import { type ComponentHealth, isHealthRequest } from './component-health.ts';
import type { Log } from './log.ts';
import { answerMetrics, type MetricsEndpoint } from './metrics/metrics-answer.ts';
import { createCa } from './pki/certificate.ts';
import {
  followServingCertificate,
  readServingCertificate,
  type ServingCertificate,
} from './pki/serving-certificate.ts';

/** What `/leader` says. */
export interface Leadership {
  readonly leading: boolean;
  readonly ready: boolean;
}

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  /** Whose it is: the name in a certificate that nobody can check. */
  readonly component: string;
  /** Directory with `server.crt` and `server.key`; absent: a certificate that nobody can check. */
  readonly tlsDir?: string;
  readonly log: Log;
  leadership(): Leadership;
  readonly health: Pick<ComponentHealth, 'answer'>;
  readonly metrics: MetricsEndpoint;
}

/** Listens until the signal ends it; resolves with the server when it listens. */
export function startHealthServer(options: HealthServerOptions, signal: AbortSignal): Promise<Server> {
  const server = createServer(
    {
      ...(options.tlsDir === undefined
        ? unchecked(options.component)
        : readServingCertificate(options.tlsDir)),
      minVersion: 'TLSv1.2',
    },
    (request, response) => {
      const send = (code: number, body: unknown): void =>
        void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (isHealthRequest(request)) {
        void options.health.answer().then(({ code, body }) => send(code, body));
        return;
      }
      switch (request.url?.split('?')[0]) {
        case '/leader':
          return send(200, options.leadership());
        case '/metrics':
          answerMetrics(request, response, options.metrics).catch((error: unknown) =>
            send(500, { message: String(error) }),
          );
          return;
        default:
          return send(404, { message: 'not found' });
      }
    },
  );
  const { tlsDir } = options;
  const follower = tlsDir === undefined ? undefined : followServingCertificate(server, tlsDir, options.log);
  signal.addEventListener(
    'abort',
    () => {
      follower?.[Symbol.dispose]();
      server.close();
    },
    { once: true },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve(server));
  });
}

/** Who reads metrics proves who they are; who we are is proven by the address. */
function unchecked(commonName: string): ServingCertificate {
  const { certificate: cert, key } = createCa({ commonName, now: Date.now() });
  return { cert, key };
}
