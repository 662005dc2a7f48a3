/**
 * Paths of the launcher's containers that a guest sees as file systems (`containerPath` volumes). Other people's
 * webhooks mount them when the Pod is made, so the containers that serve them are not in the manifest: a webhook adds
 * them. What KubeVirt says of a VMI without them is said here, in its words. Pure.
 */
import type { Pod, VirtualMachineInstance } from '@podvisor/api';

export interface PathProblem {
  readonly reason: 'ContainerPathVolumesDisabled' | 'MissingVirtiofsContainers';
  readonly message: string;
}

/** Why no Pod is made while the feature gate is off. */
export function disabledPaths(vmi: VirtualMachineInstance): PathProblem | undefined {
  if (servers(vmi).length === 0) return undefined;
  const message = 'VMI has ContainerPath volumes but the ContainerPathVolumes feature gate is disabled';
  return { reason: 'ContainerPathVolumesDisabled', message };
}

/** Why this Pod cannot run the guest. */
export function missingServers(vmi: VirtualMachineInstance, { spec }: Pod): PathProblem | undefined {
  const missing = servers(vmi).filter((wanted) => !spec.containers.some(({ name }) => name === wanted));
  if (missing.length === 0) return undefined;
  const message = `pod is missing virtiofs containers for ContainerPath volumes: [${missing.join(' ')}]`;
  return { reason: 'MissingVirtiofsContainers', message };
}

/** Names of the containers that serve them. */
function servers({ spec }: VirtualMachineInstance): readonly string[] {
  const shared = new Set(
    spec.domain.devices.filesystems?.filter(({ virtiofs }) => virtiofs !== undefined).map(({ name }) => name),
  );
  return (spec.volumes ?? [])
    .filter(({ containerPath, name }) => containerPath !== undefined && shared.has(name))
    .map(({ name }) => `virtiofs-${name}`);
}
