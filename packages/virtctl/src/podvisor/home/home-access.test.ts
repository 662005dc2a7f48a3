import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kvmCheck } from '../doctor/doctor.ts';
import { accessibleHome, homeOf, neededHome } from './home-access.ts';

test('a home that may not be looked into is neither there nor gone', (t) => {
  if (process.getuid?.() !== 0) return t.skip('becomes another user, which only root can');
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  try {
    assert.equal(homeOf(home), 'absent');
    assert.throws(() => neededHome(home), /is not set up yet: run `podvisor up` first/);
    writeFileSync(join(home, 'config.json'), '{}');
    assert.equal(accessibleHome(home), 'present');
    neededHome(home);
    chmodSync(home, 0o700);
    const program = `import { accessibleHome } from ${JSON.stringify(join(import.meta.dirname, 'home-access.ts'))}; process.setgroups([]); process.setgid(65534); process.setuid(65534); try { console.log(accessibleHome(${JSON.stringify(home)})) } catch (error) { console.log(error.message) }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    assert.match(said, /belongs to root, and nobody may not look into it: run it with sudo/);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('a device that this user may not open is no matter of the firmware', () => {
  const denied = kvmCheck(
    { usable: false, denied: true, reason: '/dev/kvm cannot be opened (EACCES)' },
    'anna',
  );
  assert.match(denied.fix ?? '', /sudo usermod -aG kvm anna/);
  assert.doesNotMatch(denied.fix ?? '', /firmware/);
  assert.match(kvmCheck({ usable: false, reason: '/dev/kvm does not exist' }, 'anna').fix ?? '', /firmware/);
});
