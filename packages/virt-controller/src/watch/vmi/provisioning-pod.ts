/**
 * Claims of a storage class that waits for its first consumer are bound when a Pod needs them, and DataVolumes
 * on them are filled only then. The launcher must not run before; so a Pod that asks for the same node and the
 * same claims goes first, does nothing, and makes room. Pure.
 */
import { annotations, type Pod } from '@podvisor/api';

export function isProvisioningPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[annotations.ephemeralProvisioning] !== undefined;
}

/** Beside the launcher Pod of this name. */
export function provisioningPodName(launcher: string): string {
  return `${launcher}-provision`;
}

/** The launcher Pod, reduced to what decides where it goes. */
export function provisioningPod(launcher: Pod): Pod {
  const { metadata, spec } = launcher;
  const compute = spec.containers.find(({ name }) => name === 'compute') ?? spec.containers[0];
  const { initContainers: _, readinessGates: __, ...rest } = spec;
  const claims = (spec.volumes ?? []).filter(
    ({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined,
  );
  const names = new Set(claims.map(({ name }) => name));
  return {
    ...launcher,
    metadata: {
      ...metadata,
      name: provisioningPodName(metadata.name ?? ''),
      annotations: { ...metadata.annotations, [annotations.ephemeralProvisioning]: 'true' },
    },
    spec: {
      ...rest,
      restartPolicy: 'Never',
      volumes: claims,
      containers: [
        {
          name: 'compute',
          image: compute?.image,
          imagePullPolicy: compute?.imagePullPolicy,
          command: ['/bin/sh', '-c', 'echo bound PVCs'],
          resources: compute?.resources,
          securityContext: compute?.securityContext,
          volumeMounts: compute?.volumeMounts?.filter(({ name }) => names.has(name)),
          volumeDevices: compute?.volumeDevices?.filter(({ name }) => names.has(name)),
        },
      ],
    },
  };
}
