/** When each step of the start was done: `virtctl why` and the benchmarks read these times. */
export type Stage =
  | 'process-start'
  | 'directories-made'
  | 'libvirtd-started'
  | 'program-loaded'
  | 'libvirt-connected'
  | 'command-server-listening'
  | 'ready'
  | 'sync-received'
  | 'disks-prepared'
  | 'domain-defined'
  | 'domain-started'
  | 'domain-running'
  | 'guest-agent-connected'
  | 'migration-target-prepared'
  | 'migration-finalized';

export class Stages {
  readonly #times = new Map<Stage, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes the first time a stage is reached; later calls change nothing. */
  reached(stage: Stage, atMs: number = this.#now()): void {
    if (!this.#times.has(stage)) this.#times.set(stage, atMs);
  }

  /** Milliseconds since the epoch by stage. */
  all(): Record<string, number> {
    return Object.fromEntries(this.#times);
  }
}
