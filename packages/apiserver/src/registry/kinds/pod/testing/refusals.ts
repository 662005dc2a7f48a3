/** One table of refused Pods as tests: a good Pod, one place of it changed, and the causes named for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cloneJson, type Json, type JsonObject, objectAt } from '../../../../wire/json.ts';
import { defaultPodSpec } from '../defaults.ts';
import { validatePodSpec } from '../validate.ts';

/** Place of the change, its value, and reason and field of each cause. */
export type Refusal = readonly [string, Json, readonly string[]];

const GOOD: JsonObject = {
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ name: 'web', containerPort: 80 }],
        env: [{ name: 'A', value: 'b' }],
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
      },
      { name: 'd', image: 'j' },
    ],
    initContainers: [{ name: 'i0', image: 'i' }],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};

export function refusals(what: string, table: readonly Refusal[]): void {
  describe(what, () => {
    test('the good Pod is taken', () => assert.deepEqual(causes(cloneJson(GOOD)), []));
    for (const [path, value, expected] of table)
      test(`${path} ${JSON.stringify(value)}`, () =>
        assert.deepEqual(causes(changed(path, value)), expected.toSorted()));
  });
}

/** A wrong volume cannot be mounted either: that cause says nothing of the volume and is left out. */
function causes(pod: JsonObject): string[] {
  const spec = objectAt(pod, 'spec');
  defaultPodSpec(spec, false);
  const errors = validatePodSpec(spec, 'spec');
  const volume = errors.some(({ field }) => field.startsWith('spec.volumes'));
  return errors
    .map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`)
    .filter((cause) => !volume || cause !== 'NotFound spec.containers[0].volumeMounts[0].name')
    .toSorted();
}

function changed(path: string, value: Json): JsonObject {
  const copy = cloneJson(GOOD);
  const steps = path.split('.');
  let place = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) {
    place[step] ??= {};
    place = place[step] as Record<string, unknown>;
  }
  place[steps.at(-1) ?? ''] = value;
  return copy;
}
