import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { claimPidFile, readPidFile } from './pid-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'pid-file-'));
after(() => rmSync(directory, { recursive: true }));

test('a pid file belongs to the first that claims it, for as long as that lives', async () => {
  const path = join(directory, 'a.pid');
  const first = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = first.pid ?? assert.fail('no pid');
  assert.equal(claimPidFile(path, pid), undefined);
  assert.equal(claimPidFile(path, process.pid), pid);
  assert.equal(readPidFile(path), pid);
  assert.equal(claimPidFile(path, pid), undefined);
  first.kill('SIGKILL');
  await once(first, 'exit');
  assert.equal(claimPidFile(path, process.pid), undefined);
  assert.equal(readPidFile(path), process.pid);
  assert.deepEqual(readdirSync(directory), ['a.pid']);
});

test('a file of a pid that was given to another process since is nobody’s', () => {
  const path = join(directory, 'b.pid');
  writeFileSync(path, `${process.ppid} 1\n`);
  assert.equal(claimPidFile(path, process.pid), undefined);
  assert.equal(readPidFile(path), process.pid);
});
