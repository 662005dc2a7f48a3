/**
 * Replays recorded conversations with a real API server against ours. The floors are what was reached; a
 * change that loses scenarios fails here. Needs PODVISOR_CONFORMANCE.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../testing/test-server.ts';
import { floors, NEEDS_CONTROLLERS } from './floors.ts';

const recordings = process.env['PODVISOR_CONFORMANCE'];

test('recorded conversations', {
  skip: recordings === undefined ? 'PODVISOR_CONFORMANCE is not set' : false,
  timeout: 600_000,
}, async (context) => {
  await using home = await startTestServer();
  const { server, directory } = home;
  // The tool runs only under its real path.
  const root = realpathSync(recordings ?? '');
  const args = [
    join(root, 'apiserver-replay.mjs'),
    '--server',
    server.url,
    '--ca',
    join(directory, 'ca.crt'),
    '--cert',
    join(directory, 'admin.crt'),
    '--key',
    join(directory, 'admin.key'),
    '--without',
    NEEDS_CONTROLLERS.join(','),
    '-j',
    '6',
    join(root, 'apiserver'),
  ];
  const output = await run(args);
  for (const [file, floor] of Object.entries(floors)) {
    await context.test(file, () => {
      const passed = new RegExp(`^${file}: (\\d+) passed`, 'm').exec(output)?.[1];
      assert.ok(passed !== undefined, `the replay says nothing about ${file}:\n${output}`);
      assert.ok(Number(passed) >= floor, `${file}: ${passed} scenarios pass, ${floor} did before`);
    });
  }
});

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    // A non-zero end only says that some scenarios fail; the counts decide.
    child.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
