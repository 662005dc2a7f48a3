import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords } from './qemu-log.ts';

test('keeps what QEMU said after its last start', () => {
  const log = [
    '2026-11-15 05:00:00.000+0000: starting up libvirt version: 9.0.0',
    'old words',
    '2026-11-15 05:04:08.060+0000: starting up libvirt version: 9.0.0, qemu version: 7.2.22',
    'LC_ALL=C \\',
    'PATH=/usr/bin \\',
    '/usr/bin/qemu-system-x86_64 \\',
    '-name guest=ns_vm,debug-threads=on \\',
    '-msg timestamp=on',
    "2026-11-15T05:04:10Z qemu-system-x86_64: Could not open '/disk': Permission denied",
    '2026-11-15 05:04:10.060+0000: shutting down, reason=failed',
    '',
  ].join('\n');
  assert.equal(
    lastWords(log),
    "2026-11-15T05:04:10Z qemu-system-x86_64: Could not open '/disk': Permission denied\n2026-11-15 05:04:10.060+0000: shutting down, reason=failed",
  );
});

test('is short, whatever a guest made QEMU write', () => {
  assert.ok(lastWords('x'.repeat(8_000)).length <= 1_024);
});
