/** New namespaces, held by a process while they are looked at. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ToolError } from '../processes/run.ts';

/** Runs `use` with a process that is in namespaces of these kinds (options of unshare(1)); it ends afterwards. */
export async function withNewNamespaces<T>(
  kinds: readonly ('--user' | '--net')[],
  use: (pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn('unshare', [...kinds, '--', 'cat'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-1024);
  });
  const ended = once(child, 'close');
  try {
    // `cat` answers: the namespaces are made, and the process id is that of `unshare`.
    child.stdin.on('error', () => undefined).write('.');
    const isMade = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
    if (!isMade || child.pid === undefined)
      throw new ToolError('failed', 'unshare', `a namespace (${kinds.join(', ')}) cannot be made`, stderr);
    return await use(child.pid);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
