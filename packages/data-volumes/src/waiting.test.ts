import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSource, DataVolume } from '@podvisor/api';
import {
  ANY_CLASS,
  BY_CLAIM,
  BY_SNAPSHOT,
  BY_SOURCE,
  dataSourceIndexes,
  dataVolumeIndexes,
  leadingTo,
  OPEN_BY_CLASS,
  OPEN_BY_SOURCE,
} from './waiting.ts';

const source = (name: string, spec: DataSource['spec']['source']): DataSource => ({
  metadata: { namespace: 'ns', name },
  spec: { source: spec },
});
const volume = (spec: DataVolume['spec'], phase?: 'Succeeded'): DataVolume => ({
  metadata: { namespace: 'ns', name: 'v' },
  spec,
  ...(phase === undefined ? {} : { status: { phase } }),
});

test('DataSources are found by what they name, in their own namespace unless they say another', () => {
  const at = (object: DataSource): readonly unknown[] =>
    [BY_CLAIM, BY_SNAPSHOT, BY_SOURCE].map((index) => dataSourceIndexes[index]?.(object));
  assert.deepEqual(at(source('a', { pvc: { namespace: '', name: 'c' } })), [['ns/c'], [], []]);
  assert.deepEqual(at(source('a', { snapshot: { namespace: 'o', name: 's' } })), [[], ['o/s'], []]);
  assert.deepEqual(at(source('a', { dataSource: { namespace: 'o', name: 'd' } })), [[], [], ['o/d']]);
});

test('DataVolumes are found by source and class until they are filled', () => {
  const at = (object: DataVolume): readonly unknown[] =>
    [OPEN_BY_SOURCE, OPEN_BY_CLASS].map((index) => dataVolumeIndexes[index]?.(object));
  const sourceRef = { kind: 'DataSource', name: 'd' };
  assert.deepEqual(at(volume({ sourceRef, storage: {} })), [['ns/d'], [ANY_CLASS]]);
  assert.deepEqual(
    at(volume({ sourceRef: { ...sourceRef, namespace: 'o' }, pvc: { storageClassName: 'fast' } })),
    [['o/d'], ['fast']],
  );
  assert.deepEqual(at(volume({ sourceRef, storage: {} }, 'Succeeded')), [[], []]);
});

test('a chain of DataSources is followed to its end, a circle once', () => {
  const all = [
    source('b', { dataSource: { namespace: '', name: 'a' } }),
    source('c', { dataSource: { namespace: '', name: 'b' } }),
    source('a', { dataSource: { namespace: '', name: 'c' } }),
  ];
  const namers = (key: string): DataSource[] =>
    all.filter((object) => dataSourceIndexes[BY_SOURCE]?.(object)?.includes(key));
  assert.deepEqual(leadingTo('ns/a', namers), ['ns/a', 'ns/b', 'ns/c']);
});
