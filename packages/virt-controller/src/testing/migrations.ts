/** Migrations for tests. */
import type { MigrationState, Pod, VirtualMachineInstanceMigration, VMIMigrationStatus } from '@podvisor/api';
import { podWith, readyPod } from './objects.ts';

export function migrationWith(
  status: VMIMigrationStatus = {},
  metadata: Partial<NonNullable<VirtualMachineInstanceMigration['metadata']>> = {},
  spec: Partial<VirtualMachineInstanceMigration['spec']> = {},
): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      name: 'move',
      namespace: 'default',
      uid: 'move-uid',
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['kubevirt.io/migrationJobFinalize'],
      ...metadata,
    },
    spec: { vmiName: 'vm', ...spec },
    status,
  };
}

/** The VMI's record of `migrationWith()`, after the hand-off. */
export const handedOff: MigrationState = {
  migrationUid: 'move-uid',
  sourceNode: 'node-1',
  sourcePod: 'pod',
  targetNode: 'node-2',
  targetPod: 'target',
};

export function targetPodWith(status: Pod['status'], metadata: Partial<Pod['metadata']> = {}): Pod {
  const pod = podWith(status, {
    name: 'target',
    uid: 'target-uid',
    labels: { 'kubevirt.io/migrationJobUID': 'move-uid' },
    ...metadata,
  });
  return { ...pod, spec: { ...pod.spec, nodeName: 'node-2' } };
}

/** A target Pod whose launcher can take commands. */
export const readyTarget: Pod = targetPodWith(readyPod.status);
