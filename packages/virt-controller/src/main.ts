/** virt-controller: parses flags, takes the lead, runs the controllers, exits. */
import { readFileSync } from 'node:fs';
import { messageOf, systemClock } from '@podvisor/base';
import {
  ComponentHealth,
  configVersionOf,
  followKubeVirts,
  followLogLevel,
  KubeClient,
  MetricsAccess,
  runComponent,
  runWhileLeading,
  SpanExporter,
  startHealthServer,
} from '@podvisor/kube';
import { pino } from 'pino';
import { runControllers } from './controllers.ts';
import { type Flags, parseFlags } from './flags.ts';
import { Metrics } from './metrics/metrics.ts';
import { createdSpans } from './trace/created-spans.ts';
import { operationSpans } from './trace/operation-spans.ts';

const log = pino({ base: { component: 'virt-controller' } });

async function main(flags: Flags, stop: AbortSignal): Promise<void> {
  const { tlsDir } = flags;
  const certificates = (): Readonly<Record<string, string>> =>
    tlsDir === undefined ? {} : { 'virt-controller': readFileSync(`${tlsDir}/server.crt`, 'utf8') };
  const spans = SpanExporter.fromEnvironment(process.env, log);
  const metrics = new Metrics({
    certificates,
    withOperator: flags.withOperator,
    ...(spans === undefined ? {} : { onEnded: (ended) => spans.send(operationSpans(ended)) }),
  });
  const client = KubeClient.fromKubeconfig(
    flags.kubeconfig,
    'virt-controller',
    metrics.client.observe,
    spans && ((object, sentMs) => spans.send(createdSpans(object, sentMs, systemClock.now()))),
  );
  let leading = false;
  const kubeVirts = followKubeVirts(client, flags.namespace, log, stop);
  followLogLevel(kubeVirts, 'virtController', log);
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
      stop,
    ).catch((error: unknown) => {
      // VMs are worth more than numbers about them.
      log.error({ error: messageOf(error) }, 'metrics and probes cannot be served');
    });
  }
  const lead = (signal: AbortSignal): Promise<void> => {
    leading = true;
    const onReady = metrics.lead.bind(metrics);
    const onSnapshots = metrics.followSnapshots.bind(metrics);
    const { queues } = metrics;
    return runControllers(
      { ...flags, client, kubeVirts, clock: systemClock, log, onReady, onSnapshots, queues },
      signal,
    );
  };
  const { namespace, identity } = flags;
  await runWhileLeading({ client, name: 'virt-controller', namespace, identity, log, lead }, stop);
}

await runComponent('virt-controller', log, (stop) => main(parseFlags(process.argv.slice(2)), stop));
