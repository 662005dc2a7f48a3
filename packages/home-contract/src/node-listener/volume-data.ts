/**
 * What controllers ask of the machine that keeps volumes. They decide; who has the disk does. Names are the
 * whole of what is said about places: paths are made of them on the other side.
 */

export type VolumeMode = 'Filesystem' | 'Block';

/** What a new volume holds. */
export type Content =
  | { readonly kind: 'empty' | 'blank' }
  | { readonly kind: 'volume' | 'snapshot'; readonly name: string };

export interface CopyProgress {
  /** Bytes of content copied so far. */
  readonly bytes: number;
  /** Bytes of content that there were when the copy began. */
  readonly totalBytes: number;
}

export interface NewVolume {
  readonly mode: VolumeMode;
  readonly bytes: number;
  readonly content?: Content;
  onProgress?(progress: CopyProgress): void;
}

/** Every call may be repeated. */
export interface VolumeData {
  /** Makes the data; calling it again changes nothing. Returns the path for the volume's spec. */
  make(name: string, volume: NewVolume, signal: AbortSignal): Promise<string>;
  /** It becomes larger, also where it is in use. Never smaller. */
  grow(name: string, mode: VolumeMode, bytes: number, signal: AbortSignal): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Copies a volume as it is at one moment; the Pods that write to it (UIDs) stand still where they must. */
  takeSnapshot(
    name: string,
    volumeName: string,
    writers: readonly string[],
    signal: AbortSignal,
  ): Promise<void>;
  removeSnapshot(name: string, signal: AbortSignal): Promise<void>;
  hasSnapshot(name: string, signal: AbortSignal): Promise<boolean>;
}

/** How the refusal to keep a guest waiting begins; it is final, or every try would stop the guest again. */
export const TOO_LONG = 'the copy took longer than';

export function volumeNameFor(claimUid: string): string {
  return `pvc-${claimUid}`;
}

export function snapshotNameFor(snapshotUid: string): string {
  return `snapshot-${snapshotUid}`;
}
