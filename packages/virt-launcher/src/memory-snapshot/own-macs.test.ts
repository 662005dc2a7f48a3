import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Domain } from '@podvisor/translate';
import { changedMacs, readdress, withMacs } from './own-macs.ts';

const domain = (macs: Readonly<Record<string, string>>): Domain =>
  ({
    devices: {
      interfaces: Object.entries(macs).map(([name, address]) => ({ alias: { name }, mac: { address } })),
    },
  }) as unknown as Domain;

test('interfaces are told by their names, in whatever order they are', () => {
  const saved = domain({
    'ua-a': '02:00:00:00:00:0A',
    'ua-b': '02:00:00:00:00:0b',
    'ua-gone': '02:00:00:00:00:0c',
  });
  const now = domain({
    'ua-b': '02:00:00:00:00:0a',
    'ua-a': '02:00:00:00:00:0B',
    'ua-new': '02:00:00:00:00:0d',
  });
  assert.deepEqual(changedMacs(saved, now), [
    { before: '02:00:00:00:00:0a', after: '02:00:00:00:00:0b' },
    { before: '02:00:00:00:00:0b', after: '02:00:00:00:00:0a' },
  ]);
  assert.deepEqual(changedMacs(saved, saved), []);
});

test('addresses may change places in the domain', () => {
  const xml = "<interface><mac address='02:00:00:00:00:0A'/></interface><mac address='02:00:00:00:00:0b'/>";
  const changed = [
    { before: '02:00:00:00:00:0a', after: '02:00:00:00:00:0b' },
    { before: '02:00:00:00:00:0b', after: '02:00:00:00:00:0a' },
  ];
  assert.equal(
    withMacs(xml, changed),
    "<interface><mac address='02:00:00:00:00:0b'/></interface><mac address='02:00:00:00:00:0a'/>",
  );
  assert.equal(withMacs(xml, []), xml);
});

const links = mkdtempSync(join(tmpdir(), 'links-'));
after(() => rmSync(links, { recursive: true }));

/** Runs the guest's part; `ip` is a function of this name. Answers the addresses afterwards. */
function readdressed(ip: string): readonly string[] {
  const devices = { eth0: '02:00:00:00:00:0a', eth1: '02:00:00:00:00:0b', br0: '02:00:00:00:00:0a' };
  for (const [name, mac] of Object.entries(devices)) {
    mkdirSync(join(links, name), { recursive: true });
    writeFileSync(join(links, name, 'address'), `${mac}\n`);
    if (name !== 'br0') writeFileSync(join(links, name, 'device'), '');
  }
  const script = `${readdress(links)}\nip() { ${ip}; }\nifconfig() { false; }\nreaddress "$@"`;
  const pairs = [
    devices.eth0,
    devices.eth1,
    devices.eth1,
    devices.eth0,
    '02:00:00:00:00:0c',
    '02:00:00:00:00:0d',
  ];
  execFileSync('/bin/sh', ['-c', script, 'sh', ...pairs]);
  return Object.keys(devices).map((name) => readFileSync(join(links, name, 'address'), 'utf8').trim());
}

test('the guest gives each device its new address, and leaves what is on top of them', () => {
  assert.deepEqual(readdressed('echo "$6" > "$4/address"'), [
    '02:00:00:00:00:0b',
    '02:00:00:00:00:0a',
    '02:00:00:00:00:0a',
  ]);
});

test('a device that keeps its address is no success', () => {
  assert.throws(() => readdressed('true'), /Command failed/);
});
