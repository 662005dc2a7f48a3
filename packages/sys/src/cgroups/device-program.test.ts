import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readProgram, withDevice } from './device-program.ts';

const device = fc.record({ major: fc.nat(0xfff), minor: fc.nat(0xfffff) }, { noNullPrototype: true });
const own = fc.uint8Array({ minLength: 8, maxLength: 160 }).filter((bytes) => bytes[0] !== 0x61);

test('devices come and go before a program, which stays as it is', () => {
  fc.assert(
    fc.property(
      own,
      fc.uniqueArray(device, { selector: ({ major, minor }) => `${major}:${minor}` }),
      (code, devices) => {
        const all = devices.reduce<Uint8Array>((program, one) => withDevice(program, one, true), code);
        assert.deepEqual(readProgram(all).allowed.toReversed(), devices);
        assert.ok(Buffer.from(readProgram(all).own).equals(code));
        const none = devices.reduce<Uint8Array>((program, one) => withDevice(program, one, false), all);
        assert.ok(Buffer.from(none).equals(code));
      },
    ),
  );
});
