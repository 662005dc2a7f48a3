/**
 * A program of ours that answers questions in a process of its own, one at a time: for calls that may wait in the
 * kernel for ever. Only a process can be left behind then: a thread that waits there keeps the whole process from
 * ending, and this one can be killed and started anew while the other still waits.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface WorkerProcess {
  readonly pid: number;
  /** Rejects with what the program threw, or when it ends without an answer. Not before the last one was answered. */
  ask(question: unknown): Promise<unknown>;
  /** At once; one that waits in the kernel ends when that lets it go, and does nothing more. */
  kill(): void;
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
}

/** What the program sends. */
type Answer = { readonly answer: unknown } | { readonly error: string };

/** Starts the program. It ends by itself when this process does, and does not keep it from ending. */
export function startWorker(program: URL): WorkerProcess {
  const child = fork(fileURLToPath(program), [], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  const ended = Promise.withResolvers<void>();
  let waiting: PromiseWithResolvers<unknown> | undefined;
  const take = (): PromiseWithResolvers<unknown> | undefined => {
    const taken = waiting;
    waiting = undefined;
    return taken;
  };
  const over = (why: string): void => {
    take()?.reject(new Error(why));
    ended.resolve();
  };
  child.once('error', (error) => over(`the process for it could not be started: ${error.message}`));
  child.once('exit', (code, signal) =>
    over(`the process for it ended (${signal ?? code}) without an answer`),
  );
  child.on('message', (message: Answer) => {
    const asker = take();
    if ('error' in message) asker?.reject(new Error(message.error));
    else asker?.resolve(message.answer);
  });
  return {
    pid: child.pid ?? -1,
    ask: (question) => {
      if (waiting !== undefined) throw new Error('the last question was not answered yet');
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      child.send(question as object, (error) => {
        if (error !== null) take()?.reject(error);
      });
      return promise;
    },
    kill: () => void child.kill('SIGKILL'),
    exited: ended.promise,
  };
}

/** The other side: answers until whoever asks has ended. */
export function serveQuestions(answer: (question: unknown) => unknown): void {
  process.on('message', (question: unknown) => {
    let said: Answer;
    try {
      said = { answer: answer(question) ?? null };
    } catch (error) {
      said = { error: error instanceof Error ? error.message : String(error) };
    }
    process.send?.(said);
  });
}
