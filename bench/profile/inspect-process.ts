/**
 * Node's inspector in a process that runs, without a flag at its start: SIGUSR1 makes it listen on loopback. What is
 * evaluated there may end the listening again (`inspector.close()`), so that one process after the other can be
 * asked on the same port while profiles in all of them go on.
 */
import { readFileSync } from 'node:fs';

const PORT = 9229;
const LISTENS_WITHIN_MS = 10_000;

interface Reply {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
  };
}

/** The value of `expression`, which may be a promise, in the process. Its `inspector` is Node's module. */
export async function evaluateIn(pid: number, expression: string): Promise<unknown> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl(pid));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const reply = new Promise<Reply>((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as Reply;
      if (message.id === 1) resolve(message);
    });
    socket.addEventListener('close', () => reject(new Error(`process ${pid} ended the conversation`)));
  });
  const params = {
    expression: `(async (inspector) => (${expression}))(process.getBuiltinModule('inspector'))`,
    awaitPromise: true,
    returnByValue: true,
  };
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  const { error, result } = await reply;
  const problem = error?.message ?? result?.exceptionDetails?.exception?.description;
  // Closed only after the answer has left: closing cuts the conversation.
  const close = "setTimeout(() => process.getBuiltinModule('inspector').close(), 1); 0";
  socket.send(JSON.stringify({ id: 2, method: 'Runtime.evaluate', params: { expression: close } }));
  await new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }));
  if (problem !== undefined) throw new Error(`in process ${pid}: ${problem}`);
  return result?.result?.value;
}

async function debuggerUrl(pid: number): Promise<string> {
  const program = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const end = performance.now() + LISTENS_WITHIN_MS;
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${PORT}/json/list`);
      const [target] = (await answer.json()) as { readonly title: string; webSocketDebuggerUrl: string }[];
      // Somebody else's process may listen there; programs of a home are in its own directory.
      if (target !== undefined && program.includes(target.title)) return target.webSocketDebuggerUrl;
    } catch {
      // Not yet.
    }
    if (performance.now() > end) throw new Error(`process ${pid} did not let itself be inspected`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
