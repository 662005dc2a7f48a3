import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { instancePaths } from '@podvisor/sys';
import {
  installService,
  isService,
  refreshService,
  removeService,
  type Systemd,
  unitText,
} from './service.ts';

let directory: string;
let home: string;
const calls: string[] = [];
const systemd = (): Systemd => ({
  directory,
  isRunning: true,
  systemctl: async (...args) => void calls.push(args.join(' ')),
});

beforeEach(() => {
  calls.length = 0;
  directory = mkdtempSync(join(tmpdir(), 'units-'));
  home = join(directory, 'a home');
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ name: 'abc' }));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('install writes the unit and starts it; remove takes it away and ends nothing', async () => {
  await installService(home, systemd());
  assert.ok(isService(home, systemd()));
  const unit = readFileSync(join(directory, 'podvisor-abc.service'), 'utf8');
  assert.match(unit, /^Restart=on-failure$/m);
  // Or systemd would end every VM of the home with it.
  assert.match(unit, /^KillMode=process$/m);
  // Modules and profiles, which no process of the home may load; the home also starts without them.
  assert.match(unit, /^ExecStartPre=-".*\/lib\/node" ".*\/lib\/prepare-machine.mjs"$/m);
  assert.deepEqual(calls, ['daemon-reload', 'enable --now podvisor-abc.service']);
  calls.length = 0;
  await removeService(home, systemd());
  assert.ok(!existsSync(join(directory, 'podvisor-abc.service')));
  assert.deepEqual(calls, ['disable podvisor-abc.service', 'daemon-reload']);
});

test('a unit that an earlier version wrote is written anew, and only such a one', async () => {
  await installService(home, systemd());
  const file = join(directory, 'podvisor-abc.service');
  const wanted = readFileSync(file, 'utf8');
  calls.length = 0;
  await refreshService(home, systemd());
  assert.deepEqual(calls, []);
  writeFileSync(file, wanted.replace(/^ExecStartPre=.*\n/m, ''));
  await refreshService(home, systemd());
  assert.equal(readFileSync(file, 'utf8'), wanted);
  assert.deepEqual(calls, ['daemon-reload']);
});

test('without systemd, or without a home, it says what to do', async () => {
  await assert.rejects(installService(home, { ...systemd(), isRunning: false }), /podvisor up` at boot/);
  await assert.rejects(installService(join(directory, 'none'), systemd()), /podvisor up/);
});

test('systemd reads the unit as it is meant', (t) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.skip('systemd-analyze is not here');
  const paths = instancePaths(home);
  mkdirSync(paths.lib);
  writeFileSync(`${paths.lib}/node`, '#!/bin/sh\n', { mode: 0o755 });
  const file = join(directory, 'podvisor-abc.service');
  writeFileSync(file, unitText(paths));
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  assert.deepEqual(
    stderr.split('\n').filter((line) => line.includes('podvisor-abc')),
    [],
    stderr,
  );
  execFileSync('grep', ['-q', '^ExecStart="', file]);
});
