/** What happens before a VM can start, as it happens: disks that are filled, images that are pulled. */
import { type DataVolume, type KubernetesObject, ownerKinds, saidOwners } from '@podvisor/api';
import { defineResource, Informer, type KubeClient, resources } from '@podvisor/kube';
import { quietLog } from '../quiet-log.ts';

interface PodEvent extends KubernetesObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

const events = defineResource<PodEvent>('Event', 'events', 'v1');
const STEP_PERCENT = 10;

export interface PreparationsListener {
  say(line: string): void;
  /** Something went wrong with an object of the VM, as an event tells. */
  onWarning(): void;
}

/** Says a line for each new phase and every ten percent of a disk, and for each news of a pull. */
export function watchPreparations(
  client: KubeClient,
  namespace: string,
  vmName: string,
  { say, onWarning }: PreparationsListener,
  signal: AbortSignal,
): void {
  const since = Date.now();
  const told = new Map<string, string>();
  const onVolume = (volume: DataVolume): void => {
    const name = volume.metadata.name ?? '';
    const isMine = saidOwners(volume, ownerKinds.vm).some(({ name: owner }) => owner === vmName);
    const line = isMine ? volumeLine(volume) : undefined;
    if (line === undefined || told.get(name) === line.key) return;
    told.set(name, line.key);
    say(line.text);
    if (line.failing) onWarning();
  };
  const onEvent = ({ metadata, type, involvedObject, reason, message }: PodEvent): void => {
    const isPull = reason === 'Pulling' || reason === 'Pulled';
    const { name = '' } = involvedObject ?? {};
    if (name !== vmName && !name.startsWith(`virt-launcher-${vmName}-`)) return;
    if (type === 'Warning') onWarning();
    const isOld = Date.parse(metadata?.creationTimestamp ?? '') < since - 1000;
    if (isPull && !isOld) say(`     ${message}`);
  };
  const options = { client, namespace, log: quietLog };
  const volumes = new Informer<DataVolume>({ ...options, resource: resources.dataVolumes });
  const pulls = new Informer<PodEvent>({ ...options, resource: events });
  volumes.on({ add: onVolume, update: onVolume });
  pulls.on({ add: onEvent, update: onEvent });
  volumes.start(signal);
  pulls.start(signal);
}

/** Pure: what to say, and the key that tells whether it was said. */
export function volumeLine({
  metadata,
  status,
}: DataVolume): { readonly key: string; readonly text: string; readonly failing: boolean } | undefined {
  const { phase, progress = '', conditions } = status ?? {};
  if (phase === undefined) return undefined;
  const percent = Number.parseFloat(progress);
  const step = Number.isNaN(percent) ? '' : Math.floor(percent / STEP_PERCENT);
  const failing = conditions?.find(
    ({ type, reason }) => type === 'Running' && (reason === 'Error' || reason === 'ImagePullFailed'),
  );
  const why = failing?.message === undefined ? '' : `: ${failing.message}`;
  const bar =
    Number.isNaN(percent) || phase === 'Succeeded' ? '' : ` ${barOf(percent)} ${percent.toFixed(0)} %`;
  const text = `     disk ${metadata.name}: ${phase}${bar}${why}`;
  return { key: `${phase} ${step} ${why}`, text, failing: failing !== undefined };
}

function barOf(percent: number): string {
  const width = 20;
  const full = Math.round((Math.min(100, percent) / 100) * width);
  return `[${'='.repeat(full)}${' '.repeat(width - full)}]`;
}
