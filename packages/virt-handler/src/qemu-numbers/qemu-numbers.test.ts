/** Against a monitor that speaks as QEMU does, on a real socket. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { POD_UID } from '../testing/objects.ts';
import { QemuNumbers } from './qemu-numbers.ts';

const checks = { uid: process.getuid?.() ?? 0, isInPod: () => true };

/** Greets, agrees, tells an event, answers, and not always a whole line at once. */
function answerAsQemu(socket: Socket, heard: string[] = []): void {
  socket.write('{"QMP": {"version": {}, "capabilities": []}}\r\n');
  let rest = '';
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    const words = lines.map((line) => {
      const { execute, id } = JSON.parse(line) as { execute: string; id?: number };
      heard.push(execute);
      if (execute === 'qmp_capabilities') return '{"return": {}}\r\n{"event": "RESUME", "data": {}}\r\n';
      if (execute === 'query-balloon') return `{"return": {"actual": 1048576}, "id": ${id}}\r\n`;
      return `{"id": ${id}, "error": {"class": "GenericError", "desc": "no"}}\r\n`;
    });
    const answer = words.join('');
    socket.write(answer.slice(0, answer.length / 2));
    setImmediate(() => socket.write(answer.slice(answer.length / 2)));
  });
  socket.on('error', () => {});
}

async function directoryWith(t: TestContext, onDial?: (socket: Socket) => void): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'qemu-numbers-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  if (onDial === undefined) return directory;
  const server: Server = createServer(onDial);
  await new Promise<void>((resolve) => server.listen(join(directory, 'qemu-sock'), resolve));
  t.after(() => server.close());
  return directory;
}

test('numbers of QEMU and of its process, on one connection; who asks meanwhile gets the same answer', async (t) => {
  const heard: string[] = [];
  let dialled = 0;
  const directory = await directoryWith(t, (socket) => {
    dialled += 1;
    answerAsQemu(socket, heard);
  });
  using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks });
  const [one, other] = await Promise.all([numbers.read([], undefined), numbers.read([], undefined)]);
  assert.equal(one, other);
  assert.equal(one?.['balloon.current'], 1024);
  assert.ok(Number(one?.['cpu.time']) > 0);
  await numbers.read([], undefined);
  assert.equal(dialled, 1);
  assert.deepEqual(heard, [
    ...['qmp_capabilities', 'qmp_capabilities', 'query-blockstats', 'query-balloon', 'qom-get'],
    ...['query-blockstats', 'qom-get'],
  ]);
});

test('QEMU tells by itself when the balloon changes, and is not asked for it again', async (t) => {
  const heard: string[] = [];
  let qemu: Socket | undefined;
  const directory = await directoryWith(t, (socket) => {
    qemu = socket;
    answerAsQemu(socket, heard);
  });
  let nowMs = 0;
  using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks, elapsed: () => nowMs });
  assert.equal((await numbers.read([], undefined))?.['balloon.current'], 1024);
  qemu?.write('{"event": "BALLOON_CHANGE", "data": {"actual": 524288}}\r\n');
  nowMs = 30_000;
  assert.equal((await numbers.read([], undefined))?.['balloon.current'], 512);
  assert.equal(heard.filter((question) => question === 'query-balloon').length, 1);
  nowMs = 400_000;
  assert.equal((await numbers.read([], undefined))?.['balloon.current'], 1024, 'asked again after a while');
});

test('a QEMU without such a monitor has no answer; one that ends is dialled again', async (t) => {
  using without = new QemuNumbers({ directory: await directoryWith(t), podUid: POD_UID, checks });
  assert.equal(await without.read([], undefined), undefined);
  let dialled = 0;
  const directory = await directoryWith(t, (socket) => {
    dialled += 1;
    if (dialled === 1) socket.destroy();
    else answerAsQemu(socket);
  });
  using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks });
  await assert.rejects(numbers.read([], undefined), /hung up|EPIPE|ECONNRESET/);
  assert.equal((await numbers.read([], undefined))?.['balloon.current'], 1024);
});

test('whoever is not of the Pod, links and files are not believed', async (t) => {
  const directory = await directoryWith(t, (socket) => answerAsQemu(socket));
  using stranger = new QemuNumbers({
    ...{ directory, podUid: POD_UID, checks: { ...checks, isInPod: () => false } },
  });
  await assert.rejects(stranger.read([], undefined), /is not of its Pod/);
  const linked = await directoryWith(t);
  symlinkSync(join(directory, 'qemu-sock'), join(linked, 'qemu-sock'));
  using led = new QemuNumbers({ directory: linked, podUid: POD_UID, checks });
  await assert.rejects(led.read([], undefined), /cannot be opened/);
  const plain = await directoryWith(t);
  writeFileSync(join(plain, 'qemu-sock'), '');
  using file = new QemuNumbers({ directory: plain, podUid: POD_UID, checks });
  await assert.rejects(file.read([], undefined), /is not a socket/);
});

test('a QEMU that talks nonsense or without end is hung up on', async (t) => {
  for (const [words, why] of [
    ['hello\n', /not JSON/],
    ['[]\n', /no object/],
    ['x'.repeat(5 * 1024 * 1024), /without end/],
  ] as const) {
    const ended = Promise.withResolvers<void>();
    const directory = await directoryWith(t, (socket) => {
      socket.on('error', () => {});
      socket.on('close', () => ended.resolve());
      socket.resume();
      socket.write(words);
    });
    using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks });
    await assert.rejects(numbers.read([], undefined), why);
    await ended.promise;
  }
});

test('a QEMU that tells events without end is hung up on, asked or not', async (t) => {
  const event = `{"event":"X","data":"${'x'.repeat(1000)}"}\n`;
  const ended = Promise.withResolvers<number>();
  const directory = await directoryWith(t, (socket) => {
    let sent = 0;
    const talk = (): void => {
      if (socket.destroyed) return;
      sent += event.length * 64;
      socket.write(event.repeat(64), () => setImmediate(talk));
    };
    socket.on('close', () => ended.resolve(sent));
    answerAsQemu(socket);
    // Nobody asks any more when it begins.
    socket.once('data', () => setTimeout(talk, 20));
  });
  using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks });
  await numbers.read([], undefined);
  const sent = await ended.promise;
  assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
});

test('a QEMU that stands still is given up after some seconds', async (t) => {
  const directory = await directoryWith(t, (socket) => void socket.on('error', () => {}));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using numbers = new QemuNumbers({ directory, podUid: POD_UID, checks });
  const read = numbers.read([], undefined);
  const failed = assert.rejects(read, /no answer in time/);
  // The dialling is real; the deadline is not.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(3_000);
  await failed;
});
