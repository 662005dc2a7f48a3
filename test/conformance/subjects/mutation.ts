/** Recorded mutating webhooks, each called alone. */
import {
  crdFor,
  DefaultsError,
  defaultClone,
  defaultMigration,
  defaultVm,
  defaultVmi,
  defaultVmiUpdate,
  matcherProblems,
  schemaProblems,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstancePreset,
  type VirtualMachinePreferenceSpec,
  vmiDefaultWarnings,
} from '@podvisor/api';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';
import { type RecordedConfig, recordedDefaults, stable } from './recorded-defaults.ts';

/** Objects that stood in the recorded cluster. */
const preferences: Readonly<Record<string, VirtualMachinePreferenceSpec>> = {
  machineTypePreference: { machine: { preferredMachineType: 'pc-q35-4.0' } },
  machineTypeClusterPreference: { machine: { preferredMachineType: 'pc-q35-5.0' } },
};
const storagePreference: VirtualMachinePreferenceSpec = { volumes: { preferredStorageClassName: 'ceph' } };
const preset: VirtualMachineInstancePreset = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstancePreset',
  metadata: { name: 'test-preset' },
  spec: { domain: { cpu: { cores: 4 }, devices: {} }, selector: { matchLabels: { test: 'test' } } },
};

interface Mutation {
  readonly id: string;
  readonly test: string;
  readonly mutator: string;
  readonly operation: string;
  readonly clusterConfig: RecordedConfig | null;
  /** An object of the kind that the mutator takes. */
  readonly input: never;
  readonly oldObject: never;
  readonly allowed: boolean;
  readonly output?: unknown;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

function mutate(recorded: Mutation): unknown {
  const context = recordedDefaults(recorded.clusterConfig);
  const { input, oldObject: old } = recorded;
  refuseBySchema(recorded);
  switch (recorded.mutator) {
    case 'MigrationCreateMutator':
      return defaultMigration(input);
    case 'CloneCreateMutator':
      return defaultClone(input, '12345');
    case 'VMsMutator': {
      const [problem] = matcherProblems(input, old ?? undefined);
      if (problem) throw new DefaultsError(problem.message ?? '', 422);
      const vm: VirtualMachine = input;
      const name = vm.spec.preference?.name ?? '';
      const preference = recorded.test.includes('StorageClassName') ? storagePreference : preferences[name];
      return defaultVm(input, { ...context, ...(preference && { preference }) }, old ?? undefined);
    }
    default: {
      if (old) return defaultVmiUpdate(input, old, false);
      const presets = recorded.test.includes('presets') ? [preset] : [];
      return defaultVmi(input, { ...context, presets });
    }
  }
}

export const mutation = subject<Mutation>('mutation', /^mutation\.jsonl$/, {
  load: jsonLines,
  check: (recorded) => {
    if (!recorded.allowed) return refusalDifferences(recorded);
    const mutated = mutate(recorded);
    const output = withArchitecture(stable(mutated, recorded.input));
    const expected = withArchitecture(stable(recorded.output, recorded.input));
    return [...differences(expected, output), ...warningDifferences(recorded, mutated)];
  },
});

/** A refusal, in words that begin alike: the schema's further complaints are those of one JSON library. */
function refusalDifferences(recorded: Mutation): readonly string[] {
  try {
    mutate(recorded);
  } catch (error) {
    if (!(error instanceof DefaultsError)) throw error;
    return differences(recorded.message?.split(',')[0], error.message.split(',')[0], 'message');
  }
  return ['allowed: expected false, got true'];
}

/** The webhook of VirtualMachines checks the schema itself before anything else. */
function refuseBySchema({ mutator, input }: Mutation): void {
  if (mutator !== 'VMsMutator') return;
  const schema = crdFor('VirtualMachine').spec.versions[0]?.schema.openAPIV3Schema ?? {};
  const problems = schemaProblems(input, schema);
  if (problems.length > 0) throw new DefaultsError(problems.join(', '), 422);
}

/** New VMIs are the only objects whose defaulting warns. */
function warningDifferences({ mutator, operation, warnings }: Mutation, mutated: unknown): readonly string[] {
  if (mutator !== 'VMIsMutator' || operation !== 'CREATE') return [];
  return differences(warnings ?? [], vmiDefaultWarnings(mutated as VirtualMachineInstance), 'warnings');
}

/** Some recordings come from a KubeVirt object whose status names no architecture; then it stays open. */
function withArchitecture(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === 'spec' && typeof part === 'object' && part !== null && 'domain' in part
      ? { architecture: 'amd64', ...part }
      : part,
  );
}
