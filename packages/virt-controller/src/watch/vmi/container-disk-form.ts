/**
 * How container disks come into launcher Pods. Image volumes start faster, but kubelet and runtime of the node must
 * have them, and a Pod is made before its node is known: so they are used when every node has them, and the gate
 * ImageVolume allows it. Containers that hold the images work everywhere. Pure.
 */
import type { ClusterConfig, Node } from '@podvisor/api';
import type { ContainerDiskForm } from '@podvisor/translate';

type Version = readonly [major: number, minor: number];

/** The first Kubernetes whose gate of the same name is on unless somebody turns it off. */
const KUBELET: Version = [1, 35];

/** The first version of each runtime that has image volumes. */
const RUNTIMES: ReadonlyMap<string, Version> = new Map([
  ['containerd', [2, 1]],
  ['cri-o', [1, 31]],
  // The embedded home's own.
  ['podvisor', [0, 0]],
]);

export function containerDiskForm(
  { gates }: Pick<ClusterConfig, 'gates'>,
  nodes: readonly Node[],
): ContainerDiskForm {
  return gates.has('ImageVolume') && nodes.every(hasImageVolumes) ? 'image-volumes' : 'containers';
}

/** By the versions that the node tells. What is not known is not there. */
export function hasImageVolumes({ status }: Node): boolean {
  const { kubeletVersion = '', containerRuntimeVersion = '' } = status?.nodeInfo ?? {};
  const [runtime = '', version = ''] = containerRuntimeVersion.split('://');
  const first = RUNTIMES.get(runtime);
  return isAtLeast(kubeletVersion, KUBELET) && first !== undefined && isAtLeast(version, first);
}

function isAtLeast(text: string, [major, minor]: Version): boolean {
  const [, ourMajor, ourMinor] = /^v?(\d+)\.(\d+)/.exec(text)?.map(Number) ?? [];
  if (ourMajor === undefined || ourMinor === undefined) return false;
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
}
