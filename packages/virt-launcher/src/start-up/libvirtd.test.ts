import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import { silentLog } from '../log.ts';
import { Libvirtd, type RunningDaemon } from './libvirtd.ts';
import { libvirtPaths } from './libvirt-paths.ts';

/** Notes how long somebody waits. */
class NotingClock extends FakeClock {
  readonly waits: number[] = [];

  override after(ms: number, fn: () => void): () => void {
    this.waits.push(ms);
    return super.after(ms, fn);
  }
}

test('libvirtd is started again when it dies, slower and slower when it cannot live, and not after stop', async () => {
  const clock = new NotingClock();
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
  // Files are read in between, which takes its time on a busy machine.
  const until = async (isTrue: () => boolean): Promise<void> => {
    for (let i = 0; i < 2_000 && !isTrue(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await libvirtd.start();
  started[0]?.end();
  await until(() => started.length === 2);
  assert.deepEqual([started.length, clock.waits], [2, []], 'the first restart comes at once');
  started[1]?.end();
  await until(() => clock.waits.length > 0);
  assert.deepEqual([started.length, clock.waits.length], [2, 1], 'the second one waits');
  clock.advance(clock.waits[0] ?? 0);
  await until(() => started.length === 3);
  assert.equal(started.length, 3);
  await libvirtd.stop();
  assert.deepEqual(started[2]?.signals, ['SIGTERM']);
  clock.advance(60_000);
  assert.equal(started.length, 3);
});
