import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysAbove, schemaAt, schemaOfKind, type Schemas } from './yaml-place.ts';

const above = (text: string): string => keysAbove(text).join(' ');

test('the keys above the cursor, by indentation', () => {
  assert.equal(above('apiVersion: v1\nki'), '');
  assert.equal(above('spec:\n  template:\n    spec:\n      do'), 'spec template spec');
  assert.equal(above('metadata:\n  name: a\nspec:\n  '), 'spec');
  assert.equal(above('spec:\n  # words\n\n  running: true\n  te'), 'spec');
  assert.equal(above('a:\n  b:\n    c: 1\n  d:\n    '), 'a d');
});

test('members of lists, whether they are indented or not', () => {
  assert.equal(above('disks:\n  - name: a\n    '), 'disks -');
  assert.equal(above('disks:\n  - na'), 'disks -');
  assert.equal(above('disks:\n- name: a\n  di'), 'disks -');
  assert.equal(above('disks:\n  - disk:\n      bus: virtio\n    na'), 'disks -');
  assert.equal(above('disks:\n  - name: a\n    disk:\n      '), 'disks - disk');
  assert.equal(above('disks:\n  - name: a\nother:\n  '), 'other');
});

test('the schema there, through references, lists and maps', () => {
  const schemas: Schemas = {
    'io.kubevirt.v1.VirtualMachine': {
      properties: { spec: { allOf: [{ $ref: '#/components/schemas/Spec' }] } },
    },
    Spec: {
      properties: {
        disks: { items: { $ref: '#/components/schemas/Disk' } },
        labels: { additionalProperties: { type: 'string' } },
      },
    },
    Disk: { properties: { name: { type: 'string' } } },
  };
  const root = schemaOfKind(schemas, 'VirtualMachine');
  assert.ok(root);
  const at = (...keys: string[]) => schemaAt(schemas, root, keys);
  assert.deepEqual(Object.keys(at('spec')?.properties ?? {}), ['disks', 'labels']);
  assert.deepEqual(Object.keys(at('spec', 'disks', '-')?.properties ?? {}), ['name']);
  assert.equal(at('spec', 'labels', 'any')?.type, 'string');
  assert.equal(at('spec', 'nothing', 'below'), undefined);
  assert.equal(at('constructor'), undefined);
});
