import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from './doctor.ts';
import { repairsOf } from './doctor-fix.ts';

const check = (level: Check['level'], fix: string): Check => ({ level, what: 'x', found: 'y', fix });

test('packages are installed together, modules loaded, and what people must decide is left to them', () => {
  assert.deepEqual(
    repairsOf([
      check('FAIL', 'apt-get install runc'),
      check('FAIL', 'apt-get install swtpm'),
      check('FAIL', 'apt-get install runc'),
      check('PASS', 'apt-get install never'),
      check('FAIL', 'modprobe tun'),
      check('WARN', 'enable virtualisation (VT-x or AMD-V) in the firmware'),
      check('FAIL', 'modprobe tun; rm -rf /'),
      check('FAIL', 'run podvisor with sudo'),
    ]),
    [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-q', '-y', '--no-install-recommends', 'runc', 'swtpm'],
      ['modprobe', 'tun'],
    ],
  );
  assert.deepEqual(repairsOf([]), []);
});
