/** Recorded mutating webhooks, each called alone. */
import {
  DefaultsError,
  defaultClone,
  defaultMigration,
  defaultVm,
  defaultVmi,
  defaultVmiUpdate,
  matcherProblems,
  type VirtualMachine,
  type VirtualMachineInstancePreset,
  type VirtualMachinePreferenceSpec,
  vmiDefaultWarnings,
} from '@podvisor/api';
import { differences, errorDifferences } from '../differences.ts';
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
      const output = defaultVmi(input, { ...context, presets });
      assert.deepEqual(vmiDefaultWarnings(output), recorded.warnings ?? []);
      return output;
    }
  }
}

export const mutation = subject<Mutation>('mutation', /^mutation\.jsonl$/, {
  load: jsonLines,
  check: (recorded) => {
    if (!recorded.allowed) return errorDifferences(recorded.message ?? '', () => mutate(recorded));
    const output = stable(mutate(recorded), recorded.input);
    const expected = stable(recorded.output, recorded.input);
    return differences(withArchitecture(expected), withArchitecture(output));
  },
});

/** Some recordings come from a KubeVirt object whose status names no architecture; then it stays open. */
function withArchitecture(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === 'spec' && typeof part === 'object' && part !== null && 'domain' in part
      ? { architecture: 'amd64', ...part }
      : part,
  );
}
