/** A connection to something that sends back what it gets, line by line. */
import { connect, type Socket } from 'node:net';

/** TCP repeats what was lost less and less often, so an answer after an interruption may take a while. */
const ANSWER_MS = 60_000;

export class Echo implements Disposable {
  readonly #socket: Socket;
  #heard = '';
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#heard += chunk.toString('latin1');
      this.#wake();
    });
    socket.on('error', () => this.#wake());
    socket.on('close', () => this.#wake());
  }

  static open(host: string, port = 7): Promise<Echo> {
    const socket = connect({ host, port });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Echo(socket));
      });
    });
  }

  /** The answer to a line, over the connection that was opened at the beginning. */
  async ask(line: string): Promise<string> {
    this.#socket.write(`${line}\n`);
    const deadline = Date.now() + ANSWER_MS;
    while (!this.#heard.includes('\n')) {
      if (this.#socket.destroyed) throw new Error('the connection broke');
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no answer to "${line}" in ${ANSWER_MS} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const [answer = '', ...rest] = this.#heard.split('\n');
    this.#heard = rest.join('\n');
    return answer;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
