/**
 * What this node did for a VMI, on disk, so that it can be undone or continued when this process starts
 * again and the VMI object may be gone. Written before the launcher is asked for anything.
 */
import type { InterfaceAttachment } from '@podvisor/api';
import { type DnsLabel, isDnsLabel, isUid, type Uid } from '@podvisor/base';
import type { PodNic } from '@podvisor/network';

/** A claim that the launcher sees, though its Pod does not have it. */
export interface PluggedVolume {
  readonly volume: DnsLabel;
  /** Device number of a block claim; absent for an image file. */
  readonly rdev?: number;
  /** The directory of the claim is shown, not an image. */
  readonly directory?: true;
}

export interface GhostRecord {
  readonly namespace: string;
  readonly name: string;
  /** UID of the VMI. */
  readonly uid: Uid;
  readonly podUid: Uid;
  /** Pod NICs as they were before network phase 1 changed them, by name. */
  readonly nics?: Readonly<Record<string, PodNic>>;
  /** What network phase 1 made, and the guest is told; a new life of this process goes on telling it. */
  readonly attachments?: readonly InterfaceAttachment[];
  /** Claims that were plugged into the launcher Pod. */
  readonly plugged?: readonly PluggedVolume[];
  /** Images that containers of the launcher Pod hold were shown to the launcher: it has mounts of ours. */
  readonly shownImages?: 'some' | 'all';
  /** Memory that the guest was started with and shares with other copies of its snapshot; a name of the store. */
  readonly sharedMemory?: string;
  /** The migration that brings, or has just brought, the guest here; gone when it was finalised. */
  readonly migrationUid?: Uid;
  /** Why the guest did not get the CPUs or the memory that its last move was for, or that it should get in place. */
  readonly changeFailure?: string;
  /** Fingerprint of the spec that the launcher was last given. */
  readonly syncedSpec?: string;
}

/** Reads a record; undefined when the text is not one. */
export function parseRecord(text: string): GhostRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // Cut short by a crash of the machine: there is nothing to learn from it.
  }
  const record = value as Partial<GhostRecord> | null;
  const isNamed = [record?.namespace, record?.name].every((f) => typeof f === 'string' && f !== '');
  const isWhole =
    isNamed &&
    isUid(record?.uid) &&
    isUid(record.podUid) &&
    (record.migrationUid === undefined || isUid(record.migrationUid)) &&
    (record.plugged ?? []).every(({ volume }) => isDnsLabel(volume));
  return isWhole ? (record as GhostRecord) : undefined;
}
