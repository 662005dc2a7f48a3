import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startProcess } from './process.ts';

const O_NONBLOCK = 0o4000;

test('a connection that is handed to a program blocks', async () => {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  try {
    const program = await startProcess('cat', ['/proc/self/fdinfo/0'], { pipe: true, connection: near });
    let text = '';
    program.child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await program.exited;
    const flags = Number.parseInt(/flags:\s*(\d+)/.exec(text)?.[1] ?? assert.fail(text), 8);
    assert.equal(flags & O_NONBLOCK, 0, text);
  } finally {
    near.destroy();
    far.destroy();
    server.close();
  }
});
