/** Questions to the Prometheus of a home. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { componentUser, type InstanceConfig, type InstancePaths, loopbackListener } from '@podvisor/sys';
import { alertmanagerPort, monitoringPort, VIEWER } from './plan.ts';
import { type AlertFact, firingAlerts } from '../../ui/cluster-facts.ts';

export interface PrometheusApi {
  /** The first value of an instant query; undefined when it has no result. */
  value(query: string): Promise<number | undefined>;
  /** Alerts that fire now. */
  alerts(): Promise<readonly AlertFact[]>;
}

/** Only root reads it. */
export function passwordFile(paths: Pick<InstancePaths, 'monitoring'>): string {
  return `${paths.monitoring}/password`;
}

const RETRY_MS = 100;

const PORTS = { prometheus: monitoringPort, alertmanager: alertmanagerPort } as const;

type Service = keyof typeof PORTS;

/**
 * Where the service listens, if it does. Throws when somebody else has its port: any user of the machine can take it
 * while it does not run, and would be sent the password.
 */
function portOf(config: InstanceConfig, service: Service): number | undefined {
  const port = PORTS[service](config);
  const user = loopbackListener(port);
  if (user !== undefined && user !== componentUser(config.name, service))
    throw new Error(`port ${port} of the loopback is not ${service}'s: user ${user} listens there`);
  return user === undefined ? undefined : port;
}

/** Resolves when the service answers; rejects when the signal ends the wait. */
export async function untilReady(
  paths: InstancePaths,
  config: InstanceConfig,
  service: Service,
  signal: AbortSignal,
): Promise<void> {
  const headers = authorization(paths);
  // Neither has an event for this, and nothing else tells when its listener is open.
  for (;;) {
    signal.throwIfAborted();
    const port = portOf(config, service);
    const answer =
      port === undefined
        ? undefined
        : await fetch(`http://127.0.0.1:${port}/-/ready`, { headers, signal }).catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(RETRY_MS, undefined, { signal });
  }
}

export function prometheusApi(paths: InstancePaths, config: InstanceConfig): PrometheusApi {
  const headers = authorization(paths);
  const ask = (path: string): Promise<Response> => {
    const port = portOf(config, 'prometheus');
    if (port === undefined) throw new Error('Prometheus does not run (yet)');
    return fetch(`http://127.0.0.1:${port}${path}`, { headers });
  };
  return {
    async value(query) {
      const answer = await ask(`/api/v1/query?${new URLSearchParams({ query })}`);
      const body = (await answer.json()) as {
        readonly error?: string;
        readonly data?: { readonly result?: readonly { readonly value?: readonly [number, string] }[] };
      };
      if (!answer.ok) throw new Error(`Prometheus refused ${query}: ${body.error ?? answer.status}`);
      const text = body.data?.result?.[0]?.value?.[1];
      return text === undefined ? undefined : Number(text);
    },
    async alerts() {
      const answer = await ask('/api/v1/alerts');
      if (!answer.ok) throw new Error(`Prometheus answered ${answer.status} when asked for alerts`);
      return firingAlerts(await answer.json());
    },
  };
}

function authorization(paths: Pick<InstancePaths, 'monitoring'>): Record<string, string> {
  const password = readFileSync(passwordFile(paths), 'utf8');
  return { authorization: `Basic ${Buffer.from(`${VIEWER}:${password}`).toString('base64')}` };
}
