/** Bodies in protobuf form. */
import { library } from '../../../packages/apiserver/src/registry/library.ts';
import { decodeMessage, openEnvelope } from '../../../packages/apiserver/src/wire/protobuf/decode.ts';
import { ProtobufError } from '../../../packages/apiserver/src/wire/protobuf/reader.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';

/** A field with a length: number, then bytes. */
const field = (number: number, ...parts: readonly (Uint8Array | string)[]): Uint8Array => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytes(part) : part)));
  return Buffer.concat([Uint8Array.of((number << 3) | 2), length(body.length), body]);
};
const length = (value: number): Uint8Array =>
  value < 128 ? Uint8Array.of(value) : Uint8Array.of((value & 0x7f) | 0x80, value >>> 7);
const pod = Buffer.concat([
  field(1, field(1, 'name'), field(3, 'default'), field(11, field(1, 'key'), field(2, 'value'))),
  field(
    2,
    field(
      2,
      field(1, 'one'),
      field(2, 'image'),
      field(3, 'sh'),
      field(6, Uint8Array.of(0x18, 0x50)),
      field(7, field(1, 'A'), field(2, 'B')),
    ),
  ),
  field(3, field(1, 'Running')),
]);
const envelope = Buffer.concat([bytes('k8s\0'), field(1, field(1, 'v1'), field(2, 'Pod')), field(2, pod)]);
const schemas = ['Pod', 'ConfigMap', 'Service', 'Node', 'Secret', 'Deployment', 'Lease'].map((name) =>
  library.struct(name),
);

export const target: FuzzTarget = {
  seeds: [envelope],
  words: [
    Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
    Uint8Array.of(0x0b),
    Uint8Array.of(0x0c),
    field(11, field(1, '__proto__'), field(2, 'x')),
    pod,
  ],
  refuses: (error) => error instanceof ProtobufError,
  feed: (input) => {
    const { raw } = openEnvelope(Buffer.from(input));
    for (const schema of schemas) {
      let value;
      try {
        value = decodeMessage(schema, raw);
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw error;
        continue;
      }
      expect(typeof JSON.stringify(value) === 'string', 'a message can be written as JSON');
    }
  },
};
