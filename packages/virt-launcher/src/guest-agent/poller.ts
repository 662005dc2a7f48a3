/**
 * Asks the guest agent, once it is there: everything at once when it connects, then each thing at its own
 * interval, which starts short (a fresh guest still changes) and doubles up to KubeVirt's target.
 */
import { type Clock, deepEqual } from '@podvisor/base';
import type { Log } from '../log.ts';
import type { GuestFacts } from './guest-facts.ts';
import * as replies from './replies.ts';

/** Sends one agent command and returns its `return` value; throws when the agent does not answer. */
export type AskAgent = (command: string) => Promise<unknown>;

interface Poll {
  readonly command: string;
  readonly targetMs: number;
  readonly read: (value: unknown) => GuestFacts;
}

export const FREEZE_STATUS = 'guest-fsfreeze-status';
export const NETWORK_INTERFACES = 'guest-network-get-interfaces';

const POLLS: readonly Poll[] = [
  { command: 'guest-info', targetMs: 300_000, read: replies.parseInfo },
  {
    command: NETWORK_INTERFACES,
    targetMs: 120_000,
    read: (value) => ({ interfaces: replies.parseInterfaces(value) }),
  },
  { command: 'guest-get-osinfo', targetMs: 120_000, read: (value) => ({ os: replies.parseOs(value) }) },
  {
    command: 'guest-get-host-name',
    targetMs: 120_000,
    read: (value) => ({ hostname: replies.parseHostname(value) }),
  },
  {
    command: 'guest-get-timezone',
    targetMs: 120_000,
    read: (value) => ({ timezone: replies.parseTimezone(value) }),
  },
  { command: 'guest-get-users', targetMs: 10_000, read: (value) => ({ users: replies.parseUsers(value) }) },
  {
    command: FREEZE_STATUS,
    targetMs: 5_000,
    read: (value) => ({ fsFreezeStatus: replies.parseFreezeStatus(value) }),
  },
  {
    command: 'guest-get-fsinfo',
    targetMs: 300_000,
    read: (value) => ({ filesystems: replies.parseFilesystems(value) }),
  },
  // Only agents of QEMU 10 and later have it, so it is asked last, when it is known whether this one has.
  { command: 'guest-get-load', targetMs: 120_000, read: (value) => ({ load: replies.parseLoad(value) }) },
];
const FIRST_MS = 2_000;

export interface PollerOptions {
  readonly ask: AskAgent;
  readonly clock: Clock;
  readonly log: Log;
  /** Something that virt-handler shows has changed. */
  readonly onChange: () => void;
}

export class GuestAgentPoller {
  readonly #options: PollerOptions;
  #facts: GuestFacts = {};
  #run: AbortController | undefined;
  readonly #timers = new Map<string, () => void>();

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** What is known; kept while polling pauses, forgotten when the agent disconnects. */
  get facts(): GuestFacts {
    return this.#facts;
  }

  /** Starts or stops with the agent. Idempotent. */
  setConnected(connected: boolean): void {
    if (!connected) {
      this.suspend();
      this.#facts = {};
    } else if (this.#run === undefined) {
      this.#run = new AbortController();
      void this.#firstRound(this.#run.signal);
    }
  }

  /** Asks no more, and keeps what is known: the guest is paused. `setConnected` starts anew. */
  suspend(): void {
    this.#run?.abort();
    this.#run = undefined;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** Asks one thing out of turn, after something was done that changes its answer. */
  async askNow(command: string): Promise<void> {
    const poll = POLLS.find((candidate) => candidate.command === command);
    if (poll !== undefined && this.#run !== undefined) await this.#once(poll, this.#run.signal);
  }

  stop(): void {
    this.setConnected(false);
  }

  /** One after the other: the agent serves one command at a time anyway. */
  async #firstRound(signal: AbortSignal): Promise<void> {
    for (const poll of POLLS) {
      if (signal.aborted) return;
      await this.#once(poll, signal);
      this.#later(poll, FIRST_MS, signal);
    }
  }

  #later(poll: Poll, delayMs: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    const cancel = this.#options.clock.after(Math.min(delayMs, poll.targetMs), () => {
      void this.#once(poll, signal).then(() =>
        this.#later(poll, Math.min(delayMs * 2, poll.targetMs), signal),
      );
    });
    this.#timers.set(poll.command, cancel);
  }

  async #once(poll: Poll, signal: AbortSignal): Promise<void> {
    // A frozen guest refuses all else, and would call these commands unsupported.
    if (this.#facts.fsFreezeStatus === 'frozen' && poll.command !== FREEZE_STATUS) return;
    // Old agents lack some commands; asking anyway would only fill their log.
    if (this.#facts.commands !== undefined && !this.#facts.commands.includes(poll.command)) return;
    try {
      const next = { ...this.#facts, ...poll.read(await this.#options.ask(poll.command)) };
      if (signal.aborted || deepEqual(next, this.#facts)) return;
      this.#facts = next;
      this.#options.onChange();
    } catch (error) {
      // The guest may be busy, frozen or rebooting: the next round asks again.
      if (!signal.aborted)
        this.#options.log.info({ command: poll.command, error }, 'guest agent did not answer');
    }
  }
}
