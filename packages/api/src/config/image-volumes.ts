/** Whether a node mounts images as volumes of Pods. Pure. */
import type { Node } from '../types/index.ts';

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
