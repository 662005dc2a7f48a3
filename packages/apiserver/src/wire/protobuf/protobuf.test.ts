/** The protobuf form: known bytes, and every value back as it went. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinType } from '../../registry/builtin-type.ts';
import { library } from '../../registry/library.ts';
import { protobufOf } from './any-object.ts';
import { decodeMessage, openEnvelope } from './decode.ts';
import { type Message, messageOf } from './message.ts';
import { ProtobufError } from './reader.ts';

test('reads what a client sends for a config map', () => {
  // k8s\0, then apiVersion v1, kind ConfigMap, and metadata.name x with data a=b.
  const bytes = Buffer.from(
    '6b387300' + '0a0f0a02763112' + '09436f6e6669674d6170' + '120d' + '0a030a0178' + '12060a016112' + '0162',
    'hex',
  );
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  assert.deepEqual([apiVersion, kind], ['v1', 'ConfigMap']);
  assert.deepEqual(decodeMessage(library.struct('ConfigMap'), raw), {
    metadata: { name: 'x' },
    data: { a: 'b' },
  });
});

test('a Pod comes back as it went', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2026-01-02T03:04:05Z', labels: { a: 'é' }, generation: 3 },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { requests: { cpu: '100m' } },
          livenessProbe: { httpGet: { path: '/', port: 'web' }, periodSeconds: 3 },
          readinessProbe: { tcpSocket: { port: 80 } },
          securityContext: { runAsUser: 0, privileged: false },
        },
      ],
      volumes: [{ name: 'v', configMap: { name: 'm', items: [{ key: 'k', path: 'p', mode: 256 }] } }],
      tolerations: [{ key: 'x', operator: 'Exists', tolerationSeconds: -1 }],
      securityContext: { supplementalGroups: [1, 2] },
    },
  };
  const bytes = protobufOf(pod);
  const schema = builtinType('v1', 'Pod');
  assert.ok(bytes !== undefined && schema !== undefined);
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  assert.deepEqual({ apiVersion, kind, ...decodeMessage(schema, raw) }, pod);
});

test('every number of a type stands for one field', () => {
  const count = (message: Message): number =>
    [...message.values()].reduce((sum, entry) => sum + (entry.kind === 'part' ? count(entry.message) : 1), 0);
  for (const name of library.names()) {
    const type = library.struct(name);
    const numbered = [...type.fields.values()].filter(({ numbers }) => numbers.length > 0);
    assert.equal(count(messageOf(type) ?? new Map()), numbered.length, name);
  }
});

test('fields of a part are written into a message of their own, also when there are none', () => {
  const selector = library.struct('ConfigMapKeySelector');
  // Part 1 (the reference: name 1), key 2.
  assert.deepEqual(decodeMessage(selector, Buffer.from('0a030a016d' + '12016b', 'hex')), {
    name: 'm',
    key: 'k',
  });
  const encoded = protobufOf({ apiVersion: 'v1', kind: 'Pod', spec: { volumes: [{ name: 'v' }] } });
  assert.ok(encoded?.toString('hex').includes('0a0176' + '1200'));
});

test('bytes that are no message are refused', () => {
  assert.throws(() => openEnvelope(Buffer.from('{}')), ProtobufError);
  assert.throws(() => openEnvelope(Buffer.from('6b3873000aff', 'hex')), ProtobufError);
});
