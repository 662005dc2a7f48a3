import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import { crdFor } from '../crds/crds.ts';
import { DefaultsError } from '../defaults/context.ts';
import { defaultMigration } from '../defaults/migration.ts';
import { defaultVm } from '../defaults/vm.ts';
import { defaultVmi } from '../defaults/vmi/index.ts';
import { schemaProblems } from '../schema-problems.ts';
import { conformanceCases, skipWithoutConformance } from '../testing/conformance.ts';
import type {
  KubeVirtConfiguration,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
} from '../types/index.ts';
import { type Admission, admissionOf, refusal } from './admission.ts';
import { validateMigrationCreate } from './validate-migration.ts';
import { validateVmCreate } from './validate-vm.ts';
import { validateVmiCreate } from './validate-vmi.ts';
import { matcherProblems } from './vm/matchers.ts';

interface Recorded {
  readonly id: string;
  readonly kind: string;
  readonly clusterConfig: { readonly configuration?: KubeVirtConfiguration } | null;
  readonly object: { readonly kind: string; readonly spec?: unknown };
  readonly user?: string;
  readonly preconditions?: readonly Record<string, string>[];
  readonly allowed: boolean;
  readonly fields?: readonly (string | null)[];
  readonly message?: string;
  readonly code?: number;
  readonly warnings?: readonly string[];
  readonly webhookOnly?: { readonly allowed: boolean; readonly fields?: readonly (string | null)[] };
}

const NOW = '2026-11-15T00:00:00Z';

function configOf(recorded: Recorded) {
  return clusterConfig(recorded.clusterConfig ? { spec: recorded.clusterConfig } : undefined);
}

/** Mutating webhook (with its schema check), then validating webhook. */
function admit(recorded: Recorded): Admission {
  const schema = crdFor(recorded.kind).spec.versions[0]?.schema.openAPIV3Schema;
  const problems = schemaProblems(recorded.object, schema ?? {});
  if (problems.length > 0) return { ...refusal(problems.join(', '), 422), causes: [] };
  const context = { config: configOf(recorded), now: NOW, newUuid: () => crypto.randomUUID() };
  try {
    switch (recorded.kind) {
      case 'VirtualMachine': {
        const vm = recorded.object as VirtualMachine;
        const matchers = matcherProblems(vm);
        if (matchers.length > 0) return admissionOf(matchers);
        return validate(recorded, defaultVm(vm, context));
      }
      case 'VirtualMachineInstance':
        return validate(recorded, defaultVmi(recorded.object as VirtualMachineInstance, context));
      default:
        return validate(recorded, defaultMigration(recorded.object as VirtualMachineInstanceMigration));
    }
  } catch (error) {
    if (error instanceof DefaultsError) return refusal(error.message, error.code);
    throw error;
  }
}

function validate(recorded: Recorded, object: { kind: string }): Admission {
  const config = configOf(recorded);
  const user = recorded.user ?? '';
  const isKubeVirtServiceAccount = user.startsWith('system:serviceaccount:kubevirt:kubevirt-');
  switch (object.kind) {
    case 'VirtualMachine':
      return validateVmCreate(object as VirtualMachine, { config, isKubeVirtServiceAccount });
    case 'VirtualMachineInstance':
      return validateVmiCreate(object as VirtualMachineInstance, { config, isKubeVirtServiceAccount });
    default: {
      const state = recorded.preconditions?.find((condition) => condition.vmi)?.vmi ?? '';
      const vmi = {
        status: { phase: state.includes('Succeeded') ? 'Succeeded' : 'Running' },
      } as VirtualMachineInstance;
      const isController = user.endsWith(':kubevirt-controller');
      return validateMigrationCreate(object as VirtualMachineInstanceMigration, {
        config,
        vmi,
        migrations: [],
        isController,
      });
    }
  }
}

/** Causes that blame no field are not in the recorded list. */
function fieldSet(fields: readonly (string | null)[] | undefined): string[] {
  return [...new Set((fields ?? []).flatMap((field) => (field ? [field] : [])))].toSorted();
}

for (const file of ['admission.jsonl', 'admission-vm-wrapped.jsonl']) {
  describe(file, { skip: skipWithoutConformance }, () => {
    if (skipWithoutConformance) return;
    for (const recorded of conformanceCases<Recorded>(file)) {
      test(recorded.id, () => {
        const { allowed, causes, code, warnings } = admit(recorded);
        const fields = fieldSet(causes.map((cause) => cause.field));
        assert.deepEqual(
          { allowed, fields },
          { allowed: recorded.allowed, fields: fieldSet(recorded.fields) },
        );
        if (recorded.code !== undefined) assert.equal(code, recorded.code);
        if (recorded.warnings) assert.deepEqual(warnings, recorded.warnings);
      });
    }
  });

  describe(`${file}: the validating webhook alone`, { skip: skipWithoutConformance }, () => {
    if (skipWithoutConformance) return;
    for (const recorded of conformanceCases<Recorded & { rawWebhookOnly?: boolean }>(file)) {
      // Objects that only the schema refuses never reach the rules.
      if (!recorded.webhookOnly || recorded.webhookOnly.fields?.includes(null)) continue;
      test(recorded.id, () => {
        const { allowed, causes } = validate(recorded, recorded.object);
        const expected = {
          allowed: recorded.webhookOnly?.allowed,
          fields: fieldSet(recorded.webhookOnly?.fields),
        };
        assert.deepEqual({ allowed, fields: fieldSet(causes.map((cause) => cause.field)) }, expected);
      });
    }
  });
}
