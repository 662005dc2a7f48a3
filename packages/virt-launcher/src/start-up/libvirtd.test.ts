import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { silentLog } from '../log.ts';
import { Libvirtd, type RunningDaemon } from './libvirtd.ts';
import { libvirtPaths } from './libvirt-paths.ts';

test('libvirtd is started again when it dies, slower and slower when it cannot live, and not after stop', async () => {
  const clock = new FakeClock();
  const started: { end: () => void; signals: string[] }[] = [];
  const libvirtd = new Libvirtd({
    paths: libvirtPaths('/nonexistent'),
    clock,
    log: silentLog,
    starter: {
      start: async (): Promise<RunningDaemon> => {
        const exit = Promise.withResolvers<{ code: number | null; signal: string | null }>();
        const daemon = { end: () => exit.resolve({ code: 1, signal: null }), signals: [] as string[] };
        started.push(daemon);
        return {
          pid: started.length,
          exited: exit.promise,
          kill: (signal) => void (daemon.signals.push(signal), daemon.end()),
        };
      },
    },
  });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  // Files are read in between, which takes its time on a busy machine.
  const startsReach = async (count: number): Promise<void> => {
    for (let i = 0; i < 2_000 && started.length < count; i++) await settled();
  };
  await libvirtd.start();
  started[0]?.end();
  await startsReach(2);
  assert.equal(started.length, 2, 'the first restart comes at once');
  started[1]?.end();
  await settled();
  assert.equal(started.length, 2, 'the second one waits');
  for (let i = 0; i < 2_000 && started.length < 3; i++) {
    clock.advance(100);
    await settled();
  }
  assert.equal(started.length, 3);
  await libvirtd.stop();
  assert.deepEqual(started[2]?.signals, ['SIGTERM']);
  clock.advance(60_000);
  assert.equal(started.length, 3);
});
