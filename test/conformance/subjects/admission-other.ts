/**
 * Recorded admissions of further kinds and operations. Some answers depend on objects that stood in the recorded
 * cluster; the name of the recorded test says which, and the functions below make them.
 */
import {
  type Admission,
  admissionOf,
  clusterConfig,
  crdFor,
  decideEviction,
  type KubeVirtConfiguration,
  type Pod,
  refusal,
  schemaProblems,
  type ReviewedResource,
  unexpectedResource,
  validateBackupCreate,
  validateBackupTrackerCreate,
  validateClone,
  validateExport,
  validateInstancetype,
  validateKubeVirtUpdate,
  validateMigrationPolicy,
  validateMigrationUpdate,
  validatePlugin,
  validatePool,
  validatePreference,
  validatePreset,
  validateReplicaSet,
  validateRestore,
  validateSnapshot,
  validateVmiUpdate,
  type VirtualMachineInstance,
  type VMSpec,
} from '@podvisor/api';
import { expressionProblem } from '../../../packages/virt-api/src/webhooks/plugin-expressions.ts';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';
import { verdictDifferences } from './admission.ts';

interface OtherRecord {
  readonly id: string;
  readonly test: string;
  readonly kind: string;
  readonly operation: string;
  readonly resource: ReviewedResource;
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

function admit(recorded: OtherRecord): Admission {
  const config = clusterConfig(recorded.clusterConfig ? { spec: recorded.clusterConfig } : undefined);
  const { object, oldObject, operation, test: name } = recorded;
  const old = oldObject ?? undefined;
  const user = recorded.user ?? '';
  const wrongResource = unexpectedResource(recorded.kind, recorded.resource);
  if (wrongResource) return wrongResource;
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
      return validateBackupCreate(object, config, otherBackups(recorded));
    }
    case 'VirtualMachineBackupTracker':
      return old ? admissionOf([]) : validateBackupTrackerCreate(config);
    case 'VirtualMachineInstancetype':
    case 'VirtualMachineClusterInstancetype':
      return validateInstancetype((object as { spec: never }).spec);
    case 'VirtualMachinePreference':
    case 'VirtualMachineClusterPreference':
      return validatePreference((object as { spec: object }).spec);
    case 'KubeVirt':
      return validateKubeVirtUpdate(object, old);
    case 'Plugin':
      return validatePlugin(object, { config, celProblem: expressionProblem });
    case 'Eviction':
      return evict(recorded, config);
    default:
      throw new Error(`no rules for ${recorded.kind} ${operation}`);
  }
}

/** Backups that stand already: one of the same name, or one of the same source that runs or is done. */
function otherBackups({ object, test: name }: OtherRecord): readonly never[] {
  const { metadata, spec } = object as { metadata: object; spec: { source: object } };
  const elsewhere = { kind: 'VirtualMachine', name: 'other' };
  if (name.includes('same name')) return [{ metadata, spec: { source: elsewhere } } as never];
  const other = { metadata: { name: 'other' }, spec: { source: spec.source } };
  const done = { conditions: [{ type: 'Complete', status: 'True' }] };
  if (name.includes('is done')) return [{ ...other, status: done } as never];
  if (/\bin progress|already running/.test(name)) {
    const isElsewhere = /different source|another source/.test(name);
    return [{ ...other, ...(isElsewhere && { spec: { source: elsewhere } }), status: {} } as never];
  }
  return [];
}

/** The objects that the name of the recorded test describes. */
function restore(recorded: OtherRecord, _config: ReturnType<typeof clusterConfig>): Admission {
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
      target: /target (does ?n.t|not) exist/.test(recorded.test)
        ? undefined
        : ({ metadata: { uid } } as never),
      restores: recorded.test.includes('in progress') ? [otherRestore(recorded.object)] : [],
    },
    recorded.oldObject ?? undefined,
  );
}

/** A restore of the same target that has not ended. */
function otherRestore(restore: { readonly spec: object }): never {
  return { metadata: { name: 'other' }, spec: restore.spec, status: { complete: false } } as never;
}

function evict({ test: name }: OtherRecord, config: ReturnType<typeof clusterConfig>): Admission {
  const app = name.includes('non virt-launcher')
    ? 'other'
    : name.includes('hotplug pod')
      ? 'hotplug-disk'
      : 'virt-launcher';
  const strategy = /VMI eviction strategy is (\w+)/.exec(name)?.[1];
  const isFixed = name.includes('not migratable');
  const isDone = /\b(succeeded|failed) phase/i.exec(name)?.[1]?.toLowerCase();
  const pod: Pod = {
    metadata: { name: 'pod', labels: { 'kubevirt.io': app } },
    spec: { containers: [], nodeName: /\btarget\b/i.test(name) ? 'node02' : 'node01' },
    status: { phase: isDone === 'succeeded' ? 'Succeeded' : isDone === 'failed' ? 'Failed' : 'Running' },
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

export const admissionOther = subject<OtherRecord>('admission of other kinds', /^admission-other\.jsonl$/, {
  load: jsonLines,
  check: (recorded) => {
    const answer = admit(recorded);
    const fields = (recorded.causes ?? []).map(({ field }) => field ?? null);
    return [
      ...verdictDifferences({ allowed: recorded.allowed, fields }, answer),
      ...(recorded.code ? differences(recorded.code, answer.code, 'code') : []),
      ...(recorded.warnings ? differences(recorded.warnings, answer.warnings, 'warnings') : []),
    ];
  },
});
