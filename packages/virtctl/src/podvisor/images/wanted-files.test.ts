import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETS, setsOf } from './recipes.ts';
import { wantedFiles } from './wanted-files.ts';

test('programs are there when a set names them, wherever they are kept', () => {
  const launcher = wantedFiles(setsOf({ set: 'launcher' }));
  for (const path of [
    'usr/bin/qemu-system-x86_64',
    'usr/sbin/libvirtd',
    'usr/lib/qemu/virtiofsd',
    'usr/lib/libvirt/libvirt_iohelper',
    // Of the set below.
    'usr/bin/qemu-img',
  ])
    assert.ok(launcher(path), path);
  for (const path of ['usr/bin/su', 'usr/sbin/nft', 'usr/bin/passwd', 'usr/libexec/coreutils/libstdbuf.so'])
    assert.ok(!launcher(path), path);
});

test('control-plane images have no shell and no other program', () => {
  const controlPlane = wantedFiles(setsOf({ set: 'control-plane' }));
  for (const name of ['sh', 'dash', 'bash', 'cat', 'openssl'])
    assert.ok(!controlPlane(`usr/bin/${name}`), name);
});

const EVERY = wantedFiles(SETS);

for (const [path, isWanted] of [
  ['usr/lib/x86_64-linux-gnu/libc.so.6', true],
  ['usr/share/doc/libc6/copyright', true],
  ['usr/share/doc/libgcc-s1', true],
  ['usr/share/doc/libc6/changelog.Debian.gz', false],
  ['usr/share/man/man1/dash.1.gz', false],
  ['usr/share/locale/de/LC_MESSAGES/coreutils.mo', false],
  ['usr/share/OVMF/OVMF_CODE_4M.secboot.fd', true],
  ['usr/share/OVMF/OVMF_CODE.secboot.fd', false],
  ['usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd', false],
  ['usr/share/qemu/openbios-ppc', false],
  ['usr/share/qemu/kvmvapic.bin', true],
  ['usr/lib/x86_64-linux-gnu/gconv/UTF-16.so', true],
  ['usr/lib/x86_64-linux-gnu/gconv/EUC-JP.so', false],
  ['etc/machine-id', false],
  ['etc/hostname', false],
  ['var/lib/apt/lists/lock', false],
  ['var/log/apt/history.log', false],
  ['var/cache/ldconfig/aux-cache', false],
] as const)
  test(`${path} is ${isWanted ? 'there' : 'left out'}`, () => assert.equal(EVERY(path), isWanted));
