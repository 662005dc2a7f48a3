import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateKubeVirtDelete, validateKubeVirtUpdate } from './kubevirt.ts';

/** Only the part that matters is there. */
const kubevirt = (configuration: object): never => ({ spec: { configuration } }) as never;

test('a refused configuration is warned about as well, every gate that it names', () => {
  const gates = { featureGates: ['LiveMigration', 'NUMA'], disabledFeatureGates: ['NUMA'] };
  const admission = validateKubeVirtUpdate(kubevirt({ developerConfiguration: gates }), kubevirt({}));
  assert.deepEqual([admission.allowed, admission.warnings.length], [false, 2]);
  const ratio = validateKubeVirtUpdate(kubevirt({ additionalGuestMemoryOverheadRatio: '1,5' }), kubevirt({}));
  assert.match(
    ratio.message,
    /cannot be parsed into float: strconv.ParseFloat: parsing "1,5": invalid syntax/,
  );
});

test('gates are looked at when one of their lists is another one', () => {
  const gated = (featureGates?: readonly string[], disabledFeatureGates?: readonly string[]): never =>
    ({
      spec: {
        configuration:
          featureGates === undefined
            ? {}
            : { developerConfiguration: { featureGates, disabledFeatureGates } },
      },
    }) as never;
  const both = gated(['NUMA'], ['NUMA']);
  assert.ok(validateKubeVirtUpdate(both, both).allowed, 'who changes something else is not held up');
  assert.ok(!validateKubeVirtUpdate(both, gated(['NUMA'])).allowed);
  assert.ok(!validateKubeVirtUpdate(both, gated()).allowed);
  assert.deepEqual(validateKubeVirtUpdate(gated(), gated(['NUMA'])).warnings, []);
});

test('settings that need a gate are refused without it, and may stay as they are', () => {
  const fields = (configuration: object, before: object = {}): readonly string[] =>
    validateKubeVirtUpdate(kubevirt(configuration), kubevirt(before)).causes.map(({ field }) => field);
  const off = (gate: string) => ({ developerConfiguration: { disabledFeatureGates: [gate] } });
  const on = (gate: string) => ({ developerConfiguration: { featureGates: [gate] } });
  const deployed = { virtTemplateDeployment: { enabled: true } };
  assert.deepEqual(fields({ ...deployed, ...off('Template') }), [
    'spec.configuration.virtTemplateDeployment.enabled',
  ]);
  assert.deepEqual(fields({ ...deployed, ...on('Template') }), []);
  const manual = { roleAggregationStrategy: 'Manual' };
  assert.deepEqual(fields({ ...manual, ...off('OptOutRoleAggregation') }), [
    'spec.configuration.roleAggregationStrategy',
  ]);
  assert.deepEqual(fields({ ...manual, ...on('OptOutRoleAggregation') }), []);
  const downtime = { migrations: { maxDowntimeMs: 100 } };
  assert.deepEqual(fields(downtime), ['spec.configuration.migrationConfiguration.maxDowntimeMs']);
  assert.deepEqual(fields(downtime, downtime), []);
  assert.deepEqual(fields({ ...downtime, ...on('MigrationDowntimeTuning') }), []);
});

test('the older intervals of certificates win over the newer ones', () => {
  const signed = (selfSigned: object): never =>
    ({ spec: { certificateRotateStrategy: { selfSigned } } }) as never;
  const words = (selfSigned: object): string =>
    validateKubeVirtUpdate(signed(selfSigned), signed({})).message;
  assert.match(
    words({ caRotateInterval: '1h', ca: { duration: '48h' } }),
    /Certificate duration cannot exceed CA/,
  );
  assert.doesNotMatch(words({ caRotateInterval: '48h', ca: { duration: '1h' } }), /cannot exceed CA/);
});

test('a ratio is a number as people write it, a cipher one that Go knows', () => {
  const isAllowed = (configuration: object): boolean =>
    validateKubeVirtUpdate(kubevirt(configuration), kubevirt({})).allowed;
  const ratio = (additionalGuestMemoryOverheadRatio: string) => ({ additionalGuestMemoryOverheadRatio });
  assert.deepEqual(
    ['1', '1.5', '+2e0', '0x10', '', ' 2', '1e999', '0.9'].map((text) => isAllowed(ratio(text))),
    [true, true, true, false, false, false, false, false],
  );
  const ciphers = (name: string) => ({
    tlsConfiguration: { minTLSVersion: 'VersionTLS12', ciphers: [name] },
  });
  assert.deepEqual(
    ['TLS_RSA_WITH_RC4_128_SHA', 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'NULL'].map((name) =>
      isAllowed(ciphers(name)),
    ),
    [true, true, false],
  );
});

test('a setting of a component that is not there is told of once', () => {
  const set = { spec: { synchronizationPort: '9185' } } as never;
  const told = validateKubeVirtUpdate(set, kubevirt({})).warnings;
  assert.deepEqual(told, ['spec.synchronizationPort has no effect: there is no such component']);
  assert.deepEqual(validateKubeVirtUpdate(set, set).warnings, []);
});

test('who turns on a gate that our nodes cannot serve is told what comes of it, once', () => {
  const gates = (...featureGates: string[]) => kubevirt({ developerConfiguration: { featureGates } });
  const told = (now: string[], before: string[] = []): readonly string[] =>
    validateKubeVirtUpdate(gates(...now), gates(...before)).warnings;
  assert.match(
    told(['IOMMUFD'])[0] ?? '',
    /^feature gate IOMMUFD: .*devices\.kubevirt\.io\/iommufd.*no guest starts$/,
  );
  assert.match(told(['GraceIOVirtualization', 'Root'])[0] ?? '', /^feature gate GraceIOVirtualization: /);
  assert.deepEqual(told(['IOMMUFD', 'Root'], ['IOMMUFD']), []);
});

test('an installation that is not deployed has no workloads to protect', () => {
  const isAllowed = (phase: string): boolean =>
    validateKubeVirtDelete(
      { spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' }, status: { phase } } as never,
      'Virtual Machines',
    ).allowed;
  assert.deepEqual([isAllowed('Deployed'), isAllowed('Deploying')], [false, true]);
});
