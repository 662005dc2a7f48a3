import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filesOf, NATIVE_MODULES, spdxPath, writeProgramFiles } from './program-files.ts';
import { chosenImages } from './references.ts';

const root = join(import.meta.dirname, '../../../../..');
let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'podvisor-programs-'));
  const [launcher] = chosenImages(['virt-launcher']);
  assert.ok(launcher);
  const npm = ['undici', ...NATIVE_MODULES].map((name) => ({ name, version: '1' }));
  writeProgramFiles(directory, {
    root,
    image: { ...launcher, bundles: [], binaries: [] },
    npm,
    spdx: 'the list',
  });
});
after(() => rmSync(directory, { recursive: true, force: true }));

test('the native module works with the files that an image has of it', () => {
  const program = "console.log(require('koffi').load('libc.so.6').func('int getpid()')() === process.pid)";
  const cwd = join(directory, 'usr/lib/podvisor');
  assert.equal(execFileSync(process.execPath, ['-e', program], { cwd, encoding: 'utf8' }), 'true\n');
  assert.ok(!existsSync(join(cwd, 'node_modules/@koromix/koffi-linux-x64/musl_x64')), 'of another C library');
});

test('scripts can be executed, licences and the list of packages are there', () => {
  assert.equal(statSync(join(directory, 'usr/lib/podvisor/virt-launcher')).mode & 0o777, 0o755);
  for (const file of ['LICENSE', 'npm/undici/LICENSE', 'npm/koffi/LICENSE.txt'])
    assert.ok(existsSync(join(directory, 'usr/share/doc/podvisor', file)), file);
  assert.equal(readFileSync(join(directory, spdxPath('virt-launcher')), 'utf8'), 'the list');
});

test('a program comes with what it loads late, and with nothing of another', () => {
  const built = ['virt-api.mjs', 'virt-api.K2.mjs', 'virt-apis.mjs', 'virt-handler.Q7.mjs', 'bundled.json'];
  assert.deepEqual(filesOf('virt-api', built), ['virt-api.mjs', 'virt-api.K2.mjs']);
});
