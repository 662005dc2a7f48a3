import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlayCheck } from './doctor.ts';
import { listsModule } from './kernel-modules.ts';

const LIST = `kernel/fs/overlayfs/overlay.ko:
kernel/net/bridge/br_netfilter.ko.xz: kernel/net/bridge/bridge.ko.xz kernel/net/802/stp.ko.xz
`;

test('a module is named by its own file, plain or compressed, not by what needs it', () => {
  const found = ['overlay', 'br_netfilter', 'bridge', 'lay', 'netfilter'].filter((name) =>
    listsModule(LIST, name),
  );
  assert.deepEqual(found, ['overlay', 'br_netfilter']);
  assert.equal(listsModule('overlay.ko.zst:\n', 'overlay'), true);
});

test('overlayfs is there when the kernel has it, or loads it at the first mount', () => {
  const level = (filesystems: string, canLoad: boolean): string =>
    overlayCheck(filesystems, () => canLoad).level;
  assert.deepEqual(
    [level('nodev\toverlay\n', false), level('\text4\n', true), level('\text4\n', false)],
    ['PASS', 'PASS', 'FAIL'],
  );
});
