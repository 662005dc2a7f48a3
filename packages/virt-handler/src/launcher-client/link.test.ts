import { type Clock, FakeClock, systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { POD_UID, vmiOf } from '../testing/objects.ts';
import { stderrLog } from '@podvisor/kube';
import { openDirectory } from '@podvisor/sys';
import { FakeLauncher } from '../testing/fake-launcher.ts';
import { domainState } from '../testing/objects.ts';
import { LauncherConnection } from './connection.ts';
import type { DomainView } from './domain-view.ts';
import { LauncherLink } from './link.ts';
import { LauncherSocketError, openLauncherSocket, type SocketChecks, socketsDirectory } from './socket.ts';

const POD = POD_UID;
const mine: SocketChecks = { uid: process.getuid?.() ?? 0, isInPod: () => true };
let kubeletDir: string;
let directory: string;

beforeEach(() => {
  kubeletDir = mkdtempSync(join(tmpdir(), 'pvh-'));
  directory = socketsDirectory(kubeletDir, POD);
});
afterEach(() => rmSync(kubeletDir, { recursive: true, force: true }));

async function listen(path: string): Promise<Server> {
  const server = createServer();
  // By handle: the path of a Pod's directory is longer than that of a socket may be.
  using parent = openDirectory(dirname(path));
  await new Promise<void>((resolve) => server.listen(`${parent.procPath}/${basename(path)}`, resolve));
  return server;
}

async function refusal(checks: SocketChecks = mine): Promise<LauncherSocketError['kind']> {
  const error: unknown = await openLauncherSocket(directory, POD, checks).then(
    (socket) => socket.handle.close(),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LauncherSocketError, `not refused: ${String(error)}`);
  return error.kind;
}

describe('launcher socket', () => {
  beforeEach(() => mkdirSync(directory, { recursive: true }));

  test('a link to another socket is refused, whoever listens there', async () => {
    const other = await listen(join(kubeletDir, 'victim.sock'));
    symlinkSync(join(kubeletDir, 'victim.sock'), join(directory, 'launcher-sock'));
    assert.equal(await refusal(), 'untrusted');
    other.close();
  });

  test('a file that is no socket is refused', async () => {
    writeFileSync(join(directory, 'launcher-sock'), '');
    assert.equal(await refusal(), 'untrusted');
  });

  test('a listener of the wrong user or outside the Pod is refused', async () => {
    const server = await listen(join(directory, 'launcher-sock'));
    assert.equal(await refusal({ uid: 4711, isInPod: () => true }), 'untrusted');
    assert.equal(await refusal({ uid: process.getuid?.() ?? 0 }), 'untrusted');
    const accepted = await openLauncherSocket(directory, POD, mine);
    assert.equal(accepted.peer.pid, process.pid);
    accepted.handle.close();
    server.close();
  });

  test('absent and dead sockets are told apart', async () => {
    assert.equal(await refusal(), 'missing');
    const launcher = new FakeLauncher(directory);
    await launcher.start();
    launcher.stop();
    assert.equal(await refusal(), 'refused');
  });
});

describe('a launcher that was taken over', () => {
  let launcher: FakeLauncher;
  afterEach(() => launcher.stop());

  test('is listened to at a bounded rate, however much it says', { timeout: 20_000 }, async () => {
    launcher = new FakeLauncher(directory);
    await launcher.start();
    launcher.setDomain(domainState());
    const clock = new FakeClock();
    using connection = new LauncherConnection(await openLauncherSocket(directory, POD, mine), clock);
    let states = 0;
    const watched = new Promise<void>((resolve) => (launcher.onWatched = resolve));
    connection.watch({ onState: () => (states += 1), onEvent: () => {}, onEnd: () => {} });
    await watched;
    for (let i = 0; i < 5_000; i += 1) launcher.setDomain(domainState());
    // Answers come after what was said before them, as far as that was asked for.
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 50; i += 1) await connection.ask('getUsers');
    };
    await settle();
    const atOnce = states;
    assert.ok(atOnce > 10 && atOnce <= 200, `${atOnce} states at once`);
    clock.advance(1_000);
    await settle();
    assert.ok(states > atOnce && states <= 2 * atOnce + 10, `${states} states in a second`);
  });

  test('a long state is followed by a long pause', { timeout: 20_000 }, async () => {
    launcher = new FakeLauncher(directory);
    await launcher.start();
    const clock = new FakeClock();
    using connection = new LauncherConnection(await openLauncherSocket(directory, POD, mine), clock);
    let states = 0;
    const watched = new Promise<void>((resolve) => (launcher.onWatched = resolve));
    connection.watch({ onState: () => (states += 1), onEvent: () => {}, onEnd: () => {} });
    await watched;
    const long = { ...domainState(), padding: 'x'.repeat(3 * 1024 * 1024) };
    for (let i = 0; i < 5; i += 1) launcher.setDomain(long);
    for (let i = 0; i < 200 && states < 3; i += 1) await connection.ask('getUsers');
    assert.ok(states <= 2, `${states} states of three megabytes at once`);
  });
});

describe('what a launcher refuses', () => {
  test('has an end: it goes to logs, records and the status', { timeout: 20_000 }, async () => {
    const launcher = new FakeLauncher(directory);
    await launcher.start();
    launcher.failure = 'no '.repeat(500_000);
    using connection = new LauncherConnection(await openLauncherSocket(directory, POD, mine));
    await assert.rejects(
      connection.do('pauseVirtualMachine', vmiOf({})),
      (error: Error) => error.message.startsWith('no no') && error.message.length <= 4096,
    );
    launcher.stop();
  });
});

describe('LauncherLink', () => {
  let launcher: FakeLauncher;
  let link: LauncherLink;
  let onChange: () => void = () => {};

  const until = async (wanted: (view: DomainView) => boolean): Promise<void> => {
    while (!wanted(link.view)) await new Promise<void>((resolve) => (onChange = resolve));
  };
  const start = (clock: Clock = systemClock, checks = mine): void => {
    link = new LauncherLink({
      kubeletDir,
      podUid: POD,
      clock,
      log: { ...stderrLog, error: () => {} },
      checks,
      onChange: () => onChange(),
      onEvent: () => {},
    });
  };
  afterEach(() => {
    link.close();
    launcher.stop();
  });

  test('waits for the socket, follows the domain, and a loss makes it unknown until the launcher is back', {
    timeout: 10_000,
  }, async () => {
    mkdirSync(directory, { recursive: true });
    start();
    assert.equal(link.view.kind, 'unknown');
    launcher = new FakeLauncher(directory);
    await launcher.start();
    await until((view) => view.kind === 'absent');
    launcher.setDomain(domainState());
    await until((view) => view.kind === 'present' && view.domain.state === 'Running');
    launcher.stop();
    await until((view) => view.kind === 'unknown');
    assert.equal(link.connection, undefined);
    launcher.removeSocket();
    await launcher.start();
    await until((view) => view.kind === 'present');
  });

  test('a directory in which somebody writes without end does not make it dial without end', {
    timeout: 20_000,
  }, async () => {
    launcher = new FakeLauncher(directory);
    await launcher.start();
    let asked = 0;
    const isInPod = (): boolean => {
      asked += 1;
      return false; // somebody else listens there
    };
    const clock = new FakeClock();
    start(clock, { ...mine, isInPod });
    for (let i = 0; i < 300; i += 1) {
      writeFileSync(join(directory, `noise-${i % 2}`), 'x');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(asked > 5 && asked <= 120, `${asked} times in a moment`);
    const before = asked;
    clock.advance(2_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(asked > before, 'it dials again');
  });

  test('an unanswered launcher stays unknown', { timeout: 10_000 }, async () => {
    launcher = new FakeLauncher(directory);
    await launcher.start();
    launcher.stop();
    let attempts = 0;
    const triedThrice = new Promise<void>((resolve) => {
      // Each failed attempt asks for the next one, which comes at once.
      const after: typeof systemClock.after = (_ms, call) => {
        attempts += 1;
        if (attempts === 3) resolve();
        return systemClock.after(0, call);
      };
      start({ ...systemClock, after });
    });
    await triedThrice;
    assert.equal(link.view.kind, 'unknown');
    assert.equal(link.connection, undefined);
  });
});
