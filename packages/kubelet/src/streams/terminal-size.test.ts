/** In a process of its own: what waits for a pipe can only be ended from outside. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, readSync, rmSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tellTerminalSize } from './terminal-size.ts';

const directory = mkdtempSync(join(tmpdir(), 'podvisor-ctl-'));
after(() => rmSync(directory, { recursive: true }));
const pipe = join(directory, 'ctl');
execFileSync('mkfifo', [pipe]);

test('a size is told to the monitor', () => {
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  tellTerminalSize(directory, 80, 24);
  const bytes = Buffer.alloc(64);
  assert.equal(bytes.toString('utf8', 0, readSync(reader, bytes)), '1 24 80\n');
  closeSync(reader);
});

for (const [what, bundle] of [
  ['a monitor that has ended holds nobody', directory],
  ['a container that is gone ends nobody', join(directory, 'gone')],
] as const)
  test(what, () => {
    const module = new URL('terminal-size.ts', import.meta.url).href;
    const code = `import { tellTerminalSize } from ${JSON.stringify(module)}; tellTerminalSize(process.argv[1], 80, 24);`;
    const { status, signal } = spawnSync(
      process.execPath,
      ['--input-type=module-typescript', '--eval', code, bundle],
      { timeout: 10_000, killSignal: 'SIGKILL', stdio: 'ignore' },
    );
    assert.deepEqual({ status, signal }, { status: 0, signal: null });
  });
