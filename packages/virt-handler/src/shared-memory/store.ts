/**
 * Memory of snapshots, unpacked once on this node for all copies (decision 022). Each has a tmpfs of its own below a
 * directory that is root's alone: it is on no disk, and the kernel keeps it as long as a guest maps it, whatever
 * happens to this process.
 *
 * A memory is known by the digest of the file that it was unpacked from, and by its namespace. Whoever is able to write
 * a file of his own with the same key gets a memory of his own, and changes nobody else's.
 */
import { existsSync, mkdirSync, readdirSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { type SplitLimits, stateDigest, UNPACKED } from '@podvisor/storage';
import { listMounts, mountTmpfs, openDirectory, type OwnedFd, unmountNow } from '@podvisor/sys';
import { canEverFit, dispensable, type KeptMemory, type NodeMemory, roomFor } from './room.ts';
import type { UnpackData, UnpackResult } from './unpack.ts';

export interface MemoryStoreOptions {
  /** Made if it is not there. */
  readonly directory: string;
  /** Guests of this node that were started with this memory still run. */
  readonly isInUse: (name: string) => boolean;
  readonly nodeMemory: () => NodeMemory;
  readonly unpack: (data: UnpackData) => Promise<UnpackResult>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WantedMemory {
  readonly namespace: string;
  /** An open state file. */
  readonly statePath: string;
  /** Base64. */
  readonly key?: string | undefined;
  /** Of the guest: as much room is made, if it can be. */
  readonly guestBytes: number;
}

const NAME = /^[0-9a-f]{64}$/;
/** Video memory, firmware and devices. */
const REST_BYTES = 256 * 1024 * 1024;
/** QEMU has a little more than the guest was promised (decision 010). */
const SURPLUS_BYTES = 1024 * 1024;
/** States that cannot be unpacked are not tried for each copy anew. */
const MOST_REFUSED = 1000;

export class MemoryStore {
  readonly #options: MemoryStoreOptions;
  readonly #lastAskedMs = new Map<string, number>();
  readonly #refused = new Map<string, string>();
  readonly #unpacking = new Map<string, Promise<boolean>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    // What an earlier life of this process had unpacked is used; what it had begun is not.
    for (const name of readdirSync(options.directory))
      if (NAME.test(name) && this.#isWhole(name)) this.#lastAskedMs.set(name, options.clock.now());
      else this.#remove(name);
  }

  /** The name of the memory, unpacked now if it was not. Undefined: it cannot be shared, and why was logged. */
  async want(wanted: WantedMemory): Promise<string | undefined> {
    const { log, clock, nodeMemory } = this.#options;
    try {
      // The claim is a tenant's, and so is the size of the guest: he could have us read for hours.
      if (!canEverFit(wanted.guestBytes + SURPLUS_BYTES, nodeMemory())) return undefined;
      const mostBytes = mostStateBytes(wanted.guestBytes);
      if (statSync(wanted.statePath).size > mostBytes) return undefined;
      const digest = await stateDigest(wanted.statePath, mostBytes);
      const name = createHash('sha256').update(`${wanted.namespace}\0${digest}`).digest('hex');
      if (this.#refused.has(name)) return undefined;
      this.#lastAskedMs.set(name, clock.now());
      if (this.#isWhole(name)) return name;
      const running = this.#unpacking.get(name) ?? this.#inTurn(() => this.#unpack(name, digest, wanted));
      this.#unpacking.set(name, running);
      const isWhole = await running.finally(() => this.#unpacking.delete(name));
      return isWhole ? name : undefined;
    } catch (error) {
      log.warn({ namespace: wanted.namespace, error: messageOf(error) }, 'memory cannot be shared');
      return undefined;
    }
  }

  /** A handle on its directory, for whoever shows it. */
  open(name: string): OwnedFd {
    if (!NAME.test(name)) throw new Error('there is no memory of that name');
    return openDirectory(join(this.#options.directory, name));
  }

  /** Lets go of what nobody uses any more. Call it now and then. */
  sweep(neededBytes = 0): void {
    const { clock, nodeMemory } = this.#options;
    for (const name of dispensable(this.#kept(), nodeMemory(), clock.now(), neededBytes)) this.#remove(name);
  }

  async #unpack(name: string, digest: string, wanted: WantedMemory): Promise<boolean> {
    const { directory, nodeMemory, log, unpack } = this.#options;
    const { namespace, statePath, key, guestBytes } = wanted;
    this.sweep(guestBytes + SURPLUS_BYTES);
    const memoryBytes = roomFor(this.#kept(), nodeMemory());
    if (memoryBytes < guestBytes + SURPLUS_BYTES) {
      log.info({ namespace, guestBytes, memoryBytes }, 'there is no room for memory that copies could share');
      return false;
    }
    const target = join(directory, name);
    try {
      mkdirSync(target, { mode: 0o700 });
      mountMemory(target, memoryBytes);
      const limits: SplitLimits = { memoryBytes, restBytes: REST_BYTES };
      const result = await unpack({ statePath, key, directory: target, limits });
      if ('error' in result && result.isFinal) this.#refuse(name, result.error);
      if ('error' in result) throw new Error(result.error);
      if (result.digest !== digest) throw new Error('the state was changed while it was read');
      log.info({ namespace, memory: name, usedBytes: usedBytes(target) }, 'memory unpacked');
      return true;
    } catch (error) {
      this.#remove(name);
      log.warn({ namespace, error: messageOf(error) }, 'memory cannot be shared');
      return false;
    }
  }

  #refuse(name: string, why: string): void {
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.set(name, why);
  }

  /** One after the other: each gets what room the one before has left. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #kept(): readonly KeptMemory[] {
    const { directory, isInUse, clock } = this.#options;
    return readdirSync(directory)
      .filter((name) => NAME.test(name) && !this.#unpacking.has(name))
      .map((name) => ({
        digest: name,
        usedBytes: usedBytes(join(directory, name)),
        isInUse: isInUse(name),
        lastAskedMs: this.#lastAskedMs.get(name) ?? clock.now(),
      }));
  }

  #isWhole(name: string): boolean {
    const path = join(this.#options.directory, name);
    return (
      existsSync(join(path, UNPACKED.whole)) && listMounts().some(({ mountPoint }) => mountPoint === path)
    );
  }

  /** A guest that maps it keeps it. What cannot be removed is no reason to leave the node without its agent. */
  #remove(name: string): void {
    const path = join(this.#options.directory, name);
    this.#lastAskedMs.delete(name);
    try {
      unmountNow(path);
      rmdirSync(path);
    } catch (error) {
      this.#options.log.warn({ path, error: messageOf(error) }, 'shared memory could not be removed');
    }
  }
}

/** As much as the claim of a state has room for (docs/memory-snapshots.md), and some. */
function mostStateBytes(guestBytes: number): number {
  return 2.5 * guestBytes + 1024 ** 3;
}

function usedBytes(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path);
  return (blocks - bfree) * bsize;
}

/** Memory that the kernel never writes to a disk, where it knows how (`noswap`, Linux 6.4). */
function mountMemory(target: string, bytes: number): void {
  const options = `mode=0755,size=${bytes + REST_BYTES}`;
  try {
    mountTmpfs(target, `${options},noswap`);
  } catch {
    mountTmpfs(target, options);
  }
}
