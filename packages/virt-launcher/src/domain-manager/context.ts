/** What every verb of the domain manager works with. Wired once, in `launcher.ts`. */
import type {
  DhcpLease,
  DomainHibernation,
  DomainMemoryDump,
  GuestLeaseOptions,
  InterfaceAttachment,
  SyncOptions,
  VirtualMachineInstance,
} from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { DomainRef, LibvirtConnection } from '@podvisor/libvirt';
import type { CloudInitEditor } from '@podvisor/storage';
import type { ConverterContext, Domain, DomainHostDevice } from '@podvisor/translate';
import type { SharedMemoryPlaces } from '../hibernation/shared-memory.ts';
import type { CredentialSynchronizer } from '../access-credentials/synchronizer.ts';
import type { Backups } from '../backup/backups.ts';
import type { ConsoleHub } from '../console/hub.ts';
import type { DiskLeases } from '../disks/disk-leases.ts';
import type { GuestLease } from '../fence/guest-lease.ts';
import type { DomainObserver } from '../domain/domain-observer.ts';
import type { GuestAgentPoller } from '../guest-agent/poller.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { LauncherError } from '../launcher-error.ts';
import type { LibvirtSession } from '../domain/libvirt-session.ts';
import type { Log } from '../log.ts';
import type { MemorySnapshot } from '../memory-snapshot/memory-snapshot.ts';
import type { OutgoingMigration } from '../migration/outgoing.ts';
import type { Mutex } from '../mutex.ts';
import type { Stages } from '../start-up/stages.ts';

/** What virt-handler sent, and what only this Pod's libvirt knows. */
export type BuildOptions = SyncOptions &
  Pick<ConverterContext, 'passtInterface'> & {
    /** UID of the migration that brings the guest from another node, where it still has its disks open. */
    readonly incoming?: string;
  };

/** Makes the files of a VMI ready and its domain; implemented with `storage` and `translate`. */
export interface DomainBuilder {
  /** Claims that are plugged into the running Pod are below it. */
  readonly hotplugDirectory: string;
  /** The domain to start. All that it names exists. */
  build(
    vmi: VirtualMachineInstance,
    options: BuildOptions,
    editCloudInit: CloudInitEditor,
    signal: AbortSignal,
  ): Promise<Domain>;
  /** The guest that a migration brought runs here: what its devices remember is kept here from now on. Idempotent. */
  arrived(vmi: VirtualMachineInstance, migrationUid: string): Promise<void>;
  /** Writes the ConfigDrive once more, with the places that libvirt gave to tagged devices. */
  tagDevices(
    vmi: VirtualMachineInstance,
    defined: Domain,
    editCloudInit: CloudInitEditor,
    signal: AbortSignal,
  ): Promise<void>;
  /** The domain as the VMI wants it now, its disks keeping the names (`diskTargets`) that they have. */
  rebuild(
    vmi: VirtualMachineInstance,
    options: BuildOptions,
    diskTargets: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Domain>;
}

/** Serves DHCP to the guest on one interface until disposed; implemented with `network`. */
export interface DhcpStarter {
  /** `onLease`: called when the guest takes an address, of either family. */
  start(attachment: InterfaceAttachment, onLease: (address: string) => void): Promise<AsyncDisposable>;
}

/** What happened since this launcher started that libvirt does not remember. */
export interface RunState {
  /** A user paused the guest: nothing but a user resumes it. */
  userPaused: boolean;
  /** QEMU ran. A launcher runs its VM once: after that it never starts it again. */
  started: boolean;
  /** What QEMU was started with; CPUs and memory follow a VMI only at a start. */
  startedAs: VirtualMachineInstance | undefined;
  /** UID of the migration that brings the guest here: this launcher never starts it itself. */
  incoming: string | undefined;
  /** That guest runs here. */
  tookOver?: boolean;
  /** Where the guest that comes will keep its lease. */
  incomingLease?: GuestLeaseOptions;
  /** SR-IOV devices of this node for the guest that comes: it gets them when it is here. */
  networkDevices?: readonly DomainHostDevice[];
  /** The observer has told of a living domain. */
  seenActive: boolean;
  /** No more starts: the Pod is ending. */
  terminating: boolean;
  /** RFC 3339. */
  shutdownRequestedAt: string | undefined;
  /** The dump for the claim that is plugged in for it. */
  memoryDump: DomainMemoryDump | undefined;
  /** The guest hibernates, or came from a hibernated state. */
  hibernation: DomainHibernation | undefined;
  /** What is left of a state that was not finished is being removed from its claim. */
  clearing?: Promise<void>;
  /** The snapshot of the guest's memory for the claim that is plugged in for it. */
  memorySnapshot: MemorySnapshot | undefined;
  /** When the CPUs stopped last, in milliseconds of the monotonic clock. */
  stoppedAtMs: number | undefined;
  /** The domain as it was built from the VMI that it was started with. */
  builtAs: Domain | undefined;
  /** Cancels the safety thaw of a freeze. */
  cancelThaw: (() => void) | undefined;
}

export interface DomainContext {
  readonly domainName: string;
  readonly vmiUid: string;
  readonly hooks: Hooks;
  readonly session: LibvirtSession;
  readonly observer: DomainObserver;
  readonly console: ConsoleHub;
  readonly agent: GuestAgentPoller;
  readonly credentials: CredentialSynchronizer;
  readonly builder: DomainBuilder;
  readonly dhcp: DhcpStarter;
  /** DHCP servers that run, by interface. */
  readonly dhcpServers: Map<string, AsyncDisposable>;
  /** The Pod's NIC that serves each interface. */
  readonly podInterfaces: Map<string, string>;
  /** What the guest got from them, by interface. */
  readonly dhcpLeases: Map<string, DhcpLease>;
  readonly readFacts: (xml: string) => import('../domain/domain-facts.ts').DomainFacts;
  readonly runState: RunState;
  readonly outgoing: OutgoingMigration;
  readonly backups: Backups;
  readonly leases: DiskLeases;
  /** Where the claim with the state is that the guest wakes from. */
  readonly stateDirectory: string;
  /** Socket through which QEMU's memory goes to a state or comes from one. */
  readonly stateSocket: string;
  /** Where the node shows memory that copies share, and the scripts that have QEMU map it. */
  readonly sharedMemory: SharedMemoryPlaces;
  readonly guestLease: GuestLease;
  /** Process id of QEMU, once libvirt has started it. */
  readonly qemuPid: () => Promise<number | undefined>;
  readonly mutex: Mutex;
  /** Of freezing and thawing, which wait for the guest: nothing else waits for them. */
  readonly freezing: Mutex;
  readonly stages: Stages;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends with the launcher. */
  readonly signal: AbortSignal;
  /** Aborted when the Pod is asked to end: a start that is under way stops, and no other begins. */
  readonly startSignal: AbortSignal;
}

/** The connection and the domain; a clear error when there is none. `verb` completes "cannot … the virtual machine". */
export async function requireDomain(
  context: Pick<DomainContext, 'session' | 'domainName'>,
  verb: string,
): Promise<{ readonly connection: LibvirtConnection; readonly domain: DomainRef }> {
  const { connection } = context.session;
  const domain = await connection.lookupByName(context.domainName);
  if (domain === undefined)
    throw new LauncherError(`cannot ${verb} the virtual machine: it has not been started`);
  return { connection, domain };
}
