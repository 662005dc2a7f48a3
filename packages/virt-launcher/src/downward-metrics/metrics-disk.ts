/** The metrics disk, written again and again while the guest reads it. */
import { open } from 'node:fs/promises';
import type { Clock } from '@podvisor/base';
import { type Metric, VHOSTMD_BUSY, vhostmdDisk } from '@podvisor/storage';
import type { Log } from '../log.ts';

const REFRESH_MS = 5_000;

export interface MetricsDiskOptions {
  readonly path: string;
  readonly report: () => Promise<readonly Metric[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Refreshes the disk while the guest runs. Without a disk it does nothing. */
export class MetricsDisk {
  readonly #options: MetricsDiskOptions;
  #cancel: (() => void) | undefined;

  constructor(options: MetricsDiskOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel ??= this.#later();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #later(): () => void {
    return this.#options.clock.after(REFRESH_MS, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    const { path, report, log } = this.#options;
    try {
      await writeInPlace(path, vhostmdDisk(await report()));
    } catch (error) {
      log.warn({ error }, 'the metrics disk was not refreshed');
    }
    if (this.#cancel !== undefined) this.#cancel = this.#later();
  }
}

/** QEMU has the file open, so it is written in place; the busy flag tells readers to try again. */
async function writeInPlace(path: string, disk: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.write(VHOSTMD_BUSY.bytes, 0, VHOSTMD_BUSY.bytes.length, VHOSTMD_BUSY.offset);
  const content = disk.subarray(VHOSTMD_BUSY.headerBytes);
  await file.write(content, 0, content.length, VHOSTMD_BUSY.headerBytes);
  await file.write(disk, 0, VHOSTMD_BUSY.headerBytes, 0);
}
