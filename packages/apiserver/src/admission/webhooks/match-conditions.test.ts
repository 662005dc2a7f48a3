import assert from 'node:assert/strict';
import { test } from 'node:test';
import { celContext } from '../../crd/cel/cel.ts';
import { CelAuthorizer } from '../../crd/cel/cel-authorizer.ts';
import type { Attributes } from '../attributes.ts';
import { matchCondition } from './match-conditions.ts';

const attributes = {
  operation: 'UPDATE',
  definition: { group: '', version: 'v1', kind: 'Pod', plural: 'pods' },
  subresource: '',
  namespace: 'a',
  name: 'b',
  dryRun: false,
  user: { username: 'anna', groups: ['staff'] },
  object: { metadata: { labels: { a: '1' } }, spec: { size: 3, memory: '2Gi' } },
  oldObject: { metadata: {}, spec: { size: 2 } },
} as unknown as Attributes;

const authorizer = new CelAuthorizer(({ verb, resource }) => ({
  allowed: verb === 'get' && resource === 'pods',
  reason: '',
}));

const holds = (expression: string, about: object = attributes): boolean =>
  matchCondition('c', expression).holds(celContext(about as Attributes, { authorizer }));

test('conditions see the request and both objects, whole numbers as int', () => {
  assert.equal(holds("request.userInfo.username == 'anna' && request.operation == 'UPDATE'"), true);
  assert.equal(holds('object.spec.size == 3 && oldObject.spec.size < object.spec.size'), true);
  assert.equal(holds('has(object.metadata.labels) && !has(oldObject.metadata.labels)'), true);
  assert.equal(holds('oldObject == null', { ...attributes, oldObject: undefined }), true);
});

test("conditions have Kubernetes' functions, and may ask what the user may do", () => {
  assert.equal(holds("quantity(object.spec.memory).isGreaterThan(quantity('1Gi'))"), true);
  assert.equal(holds("authorizer.group('').resource('pods').check('get').allowed()"), true);
  assert.equal(holds("authorizer.group('').resource('secrets').check('get').allowed()"), false);
});

test('an object that no condition asks for is not looked at', () => {
  const about = {
    ...attributes,
    object: new Proxy({}, { ownKeys: () => assert.fail('the object was taken apart') }),
  };
  assert.equal(holds("request.userInfo.username != 'anna'", about), false);
});
