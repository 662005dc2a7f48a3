/**
 * A conversation with one QEMU at its monitor for numbers. The directory of its socket is the tenant's: it is opened
 * beneath it without links, and who listens there must be the launcher's user inside that very Pod. We ask for numbers
 * and nothing else; one question at a time, with a deadline, and a QEMU that misses it is hung up on.
 */
import { createConnection, type Socket } from 'node:net';
import { QEMU_SOCKET } from '@podvisor/api';
import type { Uid } from '@podvisor/base';
import { openDirectory, type OwnedFd, type PeerCredentials, peerCredentials } from '@podvisor/sys';
import { isLauncher, LauncherSocketError, openSocket, type SocketChecks } from '../launcher-client/socket.ts';
import type { Fields } from '../launcher-client/parse-values.ts';
import { MonitorError, MonitorLines } from './monitor-lines.ts';

/** A launcher or QEMU that does not answer in time is left out of a scrape. */
const ANSWER_MS = 3_000;
/**
 * With `oob` QEMU takes several questions at once instead of waking its thread for each; one that cannot refuses that,
 * and agrees to the second line, which the other refuses.
 */
const HELLO =
  '{"execute":"qmp_capabilities","arguments":{"enable":["oob"]}}\n{"execute":"qmp_capabilities"}\n';

export class QemuMonitor implements Disposable {
  /** QEMU's own directory in /proc. */
  readonly process: OwnedFd;
  readonly #socket: Socket;
  readonly #lines = new MonitorLines();
  readonly #onEvent: (event: Fields) => void;
  #waiting: Waiting | undefined;
  /** Number of the next question. */
  #next = 0;

  private constructor(socket: Socket, process: OwnedFd, onEvent: (event: Fields) => void) {
    this.#socket = socket;
    this.process = process;
    this.#onEvent = onEvent;
    socket.on('data', (chunk: Buffer) => this.#heard(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new MonitorError('QEMU hung up')));
    // What QEMU says first, and its answer to this, have no number: nobody waits for them.
    socket.write(HELLO);
  }

  /**
   * Throws LauncherSocketError, `missing` for a QEMU that was started without such a monitor. `onEvent`: what QEMU tells
   * unasked, as it stands there.
   */
  static async open(
    directory: string,
    podUid: Uid,
    onEvent: (event: Fields) => void,
    checks?: SocketChecks,
  ): Promise<QemuMonitor> {
    using handle = openSocket(directory, QEMU_SOCKET);
    const socket = await connected(handle);
    let process: OwnedFd | undefined;
    try {
      const peer = peerCredentials(socket);
      // Before the check: if the process ends and another gets its number, the one that is held shows nothing.
      process = processDirectory(peer);
      if (!isLauncher(peer, podUid, checks))
        throw new LauncherSocketError('untrusted', `process ${peer.pid} on QEMU's socket is not of its Pod`);
      return new QemuMonitor(socket, process, onEvent);
    } catch (error) {
      socket.destroy();
      process?.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** The answers in the order of the questions; undefined for what QEMU refused. */
  ask(questions: readonly object[]): Promise<readonly unknown[]> {
    if (this.#waiting !== undefined || !this.isOpen)
      return Promise.reject(new MonitorError(this.isOpen ? 'asked already' : 'closed'));
    this.#lines.ask();
    const first = this.#next;
    this.#next += questions.length;
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
    const timer = setTimeout(() => this.#end(new MonitorError('no answer in time')), ANSWER_MS);
    this.#waiting = {
      first,
      left: questions.length,
      answers: questions.map(() => undefined),
      resolve,
      reject,
      timer,
    };
    this.#socket.write(
      questions.map((question, i) => `${JSON.stringify({ ...question, id: first + i })}\n`).join(''),
    );
    return promise;
  }

  #heard(chunk: Buffer): void {
    try {
      for (const said of this.#lines.push(chunk)) {
        if (typeof said['event'] === 'string') this.#onEvent(said);
        else this.#answered(said['id'], said['return']);
      }
    } catch (error) {
      this.#end(error instanceof Error ? error : new MonitorError(String(error)));
    }
  }

  #answered(id: unknown, answer: unknown): void {
    const waiting = this.#waiting;
    // The greeting, or an answer that nobody waits for.
    if (waiting === undefined || typeof id !== 'number') return;
    const index = id - waiting.first;
    if (!(index in waiting.answers)) return;
    waiting.answers[index] = answer;
    waiting.left -= 1;
    if (waiting.left > 0) return;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    waiting.resolve(waiting.answers);
  }

  #end(error: Error): void {
    this.#socket.destroy();
    this.process.close();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    waiting.reject(error);
  }

  [Symbol.dispose](): void {
    this.#end(new MonitorError('closed'));
  }
}

interface Waiting {
  /** Number of the first question. */
  readonly first: number;
  left: number;
  readonly answers: unknown[];
  readonly resolve: (answers: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

function connected(handle: OwnedFd): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(handle.procPath);
    const fail = (cause: Error): void => {
      socket.destroy();
      reject(new LauncherSocketError('refused', 'QEMU does not listen for questions', { cause }));
    };
    socket.setTimeout(ANSWER_MS, () => fail(new Error('timeout')));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function processDirectory({ pid }: PeerCredentials): OwnedFd {
  try {
    return openDirectory(`/proc/${pid}`);
  } catch (cause) {
    throw new LauncherSocketError('refused', `QEMU, process ${pid}, has ended`, { cause });
  }
}
