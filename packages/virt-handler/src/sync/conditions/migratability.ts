/**
 * Whether a VM could be moved to another node, and if not, why. Pure. The condition's reason is the first that
 * applies, in the order in which clients of KubeVirt know them; its message names every one, so that nobody has to
 * find them one after the other.
 */
import {
  annotations,
  conditionReasons as reasons,
  type VirtualMachineInstance,
  type VMICondition,
} from '@podvisor/api';
import { tscFrequencyMatters } from '@podvisor/translate';
import { diskObstacles, sharedFilesystems } from './migratable-disks.ts';

type Vmi = VirtualMachineInstance;
type Verdict = Pick<VMICondition, 'status' | 'reason' | 'message'>;

/** Something that keeps a guest where it is. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

export interface Migratability {
  readonly live: Verdict;
  readonly storage: Verdict;
  /** Local disks are copied along. */
  readonly method: 'LiveMigration' | 'BlockMigration';
}

const ALLOW_BRIDGE = annotations.allowPodBridgeNetworkLiveMigration;

/** `lacksHostModel`: libvirt knows no model for the CPU of this node. */
export function migratability(vmi: Vmi, lacksHostModel = false): Migratability {
  const disks = diskObstacles(vmi);
  const others = [
    ...networkObstacles(vmi),
    ...when(
      lacksHostModel && vmi.spec.domain.cpu?.model === 'host-model',
      reasons.cpuModeLiveMigratable,
      `the node "${vmi.status?.nodeName}" does not allow migration with host-model`,
    ),
    ...deviceObstacles(vmi),
    ...securityObstacles(vmi),
    ...cpuObstacles(vmi),
    ...sharedFilesystems(vmi),
    ...reservationObstacles(vmi),
  ];
  return {
    live: verdict([...others, ...disks.obstacles]),
    storage: storageVerdict(others),
    method: disks.copies ? 'BlockMigration' : 'LiveMigration',
  };
}

function verdict(obstacles: readonly Obstacle[]): Verdict {
  const [first] = obstacles;
  if (first === undefined) return { status: 'True' };
  const messages = [...new Set(obstacles.map(({ message }) => message))];
  return { status: 'False', reason: first.reason, message: messages.join('; ') };
}

/** Whether the guest could move if its disks moved along: where they are now does not count. */
function storageVerdict(obstacles: readonly Obstacle[]): Verdict {
  if (obstacles.length === 0) return { status: 'True' };
  const message = obstacles.map((obstacle) => `${obstacle.reason}: ${obstacle.message}`).join(', ');
  return { status: 'False', reason: reasons.notMigratable, message };
}

function when(applies: boolean, reason: string, message: string): readonly Obstacle[] {
  return applies ? [{ reason, message }] : [];
}

function networkObstacles(vmi: Vmi): readonly Obstacle[] {
  const podNetwork = vmi.spec.networks?.find((n) => n.pod !== undefined);
  const nic = vmi.spec.domain.devices.interfaces?.find((i) => i.name === podNetwork?.name);
  return when(
    nic?.bridge !== undefined && vmi.metadata?.annotations?.[ALLOW_BRIDGE] === undefined,
    reasons.interfaceNotLiveMigratable,
    `cannot migrate VMI which does not use masquerade, bridge with ${ALLOW_BRIDGE} VM annotation or a migratable plugin to connect to the pod network`,
  );
}

function deviceObstacles({ spec }: Vmi): readonly Obstacle[] {
  const { hostDevices = [], gpus = [] } = spec.domain.devices;
  return when(
    hostDevices.length > 0 || gpus.length > 0,
    reasons.hostDeviceNotLiveMigratable,
    'VMI uses a PCI host devices',
  );
}

function securityObstacles({ spec }: Vmi): readonly Obstacle[] {
  const security = spec.domain.launchSecurity;
  if (security === undefined) return [];
  if (security.tdx !== undefined) return when(true, reasons.tdxNotLiveMigratable, 'VMI uses TDX');
  if (security.sev !== undefined || security.snp !== undefined)
    return when(true, reasons.sevNotLiveMigratable, 'VMI uses SEV');
  return when(true, reasons.secureExecutionNotLiveMigratable, 'VMI uses Secure Execution');
}

function cpuObstacles(vmi: Vmi): readonly Obstacle[] {
  const passthrough = vmi.spec.domain.features?.hypervPassthrough;
  return [
    ...when(
      tscFrequencyMatters(vmi) && vmi.status?.topologyHints?.tscFrequency === undefined,
      reasons.noTSCFrequencyNotLiveMigratable,
      'HyperV Reenlightenment VMIs cannot migrate when TSC Frequency is not exposed on the cluster',
    ),
    ...when(
      passthrough !== undefined && passthrough.enabled !== false,
      reasons.hypervPassthroughNotLiveMigratable,
      'VMI uses hyperv passthrough',
    ),
  ];
}

function reservationObstacles({ spec }: Vmi): readonly Obstacle[] {
  return when(
    spec.domain.devices.disks?.some((d) => d.lun?.reservation === true) ?? false,
    reasons.persistentReservationNotLiveMigratable,
    'VMI uses SCSI persistent reservation',
  );
}
