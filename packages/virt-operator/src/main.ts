/** virt-operator: parses flags, takes the lead, keeps the installation, exits. */
import type { KubeVirt } from '@podvisor/api';
import { messageOf, systemClock } from '@podvisor/base';
import {
  ComponentHealth,
  configVersionOf,
  followKubeVirts,
  followLogLevel,
  type Informer,
  KubeClient,
  MetricsAccess,
  runComponent,
  runWhileLeading,
  startHealthServer,
} from '@podvisor/kube';
import { pino } from 'pino';
import { type Flags, parseFlags } from './flags.ts';
import { Metrics } from './metrics.ts';
import { ownImage } from './own-image.ts';
import { runOperator } from './run-operator.ts';

const log = pino({ name: 'virt-operator' });

async function main(flags: Flags, stop: AbortSignal): Promise<void> {
  const { namespace } = flags;
  const metrics = new Metrics();
  const client = KubeClient.fromKubeconfig(flags.kubeconfig, 'virt-operator', metrics.client.observe);
  const kubeVirts = followKubeVirts(client, namespace, log, stop);
  followLogLevel(kubeVirts, 'virtOperator', log);
  await serve(flags, { client, kubeVirts, metrics }, stop).catch((error: unknown) =>
    // An installation is worth more than numbers about who keeps it.
    log.error({ error: messageOf(error) }, 'metrics and probes cannot be served'),
  );
  const image = flags.image ?? (await ownImage(client, namespace));
  const lead = (signal: AbortSignal): Promise<void> => {
    metrics.leading = true;
    const runbooks = process.env['RUNBOOK_URL_TEMPLATE'];
    return runOperator(
      {
        ...{ namespace, image, client, clock: systemClock, log, queues: metrics.queues },
        ...(runbooks === undefined ? {} : { runbooks }),
      },
      signal,
    );
  };
  await runWhileLeading({ client, name: 'virt-operator', namespace, log, lead }, stop);
}

/** `/healthz` and `/leader` for probes, `/metrics` for those who may read them. */
async function serve(
  { metricsListen }: Flags,
  {
    client,
    kubeVirts,
    metrics,
  }: { readonly client: KubeClient; readonly kubeVirts: Informer<KubeVirt>; readonly metrics: Metrics },
  signal: AbortSignal,
): Promise<void> {
  if (metricsListen === undefined) return;
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

await runComponent('virt-operator', log, (stop) => main(parseFlags(process.argv.slice(2)), stop));
