/**
 * Cuts the Pods of one node off from the storage of their claims, while other nodes reach it: their reads and writes
 * wait in the kernel. A note says what was cut, so that it can be undone, also when the Pods are long gone.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type KubeClient, resources } from '@podvisor/kube';
import { type InstancePaths, stallDevice } from '@podvisor/sys';

interface Cut {
  /** Control group of a Pod. */
  readonly group: string;
  /** `major:minor`. */
  readonly device: string;
}

export function isStorageCut(paths: InstancePaths, node: string): boolean {
  return existsSync(noteOf(paths, node));
}

/** Answers how many claims were cut. */
export async function cutStorage(
  client: KubeClient,
  paths: InstancePaths,
  home: string,
  node: string,
): Promise<number> {
  const [{ items: pods }, { items: claims }] = await Promise.all([
    client.list(resources.pods, { fieldSelector: `spec.nodeName=${node}` }),
    client.list(resources.persistentVolumeClaims, {}),
  ]);
  const devices = new Set(
    pods.flatMap(({ metadata, spec }) =>
      (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
        const claim = claims.find(
          (one) =>
            one.metadata.name === persistentVolumeClaim?.claimName &&
            one.metadata.namespace === metadata.namespace,
        );
        const directory = `${paths.volumes}/${claim?.spec.volumeName}`;
        return claim?.spec.volumeName !== undefined && existsSync(directory) ? [deviceOf(directory)] : [];
      }),
    ),
  );
  // Of every Pod: a launcher uses plugged claims too, which another Pod holds for it.
  const cuts = pods.flatMap(({ metadata }) =>
    [...devices].map((device): Cut => ({ group: `/podvisor/${home}/${metadata.uid}`, device })),
  );
  if (cuts.length === 0) throw new Error(`no Pod of ${node} has a claim: there is no storage to cut`);
  if (cuts.some(({ device }) => device === deviceOf(paths.home)))
    throw new Error(
      'a claim of this node is a plain directory of the home, which nothing can be cut off from alone',
    );
  writeFileSync(noteOf(paths, node), JSON.stringify(cuts), { mode: 0o600 });
  const reached = cuts.map(({ group, device }) => stallDevice(group, device, true));
  if (reached.every((count) => count === 0))
    throw new Error('this kernel cannot limit the input and output of a control group');
  return devices.size;
}

export function healStorage(paths: InstancePaths, node: string): void {
  if (!isStorageCut(paths, node)) return;
  const cuts = JSON.parse(readFileSync(noteOf(paths, node), 'utf8')) as readonly Cut[];
  for (const { group, device } of cuts) stallDevice(group, device, false);
  rmSync(noteOf(paths, node));
}

function noteOf(paths: InstancePaths, node: string): string {
  return `${paths.run}/${node}.storage-cut`;
}

/** Of the file system that a file is on, in the kernel's writing (linux/kdev_t.h). */
function deviceOf(path: string): string {
  const { dev } = statSync(path);
  return `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
}
