/** virt-operator: parses flags, takes the lead, keeps the installation, exits. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { messageOf, systemClock } from '@podvisor/base';
import {
  ComponentHealth,
  configVersionOf,
  followKubeVirts,
  KubeClient,
  MetricsAccess,
  runLeaderElection,
  startHealthServer,
} from '@podvisor/kube';
import { pino } from 'pino';
import { type Flags, parseFlags } from './flags.ts';
import { Metrics } from './metrics.ts';
import { ownImage } from './own-image.ts';
import { runOperator } from './run-operator.ts';

const log = pino({ name: 'virt-operator' });

function fatal(error: unknown, message: string): never {
  log.fatal({ error: messageOf(error) }, message);
  process.exit(1);
}

async function main(flags: Flags): Promise<void> {
  const stop = new AbortController();
  // Waiting for a lease or for an API server that is away is done by timers that do not hold the process.
  setInterval(() => undefined, 2 ** 30);
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)));
  const metrics = new Metrics();
  const client = KubeClient.fromKubeconfig(flags.kubeconfig, 'virt-operator', metrics.client.observe);
  await serve(flags, client, metrics, stop.signal).catch((error: unknown) =>
    // An installation is worth more than numbers about who keeps it.
    log.error({ error: messageOf(error) }, 'metrics and probes cannot be served'),
  );
  const image = flags.image ?? (await ownImage(client, flags.namespace));
  let running: Promise<void> = Promise.resolve();
  await runLeaderElection(
    {
      client,
      leaseName: 'virt-operator',
      namespace: flags.namespace,
      identity: `${hostname()}_${randomUUID()}`,
      clock: systemClock,
      log,
      onStarted: (signal) => {
        log.info({ namespace: flags.namespace }, 'leading');
        metrics.leading = true;
        const runbooks = process.env['RUNBOOK_URL_TEMPLATE'];
        running = runOperator(
          {
            ...{ namespace: flags.namespace, image, client, clock: systemClock, log, queues: metrics.queues },
            ...(runbooks === undefined ? {} : { runbooks }),
          },
          signal,
        ).catch((error: unknown) => {
          if (!signal.aborted) fatal(error, 'virt-operator ended');
        });
      },
      onLost: () => fatal(new Error('the lease was not renewed in time'), 'leadership lost'),
    },
    stop.signal,
  );
  await running;
  await client.close();
}

/** `/healthz` and `/leader` for probes, `/metrics` for those who may read them. */
async function serve(
  { metricsListen, namespace }: Flags,
  client: KubeClient,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<void> {
  if (metricsListen === undefined) return;
  const kubeVirts = followKubeVirts(client, namespace, log, signal);
  await startHealthServer(
    {
      ...metricsListen,
      component: 'virt-operator',
      log,
      leadership: () => ({ leading: metrics.leading, ready: true }),
      health: new ComponentHealth({
        client,
        clock: systemClock,
        configVersion: () => configVersionOf(kubeVirts),
      }),
      metrics: { access: new MetricsAccess(client, systemClock), families: () => metrics.families() },
    },
    signal,
  );
}

try {
  await main(parseFlags(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  fatal(error, 'virt-operator cannot run');
}
