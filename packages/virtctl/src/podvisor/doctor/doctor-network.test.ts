import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkChecks } from './doctor-network.ts';

test('each limit of the network is told with its fix', () => {
  const levels = (hasFile: boolean, fileLimit: number, canLoad = false): string[] =>
    networkChecks({ hasFile: () => hasFile, canLoad: () => canLoad, fileLimit }).map(
      ({ what, level }) => `${what} ${level}`,
    );
  assert.deepEqual(levels(true, 1_000_000), ['passt PASS', 'vhost-net PASS', 'policies PASS', 'IPv6 PASS']);
  assert.deepEqual(levels(true, 20_000)[0], 'passt WARN');
  assert.deepEqual(levels(false, 1_000_000, true)[2], 'policies PASS', 'a home loads the module');
  assert.ok(levels(false, 1_000_000).every((line) => line.endsWith('WARN')));
});
