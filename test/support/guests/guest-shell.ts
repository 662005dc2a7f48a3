/** A shell in a guest over its serial console: one command at a time, its output and its end. */
import { randomBytes } from 'node:crypto';
import { Conversation, type Instance, root } from '../instance.ts';

/** How long a console may say nothing, or end with something else than a prompt, until Enter is pressed again. */
const QUIET_MS = 5_000;

/**
 * What the console ends with: a prompt to log in, or one of a shell. A shared console begins with what was said
 * before, old prompts among it, so only the last one counts; a message of the kernel may have covered it, so Enter is
 * pressed until there is one.
 */
async function promptOf(console: Conversation): Promise<string> {
  for (let tries = 36; ; tries--) {
    console.say('\n');
    try {
      return await console.hear(/(?:login: |# )$/, QUIET_MS);
    } catch (error) {
      if (tries === 0 || console.hasEnded) throw error;
    }
  }
}

async function logIn(console: Conversation): Promise<void> {
  if (!(await promptOf(console)).endsWith('login: ')) return;
  console.say('root\n');
  await console.hear(/Password: /, 60_000);
  console.say('hello\n');
  await console.hear(/# /, 60_000);
}

/** A shell that ends where nobody told it to leaves a note of what ended it: a signal, or the end of its input. */
const ENDED = '/tmp/shell-ended';
const TELL_END = `${['HUP', 'TERM', 'PIPE']
  .map((name) => `trap 'echo ${name} >>${ENDED}; exit 1' ${name}`)
  .join('; ')}; trap 'echo "exit $?" >>${ENDED}' EXIT`;

/**
 * Commands are read by a loop. busybox's shell reads by itself where the terminal does not echo, and takes a background
 * job that ends meanwhile for the end of its input: it exits. Its `read` knows better.
 */
const READ_ON = `while printf '# '; IFS= read -r line; do eval "$line"; done`;

export class GuestShell {
  readonly #console: Conversation;
  /** A console repeats what was said before, so every shell has words of its own. */
  readonly #word = randomBytes(4).toString('hex');
  #count = 0;

  private constructor(console: Conversation) {
    this.#console = console;
  }

  /** Logs in as root, whose password is `hello` in all test guests. */
  static async open(instance: Instance, name: string): Promise<GuestShell> {
    const console = new Conversation(`${root}/bin/virtctl`, ['console', '--share', name], instance.env);
    await console.hear(/Successfully connected/, 60_000).catch((error: unknown) => {
      console.end();
      throw error;
    });
    await logIn(console);
    console.say(`stty -echo; dmesg -n 1; ${TELL_END}; ${READ_ON}\n`);
    return new GuestShell(console);
  }

  /** Output of a command that must end with 0. */
  async run(command: string, timeoutMs = 60_000): Promise<string> {
    const mark = `${this.#word}-${++this.#count}`;
    this.#console.say(`echo begin-${mark}; ${command}; echo "$? ${mark}"\n`);
    const answered = new RegExp(`(\\d+) ${mark}\\r?\\n`);
    const heard = await this.#console.hear(answered, timeoutMs).catch(async (error: Error) => {
      throw /login: /.test(error.message) ? new Error(`${error.message}\n${await this.#whyEnded()}`) : error;
    });
    const end = new RegExp(`([\\s\\S]*?)(\\d+) ${mark}\\r?\\n$`).exec(
      heard.slice(heard.lastIndexOf(`begin-${mark}`) + `begin-${mark}`.length),
    );
    if (end?.[2] !== '0') throw new Error(`"${command}" failed in the guest: ${heard}`);
    return (end[1] ?? '').replaceAll('\r', '').trim();
  }

  /** Asked in a new shell, after the old one was lost. */
  async #whyEnded(): Promise<string> {
    this.#console.say('\n');
    try {
      await logIn(this.#console);
      this.#console.say(`cat ${ENDED}; dmesg | tail -n 20; echo end-of-''notes\n`);
      return await this.#console.hear(/end-of-notes\r?\n/, 30_000);
    } catch (error) {
      return `what ended the shell is not known: ${String(error)}`;
    }
  }

  async close(): Promise<void> {
    this.#console.end();
    await this.#console.exited();
  }
}
