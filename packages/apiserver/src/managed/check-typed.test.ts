import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../registry/library.ts';
import type { JsonObject } from '../wire/json.ts';
import { typedProblem } from './check-typed.ts';

const CASES: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
  ['PodSpec', { nodeName: 'n' }, undefined],
  ['PodSpec', { nodeName: 1 }, /^\.nodeName: expected string, got/],
  ['PodSpec', { hostNetwork: 'yes' }, /^\.hostNetwork: expected boolean, got/],
  ['PodSpec', { priority: 'high' }, /^\.priority: expected numeric, got/],
  ['PodSpec', { volumes: {} }, /^\.volumes: expected list, got/],
  ['PodSpec', { affinity: [] }, /^\.affinity: expected map, got/],
  ['PodSpec', { nonsense: 1 }, /^\.nonsense: field not declared in schema/],
  // A key that must be given has its zero value for a default: the kind's own rules refuse it.
  ['PodSpec', { containers: [{ image: 'i' }] }, undefined],
  ['PodSpec', { containers: [{ name: 'c', ports: [{ hostPort: 1 }] }] }, undefined],
  // One that may be left out has none.
  ['PodSpec', { imagePullSecrets: [{}] }, /element 0: associative list with keys .*omits all key fields/],
];

for (const [type, value, problem] of CASES)
  test(`${type} ${JSON.stringify(value)}`, () => {
    const found = typedProblem(library.struct(type), value, '');
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', problem);
  });
