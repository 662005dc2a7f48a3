import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterConfig } from '../config/cluster-config.ts';
import { conformanceCases, skipWithoutConformance } from '../testing/conformance.ts';
import type {
  KubeVirtConfiguration,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstancePreset,
  VirtualMachinePreferenceSpec,
} from '../types/index.ts';
import { defaultClone } from './clone.ts';
import { DefaultsError, type VmDefaultsContext } from './context.ts';
import { defaultMigration } from './migration.ts';
import { matcherProblems } from '../rules/vm/matchers.ts';
import { defaultVm } from './vm.ts';
import { defaultVmi, defaultVmiUpdate, vmiDefaultWarnings } from './vmi/index.ts';

interface RecordedConfig {
  readonly configuration?: KubeVirtConfiguration;
  readonly annotations?: Record<string, string>;
}

const NOW = '2026-11-15T00:00:00Z';
const UUID = '00000000-0000-4000-8000-000000000000';

function contextOf(recorded: RecordedConfig | null): VmDefaultsContext {
  const kubevirt = recorded && {
    spec: { ...(recorded.configuration && { configuration: recorded.configuration }) },
    metadata: { annotations: recorded.annotations ?? {} },
  };
  return { config: clusterConfig(kubevirt ?? undefined), now: NOW, newUuid: () => UUID };
}

/** Random and timed values become constants, in the recording as in our answer. */
function stable(value: unknown, input: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (key === 'phaseTransitionTimestamp') return NOW;
      const isUuid = typeof part === 'string' && /^[0-9a-f-]{36}$/.test(part);
      if ((key === 'uuid' || key === 'serial') && isUuid && !JSON.stringify(input).includes(part))
        return UUID;
      return part;
    }),
  );
}

describe('defaulting.jsonl', { skip: skipWithoutConformance }, () => {
  if (skipWithoutConformance) return;
  type Case = {
    id: string;
    kind: string;
    clusterConfig: RecordedConfig | null;
    input: never;
    output: { status?: object };
  };
  for (const recorded of conformanceCases<Case>('defaulting.jsonl')) {
    test(recorded.id, () => {
      const context = contextOf(recorded.clusterConfig);
      const output =
        recorded.kind === 'VirtualMachine'
          ? // The CRD schema, not the webhook, makes the empty status.
            { ...defaultVm(recorded.input, context), status: {} }
          : defaultVmi(recorded.input, context);
      assert.deepEqual(stable(output, recorded.input), stable(recorded.output, recorded.input));
    });
  }
});

describe('defaulted VMIs of converter/e2e.jsonl', { skip: skipWithoutConformance }, () => {
  if (skipWithoutConformance) return;
  type Case = {
    id: string;
    clusterConfig: RecordedConfig | null;
    manifest: VirtualMachineInstance;
    defaultedVMI: unknown;
  };
  for (const recorded of conformanceCases<Case>('converter/e2e.jsonl')) {
    test(recorded.id, () => {
      // The API server fills in the namespace before a webhook is called.
      const metadata = { namespace: 'default', ...recorded.manifest.metadata };
      const output = defaultVmi({ ...recorded.manifest, metadata }, contextOf(recorded.clusterConfig));
      assert.deepEqual(stable(output, recorded.manifest), stable(recorded.defaultedVMI, recorded.manifest));
    });
  }
});

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
  const context = contextOf(recorded.clusterConfig);
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

describe('mutation.jsonl', { skip: skipWithoutConformance }, () => {
  if (skipWithoutConformance) return;
  for (const recorded of conformanceCases<Mutation>('mutation.jsonl')) {
    // Not an object of the kind: the schema refuses it before any defaulter sees it.
    if (!('spec' in recorded.input)) continue;
    test(recorded.id, () => {
      if (!recorded.allowed) {
        assert.throws(() => mutate(recorded), { message: recorded.message });
        return;
      }
      const output = stable(mutate(recorded), recorded.input);
      const expected = stable(recorded.output, recorded.input);
      assert.deepEqual(withArchitecture(output), withArchitecture(expected));
    });
  }
});

/** Some recordings come from a KubeVirt object whose status names no architecture; then it stays open. */
function withArchitecture(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === 'spec' && typeof part === 'object' && part !== null && 'domain' in part
      ? { architecture: 'amd64', ...part }
      : part,
  );
}
