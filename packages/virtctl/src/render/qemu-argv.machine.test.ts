/** The machine's own libvirt, asked for a command line by a private daemon. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { qemuCommandLine } from './qemu-argv.ts';

const skip = !existsSync('/usr/sbin/libvirtd') && 'needs libvirtd';
const golden = new URL('../../../../test/golden/domain/emulated.xml', import.meta.url);

test('libvirt turns our domain into a command line, and leaves nothing behind', {
  skip,
  timeout: 60_000,
}, async () => {
  const line = await qemuCommandLine(readFileSync(golden, 'utf8'), AbortSignal.timeout(50_000));
  assert.match(line, /^\/usr\/bin\/qemu-system-x86_64 \\\n {2}-name guest=default_emulated/);
  assert.match(line, /virtio-blk-pci-non-transitional.*"id":"ua-root"/);
  assert.match(line, /-netdev '\{"type":"tap"/);
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith('virtctl-render-')),
    [],
  );
});

test('what libvirt refuses is an error in its words', { skip, timeout: 60_000 }, async () => {
  await assert.rejects(
    qemuCommandLine('<domain type="qemu"><name>x</name></domain>', AbortSignal.timeout(50_000)),
    (error: Error) => {
      assert.match(String(error.cause), /an os <type> must be specified/);
      return true;
    },
  );
});
