import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkChecks } from './doctor-network.ts';

test('each limit of the network is told with its fix', () => {
  const levels = (hasFile: boolean, fileLimit: number): string[] =>
    networkChecks({ hasFile: () => hasFile, fileLimit }).map(({ what, level }) => `${what} ${level}`);
  assert.deepEqual(levels(true, 1_000_000), ['passt PASS', 'vhost-net PASS', 'policies PASS', 'IPv6 PASS']);
  assert.deepEqual(levels(true, 20_000)[0], 'passt WARN');
  assert.ok(levels(false, 1_000_000).every((line) => line.endsWith('WARN')));
});
