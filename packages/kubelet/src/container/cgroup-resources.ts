/** CPU, memory and huge page limits of a container for its control group. Pure. */
import type { Container, Pod } from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { qosClass } from '../pod/qos.ts';
import type { OciDeviceRule, OciResources } from './oci-types.ts';

/** Threads of one container: far more than QEMU needs, far fewer than a machine has. */
const PIDS_LIMIT = 4096;
const PERIOD_US = 100_000;
const MIN_QUOTA_US = 1000;
const MIN_SHARES = 2;
const MAX_SHARES = 262_144;

export function cgroupResources(container: Container, devices: readonly OciDeviceRule[]): OciResources {
  const limits = container.resources?.limits ?? {};
  const requests = container.resources?.requests ?? {};
  const cpuLimit = limits['cpu'] === undefined ? 0 : parseQuantity(limits['cpu']).milliValue();
  const request = requests['cpu'] ?? limits['cpu'];
  const cpuRequest = request === undefined ? 0 : parseQuantity(request).milliValue();
  const memory = limits['memory'] === undefined ? 0 : parseQuantity(limits['memory']).value();
  const hugepages = Object.entries(limits).filter(([name]) => name.startsWith('hugepages-'));
  return {
    devices,
    pids: { limit: PIDS_LIMIT },
    cpu: {
      shares: clamp(Math.floor((cpuRequest * 1024) / 1000), MIN_SHARES, MAX_SHARES),
      ...(cpuLimit > 0
        ? { quota: Math.max(MIN_QUOTA_US, Math.floor((cpuLimit * PERIOD_US) / 1000)), period: PERIOD_US }
        : {}),
    },
    ...(memory > 0 ? { memory: { limit: memory } } : {}),
    ...(hugepages.length === 0
      ? {}
      : {
          hugepageLimits: hugepages.map(([name, amount]) => ({
            pageSize: pageSize(parseQuantity(name.slice('hugepages-'.length)).value()),
            limit: parseQuantity(amount).value(),
          })),
        }),
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The kernel's spelling: 2MB, 1GB. */
function pageSize(bytes: number): string {
  const mebi = bytes / 1024 / 1024;
  return mebi >= 1024 ? `${mebi / 1024}GB` : `${mebi}MB`;
}

/** Who dies first when memory runs out: the less was promised, the sooner. */
export function oomScoreAdj(pod: Pod, container: Container, machineMemoryBytes: number): number {
  switch (qosClass(pod)) {
    case 'Guaranteed':
      return -997;
    case 'BestEffort':
      return 1000;
    case 'Burstable': {
      const request = container.resources?.requests?.['memory'];
      const bytes = request === undefined ? 0 : parseQuantity(request).value();
      return clamp(1000 - Math.floor((1000 * bytes) / machineMemoryBytes), 3, 999);
    }
  }
}
