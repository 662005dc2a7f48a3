/** Gives the volumes of a Pod the labels that its containers may read, where the node has SELinux. */
import type { Pod } from '@podvisor/api';
import type { Log } from '@podvisor/kube';
import { messageOf } from '@podvisor/base';
import { run } from '@podvisor/sys';
import type { MountedVolume } from '../volumes/types.ts';
import { type PodPlace, volumeLabels } from './selinux.ts';

export interface RelabelOptions {
  readonly hasSeLinux: boolean;
  readonly log: Log;
  /** Runs a program; another one in tests, on machines without SELinux. */
  readonly start?: (program: string, args: readonly string[]) => Promise<unknown>;
}

/**
 * Idempotent. Links are labelled and not followed: what is in a volume is its tenant's. What cannot be labelled is told
 * and left: the container is refused what it must not read, by the kernel.
 */
export async function relabelVolumes(
  pod: Pod,
  volumes: ReadonlyMap<string, MountedVolume>,
  place: PodPlace,
  { hasSeLinux, log, start = run }: RelabelOptions,
): Promise<void> {
  if (!hasSeLinux) return;
  const labels = volumeLabels(pod, place);
  for (const [name, { path }] of volumes) {
    const label = labels.get(name);
    if (label === undefined) continue;
    try {
      await start('chcon', ['--recursive', '-P', '--no-dereference', label, '--', path]);
    } catch (error) {
      log.warn(
        { pod: pod.metadata.name, volume: name, error: messageOf(error) },
        'a volume could not be labelled for SELinux',
      );
    }
  }
}
