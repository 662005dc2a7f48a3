/** Disk files made by qemu-img. Each appears under its final name only when it is complete. */
import { makeOnce, run } from '@podvisor/sys';

export interface Backing {
  readonly path: string;
  /** Always stated: QEMU must never guess the format of what a guest may have written. */
  readonly format: 'qcow2' | 'raw';
  /** Size of the disk inside, when we have read it ourselves: qemu-img then does not open the image. */
  readonly virtualSizeBytes?: number;
}

/** A qcow2 that keeps what the guest writes, over a read-only image. One that exists is kept. */
export async function createOverlay(path: string, backing: Backing, signal?: AbortSignal): Promise<void> {
  const { virtualSizeBytes } = backing;
  const known = virtualSizeBytes === undefined ? [] : [String(virtualSizeBytes)];
  const unread = virtualSizeBytes === undefined ? [] : ['-u'];
  await create(path, ['-f', 'qcow2', ...unread, '-F', backing.format, '-b', backing.path], known, signal);
}

/** An empty qcow2 of this size. One that exists is kept. */
export async function createEmptyDisk(path: string, sizeBytes: number, signal?: AbortSignal): Promise<void> {
  await create(path, ['-f', 'qcow2'], [String(Math.ceil(sizeBytes / 512) * 512)], signal);
}

async function create(
  path: string,
  options: readonly string[],
  size: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await makeOnce(path, (partial) =>
    run('qemu-img', ['create', '-q', ...options, partial, ...size], signal === undefined ? {} : { signal }),
  );
}
