/**
 * What each guest of this node used over the last hour, so that whoever looks sees what was before. One timer for all of
 * them, a few are read at a time, 120 points a guest at most (about 20 KB). Nothing is asked of launchers: a guest whose
 * QEMU has no monitor for numbers was started by an older one, which keeps an hour itself. A past is dropped when its
 * VMI is not of this node any more; a little later, so that the node that the guest went to can ask for it.
 */
import {
  type Clock,
  messageOf,
  parseUid,
  sleep,
  type Uid,
  type UsageHistory,
  type UsagePoint,
  usagePoint,
} from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import type { MeasuredVmi } from '../metrics/metrics.ts';
import type { UsageFiles } from './usage-files.ts';
import { EVERY_MS, historyOf, joined, KEPT_POINTS, recent } from './usage-points.ts';

/** QEMUs that are read at once. One that hangs holds its lane for three seconds. */
const LANES = 4;
/** The past of a guest that has left is there for so long. */
const AFTER_LEAVING_MS = 300_000;
/** Points between two writes to the disk: five minutes. */
const UNWRITTEN_POINTS = 10;

export interface UsageKeeperOptions {
  /** Guests that can be asked for numbers. */
  readonly measured: () => readonly Pick<MeasuredVmi, 'vmi' | 'numbers' | 'taps' | 'told'>[];
  /** UIDs of all VMIs of this node, also of those that cannot be asked now. */
  readonly present: () => ReadonlySet<string>;
  readonly files: Pick<UsageFiles, 'read' | 'write' | 'remove' | 'sweep'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Past {
  points: readonly UsagePoint[];
  unwritten: number;
}

export class UsageKeeper {
  readonly #options: UsageKeeperOptions;
  readonly #pasts = new Map<Uid, Past>();

  constructor(options: UsageKeeperOptions) {
    this.#options = options;
  }

  /** Measures until the signal ends it; then everything is on disk. */
  async run(signal: AbortSignal): Promise<void> {
    const { files, clock } = this.#options;
    for (let passes = 0; !signal.aborted; passes += 1) {
      // Files of guests that ended while nobody was here.
      if (passes % KEPT_POINTS === 0) this.#attempt('old files', () => files.sweep(clock.now()));
      await sleep(clock, EVERY_MS, signal).catch(() => undefined); // Only the signal ends it early.
      if (!signal.aborted) await this.pass();
    }
    for (const [uid, past] of this.#pasts) if (past.unwritten > 0) this.#write(uid, past);
  }

  /** Undefined: nothing is known of it here. */
  history(uid: string): UsageHistory | undefined {
    const known = parseUid(uid);
    const nowMs = this.#options.clock.now();
    const points =
      known === undefined ? [] : (this.#pasts.get(known)?.points ?? this.#options.files.read(known, nowMs));
    return points.length === 0 ? undefined : historyOf(points, nowMs);
  }

  /** The guest came from elsewhere, and this is what it did there. */
  inherit(uid: Uid, earlier: readonly UsagePoint[]): void {
    const past = this.#of(uid);
    past.points = joined(earlier, past.points);
    this.#write(uid, past);
  }

  /** One point of each guest. */
  async pass(): Promise<void> {
    const left = [...this.#options.measured()];
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await this.#take(next);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    this.#forgetThoseThatLeft();
  }

  async #take({
    vmi,
    numbers,
    taps,
    told,
  }: ReturnType<UsageKeeperOptions['measured']>[number]): Promise<void> {
    const { clock, log } = this.#options;
    const uid = parseUid(vmi.metadata?.uid);
    if (uid === undefined) return;
    try {
      const stats = await numbers.read(Object.keys(taps), told);
      if (stats === undefined) return; // its launcher keeps an hour itself
      const past = this.#of(uid);
      past.points = recent([...past.points, usagePoint(stats, clock.now())], clock.now());
      past.unwritten += 1;
      if (past.unwritten >= UNWRITTEN_POINTS) this.#write(uid, past);
    } catch (error) {
      // It starts, ends or is lost. The next one may come; a gap is drawn as one.
      log.debug?.({ uid, error: messageOf(error) }, 'what the guest uses was not measured');
    }
  }

  #of(uid: Uid): Past {
    const { files, clock } = this.#options;
    const past = this.#pasts.get(uid) ?? { points: files.read(uid, clock.now()), unwritten: 0 };
    this.#pasts.set(uid, past);
    return past;
  }

  #forgetThoseThatLeft(): void {
    const { present, files, clock } = this.#options;
    const here = present();
    for (const [uid, { points }] of this.#pasts) {
      const lastMs = points.at(-1)?.atMs ?? 0;
      if (here.has(uid) || lastMs > clock.now() - AFTER_LEAVING_MS) continue;
      this.#pasts.delete(uid);
      this.#attempt(uid, () => files.remove(uid));
    }
  }

  #write(uid: Uid, past: Past): void {
    if (past.points.length === 0) return;
    past.unwritten = 0;
    this.#attempt(uid, () => this.#options.files.write(uid, past.points, this.#options.clock.now()));
  }

  /** A disk that takes nothing costs the charts their past after a restart, nothing else. */
  #attempt(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.log.warn({ what, error: messageOf(error) }, 'usage of guests could not be kept on disk');
    }
  }
}
