/** From what libvirt, the XML and the guest agent say to the one DomainState that virt-handler sees. Pure. */
import {
  DOMAIN_STATE_NAMES,
  type AccessCredentialsReport,
  type DiskTrouble,
  type DhcpLease,
  type DomainBackup,
  type DomainFilesystem,
  type DomainHibernation,
  type DomainInterface,
  type DomainLease,
  type DomainStateName,
  type DomainMemoryDump,
  type DomainMemorySnapshot,
  type DomainMigration,
  type DomainState,
  type DomainStateReason,
} from '@podvisor/api';
import type { LibvirtState } from '@podvisor/libvirt';
import type { DomainFacts } from './domain-facts.ts';
import type { GuestFacts, GuestFilesystem, GuestInterface } from '../guest-agent/guest-facts.ts';

export interface DomainObservation {
  readonly name: string;
  readonly uuid: string;
  readonly vmiUid: string;
  readonly libvirt: LibvirtState;
  readonly facts: DomainFacts;
  readonly guest: GuestFacts;
  /** What DHCP gave the guest, by interface. */
  readonly leases?: ReadonlyMap<string, DhcpLease>;
  readonly qemuPid?: number;
  readonly exitDetail?: string;
  readonly shutdownRequestedAt?: string;
  readonly accessCredentials?: AccessCredentialsReport;
  readonly memoryDump?: DomainMemoryDump;
  readonly hibernation?: DomainHibernation;
  readonly memorySnapshot?: DomainMemorySnapshot;
  readonly backup?: DomainBackup;
  readonly migration?: DomainMigration;
  readonly diskTroubles?: readonly DiskTrouble[];
  readonly lease?: DomainLease;
}

/** The reason enumerations of libvirt, by state and number. */
const REASONS: Readonly<Partial<Record<DomainStateName, readonly DomainStateReason[]>>> = {
  Paused: [
    'Unknown',
    'User',
    'Migration',
    'Saved',
    'Unknown', // dump
    'PausedIOError',
    'Unknown', // watchdog
    'FromSnapshot',
    'Shutdown',
    'FromSnapshot', // a snapshot is being made
    'Crashed',
    'StartingUp',
    'Migration', // post-copy
    'PostcopyFailed',
  ],
  ShuttingDown: ['Unknown', 'User'],
  // The last one: libvirtd found QEMU dead, or ended it, when it came back. For the guest that is a crash.
  Shutoff: [
    'Unknown',
    'Shutdown',
    'Destroyed',
    'Crashed',
    'Migrated',
    'Saved',
    'Failed',
    'FromSnapshot',
    'Crashed',
  ],
  Crashed: ['Unknown', 'Panicked'],
  Running: ['Unknown'],
};

export function stateName({ state }: LibvirtState): DomainStateName {
  return DOMAIN_STATE_NAMES[state] ?? 'NoState';
}

export function stateReason(libvirt: LibvirtState): DomainStateReason {
  const runState = stateName(libvirt);
  if (runState === 'Running') return 'Unknown';
  return REASONS[runState]?.[libvirt.reason] ?? 'Unknown';
}

/** QEMU exists in these states. */
export function isActive(runState: DomainStateName): boolean {
  return runState !== 'Shutoff' && runState !== 'Crashed' && runState !== 'NoState';
}

export function buildDomainState(seen: DomainObservation): DomainState {
  const { facts, guest } = seen;
  const state = stateName(seen.libvirt);
  const active = isActive(state);
  const agentConnected = active && facts.agentConnected;
  const nics = facts.interfaces.map((nic) => {
    const lease = seen.leases?.get(nic.name ?? '');
    return lease === undefined ? nic : { ...nic, lease };
  });
  return withoutUndefined({
    name: seen.name,
    uuid: seen.uuid,
    vmiUid: seen.vmiUid,
    state,
    // However libvirt ended its QEMU: the guest is on the claim.
    reason: state === 'Shutoff' && seen.hibernation?.phase === 'Saved' ? 'Saved' : stateReason(seen.libvirt),
    qemuPid: active ? seen.qemuPid : undefined,
    exitDetail: active ? undefined : seen.exitDetail,
    shutdownRequestedAt: seen.shutdownRequestedAt,
    diskTargets: facts.diskTargets,
    diskBytes:
      facts.diskBytes !== undefined && Object.keys(facts.diskBytes).length > 0 ? facts.diskBytes : undefined,
    imageBytes: facts.imageBytes,
    diskTroubles: state === 'Paused' && seen.diskTroubles?.length ? seen.diskTroubles : undefined,
    lease: active ? seen.lease : undefined,
    pluggedVolumes: facts.pluggedVolumes.length === 0 ? undefined : facts.pluggedVolumes,
    interfaces: agentConnected ? mergeInterfaces(nics, guest.interfaces ?? []) : nics,
    agentConnected,
    agentVersion: agentConnected ? guest.version : undefined,
    agentCommands: agentConnected ? guest.commands : undefined,
    guestOS: agentConnected ? guest.os : undefined,
    guestHostname: agentConnected ? guest.hostname : undefined,
    fsFreezeStatus: agentConnected ? guest.fsFreezeStatus : undefined,
    filesystems: agentConnected ? guest.filesystems?.map(filesystemOf) : undefined,
    guestLoad: agentConnected ? guest.load : undefined,
    memoryBytes: facts.memoryBytes,
    cpu: facts.cpu,
    machineType: facts.machineType,
    osArch: facts.osArch,
    accessCredentials: seen.accessCredentials,
    memoryDump: seen.memoryDump,
    hibernation: seen.hibernation,
    memorySnapshot: seen.memorySnapshot,
    trackedVolumes: facts.trackedVolumes.length === 0 ? undefined : facts.trackedVolumes,
    backup: seen.backup,
    migration: seen.migration,
  });
}

/** NICs of the domain first, with what the guest says about the same MAC; then those only the guest knows. */
export function mergeInterfaces(
  nics: readonly DomainInterface[],
  fromGuest: readonly GuestInterface[],
): readonly DomainInterface[] {
  const ours = new Set(nics.map((nic) => nic.mac));
  const known = nics.map((nic) => {
    const guest = fromGuest.find((candidate) => candidate.mac === nic.mac);
    if (guest === undefined) return nic;
    return withoutUndefined({
      ...nic,
      guestInterfaceName: guest.name,
      ipAddresses: guest.ipAddresses,
      source: 'guest-agent' as const,
    });
  });
  const others = fromGuest
    .filter((guest) => !ours.has(guest.mac))
    .map((guest) => ({
      mac: guest.mac,
      guestInterfaceName: guest.name,
      ipAddresses: guest.ipAddresses,
      source: 'guest-agent' as const,
    }));
  return [...known, ...others];
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

/** Without the disks below it: nobody who follows the domain asks for them. */
function filesystemOf({
  diskName,
  mountPoint,
  fileSystemType,
  usedBytes,
  totalBytes,
}: GuestFilesystem): DomainFilesystem {
  return { diskName, mountPoint, fileSystemType, usedBytes, totalBytes };
}
