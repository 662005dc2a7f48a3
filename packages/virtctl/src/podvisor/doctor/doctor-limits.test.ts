import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsCheck } from './doctor-limits.ts';

const ROOMY: Readonly<Record<string, number>> = {
  'kernel.pid_max': 4_194_304,
  'net.ipv4.neigh.default.gc_thresh3': 1_024,
  'fs.inotify.max_user_instances': 128,
};
const check = (settings: Readonly<Record<string, number>>, cgroupVersion: 1 | 2 = 1) =>
  limitsCheck({ cgroupVersion, setting: (name) => settings[name] });

test('the limit that gives in first is named, with how many guests it leaves room for', () => {
  const { level, found, fix } = check(ROOMY);
  assert.equal(level, 'PASS');
  assert.match(found, /about 231 guests; the first .* net\.ipv4\.neigh\.default\.gc_thresh3 = 1024/);
  assert.equal(fix, undefined);
});

test('what has no room for 200 guests is a warning, with all that must be raised', () => {
  const { level, found, fix } = check({ ...ROOMY, 'net.ipv4.neigh.default.gc_thresh3': 512 }, 2);
  assert.equal(level, 'WARN');
  assert.match(found, /about 103 guests/);
  assert.match(
    fix ?? '',
    /^sysctl -w net\.ipv4\.neigh\.default\.gc_thresh3=16384 fs\.inotify\.max_user_instances=8192;/,
  );
  assert.equal(check({ 'kernel.pid_max': 100 }).found.includes('about 0 guests'), true);
});

test('inotify instances count where containers take one each; a kernel without limits passes', () => {
  const settings = { 'fs.inotify.max_user_instances': 128 };
  assert.equal(check(settings, 1).level, 'PASS');
  assert.match(check(settings, 2).found, /about 108 guests/);
});
