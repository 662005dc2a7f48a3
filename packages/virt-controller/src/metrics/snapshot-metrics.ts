/** Snapshots in numbers, read from their cache when somebody asks. Pure. */
import { CONTROLLER_METRICS as M, type VirtualMachineSnapshot } from '@podvisor/api';
import type { MetricFamily } from '@podvisor/base';
import { epochSeconds, objectLabels } from './labels.ts';

export function snapshotFamily(snapshots: readonly VirtualMachineSnapshot[]): MetricFamily {
  return {
    definition: M.vmSnapshotSucceededTimestampSeconds,
    samples: snapshots
      .filter(({ status }) => status?.phase === 'Succeeded')
      .map((snapshot) => {
        const { name, namespace } = objectLabels(snapshot);
        return {
          labels: { name: snapshot.spec.source.name, snapshot_name: name, namespace },
          value: epochSeconds(snapshot.status?.creationTime ?? undefined),
        };
      }),
  };
}
