/** Commands to a QEMU that a test has started by itself. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

type Answer = { readonly return?: unknown; readonly error?: { readonly desc: string } };

export class Qmp implements Disposable {
  readonly #socket: Socket;
  #waiting: ((answer: Answer) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as Answer;
      if ('return' in message || 'error' in message) this.#waiting?.(message);
    });
  }

  static async open(path: string): Promise<Qmp> {
    const socket = connect(path);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const qmp = new Qmp(socket);
    await qmp.run('qmp_capabilities');
    return qmp;
  }

  /** One at a time. Rejects with QEMU's own words. */
  async run(execute: string, args: object = {}): Promise<unknown> {
    const answered = new Promise<Answer>((resolve) => {
      this.#waiting = resolve;
    });
    this.#socket.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    const { return: value, error } = await answered;
    if (error !== undefined) throw new Error(`${execute}: ${error.desc}`);
    return value;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
