/** virt-controller: parses flags, takes the lead, runs the controllers, exits. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { type ClusterConfig, logLevel } from '@podvisor/api';
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
import { runControllers } from './controllers.ts';
import { type Flags, parseFlags } from './flags.ts';
import { Metrics } from './metrics/metrics.ts';
import { TraceExporter } from './trace/exporter.ts';

const log = pino({ base: { component: 'virt-controller' } });

function fatal(error: unknown, message: string): never {
  log.fatal({ error: error instanceof Error ? error.message : String(error) }, message);
  process.exit(1);
}

async function main(flags: Flags): Promise<void> {
  const stop = new AbortController();
  // Waiting for a lease or for an API server that is away is done by timers that do not hold the process.
  setInterval(() => undefined, 2 ** 30);
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)));
  const { tlsDir } = flags;
  const certificates = (): Readonly<Record<string, string>> =>
    tlsDir === undefined ? {} : { 'virt-controller': readFileSync(`${tlsDir}/server.crt`, 'utf8') };
  const onEnded = TraceExporter.fromEnvironment(process.env, log)?.send;
  const metrics = new Metrics({
    certificates,
    withOperator: flags.withOperator,
    ...(onEnded === undefined ? {} : { onEnded }),
  });
  const client = KubeClient.fromKubeconfig(flags.kubeconfig, 'virt-controller', metrics.client.observe);
  let leading = false;
  const kubeVirts = followKubeVirts(client, flags.namespace, log, stop.signal);
  if (flags.metricsListen !== undefined) {
    const endpoint = { access: new MetricsAccess(client, systemClock), families: () => metrics.families() };
    const leadership = () => ({ leading, ready: true });
    const configVersion = (): string => configVersionOf(kubeVirts);
    const health = new ComponentHealth({ client, clock: systemClock, configVersion });
    await startHealthServer(
      {
        ...flags.metricsListen,
        component: 'virt-controller',
        tlsDir,
        log,
        leadership,
        health,
        metrics: endpoint,
      },
      stop.signal,
    ).catch((error: unknown) => {
      // VMs are worth more than numbers about them.
      log.error({ error: messageOf(error) }, 'metrics and probes cannot be served');
    });
  }
  let running: Promise<void> = Promise.resolve();
  await runLeaderElection(
    {
      client,
      leaseName: 'virt-controller',
      namespace: flags.namespace,
      identity: flags.identity ?? `${hostname()}_${randomUUID()}`,
      clock: systemClock,
      log,
      onStarted: (signal) => {
        leading = true;
        const onConfig = (config: ClusterConfig): void => {
          log.level = logLevel(config, 'virtController');
        };
        const onReady = metrics.lead.bind(metrics);
        const onSnapshots = metrics.followSnapshots.bind(metrics);
        running = runControllers(
          {
            ...flags,
            client,
            kubeVirts,
            clock: systemClock,
            log,
            onReady,
            onSnapshots,
            onConfig,
            queues: metrics.queues,
          },
          signal,
        ).catch((error: unknown) => {
          if (!signal.aborted) fatal(error, 'controllers ended');
        });
      },
      onLost: () => fatal(new Error('the lease was not renewed in time'), 'leadership lost'),
    },
    stop.signal,
  );
  await running;
  await client.close();
}

try {
  await main(parseFlags(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  fatal(error, 'virt-controller cannot run');
}
