import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpNumbers, fileNameOf } from './memory-dump.ts';

test('the name of a dump says whose it is and when it was made', () => {
  assert.equal(
    fileNameOf('web', 'claim', Date.parse('2026-01-02T03:04:05.678Z')),
    'web-claim-20260102-030405.memory.dump',
  );
});

test('how far a dump is: only while it is being written', async (t) => {
  const hotplugDirectory = mkdtempSync(join(tmpdir(), 'dump-'));
  t.after(() => rmSync(hotplugDirectory, { recursive: true }));
  const begun = { volume: 'v', claimName: 'c', fileName: 'f', startTimestamp: '2026-01-01T00:00:00Z' };
  const numbers = (memoryDump: (typeof begun & { endTimestamp?: string }) | undefined) =>
    dumpNumbers({ runState: { memoryDump }, builder: { hotplugDirectory } });
  assert.deepEqual(await numbers(undefined), {});
  assert.deepEqual(await numbers(begun), { 'dump.bytes': 0 });
  mkdirSync(join(hotplugDirectory, 'v'));
  writeFileSync(join(hotplugDirectory, 'v/f'), 'four');
  assert.deepEqual(await numbers(begun), { 'dump.bytes': 4 });
  assert.deepEqual(await numbers({ ...begun, endTimestamp: '2026-01-01T00:00:01Z' }), {});
});
