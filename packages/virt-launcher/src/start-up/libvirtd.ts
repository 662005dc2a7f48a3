/**
 * libvirtd as our child, in session mode. It is started again whenever it ends on its own: QEMU runs on
 * meanwhile, and the new libvirtd re-adopts it from the state in its runtime directory.
 */
import { readFile, rm } from 'node:fs/promises';
import { backoffMs, type Clock, sleep } from '@podvisor/base';
import type { Log } from '../log.ts';
import type { LibvirtPaths } from './libvirt-paths.ts';
import { waitForFile } from './wait-for-file.ts';

/** What we need of the operating system to run a daemon. */
export interface DaemonStarter {
  start(
    command: string,
    args: readonly string[],
    options: { readonly env: Readonly<Record<string, string>>; readonly logFile: string },
  ): Promise<RunningDaemon>;
}

export interface RunningDaemon {
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface LibvirtdOptions {
  readonly paths: LibvirtPaths;
  readonly starter: DaemonStarter;
  readonly clock: Clock;
  readonly log: Log;
  /** Default `libvirtd`, found by PATH or in /usr/sbin. */
  readonly command?: string;
  /** A library that libvirtd is started with. */
  readonly preload?: string;
}

/** A libvirtd that lived this long was healthy: the next restart waits no longer than the first. */
const HEALTHY_MS = 10_000;

export class Libvirtd {
  readonly #options: LibvirtdOptions;
  readonly #stopping = new AbortController();
  #running: RunningDaemon | undefined;
  #supervision: Promise<void> | undefined;

  constructor(options: LibvirtdOptions) {
    this.#options = options;
  }

  /** Starts libvirtd and keeps it running until `stop`. Resolves when the first one was started. */
  async start(): Promise<void> {
    const first = await this.#launch();
    this.#supervision = this.#supervise(first);
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Resolves when libvirtd listens. */
  listening(signal: AbortSignal): Promise<void> {
    return waitForFile(this.#options.paths.socket, AbortSignal.any([signal, this.#stopping.signal]));
  }

  /** Ends it as a crash would; the supervision starts it anew. */
  restart(): void {
    this.#running?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('libvirtd is being stopped'));
    this.#running?.kill('SIGTERM');
    await this.#supervision;
  }

  async #launch(): Promise<RunningDaemon> {
    const { paths, starter, command = '/usr/sbin/libvirtd', preload } = this.#options;
    // A socket left by a killed libvirtd would look like a listening one.
    await rm(paths.socket, { force: true });
    this.#running = await starter.start(command, ['-f', paths.daemonConfig], {
      env: {
        HOME: paths.home,
        XDG_RUNTIME_DIR: paths.runtime,
        XDG_CACHE_HOME: paths.cache,
        XDG_CONFIG_HOME: paths.config,
        XDG_DATA_HOME: paths.data,
        LIBVIRT_DRIVER_DIR: paths.drivers,
        // One heap for all threads: they are rarely busy at once, and each further heap costs memory.
        MALLOC_ARENA_MAX: '1',
        ...(preload === undefined ? {} : { LD_PRELOAD: preload }),
      },
      logFile: paths.daemonLog,
    });
    return this.#running;
  }

  async #supervise(first: RunningDaemon): Promise<void> {
    const { clock, log } = this.#options;
    let daemon: RunningDaemon | undefined = first;
    let failures = 0;
    for (;;) {
      const startedAt = clock.elapsed();
      const end = await daemon?.exited;
      this.#running = undefined;
      if (this.#stopping.signal.aborted) return;
      failures = clock.elapsed() - startedAt > HEALTHY_MS ? 1 : failures + 1;
      const said = await lastLine(this.#options.paths.daemonLog);
      log.warn({ code: end?.code, signal: end?.signal, said }, 'libvirtd ended, starting it again');
      if (failures > 1) {
        const delay = backoffMs(failures - 1, { firstMs: 100, maxMs: 5_000 });
        // Only a stop ends the wait early, and the loop's next line sees it.
        await sleep(clock, delay, this.#stopping.signal).catch(() => {});
      }
      if (this.#stopping.signal.aborted) return;
      // A node short of processes or memory now may have them later; QEMU runs on meanwhile.
      daemon = await this.#launch().catch((error: unknown) => {
        log.error({ error }, 'libvirtd could not be started');
        return undefined;
      });
    }
  }
}

/** Its log is small: libvirtd is told to write warnings only. */
async function lastLine(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').at(-1) ?? '';
}
