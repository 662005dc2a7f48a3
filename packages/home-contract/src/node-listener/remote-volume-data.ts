/** Volumes of the machine, from the process that only decides about them. */
import { callThrough } from './client.ts';
import type { CopyProgress, NewVolume, VolumeData, VolumeMode } from './volume-data.ts';

export class RemoteVolumeData implements VolumeData {
  readonly #path: string;

  /** `path`: the node agent's socket. */
  constructor(path: string) {
    this.#path = path;
  }

  async make(name: string, volume: NewVolume, signal: AbortSignal): Promise<string> {
    const { mode, bytes, content = { kind: 'empty' }, onProgress } = volume;
    const tell = (value: unknown): void => {
      if (isProgress(value)) onProgress?.(value);
    };
    const call = { method: 'makeVolume', name, mode, bytes, content } as const;
    const path = await callThrough(this.#path, call, signal, tell);
    if (typeof path !== 'string') throw new Error(`volume ${name} was made without a path`);
    return path;
  }

  async grow(name: string, mode: VolumeMode, bytes: number, signal: AbortSignal): Promise<void> {
    await callThrough(this.#path, { method: 'growVolume', name, mode, bytes }, signal);
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    await callThrough(this.#path, { method: 'removeVolume', name }, signal);
  }

  async takeSnapshot(
    name: string,
    volumeName: string,
    writers: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await callThrough(this.#path, { method: 'takeSnapshot', name, volumeName, writers }, signal);
  }

  async removeSnapshot(name: string, signal: AbortSignal): Promise<void> {
    await callThrough(this.#path, { method: 'removeSnapshot', name }, signal);
  }

  async hasSnapshot(name: string, signal: AbortSignal): Promise<boolean> {
    return (await callThrough(this.#path, { method: 'hasSnapshot', name }, signal)) === true;
  }
}

function isProgress(value: unknown): value is CopyProgress {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytes' in value &&
    typeof value.bytes === 'number' &&
    'totalBytes' in value &&
    typeof value.totalBytes === 'number'
  );
}
