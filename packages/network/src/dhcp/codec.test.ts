import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { ipv4Text } from '../address.ts';
import { type DhcpPacket, DhcpPacketError, decodePacket, encodePacket } from './codec.ts';

const address = fc.nat(0xffff_ffff).map((n) => ipv4Text(n >>> 0));
const mac = fc
  .uint8Array({ minLength: 6, maxLength: 6 })
  .map((b) => [...b].map((x) => x.toString(16).padStart(2, '0')).join(':'));
const options = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 254 }), fc.uint8Array({ maxLength: 300 })), {
    selector: ([code]) => code,
    maxLength: 3,
  })
  .map((entries) => new Map(entries));
const packet: fc.Arbitrary<DhcpPacket> = fc.record({
  op: fc.constantFrom(1, 2),
  transactionId: fc.nat(0xffff_ffff),
  seconds: fc.nat(0xffff),
  broadcast: fc.boolean(),
  clientAddress: address,
  yourAddress: address,
  serverAddress: address,
  relayAddress: address,
  mac,
  options,
});

describe('DHCP codec', () => {
  test('decode after encode gives the packet back', () => {
    fc.assert(
      fc.property(packet, (original) => {
        const read = decodePacket(encodePacket(original));
        const plain = (p: DhcpPacket): unknown => ({
          ...p,
          options: [...p.options].map(([c, v]) => [c, [...v]]),
        });
        assert.deepEqual(plain(read), plain(original));
      }),
    );
  });

  test('any bytes give a packet or a DhcpPacketError', () => {
    const mutated = fc
      .tuple(packet, fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }), fc.nat(1500))
      .map(([p, changes, cut]) => {
        const bytes = encodePacket(p);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        return bytes.subarray(0, cut);
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), mutated), (bytes) => {
        try {
          assert.ok(decodePacket(bytes).options.size <= 254);
        } catch (error) {
          assert.ok(error instanceof DhcpPacketError, String(error));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a packet is never shorter than BOOTP wants and never longer than a frame', () => {
    const empty: DhcpPacket = decodePacket(encodePacket({ ...fc.sample(packet, 1)[0]!, options: new Map() }));
    assert.equal(encodePacket(empty).length, 300);
    assert.throws(
      () => encodePacket({ ...empty, options: new Map([[1, new Uint8Array(1500)]]) }),
      RangeError,
    );
  });
});
