/**
 * Before a guest runs: no runner on another node shows life. It has been proven gone, or a person has said so; this costs a
 * moment and saves the disk when that was wrong. Here, QEMU's own lock on the image tells.
 */
import type { GuestLeaseOptions } from '@podvisor/api';
import { renewEveryMs } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { LeaseHolder } from '@podvisor/storage';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';
import type { LeaseStorage } from './lease-record.ts';

/** What was on the storage when it was seen that no runner on another node shows life. */
export interface AloneProof {
  readonly image: string;
  /** The epoch of the run before; 0: there was none. */
  readonly epoch: number;
  /** The last sign of life, as it was. */
  readonly bytes: string;
}

export interface ProverDependencies {
  readonly holder: LeaseHolder;
  readonly storage: LeaseStorage;
  /** Path of the image of a volume. */
  readonly imageOf: (volume: string) => string;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

export class AloneProver {
  readonly #dependencies: ProverDependencies;
  /** Pod of the runner that was on the storage when this launcher looked first: the one that was proven gone. */
  #before: string | undefined;

  constructor(dependencies: ProverDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Throws when a runner on another node shows life. One that came later, while this launcher tried to start, was never
   * proven gone: its whole time must pass.
   */
  async prove(options: GuestLeaseOptions, signal: AbortSignal): Promise<AloneProof> {
    const { storage, holder, imageOf, clock, log } = this.#dependencies;
    const image = imageOf(options.volume);
    // Before the first look: who takes the disk from here on has a higher one.
    const epoch = (await storage.lease(image))?.epoch ?? 0;
    const first = await storage.read(image);
    const { renewal } = first;
    const proof = { image, epoch, bytes: first.bytes };
    this.#before ??= renewal?.holder.pod ?? '';
    if (renewal === undefined || renewal.holder.pod === holder.pod) return proof;
    // Of an older run it says nothing about the one that has the disk.
    if (renewal.released === true && renewal.epoch === epoch) return proof;
    if (renewal.holder.node === options.nodeName) return proof;
    // Two launchers of one run: nobody has proven the other one gone, and its node may hold it for any time.
    if (renewal.holder.uid === holder.uid && renewal.released !== true)
      throw new LauncherError(
        `the guest must not start: Pod ${renewal.holder.pod} on node ${renewal.holder.node} runs it already, and has not given its lease on volume ${options.volume} back`,
      );
    log.info({ image, before: renewal.holder }, 'looking whether the runner before us is gone');
    await new Promise<void>((resolve) => {
      const isProven = renewal.holder.pod === this.#before;
      clock.after(isProven ? renewEveryMs(renewal.leaseMs) * 1.25 : renewal.leaseMs, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const second = await storage.read(image);
    if (second.bytes === first.bytes || second.renewal?.released === true)
      return { ...proof, bytes: second.bytes };
    throw new LauncherError(
      `the guest must not start: its runner on node ${renewal.holder.node} (Pod ${renewal.holder.pod}) still renews its lease on volume ${options.volume}; two writers would destroy the disk. Whoever said that node ${renewal.holder.node} is off was wrong: stop the guest there first`,
    );
  }
}
