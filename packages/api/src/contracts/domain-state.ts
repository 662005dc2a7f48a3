/** What a launcher tells of its domain: the state, its reason, and the jobs that are under way in it. */
import type { GuestOSInfo } from '../types/index.ts';
import type { MigrationMode, MigrationReport } from './migration-progress.ts';

/** How a guest's lease stands. */
export interface DomainLease {
  readonly volume: string;
  /** Why it is not renewed, while it is not: the storage does not answer, or answers with an error. */
  readonly overdue?: string;
}

/** By the numbers of libvirt's virDomainState. Life states of a domain, in libvirt's words. */
export const DOMAIN_STATE_NAMES = [
  'NoState',
  'Running',
  'Blocked',
  'Paused',
  'ShuttingDown',
  'Shutoff',
  'Crashed',
  'PMSuspended',
] as const;

export type DomainStateName = (typeof DOMAIN_STATE_NAMES)[number];

/** Why the domain is in its state, in libvirt's words with KubeVirt's spelling. */
export type DomainStateReason =
  | ''
  | 'Unknown'
  | 'User'
  | 'Destroyed'
  | 'Crashed'
  | 'Panicked'
  | 'Migrated'
  | 'Migration'
  | 'Saved'
  | 'Failed'
  | 'FromSnapshot'
  | 'Shutdown'
  | 'IOError'
  | 'PausedIOError'
  | 'PostcopyFailed'
  | 'StartingUp';

/** The whole truth of a launcher about its domain; sent on every change. */
export interface DomainState {
  readonly name: string;
  readonly uuid: string;
  readonly vmiUid: string;
  readonly state: DomainStateName;
  readonly reason: DomainStateReason;
  /** Process id of QEMU as seen inside the Pod, while it runs. */
  readonly qemuPid?: number;
  /** Exit status or signal of QEMU when it ended on its own. */
  readonly exitDetail?: string;
  /** RFC 3339 time at which the guest was first asked to shut down. */
  readonly shutdownRequestedAt?: string;
  /** Where the device names of the disks ended up: volume name → `vda`. */
  readonly diskTargets: Readonly<Record<string, string>>;
  /** Bytes that the guest's disks on claims have, by volume. */
  readonly diskBytes?: Readonly<Record<string, number>>;
  /** Volumes plugged into the running Pod that the domain uses: as disks, or as discs in a drive. */
  readonly pluggedVolumes?: readonly string[];
  /** Sizes of the images that the launcher made of a Secret, ConfigMap or the like: volume name → bytes. */
  readonly imageBytes?: Readonly<Record<string, number>>;
  /** Disks that stopped the guest because they could not be written. */
  readonly diskTroubles?: readonly DiskTrouble[];
  /** The lease that others can tell the guest's end by; absent: it has none. */
  readonly lease?: DomainLease;
  readonly interfaces: readonly DomainInterface[];
  readonly agentConnected: boolean;
  readonly agentVersion?: string;
  readonly agentCommands?: readonly string[];
  readonly guestOS?: GuestOSInfo;
  readonly guestHostname?: string;
  readonly fsFreezeStatus?: string;
  /** File systems of the guest and how full they are, as its agent said last. */
  readonly filesystems?: readonly DomainFilesystem[];
  /** Load averages of the guest over 1, 5 and 15 minutes. */
  readonly guestLoad?: readonly [number, number, number];
  /** `requested`: what the guest should have by now; it takes it as fast as it can. */
  readonly memoryBytes?: { readonly current: number; readonly max: number; readonly requested?: number };
  readonly cpu?: { readonly sockets: number; readonly cores: number; readonly threads: number };
  readonly machineType?: string;
  readonly osArch?: string;
  readonly migration?: DomainMigration;
  /** How setting keys and passwords in the guest ended; absent: none are to be set, or not yet tried. */
  readonly accessCredentials?: AccessCredentialsReport;
  readonly memoryDump?: DomainMemoryDump;
  /** The guest hibernates, has hibernated, or came from a hibernated state. */
  readonly hibernation?: DomainHibernation;
  /** A snapshot of the guest's memory is taken, or was the last thing that happened to its claim. */
  readonly memorySnapshot?: DomainMemorySnapshot;
  /** Volumes whose changed blocks are tracked. */
  readonly trackedVolumes?: readonly string[];
  /** The backup that runs, or the last one that ran. */
  readonly backup?: DomainBackup;
}

/** A file system of the guest. */
export interface DomainFilesystem {
  readonly diskName: string;
  readonly mountPoint: string;
  readonly fileSystemType: string;
  readonly usedBytes: number;
  readonly totalBytes: number;
}

/** A backup of disks as the launcher sees it. */
export interface DomainBackup {
  readonly name: string;
  /** Of the backup object: together with the name it says which one is meant. */
  readonly startTimestamp: string;
  /** Volume of the claim that it is written to. */
  readonly target: string;
  /** Absent while it runs. */
  readonly endTimestamp?: string;
  readonly failed?: boolean;
  /** What went wrong; without `failed`, what a reader should know. */
  readonly message?: string;
  /** Checkpoint that was made with it. */
  readonly checkpointName?: string;
  readonly volumes: readonly string[];
  readonly quiesce: 'Succeeded' | 'Failed' | 'Skipped';
}

/** A hibernation, or a waking, as the launcher sees it. */
export interface DomainHibernation {
  /**
   * `Saved`: the state is whole and on disk, the guest never goes on here. `Failed`: the guest goes on as before.
   * `Woken` from a state, or `Booted` because there was none.
   */
  readonly phase: 'Saving' | 'Saved' | 'Failed' | 'Woken' | 'Booted';
  /** UID of the VMI whose memory it is. */
  readonly id: string;
  readonly startTimestamp: string;
  readonly endTimestamp?: string;
  readonly sizeBytes?: number;
  readonly message?: string;
}

/** A snapshot of the guest's memory, as the launcher sees it. */
export interface DomainMemorySnapshot {
  /**
   * `Saving` while the guest runs; `Saved`: all of its memory is written and it stands still, until its disks are
   * taken; `Taken`: the guest goes on, the memory is whole and of one instant with the disks. `Failed`: the guest goes
   * on, and nothing on the claim can be loaded.
   */
  readonly phase: 'Saving' | 'Saved' | 'Taken' | 'Failed';
  readonly claimName: string;
  readonly startTimestamp: string;
  readonly endTimestamp?: string;
  readonly sizeBytes?: number;
  readonly pauseMilliseconds?: number;
  readonly message?: string;
}

/** A dump of the guest's memory that runs, or has ended. */
export interface DomainMemoryDump {
  /** Name of the volume in the VMI. */
  readonly volume: string;
  readonly claimName: string;
  readonly fileName: string;
  readonly startTimestamp: string;
  /** Absent while it runs. */
  readonly endTimestamp?: string;
  readonly failed?: boolean;
  /** Why it failed. */
  readonly message?: string;
}

/** Result of the last attempt to set access credentials through the guest agent. */
export interface AccessCredentialsReport {
  readonly succeeded: boolean;
  /** Why not. */
  readonly message?: string;
}

/** A disk that cannot be written. */
export interface DiskTrouble {
  readonly volume: string;
  readonly reason: 'no-space' | 'error';
}

/** An address that the guest has asked for and got from us. */
export interface DhcpLease {
  readonly address: string;
  /** RFC 3339. */
  readonly at: string;
}

/** A NIC as the domain and, where it answers, the guest agent show it. */
export interface DomainInterface {
  /** Name in the spec; absent for NICs that only the guest knows. */
  readonly name?: string;
  readonly mac: string;
  /** Name inside the guest, from the agent. */
  readonly guestInterfaceName?: string;
  readonly ipAddresses?: readonly string[];
  readonly linkState?: 'up' | 'down';
  readonly queueCount?: number;
  /** What DHCP gave the guest last. */
  readonly lease?: DhcpLease;
  readonly source: 'domain' | 'guest-agent';
}

/** A migration as the launcher at one of its ends sees it. */
export type DomainMigration = SourceMigration | TargetMigration;

export interface SourceMigration {
  readonly role: 'source';
  readonly uid: string;
  /** RFC 3339. */
  readonly startTimestamp: string;
  readonly endTimestamp?: string;
  /** It has ended, well unless `failed`. The guest does not run here any more unless `failed`. */
  readonly completed?: boolean;
  readonly failed?: boolean;
  readonly failureReason?: string;
  readonly abortStatus?: 'Aborting' | 'Succeeded' | 'Failed';
  readonly mode: MigrationMode;
  /** Everything is on the target, whose answer was lost: the guest stands still here until it is known where it runs. */
  readonly isUndecided?: boolean;
  readonly report?: MigrationReport;
}

export interface TargetMigration {
  readonly role: 'target';
  readonly uid: string;
  /**
   * `waiting` for the guest; `post-copy`: it runs here and its memory follows; `broken`: no more of it follows until
   * the source has found another way; `arrived`: all of it is here.
   */
  readonly stage: 'waiting' | 'post-copy' | 'broken' | 'arrived';
}
