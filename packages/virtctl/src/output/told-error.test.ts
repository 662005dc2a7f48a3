import assert from 'node:assert/strict';
import { readFileSync, rmdirSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { inWords, toldError } from './told-error.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('codes of the system are told in words, as Node really writes them', async () => {
  const missing = thrownBy(() => readFileSync('/nothere/vm.yaml'));
  assert.deepEqual(toldError(missing), ['there is no file or directory /nothere/vm.yaml']);
  assert.deepEqual(
    toldError(new Error('/etc cannot be read', { cause: thrownBy(() => readFileSync('/etc')) })),
    ['/etc cannot be read', '  because: it is a directory, and a file is needed'],
  );
  assert.match(
    toldError(thrownBy(() => rmdirSync('/etc/passwd')))[0] ?? '',
    /^a part of \/etc\/passwd is a file/,
  );

  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [taken] = (await once(createServer().listen(port, '127.0.0.1'), 'error')) as [Error];
  assert.deepEqual(toldError(taken), [
    `127.0.0.1:${port} is in use by another program: ss -ltnp shows which`,
  ]);
  server.close();
  await once(server, 'close');
  const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [Error];
  assert.deepEqual(toldError(refused), [`nobody listens at 127.0.0.1:${port}`]);
});

for (const [raw, words] of [
  [
    "EACCES: permission denied, open '/x/y'",
    'this user may not open /x/y: run it with sudo, or as the owner',
  ],
  ['ENOSPC: no space left on device, write', 'the disk is full: df -h shows it'],
  [
    "a.yaml: cannot be read: ENOENT: no such file or directory, open 'a.yaml'",
    'a.yaml: cannot be read: there is no file or directory a.yaml',
  ],
  ['getaddrinfo ENOTFOUND nothere.example', 'the name nothere.example cannot be resolved'],
  ['connect EHOSTUNREACH 10.1.2.3:22 - Local (10.1.2.1:1)', 'there is no way to 10.1.2.3:22'],
  ['write EPIPE', 'the connection was closed'],
  ['spawn skopeo ENOENT', 'skopeo is not installed'],
  ['A VM is named E, and says: hello, open', 'A VM is named E, and says: hello, open'],
  ['EWHATEVER: never heard of, open', 'EWHATEVER: never heard of, open'],
] as const)
  test(`in words: ${raw}`, () => assert.equal(inWords(raw), words));

test('the log record of a program of ours is its sentence, without the stack', () => {
  const record = JSON.stringify({
    level: 60,
    err: { message: 'no such image', stack: 'Error\n at x' },
    msg: 'end',
  });
  assert.deepEqual(toldError(new Error(`node agent.mjs failed with exit code 1: ${record}`)), [
    'no such image',
  ]);
});

test('a cause that says nothing new is not told twice', () => {
  const cause = new Error('the API server cannot be reached');
  assert.deepEqual(toldError(new Error(`Error stopping VirtualMachine ${cause.message}`, { cause })), [
    'Error stopping VirtualMachine the API server cannot be reached',
  ]);
  const refused = new StatusError('NotFound', 'not found');
  assert.deepEqual(toldError(new Error('there is no VM', { cause: refused })), ['there is no VM']);
});
