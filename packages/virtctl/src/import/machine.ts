/** A machine as another system describes it, in words that all of them share. */

export type DiskBus = 'ide' | 'sata' | 'scsi' | 'virtio' | 'usb' | 'nvme';

/** Bytes of a disk: a file of this machine, or a part of one (a member of an OVA). */
export interface DiskSource {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

export interface SourceDisk {
  /** As the description names it. */
  readonly name: string;
  readonly bus: DiskBus;
  /** How large the guest sees it. */
  readonly sizeBytes: number;
  readonly source: DiskSource;
}

export interface SourceNic {
  readonly model: string;
  readonly mac?: string;
  /** The network that it was in. */
  readonly network: string;
}

export interface SourceMachine {
  readonly name: string;
  readonly cpus: number;
  readonly memoryMib: number;
  readonly firmware: 'bios' | 'efi';
  readonly secureBoot: boolean;
  readonly tpm: boolean;
  readonly uuid?: string;
  readonly os: 'linux' | 'windows' | 'other';
  readonly disks: readonly SourceDisk[];
  readonly nics: readonly SourceNic[];
  /** Devices that have no counterpart, in words. */
  readonly others: readonly string[];
}

/** The file cannot be imported: what was read, and what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Descriptions of a machine are small; what is larger is something else. */
export const MAX_DESCRIPTION_BYTES = 4 * 1024 * 1024;
export const MAX_DISKS = 64;

/** A name that Kubernetes takes, from one that another system took. */
export function kubernetesName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  return name === '' ? 'imported' : name;
}
