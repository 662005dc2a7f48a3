import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '../wire/json.ts';
import { managersAfterScale, managersOfScale } from './scale-managers.ts';

const PATHS = new Map([['apps/v1', ['spec', 'replicas']]]);
const entry = (
  manager: string,
  apiVersion: string,
  fields: ManagedFieldsEntry['fieldsV1'],
): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1: fields ?? {},
});
const REPLICAS = { 'f:spec': { 'f:replicas': {} } };

test('a Scale shows the owners of the replicas only', () => {
  const managedFields = [
    entry('a', 'apps/v1', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
    entry('b', 'apps/v1', { 'f:spec': { 'f:paused': {} } }),
  ];
  assert.deepEqual(managersOfScale({ managedFields }, PATHS), [entry('a', 'autoscaling/v1', REPLICAS)]);
  assert.equal(managersOfScale({ managedFields: managedFields.slice(1) }, PATHS), undefined);
});

test('who writes the Scale takes the replicas, and nothing else', () => {
  const parent = {
    managedFields: [entry('a', 'apps/v1', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } })],
  };
  const scale = { managedFields: [entry('s', 'autoscaling/v1', REPLICAS)] };
  assert.deepEqual(managersAfterScale(parent, scale, PATHS, 'apps/v1'), [
    entry('a', 'apps/v1', { 'f:spec': { 'f:paused': {} } }),
    entry('s', 'apps/v1', REPLICAS),
  ]);
});
