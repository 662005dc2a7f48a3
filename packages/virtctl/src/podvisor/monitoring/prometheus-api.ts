/** Questions to the Prometheus of a home. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';
import { monitoringPort, VIEWER } from './plan.ts';
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

/** Resolves when Prometheus or Alertmanager at this port answers; rejects when the signal ends the wait. */
export async function untilReady(paths: InstancePaths, port: number, signal: AbortSignal): Promise<void> {
  const headers = authorization(paths);
  // Neither has an event for this, and nothing else tells when its listener is open.
  for (;;) {
    signal.throwIfAborted();
    const answer = await fetch(`http://127.0.0.1:${port}/-/ready`, { headers, signal }).catch(
      () => undefined,
    );
    if (answer?.status === 200) return;
    await delay(RETRY_MS, undefined, { signal });
  }
}

export function prometheusApi(paths: InstancePaths, config: InstanceConfig): PrometheusApi {
  const headers = authorization(paths);
  const base = `http://127.0.0.1:${monitoringPort(config)}`;
  return {
    async value(query) {
      const answer = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query })}`, { headers });
      const body = (await answer.json()) as {
        readonly error?: string;
        readonly data?: { readonly result?: readonly { readonly value?: readonly [number, string] }[] };
      };
      if (!answer.ok) throw new Error(`Prometheus refused ${query}: ${body.error ?? answer.status}`);
      const text = body.data?.result?.[0]?.value?.[1];
      return text === undefined ? undefined : Number(text);
    },
    async alerts() {
      const answer = await fetch(`${base}/api/v1/alerts`, { headers });
      if (!answer.ok) throw new Error(`Prometheus answered ${answer.status} when asked for alerts`);
      return firingAlerts(await answer.json());
    },
  };
}

function authorization(paths: Pick<InstancePaths, 'monitoring'>): Record<string, string> {
  const password = readFileSync(passwordFile(paths), 'utf8');
  return { authorization: `Basic ${Buffer.from(`${VIEWER}:${password}`).toString('base64')}` };
}
