import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vhostmdDisk } from './downward-metrics.ts';

test('a vhostmd disk: signature, not busy, sum and length of the XML behind the header', () => {
  const disk = vhostmdDisk([{ name: 'HostName', type: 'string', value: 'a<b' }]);
  assert.equal(disk.length, 256 * 1024);
  assert.equal(disk.toString('latin1', 0, 4), 'mvbd');
  assert.equal(disk.readUInt32BE(4), 0);
  const content = disk.subarray(16, 16 + disk.readUInt32BE(12));
  assert.equal(
    disk.readUInt32BE(8),
    content.reduce((sum, byte) => sum + byte, 0),
  );
  assert.match(
    content.toString(),
    /^<metrics>\n\s*<metric type="string" context="host"><name>HostName<\/name><value>a&lt;b<\/value><\/metric>\n<\/metrics>\n$/,
  );
  assert.ok(disk.subarray(16 + content.length).every((byte) => byte === 0));
});

test('metrics that do not fit are refused', () => {
  assert.throws(() => vhostmdDisk([{ name: 'x', type: 'string', value: 'y'.repeat(300_000) }]), /do not fit/);
});
