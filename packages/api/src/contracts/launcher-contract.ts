/**
 * What virt-handler and virt-launcher tell each other, as JSON inside the messages of
 * `proto/launcher.proto`. Both sides parse defensively: either may be older than the other, so every
 * field added later is optional and an unknown one is ignored.
 */
import type { Uid } from '@podvisor/base';
import type { NodeLossTimes } from '../lifecycle/node-loss.ts';
import type { MigrationConfiguration } from '../types/index.ts';
import type { InterfaceAttachment } from './interface-attachment.ts';

/**
 * Where a launcher from an image finds what libvirt knows of QEMU on this node already: virt-handler gives it with a
 * device (the kubelet mounts it, read-only), so that no Pod has to name a directory of the node.
 */
export const GRANTED_CAPABILITIES_CACHE = '/opt/podvisor/capabilities-cache';

/** What the launcher must know about a claim. */
export interface ClaimFacts {
  readonly block: boolean;
  readonly capacityBytes?: number;
  /** Which share of it the file system keeps for itself: an image grows no further. */
  readonly fileSystemOverhead?: number;
  /** Only on the target of a migration: the disk that is copied into the claim has this size. */
  readonly copiedBytes?: number;
}

/** What the node knows and the Pod does not; the options of SyncVirtualMachine. */
export interface SyncOptions {
  /** SMBIOS strings from the KubeVirt object. */
  readonly smbios?: {
    readonly manufacturer?: string;
    readonly product?: string;
    readonly version?: string;
    readonly sku?: string;
    readonly family?: string;
  };
  /** Software emulation is allowed when KVM is not usable. */
  readonly allowEmulation: boolean;
  /** `/dev/kvm` is in the Pod and the CPU has vmx or svm. */
  readonly kvmAvailable: boolean;
  /** Seconds between balloon statistics; 0 turns them off. */
  readonly memBalloonStatsPeriodSeconds?: number;
  readonly freePageReporting?: boolean;
  readonly serialConsoleLog?: boolean;
  /** Result of network phase 1, one per interface of the spec that is plugged in. */
  readonly interfaces: readonly InterfaceAttachment[];
  /** Facts about each PVC-backed volume. */
  readonly volumes?: Readonly<Record<string, ClaimFacts>>;
  /** Base64 of the key of the state that this guest is written to or wakes from. Absent: the state is not encrypted. */
  readonly stateKey?: string;
  /** The node shows the memory of the state that this guest wakes from, unpacked (`sharedMemory` of the paths). */
  readonly hasSharedMemory?: boolean;
  /** The guest ends when it cannot renew its lease on this volume; absent: it has none. */
  readonly lease?: GuestLeaseOptions;
}

/** The lease by which others can tell that a guest has ended. */
export interface GuestLeaseOptions extends NodeLossTimes {
  readonly volume: string;
  readonly nodeName: string;
}

/** Options of HoldVirtualMachine. */
export interface HoldOptions {
  /** Of CLOCK_BOOTTIME, in milliseconds: between these nobody who reads the API can have given up the node. */
  readonly sinceBootMs: number;
  readonly untilBootMs: number;
  /** When this was said, by the same clock: a launcher whose clock is another one can tell. */
  readonly nowBootMs: number;
  /** Nobody gives up a node that was silent for less; guests that were started with a shorter time are not held. */
  readonly silenceMs: number;
}

/** Options of MigrateVirtualMachine. */
export interface MigrationOptions {
  readonly migrationUid: Uid;
  readonly configuration: MigrationConfiguration;
  /** Where the launcher of the target keeps its sockets; absent: where this one does. */
  readonly targetSocketsDirectory?: string;
  /** Host CPUs of the target for a guest with CPUs of its own, by the number of the guest's CPU. */
  readonly targetCpuSet?: readonly number[];
}

/** What travels between two launchers: libvirt's calls, memory, and disks. The numbers are KubeVirt's port keys. */
export const MIGRATION_CHANNELS = { libvirt: 0, memory: 49152, disks: 49153 } as const;

export type MigrationChannel = (typeof MIGRATION_CHANNELS)[keyof typeof MIGRATION_CHANNELS];

/** Name, in a launcher's sockets directory, of the socket of a channel at one end of a migration. */
export function migrationSocketName(
  migrationUid: Uid,
  channel: MigrationChannel,
  role: 'source' | 'target',
): string {
  return `migration-${migrationUid}-${channel}${role === 'source' ? '-source' : ''}.sock`;
}
