/** In which formats a claim is exported: a disk image, or files. Clients take the first that they know. Pure. */
import { controllerOfKind, ownerKinds } from '../ownership.ts';
import { annotations, type PersistentVolumeClaim, type VirtualMachineExport } from '@podvisor/api';

export interface ExportFormat {
  readonly format: 'raw' | 'gzip' | 'dir' | 'tar.gz';
  /** Last part of the link. */
  readonly tail: string;
}

const CONTENT_TYPE = 'cdi.kubevirt.io/storage.contentType';
const DISK: readonly ExportFormat[] = [
  { format: 'raw', tail: 'disk.img' },
  { format: 'gzip', tail: 'disk.img.gz' },
];
const FILES: readonly ExportFormat[] = [
  { format: 'dir', tail: 'dir/' },
  { format: 'tar.gz', tail: 'disk.tar.gz' },
];

export function formatsOf(of: VirtualMachineExport, claim: PersistentVolumeClaim): readonly ExportFormat[] {
  return holdsDisk(of, claim) ? DISK : FILES;
}

/**
 * Block devices and what CDI filled as a disk are disks, and so is what a VM or its snapshot uses as one. A
 * claim that is exported by itself and says nothing is a directory of files, as a memory dump is.
 */
function holdsDisk({ spec: { source } }: VirtualMachineExport, claim: PersistentVolumeClaim): boolean {
  if (claim.spec.volumeMode === 'Block') return true;
  const notes = claim.metadata.annotations ?? {};
  const type = notes[CONTENT_TYPE];
  if (type !== undefined) return type === 'kubevirt' || type === '';
  if (notes[annotations.memoryDump] !== undefined) return false;
  const isOfDataVolume = controllerOfKind(claim, ownerKinds.dataVolume) !== undefined;
  return isOfDataVolume || source.kind !== 'PersistentVolumeClaim';
}
