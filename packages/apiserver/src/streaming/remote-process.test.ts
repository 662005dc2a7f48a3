import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { joinProcess } from './remote-process.ts';

/** What a client is sent, in order; each write takes some turns, as a connection's does. */
class Client {
  readonly sent: string[] = [];

  channel(name: string): Writable {
    return new Writable({
      write: async (chunk: Buffer, _encoding, done) => {
        for (let turns = 0; turns < 5; turns++) await turn();
        this.sent.push(`${name} ${chunk.toString()}`);
        done();
      },
    });
  }
}

for (const code of [0, 2])
  test(`all that a process has said is sent before how it ended (${code})`, async () => {
    const client = new Client();
    await joinProcess(
      {
        stdin: undefined,
        stdout: client.channel('out'),
        stderr: client.channel('err'),
        sendStatus: (status) => client.sent.push((status as { status: string }).status),
        onResize: () => undefined,
        close: () => client.sent.push('closed'),
      },
      async () => ({
        stdin: undefined,
        stdout: Readable.from([Buffer.from('a'), Buffer.from('b')]),
        stderr: Readable.from([Buffer.from('sh: 1: '), Buffer.from('no such file'), Buffer.from('\n')]),
        resize: () => undefined,
        exit: Promise.resolve(code),
      }),
    );
    assert.deepEqual(
      client.sent.filter((line) => line.startsWith('out')),
      ['out a', 'out b'],
    );
    assert.deepEqual(
      client.sent.filter((line) => line.startsWith('err')),
      ['err sh: 1: ', 'err no such file', 'err \n'],
    );
    assert.deepEqual(client.sent.slice(-2), [code === 0 ? 'Success' : 'Failure', 'closed']);
  });

test('a client that is gone holds no process up', async () => {
  const client = new Client();
  const stdout = client.channel('out');
  stdout.on('error', () => undefined).destroy();
  await joinProcess(
    {
      stdin: undefined,
      stdout,
      stderr: undefined,
      sendStatus: () => client.sent.push('status'),
      onResize: () => undefined,
      close: () => client.sent.push('closed'),
    },
    async () => ({
      stdin: undefined,
      stdout: Readable.from([Buffer.from('a')]),
      stderr: undefined,
      resize: () => undefined,
      exit: Promise.resolve(0),
    }),
  );
  assert.deepEqual(client.sent, ['status', 'closed']);
});
