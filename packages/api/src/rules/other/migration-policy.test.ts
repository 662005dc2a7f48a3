import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import type { MigrationPolicySpec } from '../../types/index.ts';
import { validateMigrationPolicy } from './migration-policy.ts';

const DETECTOR = 'spec.experimental.stallDetector';

function fields(spec: object, gates: readonly string[], old?: object): readonly string[] {
  const configuration = { developerConfiguration: { featureGates: gates } };
  const policy = (of: object) => ({ spec: of as MigrationPolicySpec }) as never;
  const admission = validateMigrationPolicy(
    policy(spec),
    clusterConfig({ spec: { configuration } }),
    old && policy(old),
  );
  return admission.causes.map(({ field }) => field);
}

const factors: readonly [string, string | number, boolean][] = [
  ['ewmaAlpha', '0', false],
  ['ewmaAlpha', '1m', true],
  ['ewmaAlpha', 1, true],
  ['ewmaAlpha', '1001m', false],
  ['ewmaAlpha', '0.0005', false],
  ['precopyPossibleFactor', '0.999', false],
  ['precopyPossibleFactor', '1', true],
  ['precopyPossibleFactor', '100', true],
  ['patienceWindowDecayFactor', '0', true],
  ['patienceWindowDecayFactor', '1', true],
  ['patienceWindowDecayFactor', '1.1', false],
  ['patienceWindowDecayFactor', '-1', false],
  ['completionTimeoutFactor', '500m', false],
  ['completionTimeoutFactor', '1.5', true],
];

for (const [name, value, isGood] of factors) {
  test(`${name} ${value} is ${isGood ? 'accepted' : 'refused'}`, () => {
    const spec = { experimental: { stallDetector: { [name]: value } } };
    assert.deepEqual(fields(spec, ['MigrationStallDetection']), isGood ? [] : [`${DETECTOR}.${name}`]);
  });
}

test('stall detection and downtime tuning exclude each other, whatever the gates', () => {
  const spec = { experimental: { stallDetector: {}, downtimeTuning: {} } };
  assert.deepEqual(fields(spec, ['MigrationStallDetection', 'MigrationDowntimeTuning']), [
    'spec.experimental',
  ]);
  assert.deepEqual(fields(spec, []), ['spec.experimental.downtimeTuning', 'spec.experimental', DETECTOR]);
});

test('what needs a gate may stay, but not change', () => {
  const spec = { experimental: { downtimeTuning: { initialDowntimeMs: 10 } }, maxDowntimeMs: 100 };
  assert.deepEqual(fields(spec, [], spec), []);
  assert.deepEqual(fields({ ...spec, maxDowntimeMs: 200 }, [], spec), ['spec.maxDowntimeMs']);
  assert.deepEqual(fields(spec, [], { experimental: {} }), [
    'spec.maxDowntimeMs',
    'spec.experimental.downtimeTuning',
  ]);
});
