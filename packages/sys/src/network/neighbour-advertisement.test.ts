import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neighbourAdvertisement } from './neighbour-advertisement.ts';

test('an advertisement to all nodes, with a checksum that adds up', () => {
  const frame = Buffer.from(neighbourAdvertisement('fd00:1::5', '02:67:00:01:00:02'));
  assert.equal(frame.subarray(0, 6).toString('hex'), '333300000001');
  assert.equal(frame.readUInt16BE(12), 0x86dd);
  const [ip, message] = [frame.subarray(14, 54), frame.subarray(54)];
  assert.equal(ip.readUInt16BE(4), message.length);
  assert.equal(ip[7], 255, 'no router has forwarded it');
  assert.equal(message[0], 136);
  assert.equal(message.subarray(8, 24).toString('hex'), 'fd000001000000000000000000000005');
  assert.equal(message.subarray(24).toString('hex'), '0201026700010002');
  const covered = Buffer.concat([
    ip.subarray(8),
    Buffer.from([0, 0, 0, message.length, 0, 0, 0, 58]),
    message,
  ]);
  let sum = 0;
  for (let at = 0; at < covered.length; at += 2) sum += covered.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  assert.equal(sum, 0xffff);
});
