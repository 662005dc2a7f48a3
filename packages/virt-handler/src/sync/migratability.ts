/** Whether a VM could be moved to another node, and if not, the first reason. Pure. */
import {
  annotations,
  claimName,
  type VirtualMachineInstance,
  type VMICondition,
  type Volume,
  type VolumeStatus,
} from '@podvisor/api';

type Verdict = Pick<VMICondition, 'status' | 'reason' | 'message'>;

export interface Migratability {
  readonly live: Verdict;
  readonly storage: Verdict;
  /** Local disks are copied along. */
  readonly method: 'LiveMigration' | 'BlockMigration';
}

const YES: Verdict = { status: 'True' };
const ALLOW_BRIDGE = annotations.allowPodBridgeNetworkLiveMigration;

export function migratability(vmi: VirtualMachineInstance): Migratability {
  const disks = checkDisks(vmi);
  const storage = disks.problem === undefined ? YES : no('DisksNotLiveMigratable', disks.problem);
  const live = [checkNetwork, checkHostDevices, checkSecurity, checkFilesystems, checkReservation]
    .map((check) => check(vmi))
    .find((verdict) => verdict !== undefined);
  return { live: live ?? storage, storage, method: disks.copies ? 'BlockMigration' : 'LiveMigration' };
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

function checkNetwork(vmi: VirtualMachineInstance): Verdict | undefined {
  const podNetwork = vmi.spec.networks?.find((n) => n.pod !== undefined);
  const nic = vmi.spec.domain.devices.interfaces?.find((i) => i.name === podNetwork?.name);
  if (nic?.bridge === undefined || vmi.metadata?.annotations?.[ALLOW_BRIDGE] !== undefined) return undefined;
  return no(
    'InterfaceNotLiveMigratable',
    `cannot migrate VMI which does not use masquerade, bridge with ${ALLOW_BRIDGE} VM annotation or a migratable plugin to connect to the pod network`,
  );
}

function checkHostDevices(vmi: VirtualMachineInstance): Verdict | undefined {
  const { hostDevices = [], gpus = [] } = vmi.spec.domain.devices;
  if (hostDevices.length === 0 && gpus.length === 0) return undefined;
  return no('HostDeviceNotLiveMigratable', 'VMI uses a PCI host devices');
}

function checkSecurity(vmi: VirtualMachineInstance): Verdict | undefined {
  const security = vmi.spec.domain.launchSecurity;
  if (security === undefined) return undefined;
  if (security.tdx !== undefined) return no('TDXNotLiveMigratable', 'VMI uses TDX');
  if (security.sev !== undefined || security.snp !== undefined)
    return no('SEVNotLiveMigratable', 'VMI uses SEV');
  return no('SecureExecutionNotLiveMigratable', 'VMI uses Secure Execution');
}

function checkFilesystems(vmi: VirtualMachineInstance): Verdict | undefined {
  const claims = new Set(
    (vmi.spec.volumes ?? []).filter((v) => claimName(v) !== undefined).map((v) => v.name),
  );
  const shared = vmi.spec.domain.devices.filesystems?.find((f) => claims.has(f.name));
  return shared === undefined ? undefined : no('VirtIOFSNotLiveMigratable', 'VMI uses virtiofs');
}

function checkReservation(vmi: VirtualMachineInstance): Verdict | undefined {
  const reserves = vmi.spec.domain.devices.disks?.some((d) => d.lun?.reservation === true) ?? false;
  return reserves
    ? no('PersistentReservationNotLiveMigratable', 'VMI uses SCSI persistent reservation')
    : undefined;
}

function checkDisks(vmi: VirtualMachineInstance): { readonly problem?: string; readonly copies: boolean } {
  const statuses = new Map((vmi.status?.volumeStatus ?? []).map((s) => [s.name, s]));
  const attached = new Set((vmi.spec.domain.devices.disks ?? []).map((d) => d.name));
  let copies = false;
  for (const volume of (vmi.spec.volumes ?? []).filter((v) => attached.has(v.name))) {
    const problem = volumeProblem(volume, statuses.get(volume.name));
    if (problem !== undefined) return { problem, copies };
    if (isLocal(volume)) copies = true;
  }
  return { copies };
}

function volumeProblem(volume: Volume, status: VolumeStatus | undefined): string | undefined {
  if (volume.hostDisk !== undefined && volume.hostDisk.shared !== true)
    return 'cannot migrate VMI with non-shared HostDisk';
  if (volume.persistentVolumeClaim === undefined && volume.dataVolume === undefined) return undefined;
  const isShared = status?.persistentVolumeClaimInfo?.accessModes?.includes('ReadWriteMany') ?? false;
  if (isShared) return undefined;
  return `cannot migrate VMI: PVC ${claimName(volume)} is not shared, live migration requires that all PVCs must be shared (using ReadWriteMany access mode)`;
}

/** The disk's contents are in the Pod and have to travel with the guest. */
function isLocal(volume: Volume): boolean {
  return (
    volume.persistentVolumeClaim === undefined &&
    volume.dataVolume === undefined &&
    volume.hostDisk === undefined
  );
}
