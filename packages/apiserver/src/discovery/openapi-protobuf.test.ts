import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiV2Protobuf } from './openapi-protobuf.ts';

/** The length-delimited fields of a message with this number. */
function fields(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    assert.equal(tag % 8, 2);
    const length = varint();
    if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** Follows single fields into a message. */
const inside = (message: Buffer, ...path: readonly number[]): Buffer =>
  path.reduce((outer, number) => fields(outer, number)[0] ?? Buffer.alloc(0), message);

test('old clients find the kind of an operation and its dryRun', () => {
  const document = openApiV2Protobuf({
    info: { title: 'Kubernetes', version: 'v1' },
    definitions: {},
    paths: {
      '/api/v1/namespaces/{namespace}/configmaps/{name}': {
        patch: {
          'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'ConfigMap' },
          parameters: [
            { name: 'dryRun', in: 'query', type: 'string' },
            { name: 'fieldManager', in: 'query', type: 'string' },
          ],
        },
      },
    },
  });
  const path = inside(document, 8, 2);
  assert.equal(inside(path, 1).toString(), '/api/v1/namespaces/{namespace}/configmaps/{name}');
  const patch = inside(path, 2, 8);
  const names = fields(patch, 8).map((parameter) => inside(parameter, 1, 2, 3, 4).toString());
  assert.deepEqual(names, ['dryRun', 'fieldManager']);
  const extension = inside(patch, 13);
  assert.equal(inside(extension, 1).toString(), 'x-kubernetes-group-version-kind');
  assert.match(inside(extension, 2, 2).toString(), /kind: ConfigMap/);
});
