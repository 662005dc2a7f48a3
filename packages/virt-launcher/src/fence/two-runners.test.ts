/**
 * A model of everything that may start a guest twice: two virt-controllers, each with a watcher of its own that begins
 * before the node counts as lost, two launchers for every run, their virt-handlers, which hold a guest while they are
 * heard of, a storage that carries no locks and is cut off from nodes at times, and any of them standing still for any
 * time at any step. Leases, watching and taking are the real ones; only the switch that ends QEMU keeps its time. Never
 * may two QEMUs write at once, nor a run be given up that still writes. What the protocol needs for that is left out in turn, and the model must find it out.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fenceAfterMs } from '@podvisor/api';
import { randomFrom } from '@podvisor/base';
import { memoryLeaseFiles, takeSteps } from '@podvisor/storage';
import type { LeaseRenewal, RenewalReading } from '@podvisor/storage';
import type { Hold } from './coverage.ts';
import { GuestLease } from './guest-lease.ts';
import { type LeaseWatch, observeLease } from './observe-lease.ts';

const LEASE_MS = 4_000;
const SILENCE_MS = 12_000;
/** When the leases of a silent node begin to be watched; so early that they could be over before it counts as lost. */
const WATCH_AFTER_MS = 3_000;
const IMAGE = '/claims/root/disk.img';
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined } as never;

type Flaw =
  | 'none'
  | 'does not look after taking'
  | 'no switch'
  | 'the lease alone counts'
  | 'what was seen in an earlier silence counts';

/** Whoever may stand still: its steps wait for their turn, and its timers for its being awake. */
class Party {
  readonly steps: (() => void)[] = [];
  timers: { readonly atMs: number; readonly fn: () => void }[] = [];
  sleepsUntilMs = 0;

  /** Resolves with what `work` answers when it is this party's turn; the answer comes at a later turn. */
  async turn<T>(work: () => T): Promise<T> {
    await new Promise<void>((resolve) => this.steps.push(resolve));
    const value = work();
    await new Promise<void>((resolve) => this.steps.push(resolve));
    return value;
  }
}

interface Qemu {
  readonly pod: string;
  resumed: boolean;
  stopped: boolean;
  killed: boolean;
  stopAtMs: number;
  killAtMs: number;
}

class World {
  nowMs = 0;
  /** A launcher that was given up while its guest ran. */
  misjudged: string | undefined;
  readonly parties: Party[] = [];
  readonly qemus: Qemu[] = [];
  readonly #files = memoryLeaseFiles();
  readonly #random: () => number;
  readonly #flaw: Flaw;
  #record: RenewalReading = { bytes: '' };
  /** The VMI that the API server has, and its launchers. */
  #vmi = { uid: 'run-0', pods: ['run-0-a'] };
  #runs = 0;
  /** How often the virt-handler beside a launcher was heard of by the API server. */
  readonly #heard = new Map<string, number>();
  /** Until when a launcher's node has no storage. */
  readonly #cut = new Map<string, number>();

  constructor(seed: number, flaw: Flaw) {
    this.#random = randomFrom(seed);
    this.#flaw = flaw;
    this.#launch('run-0', 'run-0-a');
    this.#control();
    this.#control();
  }

  get writers(): readonly string[] {
    return this.qemus.filter((q) => q.resumed && !q.stopped && !q.killed).map(({ pod }) => pod);
  }

  /** One thing happens: somebody's step, time, or somebody stands still. */
  async happen(): Promise<void> {
    const what = this.#random();
    const awake = this.parties.filter(({ sleepsUntilMs }) => sleepsUntilMs <= this.nowMs);
    const party = this.#pick(awake.filter(({ steps }) => steps.length > 0));
    const pod = this.#pick([...this.#heard.keys()]);
    if (what < 0.001 && pod !== undefined) this.#cut.set(pod, this.nowMs + this.#random() * LEASE_MS * 3);
    else if (what < 0.02 && party !== undefined)
      party.sleepsUntilMs = this.nowMs + this.#random() * SILENCE_MS * 2;
    else if (what < 0.7 && party !== undefined)
      party.steps.splice(Math.floor(this.#random() * party.steps.length), 1)[0]?.();
    else this.#pass(this.#random() * (LEASE_MS / 10));
    // What follows from it at once. If something is left over, it follows a little later, as it may.
    for (let hops = 0; hops < 12; hops += 1) await undefined;
  }

  #pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  /** Switches strike at their time. Timers of those who sleep wait. */
  #pass(ms: number): void {
    this.nowMs += ms;
    for (const qemu of this.qemus) {
      if (this.nowMs >= qemu.stopAtMs) qemu.stopped = true;
      if (this.nowMs >= qemu.killAtMs) qemu.killed = true;
    }
    for (const party of this.parties.filter(({ sleepsUntilMs }) => sleepsUntilMs <= this.nowMs)) {
      const due = party.timers.filter(({ atMs }) => atMs <= this.nowMs);
      party.timers = party.timers.filter(({ atMs }) => atMs > this.nowMs);
      for (const { fn } of due) fn();
    }
  }

  #party(): Party {
    const party = new Party();
    this.parties.push(party);
    return party;
  }

  #clockOf(party: Party): { after(ms: number, fn: () => void): () => void } {
    return {
      after: (ms, fn) => {
        const timer = { atMs: this.nowMs + ms, fn };
        party.timers.push(timer);
        return () => void (party.timers = party.timers.filter((other) => other !== timer));
      },
    };
  }

  #laterOf(party: Party): (ms: number) => Promise<void> {
    const clock = this.#clockOf(party);
    return (ms) => new Promise((resolve) => void clock.after(ms, resolve));
  }

  /** A launcher on a node of its own, which tries a few times. */
  #launch(uid: string, pod: string): void {
    const party = this.#party();
    const holder = { vmi: 'shop/vm', uid, pod };
    const qemu: Qemu = {
      pod,
      resumed: false,
      stopped: false,
      killed: false,
      stopAtMs: Number.POSITIVE_INFINITY,
      killAtMs: Number.POSITIVE_INFINITY,
    };
    let epoch: number | undefined;
    const stored = <T>(work: () => T): Promise<T> =>
      party.turn(() => {
        if (this.nowMs < (this.#cut.get(pod) ?? 0))
          throw Object.assign(new Error('cut off'), { code: 'EIO' });
        return work();
      });
    const guestLease = new GuestLease({
      holder,
      storage: {
        write: (_, renewal) => stored(() => this.#write(renewal)),
        read: () => stored(() => this.#record),
        lease: () => stored(() => this.#files.lease(IMAGE)),
      },
      imageOf: () => IMAGE,
      epochOf: () => epoch,
      deadMansSwitch: {
        arm: ({ stopAtMs, killAfterMs, mayBeStopped }) => {
          if (this.#flaw === 'no switch') return;
          [qemu.stopAtMs, qemu.killAtMs] = [stopAtMs, stopAtMs + killAfterMs];
          if (mayBeStopped === true && this.nowMs < stopAtMs) qemu.stopped = false;
          if (this.nowMs >= stopAtMs) qemu.stopped = true;
        },
        disarm: () => void ([qemu.stopAtMs, qemu.killAtMs] = [Infinity, Infinity]),
      },
      killQemu: () => void (qemu.killed = true),
      isMoving: () => false,
      onChange: () => undefined,
      onFenced: () => undefined,
      machineTimeMs: () => this.nowMs,
      clock: this.#clockOf(party),
      log: silent,
    });
    const options = { volume: 'root', nodeName: `node-of-${pod}`, leaseMs: LEASE_MS, silenceMs: SILENCE_MS };
    this.#speak(pod, guestLease);
    const attempt = async (): Promise<void> => {
      const proof = await guestLease.proveAlone(options, new AbortController().signal);
      if (epoch === undefined) {
        const token = `${pod} ${this.nowMs} ${this.#random()}`;
        const steps = takeSteps(this.#files, IMAGE, { holder, takenAt: '', token, after: proof?.epoch });
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) await party.turn(() => undefined);
        epoch = step.value.epoch;
      }
      await party.turn(() => undefined);
      this.qemus.push(qemu);
      await guestLease.keep(options, 1, this.#flaw === 'does not look after taking' ? undefined : proof);
      await party.turn(() => void (qemu.resumed = true));
    };
    const run = async (): Promise<void> => {
      for (let tries = 0; tries < 3 && !qemu.killed; tries += 1) {
        try {
          return await attempt();
        } catch {
          await party.turn(() => undefined); // refused: virt-handler asks again
        }
      }
    };
    void run();
  }

  /** The virt-handler beside a launcher: renews its Lease in the API, and holds the guest by that. */
  #speak(pod: string, guestLease: GuestLease): void {
    const party = this.#party();
    const later = this.#laterOf(party);
    this.#heard.set(pod, 0);
    const run = async (): Promise<void> => {
      for (let hold: Hold | undefined; ; ) {
        const begunMs = await party.turn(() => this.nowMs);
        await party.turn(() => this.#heard.set(pod, (this.#heard.get(pod) ?? 0) + 1));
        const doneMs = await party.turn(() => this.nowMs);
        const untilMs = begunMs + fenceAfterMs(SILENCE_MS);
        const isLate: boolean = hold === undefined || doneMs > hold.untilMs;
        hold = { sinceMs: isLate ? doneMs : (hold?.sinceMs ?? doneMs), untilMs };
        guestLease.hold({
          sinceBootMs: hold.sinceMs,
          untilBootMs: hold.untilMs,
          nowBootMs: doneMs,
          silenceMs: SILENCE_MS,
        });
        await later(SILENCE_MS / 4);
      }
    };
    void run();
  }

  /** A virt-controller: watches the lease of each run that it hears of, and starts the next one when it is over. */
  #control(): void {
    const party = this.#party();
    const later = this.#laterOf(party);
    const run = async (): Promise<void> => {
      for (;;) {
        const { uid, pods } = await party.turn(() => this.#vmi);
        // Of two launchers one has the lease; the watcher of the other looks in vain, and again.
        const pod = this.#pick(pods) ?? '';
        const [heard, sinceMs] = [this.#heard.get(pod), this.nowMs];
        await later(WATCH_AFTER_MS);
        if (this.#heard.get(pod) !== heard) continue;
        if ((await this.#watch(uid, pod)) !== 'over') continue;
        if (this.#flaw !== 'the lease alone counts') await later(sinceMs + SILENCE_MS - this.nowMs);
        // Read from the API server itself: it was not heard of since before the watcher began.
        if (this.#heard.get(pod) !== heard && this.#flaw !== 'what was seen in an earlier silence counts')
          continue;
        // The VMI is changed only if it still is what was judged; its launchers may be made twice.
        await party.turn(() => {
          if (this.#vmi.uid !== uid || this.#runs >= 4) return;
          if (this.writers.includes(pod)) this.misjudged = pod;
          this.#runs += 1;
          const next = `run-${this.#runs}`;
          this.#vmi = { uid: next, pods: [`${next}-a`, `${next}-b`] };
          for (const pod of this.#vmi.pods) this.#launch(next, pod);
        });
      }
    };
    void run();
  }

  /** A watcher on another node, which may stand still as well. */
  async #watch(uid: string, pod: string): Promise<'over' | 'foreign'> {
    const party = this.#party();
    const silentMs = this.#flaw === 'the lease alone counts' ? SILENCE_MS : WATCH_AFTER_MS;
    let watch: LeaseWatch = { runner: { uid, pod }, silentMs };
    for (;;) {
      const step = await party.turn(() => observeLease(watch, this.#record, this.nowMs));
      if (step.kind !== 'watch') this.parties.splice(this.parties.indexOf(party), 1);
      if (step.kind === 'silent') return 'over';
      if (step.kind === 'end') return step.report.verdict === 'released' ? 'over' : 'foreign';
      watch = step.watch;
    }
  }

  #write(renewal: LeaseRenewal): void {
    this.#record = { bytes: JSON.stringify(renewal), renewal };
  }
}

/** Answers after how many steps two wrote at once, or one that ran was given up, and how many ran in all. */
async function play(seed: number, steps: number, flaw: Flaw): Promise<{ overlap?: string; ran: number }> {
  const world = new World(seed, flaw);
  for (let step = 0; step < steps; step += 1) {
    await world.happen();
    const { writers } = world;
    const wrong = writers.length > 1 ? writers.join(', ') : world.misjudged;
    if (wrong !== undefined) return { overlap: `seed ${seed}, step ${step}: ${wrong}`, ran: 0 };
  }
  return { ran: world.qemus.filter(({ resumed }) => resumed).length };
}

/** More by hand: PODVISOR_MODEL_WORLDS=100000. */
const STEPS = 2_500;
const WORLDS = Number(process.env['PODVISOR_MODEL_WORLDS'] ?? 40);

test('whoever stands still, and wherever: never two', async () => {
  let ran = 0;
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const result = await play(seed, STEPS, 'none');
    assert.equal(result.overlap, undefined);
    ran += result.ran;
  }
  assert.ok(ran > WORLDS, `guests do start elsewhere: ${ran} runs in ${WORLDS} worlds`);
});

/** With a seed that is near one that finds it. */
const FLAWS = [
  ['does not look after taking', 31],
  ['no switch', 20],
  ['the lease alone counts', 1],
  ['what was seen in an earlier silence counts', 1],
] as const;

for (const [flaw, first] of FLAWS)
  test(`the model finds a flaw: ${flaw}`, async () => {
    for (let seed = first; seed < first + 1_000; seed += 1)
      if ((await play(seed, STEPS, flaw)).overlap !== undefined) return;
    assert.fail('nothing was found');
  });
