/** What may end badly soon: leases, guests that stand still, guests that cannot leave their node. Pure. */
import { HANDOFF_METRICS as M, type Lease, type VirtualMachineInstance } from '@podvisor/api';
import type { MetricFamily, Sample } from '@podvisor/base';
import { objectLabels } from './labels.ts';

export function riskFamilies(
  vmis: readonly VirtualMachineInstance[],
  leases: readonly Lease[],
): readonly MetricFamily[] {
  const running = vmis.filter(({ status }) => status?.phase === 'Running');
  return [
    {
      definition: M.leaseExpirationTimestampSeconds,
      samples: leases.flatMap((lease) => expirationSamples(lease)),
    },
    {
      definition: M.vmiPausedIoError,
      samples: running
        .filter((vmi) => condition(vmi, 'Paused')?.reason === 'PausedIOError')
        .map((vmi) => ({ labels: place(vmi), value: 1 })),
    },
    {
      definition: M.vmiBoundToNode,
      samples: running.flatMap((vmi) => reasonSamples(vmi, 'LiveMigratable', 'False')),
    },
    {
      definition: M.vmiLostWithNode,
      samples: running.flatMap((vmi) => reasonSamples(vmi, 'NodeLost', 'True')),
    },
  ];
}

/** 1 with the condition's reason, while it has this status. */
function reasonSamples(vmi: VirtualMachineInstance, type: string, status: string): readonly Sample[] {
  const found = condition(vmi, type);
  return found?.status === status
    ? [{ labels: { ...place(vmi), reason: found.reason ?? '' }, value: 1 }]
    : [];
}

function expirationSamples({ metadata, spec }: Lease): readonly Sample[] {
  const renewed = Date.parse(spec?.renewTime ?? '');
  // One that was released on purpose has no holder and is nobody's loss.
  if (Number.isNaN(renewed) || (spec?.holderIdentity ?? '') === '') return [];
  return [
    {
      labels: { lease: metadata?.name ?? '' },
      value: renewed / 1000 + (spec?.leaseDurationSeconds ?? 0),
    },
  ];
}

function condition({ status }: VirtualMachineInstance, type: string) {
  return status?.conditions?.find((one) => one.type === type);
}

function place(vmi: VirtualMachineInstance): Readonly<Record<string, string>> {
  const { name, namespace } = objectLabels(vmi);
  return { node: vmi.status?.nodeName ?? '', namespace, name };
}
