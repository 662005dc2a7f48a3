/**
 * A copy that takes time shows a disk as it never was, unless nobody writes meanwhile. Where the file system
 * cannot share blocks, the Pods that use a volume are stopped while it is copied (cgroup freezer): what they
 * had written is there, and nothing more comes; the copy is what a power cut at that moment would have left.
 * Before it freezes a Pod, the node agent writes its name to a file; after a crash the next one thaws every Pod
 * that it finds there.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { canShareBlocks, freezeCgroup, readJson, writeJson } from '@podvisor/sys';
import { TOO_LONG } from '@podvisor/home-contract';

export interface PodFreezerOptions {
  readonly noteFile: string;
  readonly instance: string;
  /** Whether copies below a directory are of one moment by themselves; found out when absent. */
  readonly canShare?: (directory: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longer than this no guest is kept waiting: the snapshot fails instead, and says so. */
const LONGEST_MS = 60_000;

export class PodFreezer {
  readonly #options: PodFreezerOptions;
  readonly #frozen = new Map<string, number>();
  readonly #canShare = new Map<string, boolean>();

  constructor(options: PodFreezerOptions) {
    this.#options = options;
  }

  /** Call once, before any copy. Thaws the Pods that a process which died had frozen. */
  async thawLeftovers(): Promise<void> {
    const noted = readJson(this.#options.noteFile);
    if (!Array.isArray(noted)) return;
    for (const uid of noted) if (typeof uid === 'string') await freezeCgroup(this.#cgroup(uid), false);
    rmSync(this.#options.noteFile, { force: true });
  }

  /**
   * Runs `work` while the Pods are frozen, and thaws them when it is over or has taken a minute; then it throws. Nothing
   * is frozen where files below `directory` can share blocks; `undefined` says that they cannot.
   */
  async during(
    podUids: readonly string[],
    directory: string | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    if (directory !== undefined && this.#shares(directory)) return work();
    const { clock, log } = this.#options;
    const startedAt = clock.now();
    let tooLong = false;
    const cancel = clock.after(LONGEST_MS, () => {
      tooLong = true;
      void this.#thaw(podUids);
    });
    try {
      await this.#freeze(podUids);
      await work();
    } finally {
      cancel();
      if (!tooLong) await this.#thaw(podUids);
    }
    log.info({ podUids, ms: clock.now() - startedAt }, 'Pods stood still for a snapshot');
    if (tooLong)
      throw new Error(
        `${TOO_LONG} ${LONGEST_MS / 1000} s, for which no guest is kept waiting: stop the VM, or keep the home on XFS or btrfs`,
      );
  }

  #shares(directory: string): boolean {
    const known = this.#canShare.get(directory) ?? (this.#options.canShare ?? canShareBlocks)(directory);
    this.#canShare.set(directory, known);
    return known;
  }

  /** The same Pod may be frozen for several volumes at once: it is thawed with the last of them. */
  async #freeze(podUids: readonly string[]): Promise<void> {
    for (const uid of podUids) this.#frozen.set(uid, (this.#frozen.get(uid) ?? 0) + 1);
    this.#note();
    for (const uid of podUids) await freezeCgroup(this.#cgroup(uid), true);
  }

  async #thaw(podUids: readonly string[]): Promise<void> {
    for (const uid of podUids) {
      const left = (this.#frozen.get(uid) ?? 1) - 1;
      if (left > 0) this.#frozen.set(uid, left);
      else {
        this.#frozen.delete(uid);
        await freezeCgroup(this.#cgroup(uid), false);
      }
    }
    this.#note();
  }

  #note(): void {
    mkdirSync(dirname(this.#options.noteFile), { recursive: true });
    writeJson(this.#options.noteFile, [...this.#frozen.keys()]);
  }

  #cgroup(uid: string): string {
    return `/podvisor/${this.#options.instance}/${uid}`;
  }
}
