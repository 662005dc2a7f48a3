/**
 * The numbers of one guest, from its QEMU and from the kernel, without its launcher: 200 guests are read in a fraction of
 * a second, because nothing but QEMU's main loop wakes up for it, once. The conversation is kept between reads.
 */
import type { DomainState } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import { LauncherSocketError, type SocketChecks } from '../launcher-client/socket.ts';
import type { DomainStats } from '../metrics/domain-metrics.ts';
import { QemuMonitor } from './monitor.ts';
import { diskNumbers } from './monitor-numbers.ts';
import {
  type MonitorMemory,
  NOTHING_SAID,
  QUESTIONS,
  questionsNow,
  withAnswers,
  withEvent,
} from './monitor-questions.ts';
import { ProcessNumbers } from './process-numbers.ts';
import { toldNumbers } from './told-numbers.ts';

export interface QemuNumbersOptions {
  /** Directory of the Pod's `sockets` volume. */
  readonly directory: string;
  readonly podUid: Uid;
  readonly checks?: SocketChecks;
  /** Milliseconds on a clock that never jumps. */
  readonly elapsed?: () => number;
}

interface Conversation {
  readonly monitor: QemuMonitor;
  readonly process: ProcessNumbers;
  memory: MonitorMemory;
}

export class QemuNumbers implements Disposable {
  readonly #options: QemuNumbersOptions;
  #conversation: Conversation | undefined;
  #reading: Promise<DomainStats | undefined> | undefined;
  #closed = false;

  constructor(options: QemuNumbersOptions) {
    this.#options = options;
  }

  /**
   * Under libvirt's names. `told`: what the launcher said of its domain. Undefined: this QEMU was started without a
   * monitor for numbers. Rejects when it does not answer. Who asks meanwhile gets the same answer.
   */
  read(taps: readonly string[], told: DomainState | undefined): Promise<DomainStats | undefined> {
    this.#reading ??= this.#read(taps, told).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(taps: readonly string[], told: DomainState | undefined): Promise<DomainStats | undefined> {
    const conversation = await this.#converse();
    if (conversation === undefined) return undefined;
    const nowMs = (this.#options.elapsed ?? (() => performance.now()))();
    const questions = questionsNow(conversation.memory, nowMs);
    const said = await conversation.monitor.ask(questions.map((question) => QUESTIONS[question]));
    conversation.memory = withAnswers(conversation.memory, questions, said, nowMs);
    const { balloon, guest } = conversation.memory;
    const disks = diskNumbers(said[questions.indexOf('disks')]);
    const seen = { ...conversation.process.read(taps), ...disks, ...balloon, ...guest };
    return { ...seen, ...toldNumbers(told, seen) };
  }

  async #converse(): Promise<Conversation | undefined> {
    if (this.#conversation?.monitor.isOpen === true) return this.#conversation;
    this.#conversation = undefined;
    const { directory, podUid, checks } = this.#options;
    let monitor: QemuMonitor;
    let conversation: Conversation | undefined;
    try {
      monitor = await QemuMonitor.open(
        directory,
        podUid,
        (event) => {
          if (conversation !== undefined) conversation.memory = withEvent(conversation.memory, event);
        },
        checks,
      );
    } catch (error) {
      if (error instanceof LauncherSocketError && error.kind === 'missing') return undefined;
      throw error;
    }
    conversation = { monitor, process: new ProcessNumbers(monitor.process), memory: NOTHING_SAID };
    this.#conversation = conversation;
    if (this.#closed) monitor[Symbol.dispose]();
    return conversation;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#conversation?.monitor[Symbol.dispose]();
  }
}
