import type { ImportJob } from '@podvisor/api';
import type { Progress } from './progress.ts';
import { type ByteSource } from './source/source.ts';
export interface ImportOptions {
  readonly job: Pick<ImportJob, 'volumeMode' | 'capacityBytes' | 'checksum' | 'preallocation'>;
  /** Directory of the claim, or of a room for files when the claim is a device. */
  readonly directory: string;
  /** The claim, when it is a device. */
  readonly device: string;
  readonly progress: Progress;
  /** What the source is called in the note of an interrupted import. */
  readonly name?: string;
  /** Called when the last byte of the source is here. */
  received?(): void;
}
/** Fills the claim from a stream. Begins again, once, when the source turns out to be another one. */
export declare function importStream(
  source: ByteSource,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void>;
/** Fills the claim from an image file that is here already. */
export declare function importFile(path: string, options: ImportOptions, signal: AbortSignal): Promise<void>;
