/** Recorded admissions: schema, mutating webhook, validating webhook; and the validating webhook alone. */
import {
  type Admission,
  admissionOf,
  crdFor,
  DefaultsError,
  defaultMigration,
  defaultVm,
  defaultVmi,
  matcherProblems,
  refusal,
  schemaProblems,
  validateMigrationCreate,
  validateVmCreate,
  validateVmiCreate,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { differences, setDifferences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';
import { type RecordedConfig, recordedDefaults } from './recorded-defaults.ts';

interface AdmissionRecord {
  readonly id: string;
  readonly kind: string;
  readonly clusterConfig: RecordedConfig | null;
  /** An object of the kind. */
  readonly object: { readonly kind: string };
  readonly user?: string;
  readonly preconditions?: readonly Readonly<Record<string, string>>[];
  readonly allowed: boolean;
  readonly fields?: readonly (string | null)[];
  readonly code?: number;
  readonly warnings?: readonly string[];
  readonly webhookOnly?: { readonly allowed: boolean; readonly fields?: readonly (string | null)[] };
}

export const admission = subject<AdmissionRecord>('admission', /^admission(-vm-wrapped)?\.jsonl$/, {
  load: jsonLines,
  check: (recorded) => [...wholeDifferences(recorded), ...webhookDifferences(recorded)],
});

function wholeDifferences(recorded: AdmissionRecord): readonly string[] {
  const answer = admit(recorded);
  return [
    ...verdictDifferences(recorded, answer),
    ...(recorded.code === undefined ? [] : differences(recorded.code, answer.code, 'code')),
    ...(recorded.warnings ? differences(recorded.warnings, answer.warnings, 'warnings') : []),
  ];
}

function webhookDifferences(recorded: AdmissionRecord): readonly string[] {
  // Objects that only the schema refuses never reach the rules.
  if (!recorded.webhookOnly || recorded.webhookOnly.fields?.includes(null)) return [];
  const lines = verdictDifferences(recorded.webhookOnly, validate(recorded, recorded.object));
  return lines.map((line) => `validating webhook alone: ${line}`);
}

/** Allowed or not, and the set of fields that are blamed. */
export function verdictDifferences(
  expected: { readonly allowed: boolean; readonly fields?: readonly (string | null)[] },
  { allowed, causes }: Admission,
): readonly string[] {
  return [
    ...differences(expected.allowed, allowed, 'allowed'),
    ...setDifferences(
      'field',
      (expected.fields ?? []).flatMap((field) => (field ? [field] : [])),
      causes.flatMap(({ field }) => (field ? [field] : [])),
    ),
  ];
}

/** Mutating webhook (with its schema check), then validating webhook. */
function admit(recorded: AdmissionRecord): Admission {
  const schema = crdFor(recorded.kind).spec.versions[0]?.schema.openAPIV3Schema;
  const problems = schemaProblems(recorded.object, schema ?? {});
  if (problems.length > 0) return { ...refusal(problems.join(', '), 422), causes: [] };
  const context = recordedDefaults(recorded.clusterConfig);
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

function validate(recorded: AdmissionRecord, object: { readonly kind: string }): Admission {
  const { config } = recordedDefaults(recorded.clusterConfig);
  const user = recorded.user ?? '';
  const isKubeVirtServiceAccount = user.startsWith('system:serviceaccount:kubevirt:kubevirt-');
  switch (object.kind) {
    case 'VirtualMachine':
      return validateVmCreate(object as VirtualMachine, { config, isKubeVirtServiceAccount });
    case 'VirtualMachineInstance': {
      return validateVmiCreate(object as VirtualMachineInstance, { config, isKubeVirtServiceAccount });
    }
    default: {
      const state = recorded.preconditions?.find((condition) => condition['vmi'])?.['vmi'] ?? '';
      const phase = state.includes('Succeeded') ? 'Succeeded' : 'Running';
      return validateMigrationCreate(object as VirtualMachineInstanceMigration, {
        config,
        vmi: { status: { phase } } as VirtualMachineInstance,
        migrations: [],
        isController: user.endsWith(':kubevirt-controller'),
      });
    }
  }
}
