import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCondition, conditionVariables } from './match-conditions.ts';

const request = {
  operation: 'UPDATE',
  userInfo: { username: 'anna', groups: ['staff'] },
  object: { metadata: { labels: { a: '1' } }, spec: { size: 3 } },
  oldObject: { metadata: {}, spec: { size: 2 } },
};

const holds = (expression: string, about: object = request): boolean =>
  compileCondition('c', expression).holds(conditionVariables(about as never));

test('conditions see the request and both objects, whole numbers as int', () => {
  assert.equal(holds("request.userInfo.username == 'anna' && request.operation == 'UPDATE'"), true);
  assert.equal(holds('object.spec.size == 3 && oldObject.spec.size < object.spec.size'), true);
  assert.equal(holds('request.object.spec.size == object.spec.size'), true);
  assert.equal(holds('has(object.metadata.labels) && !has(oldObject.metadata.labels)'), true);
  assert.equal(holds('oldObject == null', { ...request, oldObject: null }), true);
});

test('an object that no condition asks for is not looked at', () => {
  const about = {
    ...request,
    object: new Proxy({}, { ownKeys: () => assert.fail('the object was taken apart') }),
  };
  assert.equal(holds("request.userInfo.username != 'anna'", about), false);
});
