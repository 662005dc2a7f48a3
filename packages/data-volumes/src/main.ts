/** data-volumes on a cluster: parses flags, takes the lead, fills DataVolumes, exits. */
import { systemClock } from '@podvisor/base';
import { KubeClient, runComponent, runWhileLeading } from '@podvisor/kube';
import { pino } from 'pino';
import { parseFlags } from './flags.ts';
import { runDataVolumes } from './run-data-volumes.ts';

const NAME = 'virt-data-volumes';
const log = pino({ base: { component: NAME } });

await runComponent(NAME, log, async (stop) => {
  const { kubeconfig, namespace, worker } = parseFlags(process.argv.slice(2));
  const client = KubeClient.fromKubeconfig(kubeconfig, NAME);
  const lead = (signal: AbortSignal): Promise<void> =>
    runDataVolumes({ client, worker, clock: systemClock, log }, signal);
  await runWhileLeading({ client, name: NAME, namespace, log, lead }, stop);
});
