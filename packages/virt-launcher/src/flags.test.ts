import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFlags } from './flags.ts';

const NEEDED = ['--name', 'vm', '--namespace', 'ns', '--uid', 'u1'];

test('takes a command line as KubeVirt renders it', () => {
  const flags = parseFlags([
    ...NEEDED,
    ...[
      '--qemu-timeout',
      '311s',
      '--kubevirt-share-dir',
      '/var/run/kubevirt',
      '--grace-period-seconds',
      '45',
    ],
    ...['--hook-sidecars', '0', '--ovmf-path', '/usr/share/OVMF', '--disk-memory-limit', '2097152000'],
    ...['--run-as-nonroot', '--simulate-crash', '--allow-emulation', '--image-volume'],
  ]);
  assert.equal(flags.simulateCrash, true);
  assert.equal(parseFlags(NEEDED).simulateCrash, false);
  assert.equal(flags.gracePeriodSeconds, 45);
  assert.equal(flags.qemuTimeoutSeconds, 311);
  assert.equal(flags.allowEmulation, true);
  assert.deepEqual(flags.unknown, []);
});

test('directories go with the one that they are in', () => {
  const { paths } = parseFlags([...NEEDED, '--kubevirt-share-dir', '/s', '--private-dir=/p']);
  assert.equal(paths.hotplugDisks, '/s/hotplug-disks');
  assert.equal(paths.containerDisks, '/s/container-disks');
  assert.equal(paths.claimImage('v'), '/p/vmi-disks/v/disk.img');
  assert.equal(parseFlags(NEEDED).paths.socket, '/var/run/kubevirt/sockets/launcher-sock');
});

test('durations in the forms of Go', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['90', 90],
    ['90s', 90],
    ['4m', 240],
    ['5m0s', 300],
    ['1h2m3s', 3723],
  ];
  for (const [text, seconds] of cases)
    assert.equal(parseFlags([...NEEDED, `--qemu-timeout=${text}`]).qemuTimeoutSeconds, seconds);
  assert.throws(() => parseFlags([...NEEDED, '--qemu-timeout', 'soon']), /"soon" is not a number of seconds/);
});

test('what it does not know is named and does not shift what follows', () => {
  const flags = parseFlags(['--from-the-future', 'value', ...NEEDED, '--future-switch']);
  assert.deepEqual(flags.unknown, ['from-the-future', 'future-switch']);
  assert.equal(flags.name, 'vm');
});

test('says which flag is missing', () => {
  assert.throws(() => parseFlags(['--name', 'vm', '--namespace', 'ns']), /virt-launcher needs --uid/);
  assert.throws(() => parseFlags([...NEEDED, 'stray']), /does not understand "stray"/);
});
