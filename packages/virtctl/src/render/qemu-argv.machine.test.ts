/** The machine's own libvirt, asked for a command line by a private daemon. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
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

/** The user namespace of the private libvirtd; undefined while there is none. */
function namespaceOfDaemon(): string | undefined {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${tmpdir()}/virtctl-render-`);
      if (isOurs && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'libvirtd\n')
        return readlinkSync(`/proc/${pid}/ns/user`);
    } catch {
      // ended meanwhile, or a kernel's thread
    }
  }
  return undefined;
}

test('whoever else is nobody on the machine gets no right by its socket', {
  skip: skip || (process.getuid?.() !== 0 && 'needs root'),
  timeout: 60_000,
}, async () => {
  let isOver = false;
  const line = qemuCommandLine(readFileSync(golden, 'utf8'), AbortSignal.timeout(50_000)).finally(() => {
    isOver = true;
  });
  let found: string | undefined;
  while (!isOver && found === undefined) {
    await delay(10);
    found = namespaceOfDaemon();
  }
  await line;
  assert.notEqual(found, undefined, 'the daemon was seen');
  assert.notEqual(
    found,
    readlinkSync('/proc/self/ns/user'),
    'its capabilities are those of a namespace of its own',
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
