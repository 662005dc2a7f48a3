/** The listener between the control plane and the node agent, over a real socket with a node that plays. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { StatusError } from '@podvisor/base';
import { parseCall } from './call.ts';
import { Kind, MAX_FRAME_BYTES, readFrames, sendFrame } from './frames.ts';
import type { ContainerProcess, NodeProxy, PodRef } from './node-proxy.ts';
import { RemoteNodeProxy } from './remote-node-proxy.ts';
import { RemoteVolumeData } from './remote-volume-data.ts';
import { type NodeListener, startNodeListener } from './server.ts';
import type { VolumeData } from './volume-data.ts';

const directory = mkdtempSync(join(tmpdir(), 'podvisor-node-listener-'));
const path = join(directory, 'node.sock');
const uid = '01234567-89ab-4def-8123-456789abcdef';
const pod: PodRef = { namespace: 'default', name: 'p', uid, nodeName: 'node-1' };
const forever = new AbortController().signal;
const all = { stdin: true, stdout: true, stderr: true, tty: false };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** What the node was told, in order. */
let told: unknown[] = [];
let ended: Promise<void>;

/** Gives back in capitals what it is told, then ends with 3. */
function capitals(): ContainerProcess {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = text(stdin).then((said) => {
    stdout.end(said.toUpperCase());
    stderr.end('done');
    return 3;
  });
  return { stdin, stdout, stderr, resize: (columns, rows) => told.push({ columns, rows }), exit };
}

const nodes: NodeProxy = {
  async *logs(_, container, options, signal) {
    told.push({ container, options });
    if (container === 'missing') throw new StatusError('BadRequest', 'container "missing" not found');
    yield Buffer.from('one\n');
    if (!options.follow) return;
    const gone = Promise.withResolvers<void>();
    ended = gone.promise;
    signal.addEventListener('abort', () => gone.resolve());
    await gone.promise;
  },
  exec: (_, __, command) => {
    if (command[0] === 'false') throw new StatusError('BadRequest', 'no such program');
    return Promise.resolve(capitals());
  },
  attach: () => Promise.resolve(capitals()),
  // Answers when everything was said: a connection that is closed in one direction only.
  portForward: () => {
    const [said, answer] = [new PassThrough(), new PassThrough()];
    text(said).then(
      (heard) => answer.end(`heard ${heard}`),
      () => answer.destroy(),
    );
    return Promise.resolve(Duplex.from({ writable: said, readable: answer }));
  },
  usage: () =>
    Promise.resolve([{ node: 'node-1', atMs: 1, cpuNanoseconds: 2, workingSetBytes: 3, pods: [] }]),
};

const volumes: VolumeData = {
  make: (name, { onProgress }) => {
    onProgress?.({ bytes: 1, totalBytes: 2 });
    return Promise.resolve(`/volumes/${name}`);
  },
  grow: (...call) => {
    told.push(call.slice(0, 3));
    return Promise.resolve();
  },
  remove: () => Promise.reject(new Error('it is being copied')),
  takeSnapshot: (...call) => {
    told.push(call.slice(0, 3));
    return Promise.resolve();
  },
  removeSnapshot: () => Promise.resolve(),
  hasSnapshot: (name) => Promise.resolve(name === `snapshot-${uid}`),
};

let listener: NodeListener;
const proxy = new RemoteNodeProxy(path);
const data = new RemoteVolumeData(path);

before(async () => {
  listener = await startNodeListener({ path, user: process.getuid?.() ?? 0, nodes, volumes, log: silent });
});
after(async () => {
  await listener.close();
  rmSync(directory, { recursive: true });
});

test('a process has its streams, its size and its end', async () => {
  told = [];
  const process = await proxy.exec(pod, 'c', ['tr'], all, forever);
  process.resize(80, 25);
  const large = 'x'.repeat(3 * MAX_FRAME_BYTES);
  process.stdin?.end(large);
  assert.ok(process.stdout !== undefined && process.stderr !== undefined);
  const [output, errors] = await Promise.all([text(process.stdout), text(process.stderr)]);
  assert.equal(output, large.toUpperCase());
  assert.equal(errors, 'done');
  assert.equal(await process.exit, 3);
  assert.deepEqual(told, [{ columns: 80, rows: 25 }]);
});

test('why a call failed arrives as it was said', async () => {
  await assert.rejects(proxy.exec(pod, 'c', ['false'], all, forever), {
    name: 'StatusError',
    reason: 'BadRequest',
    message: 'no such program',
  });
  const missing = proxy.logs(pod, 'missing', { follow: false, previous: false, timestamps: false }, forever);
  await assert.rejects(missing.next(), { reason: 'BadRequest' });
  await assert.rejects(data.remove(`pvc-${uid}`, forever), { name: 'Error', message: 'it is being copied' });
});

test('logs end with the caller', async () => {
  const stop = new AbortController();
  const logs = proxy.logs(pod, 'c', { follow: true, previous: false, timestamps: true }, stop.signal);
  assert.equal(String((await logs.next()).value), 'one\n');
  const next = logs.next();
  stop.abort();
  await assert.rejects(next, { name: 'AbortError' });
  await ended;
});

test('a connection may end in one direction first', async () => {
  const connection = await proxy.portForward(pod, 80, forever);
  connection.end('hello');
  assert.equal((await buffer(connection)).toString(), 'heard hello');
});

test('usage and volumes', async () => {
  told = [];
  assert.equal((await proxy.usage())[0]?.node, 'node-1');
  const progress: unknown[] = [];
  const made = await data.make(
    `pvc-${uid}`,
    { mode: 'Block', bytes: 5, onProgress: (step) => progress.push(step) },
    forever,
  );
  assert.equal(made, `/volumes/pvc-${uid}`);
  assert.deepEqual(progress, [{ bytes: 1, totalBytes: 2 }]);
  await data.grow(`pvc-${uid}`, 'Block', 9, forever);
  await data.takeSnapshot(`snapshot-${uid}`, `pvc-${uid}`, [uid], forever);
  assert.deepEqual(told, [
    [`pvc-${uid}`, 'Block', 9],
    [`snapshot-${uid}`, `pvc-${uid}`, [uid]],
  ]);
  assert.equal(await data.hasSnapshot(`snapshot-${uid}`, forever), true);
  assert.equal(await data.hasSnapshot('other', forever), false);
});

test('a listener that is not there is a service that is not there', async () => {
  await assert.rejects(new RemoteNodeProxy(`${path}.none`).usage(), { reason: 'ServiceUnavailable' });
});

test('names that could become paths are refused, whatever the caller is', () => {
  const call = (change: object): string =>
    JSON.stringify({ method: 'exec', pod, container: 'c', command: ['sh'], options: all, ...change });
  assert.equal(parseCall(call({})).method, 'exec');
  for (const change of [
    { pod: { ...pod, uid: '../../etc' } },
    { pod: { ...pod, uid: uid.slice(0, 5) } },
    { pod: { ...pod, nodeName: '../node-2' } },
    { container: '../c' },
    { command: [1] },
    { options: { ...all, tty: 'yes' } },
    { method: 'constructor' },
    { method: 'makeVolume', name: 'pvc-../../x', mode: 'Block', bytes: 1, content: { kind: 'empty' } },
    { method: 'makeVolume', name: `pvc-${uid}`, mode: 'Block', bytes: -1, content: { kind: 'empty' } },
    {
      method: 'makeVolume',
      name: `pvc-${uid}`,
      mode: 'Block',
      bytes: 1,
      content: { kind: 'volume', name: '/' },
    },
    { method: 'takeSnapshot', name: `snapshot-${uid}`, volumeName: `pvc-${uid}`, writers: ['*'] },
  ])
    assert.throws(() => parseCall(call(change)), JSON.stringify(change));
});

test('bytes that are no call end the connection, and the listener goes on', async () => {
  const socket = connect(path);
  await sendFrame(socket, Kind.input, Buffer.from('hello'));
  const { value } = await readFrames(socket).next();
  assert.equal(value?.kind, Kind.failure);
  const flood = connect(path);
  flood.on('error', () => undefined);
  const closed = new Promise((resolve) => flood.once('close', resolve));
  flood.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]));
  flood.resume();
  await closed;
  assert.equal((await proxy.usage()).length, 1);
});

test('a size that is none is left out, and the node agent goes on', async () => {
  const socket = connect(path);
  const call = { method: 'exec', pod, container: 'c', command: ['cat'], options: all };
  await sendFrame(socket, Kind.call, Buffer.from(JSON.stringify(call)));
  told = [];
  for (const size of [
    'no JSON',
    '{"columns":"x","rows":1}',
    '{"columns":-1,"rows":1e9}',
    '{"columns":80,"rows":24}',
  ])
    await sendFrame(socket, Kind.resize, Buffer.from(size));
  await sendFrame(socket, Kind.inputEnd);
  const kinds: number[] = [];
  for await (const { kind } of readFrames(socket)) kinds.push(kind);
  assert.equal(kinds.at(-1), Kind.result);
  assert.deepEqual(told, [{ columns: 80, rows: 24 }]);
});

test('a connection ends with a caller that dies without a word', async () => {
  const socket = connect(path);
  await sendFrame(socket, Kind.call, Buffer.from(JSON.stringify({ method: 'portForward', pod, port: 1 })));
  // The read side stays open: only the end of what the caller sends tells of its end.
  socket.end();
  const frames: number[] = [];
  for await (const { kind } of readFrames(socket)) frames.push(kind);
  assert.equal(frames[0], Kind.started);
});
