import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { clusterConfig } from '../config/cluster-config.ts';
import { crdFor } from '../crds/crds.ts';
import { DefaultsError } from '../defaults/context.ts';
import { defaultVm } from '../defaults/vm.ts';
import { defaultVmi } from '../defaults/vmi/index.ts';
import { schemaProblems } from '../schema-problems.ts';
import { arbitraryOf } from '../testing/arbitrary-object.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../types/index.ts';
import { validateVmCreate } from './validate-vm.ts';
import { validateVmiCreate } from './validate-vmi.ts';

const config = clusterConfig();
const context = { config, now: '2026-01-01T00:00:00Z', newUuid: () => 'uuid' };
const schemaOf = (kind: string) => crdFor(kind).spec.versions[0]?.schema.openAPIV3Schema ?? {};

/** An object of the kind with a random spec that its schema allows. */
function objectOf<T>(kind: string): fc.Arbitrary<T> {
  const spec = arbitraryOf(schemaOf(kind).properties?.spec ?? {});
  return spec.map(
    (value) => ({ apiVersion: 'kubevirt.io/v1', kind, metadata: { name: 'x' }, spec: value }) as T,
  );
}

test('any VMI that fits the schema is defaulted once, then judged, without a crash', () => {
  fc.assert(
    fc.property(objectOf<VirtualMachineInstance>('VirtualMachineInstance'), (vmi) => {
      assert.deepEqual(schemaProblems(vmi, schemaOf('VirtualMachineInstance')), []);
      const before = structuredClone(vmi);
      const defaulted = defaultVmi(vmi, context);
      assert.deepEqual(vmi, before, 'the input is left alone');
      assert.deepEqual(schemaProblems(defaulted, schemaOf('VirtualMachineInstance')), []);
      assert.deepEqual(defaultVmi(defaulted, context), defaulted, 'defaults are stable');
      const { allowed, causes } = validateVmiCreate(defaulted, { config, isKubeVirtServiceAccount: false });
      assert.equal(allowed, causes.length === 0);
    }),
    { numRuns: 150 },
  );
});

test('any VM that fits the schema is defaulted once, then judged, without a crash', () => {
  fc.assert(
    fc.property(objectOf<VirtualMachine>('VirtualMachine'), (vm) => {
      const defaulted = defaultVm(vm, context);
      assert.deepEqual(defaultVm(defaulted, context), defaulted, 'defaults are stable');
      validateVmCreate(defaulted, { config });
    }),
    { numRuns: 80 },
  );
});

test('a default that cannot be given is an error of its own', () => {
  const slirp = clusterConfig({ spec: { configuration: { network: { defaultNetworkInterface: 'slirp' } } } });
  const vmi = {
    apiVersion: 'v1',
    kind: 'VirtualMachineInstance',
    spec: { domain: { devices: {} } },
  } as const;
  assert.throws(() => defaultVmi(vmi, { ...context, config: slirp }), DefaultsError);
});
