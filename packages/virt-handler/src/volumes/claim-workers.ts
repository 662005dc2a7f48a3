/**
 * Has tasks with the files of claims done by processes of their own. A storage that does not answer (a server of
 * network files that is gone) keeps whoever asks it waiting in the kernel, for ever and often beyond any signal: that
 * must not be virt-handler, which serves every guest of its node.
 *
 * A task that is not done in time fails, with the name of what does not answer, and its process is killed: it does
 * nothing more, also when the storage comes back. Until it has really ended nothing else is asked of that storage, so
 * that one storage costs one process, and its guests wait for it without holding up others.
 */
import type { Clock } from '@podvisor/base';
import { startWorker, type WorkerProcess } from '@podvisor/sys';
import type { ClaimAnswers, ClaimTask } from './claim-task.ts';

/** Beside the program when it is bundled, beside this file when it is not. */
const MAIN = import.meta.url.endsWith('.ts') ? './claim-worker-main.ts' : './claim-worker.mjs';
const PATIENCE_MS = 10_000;
/** Guests often come together, and a process that has just worked needs no start. */
const IDLE_MS = 10_000;
/** Each is some ten megabytes, held by a storage of its own. */
const MOST_SILENT = 32;

export class StorageSilentError extends Error {
  override readonly name = 'StorageSilentError';
}

export interface ClaimWorkersOptions {
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly start?: () => WorkerProcess;
}

/** Who asks for a task, and of which storage. */
export interface Asked {
  /** Tells one storage from another: the same for all volumes that would wait for each other. */
  readonly storage: string;
  /** For people. */
  readonly volume: string;
}

export class ClaimWorkers implements Disposable {
  readonly #clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly #start: () => WorkerProcess;
  /** Since when a storage does not answer; gone when its process has ended. */
  readonly #silent = new Map<string, number>();
  #idle: { readonly worker: WorkerProcess; readonly cancel: () => void } | undefined;

  constructor({ clock, start = () => startWorker(new URL(MAIN, import.meta.url)) }: ClaimWorkersOptions) {
    this.#clock = clock;
    this.#start = start;
  }

  /** Throws `StorageSilentError` when the storage does not answer in time, or has not answered before. */
  async run<Task extends ClaimTask>(
    { storage, volume }: Asked,
    task: Task,
  ): Promise<ClaimAnswers[Task['kind']]> {
    const sinceMs = this.#silent.get(storage);
    if (sinceMs !== undefined) throw silent(volume, this.#clock.elapsed() - sinceMs);
    if (this.#silent.size >= MOST_SILENT)
      throw new StorageSilentError(
        `volume ${volume} is not looked at: ${MOST_SILENT} storages of this node do not answer`,
      );
    const worker = this.#take();
    const begunMs = this.#clock.elapsed();
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.after(PATIENCE_MS, () => {
      this.#silent.set(storage, begunMs);
      worker.kill();
      void worker.exited.then(() => this.#silent.delete(storage));
      late.reject(silent(volume, PATIENCE_MS));
    });
    const answer = worker.ask(task);
    answer.catch(() => undefined); // of one that was given up nobody waits for it
    try {
      return (await Promise.race([answer, late.promise])) as ClaimAnswers[Task['kind']];
    } finally {
      cancel();
      if (!this.#silent.has(storage)) this.#keep(worker);
    }
  }

  #take(): WorkerProcess {
    const idle = this.#idle;
    if (idle === undefined) return this.#start();
    idle.cancel();
    this.#idle = undefined;
    return idle.worker;
  }

  /** One waits for the next task, for a while. */
  #keep(worker: WorkerProcess): void {
    if (this.#idle !== undefined) return worker.kill();
    const cancel = this.#clock.after(IDLE_MS, () => this[Symbol.dispose]());
    this.#idle = { worker, cancel };
    void worker.exited.then(() => {
      if (this.#idle?.worker !== worker) return;
      cancel();
      this.#idle = undefined;
    });
  }

  /** Ends the one that waits. Those that a storage holds end with this process. */
  [Symbol.dispose](): void {
    this.#idle?.cancel();
    this.#idle?.worker.kill();
    this.#idle = undefined;
  }
}

function silent(volume: string, ms: number): StorageSilentError {
  return new StorageSilentError(
    `the storage of volume ${volume} has not answered for ${Math.round(ms / 1000)} s: the node cannot use it; other volumes are not affected`,
  );
}
