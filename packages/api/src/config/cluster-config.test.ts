import assert from 'node:assert/strict';
import { test } from 'node:test';
import { architectureDefaults, clusterConfig, isGateEnabled } from './cluster-config.ts';

const of = (configuration: object) => clusterConfig({ spec: { configuration } });

test('no KubeVirt object gives the defaults', () => {
  const config = clusterConfig();
  assert.equal(config.defaultArchitecture, 'amd64');
  assert.equal(config.defaultNetworkInterface, 'bridge');
  assert.equal(config.vmRolloutStrategy, 'LiveUpdate');
  assert.equal(config.migrations.parallelMigrationsPerCluster, 5);
  assert.equal(config.cpuRequest.toString(), '100m');
});

test('gates: Beta on, Alpha off, GA always on, naming beats disabling', () => {
  const config = of({
    developerConfiguration: {
      featureGates: ['VSOCK', 'Snapshot'],
      disabledFeatureGates: ['Snapshot', 'ImageVolume', 'NUMA'],
    },
  });
  assert.ok(isGateEnabled(config, 'VSOCK'));
  assert.ok(isGateEnabled(config, 'Snapshot'));
  assert.ok(isGateEnabled(config, 'NUMA'));
  assert.ok(!isGateEnabled(config, 'ImageVolume'));
  assert.ok(!isGateEnabled(clusterConfig(), 'VSOCK'));
});

test('the old machineType holds for every architecture, the new one for its own', () => {
  assert.equal(architectureDefaults(of({ machineType: 'x' }), 'arm64').machineType, 'x');
  const own = of({ architectureConfiguration: { s390x: { machineType: 'y' } } });
  assert.equal(architectureDefaults(own, 's390x').machineType, 'y');
  assert.equal(architectureDefaults(own, 'amd64').machineType, 'q35');
});

test('workload disruption follows post-copy unless it is set', () => {
  assert.equal(of({ migrations: { allowPostCopy: true } }).migrations.allowWorkloadDisruption, true);
  assert.equal(
    of({ migrations: { allowPostCopy: true, allowWorkloadDisruption: false } }).migrations
      .allowWorkloadDisruption,
    false,
  );
});
