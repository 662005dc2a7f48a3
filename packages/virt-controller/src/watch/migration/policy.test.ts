import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type MigrationPolicy } from '@podvisor/api';
import { vmiWith } from '../../testing/objects.ts';
import { frozenConfiguration, policyFor } from './policy.ts';

type Labels = Readonly<Record<string, string>>;

function policy(name: string, vmi: Labels, namespace: Labels = {}, spec = {}): MigrationPolicy {
  return {
    apiVersion: 'migrations.kubevirt.io/v1alpha1',
    kind: 'MigrationPolicy',
    metadata: { name },
    spec: {
      selectors: { virtualMachineInstanceSelector: vmi, namespaceSelector: namespace },
      ...spec,
    },
  };
}

const vmi = vmiWith({}, { metadata: { labels: { os: 'linux', tier: 'db' } } });
const namespace = { team: 'a', stage: 'test' };

test('the policy with most matching labels applies; then the VMI counts more, then the name', () => {
  const cases: readonly (readonly [readonly MigrationPolicy[], string | undefined])[] = [
    [[], undefined],
    [[policy('other', { os: 'windows' })], undefined],
    [[policy('half', { os: 'linux', tier: 'web' })], undefined],
    [[policy('everyone', {})], 'everyone'],
    [[policy('one', { os: 'linux' }), policy('two', { os: 'linux', tier: 'db' })], 'two'],
    [[policy('ns', {}, namespace), policy('vmi', { os: 'linux', tier: 'db' })], 'vmi'],
    [[policy('vmi', { os: 'linux' }), policy('both', { os: 'linux' }, { team: 'a' })], 'both'],
    [[policy('b', { os: 'linux' }), policy('a', { os: 'linux' })], 'a'],
    [[policy('ns', {}, { team: 'b' }), policy('vmi', { os: 'linux' })], 'vmi'],
  ];
  for (const [policies, want] of cases) {
    assert.equal(policyFor(vmi, namespace, policies)?.metadata?.name, want);
    assert.equal(policyFor(vmi, namespace, policies.toReversed())?.metadata?.name, want);
  }
});

test('a policy changes what it names; post-copy brings its disruption along', () => {
  const cluster = clusterConfig().migrations;
  assert.equal(frozenConfiguration(cluster, undefined), cluster);
  const frozen = frozenConfiguration(
    cluster,
    policy('p', {}, {}, { allowPostCopy: true, bandwidthPerMigration: '64Mi' }),
  );
  assert.deepEqual(frozen, {
    ...cluster,
    allowPostCopy: true,
    allowWorkloadDisruption: true,
    bandwidthPerMigration: '64Mi',
  });
  const gentle = policy('p', {}, {}, { allowPostCopy: true, allowWorkloadDisruption: false });
  assert.equal(frozenConfiguration(cluster, gentle).allowWorkloadDisruption, false);
});
