/**
 * How container disks come into launcher Pods. Image volumes start faster, but kubelet and runtime of the node must
 * have them, and a Pod is made before its node is known: so they are used when every node has them, and the gate
 * ImageVolume allows it. Containers that hold the images work everywhere. Pure.
 */
import { type ClusterConfig, hasImageVolumes, type Node } from '@podvisor/api';
import type { ContainerDiskForm } from '@podvisor/translate';

export function containerDiskForm(
  { gates }: Pick<ClusterConfig, 'gates'>,
  nodes: readonly Node[],
): ContainerDiskForm {
  return gates.has('ImageVolume') && nodes.every(hasImageVolumes) ? 'image-volumes' : 'containers';
}
