/** The machine's side of volumes: directories of the home, and Pods that stand still for a copy. */
import type { NewVolume, VolumeData, VolumeMode } from '../node-door/volume-data.ts';
import {
  growLocalData,
  hasSnapshot,
  type LocalDirectories,
  makeLocalData,
  removeLocalData,
  removeSnapshot,
  takeSnapshot,
} from './local-data.ts';
import type { Stillness } from './stillness.ts';

export class LocalVolumeData implements VolumeData {
  readonly #directories: LocalDirectories;
  readonly #stillness: Stillness;

  constructor(directories: LocalDirectories, stillness: Stillness) {
    this.#directories = directories;
    this.#stillness = stillness;
  }

  make(name: string, volume: NewVolume, signal: AbortSignal): Promise<string> {
    return makeLocalData(this.#directories, name, volume, signal);
  }

  grow(name: string, mode: VolumeMode, bytes: number): Promise<void> {
    return growLocalData(this.#directories, name, mode, bytes);
  }

  remove(name: string): Promise<void> {
    return removeLocalData(this.#directories, name);
  }

  async takeSnapshot(
    name: string,
    volumeName: string,
    writers: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const take = (): Promise<void> => takeSnapshot(this.#directories, name, volumeName, signal);
    if (writers.length === 0 || hasSnapshot(this.#directories, name)) return take();
    try {
      await this.#stillness.during(writers, this.#directories.volumes, take);
    } catch (error) {
      // A copy that was made while somebody wrote is none.
      await removeSnapshot(this.#directories, name);
      throw error;
    }
  }

  removeSnapshot(name: string): Promise<void> {
    return removeSnapshot(this.#directories, name);
  }

  hasSnapshot(name: string): Promise<boolean> {
    return Promise.resolve(hasSnapshot(this.#directories, name));
  }
}
