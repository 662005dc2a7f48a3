import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEvent } from './events.ts';
import { writeDomain } from './protocol/domain-ref.ts';
import { EVENT } from './protocol/procedures.ts';
import { XdrReader } from './xdr/reader.ts';
import { XdrWriter } from './xdr/writer.ts';

const DOMAIN = { name: 'default_a', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

test('the size of a memory device, as libvirtd tells it', () => {
  const out = new XdrWriter();
  out.int(7); // callback id
  writeDomain(out, DOMAIN);
  out.string('ua-virtiomem');
  out.uhyper(3n * 1024n ** 3n);
  assert.deepEqual(decodeEvent(EVENT.memoryDeviceSizeChange.message, new XdrReader(out.bytes())), {
    kind: 'memoryDeviceSizeChange',
    domain: DOMAIN,
    alias: 'ua-virtiomem',
    bytes: 3n * 1024n ** 3n,
  });
});

test('a notice of a kind that nobody asked for is no event', () => {
  assert.equal(decodeEvent(1, new XdrReader(Buffer.alloc(0))), undefined);
});
