import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterConfig } from '../../config/cluster-config.ts';
import { crdFor } from '../../crds/crds.ts';
import { schemaProblems } from '../../schema-problems.ts';
import { conformanceCases, skipWithoutConformance } from '../../testing/conformance.ts';
import type { KubeVirtConfiguration, Pod, VirtualMachineInstance, VMSpec } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { validateMigrationUpdate } from '../validate-migration.ts';
import { validateVmiUpdate } from '../validate-vmi-update.ts';
import { validateBackupCreate, validateBackupTrackerCreate } from './backup.ts';
import { validateClone } from './clone.ts';
import { decideEviction } from './eviction.ts';
import { validateExport } from './export.ts';
import { validateKubeVirtUpdate } from './kubevirt.ts';
import { validateMigrationPolicy } from './migration-policy.ts';
import { validatePlugin } from './plugin.ts';
import { validatePreference } from './preference.ts';
import { validatePreset } from './preset.ts';
import { validatePool, validateReplicaSet } from './replica-set.ts';
import { validateRestore, validateSnapshot } from './snapshot.ts';

interface Recorded {
  readonly id: string;
  readonly test: string;
  readonly kind: string;
  readonly operation: string;
  readonly clusterConfig: { readonly configuration?: KubeVirtConfiguration } | null;
  /** An object of the kind. */
  readonly object: never;
  readonly oldObject: never;
  readonly user?: string;
  readonly allowed: boolean;
  readonly message?: string;
  readonly causes?: readonly { readonly field?: string }[];
  readonly code?: number;
  readonly warnings?: readonly string[];
}

/** Kinds whose webhook checks the schema itself. */
const SCHEMA_CHECKED = ['VirtualMachineInstance', 'VirtualMachineInstancePreset'];
/** Not a matter of rules: the wrong resource in the request, and expressions that need a CEL compiler. */
const ELSEWHERE =
  /invalid resource (group|name)|invalid syntax|non-bool return|type-incorrect|invalid condition expression/;

function admit(recorded: Recorded): Admission {
  const config = clusterConfig(recorded.clusterConfig ? { spec: recorded.clusterConfig } : undefined);
  const { object, oldObject, operation, test: name } = recorded;
  const old = oldObject ?? undefined;
  const user = recorded.user ?? '';
  if (SCHEMA_CHECKED.includes(recorded.kind)) {
    const schema = crdFor(recorded.kind).spec.versions[0]?.schema.openAPIV3Schema ?? {};
    const problems = schemaProblems(object, schema);
    if (problems.length > 0) return refusal(problems.join(', '), 422);
  }
  switch (recorded.kind) {
    case 'VirtualMachineInstance': {
      // The recorded handler's token names the node of the test: its own, or another one.
      const handlerNode = name.includes('different')
        ? 'diff'
        : name.includes('TargetNode set')
          ? 'git'
          : 'got';
      const isHandler = user.endsWith(':kubevirt-handler');
      const isKubeVirtServiceAccount = user.startsWith('system:serviceaccount:kubevirt:kubevirt-');
      return validateVmiUpdate(object, old, {
        config,
        isKubeVirtServiceAccount,
        ...(isHandler && { handlerNode }),
      });
    }
    case 'VirtualMachineInstanceMigration':
      return validateMigrationUpdate(object, old);
    case 'VirtualMachineInstanceReplicaSet':
      return validateReplicaSet(object, config);
    case 'VirtualMachineInstancePreset':
      return validatePreset(object, config);
    case 'VirtualMachinePool':
      return validatePool(object, config, old);
    case 'MigrationPolicy':
      return validateMigrationPolicy(object, config, old);
    case 'VirtualMachineClone':
      return validateClone(object, config, 'CREATE');
    case 'VirtualMachineExport':
      return validateExport(object, config, old);
    case 'VirtualMachineSnapshot':
      return validateSnapshot(object, config, old);
    case 'VirtualMachineRestore':
      return restore(recorded, config);
    case 'VirtualMachineBackup': {
      if (old) return admissionOf([]);
      const twin = {
        metadata: { name: 'vm-backup' },
        spec: { source: { kind: 'VirtualMachine', name: 'other' } },
      } as never;
      return validateBackupCreate(object, config, name.includes('same name') ? [twin] : []);
    }
    case 'VirtualMachineBackupTracker':
      return old ? admissionOf([]) : validateBackupTrackerCreate(config);
    case 'VirtualMachineClusterPreference':
      return validatePreference((object as { spec: object }).spec);
    case 'KubeVirt':
      return validateKubeVirtUpdate(object, old);
    case 'Plugin':
      return validatePlugin(object, { config, celProblem: () => undefined });
    case 'Eviction':
      return evict(recorded, config);
    default:
      throw new Error(`no rules for ${recorded.kind} ${operation}`);
  }
}

/** The objects that the name of the recorded test describes. */
function restore(recorded: Recorded, _config: ReturnType<typeof clusterConfig>): Admission {
  const isDisabled = recorded.test.includes('disabled feature gate');
  const config = clusterConfig({
    spec: {
      configuration: { developerConfiguration: isDisabled ? { disabledFeatureGates: ['Snapshot'] } : {} },
    },
  });
  const hasBackend = recorded.test.includes('backend storage');
  const snapshotVm = { spec: { template: { spec: { domain: { devices: { tpm: { persistent: true } } } } } } };
  const uid = recorded.test.includes('different VM') ? 'other' : 'uid';
  return validateRestore(
    recorded.object,
    {
      config,
      snapshot: { status: { sourceUID: 'uid' } } as never,
      snapshotVm: hasBackend ? (snapshotVm as { spec: VMSpec }) : undefined,
      target: { metadata: { uid } } as never,
      restores: [],
    },
    recorded.oldObject ?? undefined,
  );
}

function evict({ test: name }: Recorded, config: ReturnType<typeof clusterConfig>): Admission {
  const app = name.includes('non virt-launcher')
    ? 'other'
    : name.includes('hotplug pod')
      ? 'hotplug-disk'
      : 'virt-launcher';
  const strategy = /VMI eviction strategy is (\w+)/.exec(name)?.[1];
  const isFixed = name.includes('not migratable');
  const pod: Pod = {
    metadata: { name: 'pod', labels: { 'kubevirt.io': app } },
    spec: { containers: [], nodeName: 'node01' },
    status: { phase: name.includes('succeeded') ? 'Succeeded' : 'Running' },
  };
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'testvmi', namespace: 'test-ns' },
    spec: {
      domain: { devices: {} },
      ...(strategy !== 'missing' && strategy !== undefined && { evictionStrategy: strategy }),
    },
    status: {
      nodeName: 'node01',
      conditions: isFixed ? [] : [{ type: 'LiveMigratable', status: 'True' }],
      ...(name.includes('already marked') && { evacuationNodeName: 'node01' }),
    },
  };
  const marked = name.includes('already marked')
    ? { ...vmi, spec: { ...vmi.spec, evictionStrategy: 'LiveMigrate' } }
    : vmi;
  return decideEviction({ config, pod, vmi: marked }).admission;
}

describe('admission-other.jsonl', { skip: skipWithoutConformance }, () => {
  if (skipWithoutConformance) return;
  for (const recorded of conformanceCases<Recorded>('admission-other.jsonl')) {
    test(recorded.id, { skip: ELSEWHERE.test(recorded.test) && 'decided outside the rules' }, () => {
      const { allowed, causes, code, warnings } = admit(recorded);
      const fields = causes.flatMap((cause) => (cause.field ? [cause.field] : []));
      const expected = (recorded.causes ?? []).flatMap((cause) => (cause.field ? [cause.field] : []));
      assert.deepEqual(
        { allowed, fields: [...new Set(fields)].toSorted() },
        { allowed: recorded.allowed, fields: [...new Set(expected)].toSorted() },
      );
      if (recorded.code) assert.equal(code, recorded.code);
      if (recorded.warnings) assert.deepEqual(warnings, recorded.warnings);
    });
  }
});
