/** The machine's side of volumes: directories of the home, and Pods that stand still for a copy. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { imageBeside } from '@podvisor/sys';
import type { NewVolume, VolumeData, VolumeMode } from '@podvisor/home-contract';
import {
  growLocalData,
  hasSnapshot,
  type LocalDirectories,
  makeLocalData,
  removeLocalData,
  removeSnapshot,
  takeSnapshot,
} from './local-data.ts';
import type { PodFreezer } from './pod-freezer.ts';

export class LocalVolumeData implements VolumeData {
  readonly #directories: LocalDirectories;
  readonly #freezer: Pick<PodFreezer, 'during'>;

  constructor(directories: LocalDirectories, freezer: Pick<PodFreezer, 'during'>) {
    this.#directories = directories;
    this.#freezer = freezer;
  }

  make(name: string, volume: NewVolume, signal: AbortSignal): Promise<string> {
    return makeLocalData(this.#directories, name, { ...volume, isLimited: true }, signal);
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
      // A file system of its own shares blocks as a whole, and is copied where it cannot: either way of one moment.
      const { volumes } = this.#directories;
      const isLimited = existsSync(imageBeside(join(volumes, volumeName)));
      await this.#freezer.during(writers, isLimited ? undefined : volumes, take);
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
