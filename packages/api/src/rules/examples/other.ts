/** Rules of the other kinds, each with an object that breaks it. Printed in `docs/rules.md`; a test runs them all. */
import { clusterConfig } from '../../config/cluster-config.ts';
import type { Admission } from '../admission.ts';
import { validateBackupCreate, validateBackupTrackerCreate } from '../other/backup.ts';
import { validateClone } from '../other/clone.ts';
import { validateExport } from '../other/export.ts';
import { validateInstancetype } from '../other/instancetype.ts';
import { validateMigrationPolicy } from '../other/migration-policy.ts';
import { validatePlugin } from '../other/plugin.ts';
import { validatePreference } from '../other/preference.ts';
import { validatePool, validateReplicaSet } from '../other/replica-set.ts';
import { validateRestore, validateSnapshot } from '../other/snapshot.ts';
import { kubeVirtRows } from './kubevirt.ts';
import { validateMigrationCreate, validateMigrationUpdate } from '../validate-migration.ts';

/** A row of the table: kind, field, rule, and what gives the answer to an object that breaks it. */
export type KindRow = readonly [kind: string, field: string, summary: string, broken: () => Admission];

/** A rule of a kind, what it says, and the answer to an object that breaks it. */
export interface KindRule {
  readonly kind: string;
  readonly field: string;
  readonly summary: string;
  readonly broken: () => Admission;
}

const config = clusterConfig();
const withGates = (...featureGates: string[]) =>
  clusterConfig({ spec: { configuration: { developerConfiguration: { featureGates } } } });
const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm' };
const SNAPSHOT_SOURCE = { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 's' };
const nothing = {
  config,
  snapshot: undefined,
  hasContent: false,
  snapshotVm: undefined,
  target: undefined,
  restores: [],
};

// The objects are as a user would write them; only the part that matters is there.
const restore = (spec: object) =>
  validateRestore({ spec: { target: source, virtualMachineSnapshotName: 's', ...spec } } as never, nothing);
const clone = (spec: object) => validateClone({ spec: { source, ...spec } } as never, config, 'CREATE');
const pool = (spec: object, old?: object) => {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
  };
  const whole = (parts: object) => ({
    spec: { selector: { matchLabels: { a: 'b' } }, virtualMachineTemplate: template, ...parts },
  });
  return validatePool(whole(spec) as never, config, old && (whole(old) as never));
};
const migration = (spec: object, vmi?: object) =>
  validateMigrationCreate({ metadata: { namespace: 'default' }, spec } as never, {
    config,
    vmi: vmi as never,
    migrations: [],
    isController: false,
  });

const ROWS: readonly KindRow[] = [
  [
    'VirtualMachineInstanceMigration',
    'spec.vmiName',
    'A migration names a VMI that exists, has not ended and can be migrated.',
    () => migration({ vmiName: 'vm' }),
  ],
  [
    'VirtualMachineInstanceMigration',
    'spec.vmiName',
    'A VMI that cannot be migrated says why.',
    () =>
      migration(
        { vmiName: 'vm' },
        {
          status: {
            conditions: [
              {
                type: 'LiveMigratable',
                status: 'False',
                reason: 'DisksNotLiveMigratable',
                message: 'disk root is local',
              },
            ],
          },
        },
      ),
  ],
  [
    'VirtualMachineInstanceMigration',
    'spec.priority',
    'Only virt-controller decides who goes first.',
    () => migration({ vmiName: 'vm', priority: 'system-critical' }),
  ],
  [
    'VirtualMachineInstanceMigration',
    'spec',
    'The spec of a migration never changes.',
    () => validateMigrationUpdate({ spec: { vmiName: 'a' } } as never, { spec: { vmiName: 'b' } } as never),
  ],
  [
    'VirtualMachineInstanceReplicaSet',
    'spec.template',
    'A replica set has a template; the rules of a VMI hold for it.',
    () => validateReplicaSet({ spec: { selector: {} } } as never, config),
  ],
  [
    'VirtualMachineInstanceReplicaSet',
    'spec.selector',
    'The selector finds the labels of the template.',
    () =>
      validateReplicaSet(
        {
          spec: { selector: { matchLabels: { a: 'b' } }, template: { spec: { domain: { devices: {} } } } },
        } as never,
        config,
      ),
  ],
  [
    'VirtualMachinePool',
    'spec.selector',
    'The selector of a pool never changes.',
    () => pool({ selector: {} }, {}),
  ],
  [
    'VirtualMachinePool',
    'spec.maxUnavailable',
    'maxUnavailable is a number above 0, or 1% to 100%.',
    () => pool({ maxUnavailable: 0 }),
  ],
  [
    'VirtualMachinePool',
    'spec.updateStrategy',
    'A pool has one update strategy.',
    () => pool({ updateStrategy: { unmanaged: {}, proactive: {} } }),
  ],
  [
    'VirtualMachinePool',
    'spec.scaleInStrategy',
    'A pool has one scale-in strategy.',
    () => pool({ scaleInStrategy: { unmanaged: {}, proactive: {} } }),
  ],
  [
    'VirtualMachinePool',
    'spec.source',
    'A pool of warm copies has a VirtualMachineSnapshot as its source, and no other pool has one.',
    () => pool({ warm: true, virtualMachineTemplate: { metadata: { labels: { a: 'b' } } } }),
  ],
  [
    'VirtualMachinePool',
    'spec.identityless',
    'Only warm copies can be without an identity of their own.',
    () => pool({ identityless: true }),
  ],
  [
    'VirtualMachinePool',
    'spec.virtualMachineTemplate.spec',
    'The machines of a warm pool are that of its snapshot: the template has labels and annotations only.',
    () => pool({ warm: true, source: SNAPSHOT_SOURCE }),
  ],
  [
    'VirtualMachineSnapshot',
    'spec.source',
    'A snapshot is taken of a VirtualMachine (apiGroup kubevirt.io).',
    () => validateSnapshot({ spec: { source: { kind: 'VirtualMachine', name: 'vm' } } } as never, config),
  ],
  [
    'VirtualMachineSnapshot',
    'spec',
    'The spec of a snapshot never changes.',
    () => validateSnapshot({ spec: { source } } as never, config, { spec: {} } as never),
  ],
  [
    'VirtualMachineRestore',
    'spec.target',
    'A target is restored by one restore at a time.',
    () =>
      validateRestore({ spec: { target: source, virtualMachineSnapshotName: 's' } } as never, {
        ...nothing,
        restores: [{ metadata: { name: 'first' }, spec: { target: source } } as never],
      }),
  ],
  [
    'VirtualMachineRestore',
    'spec.patches',
    'Patches reach the spec, labels and annotations only.',
    () => restore({ patches: ['{"op": "replace", "path": "/status/ready", "value": "true"}'] }),
  ],
  [
    'VirtualMachineRestore',
    'spec.volumeRestoreOverrides',
    'An override names its volume and changes something.',
    () => restore({ volumeRestoreOverrides: [{ volumeName: 'root' }] }),
  ],
  [
    'VirtualMachineRestore',
    'spec.volumeRestorePolicy',
    'The policy is RandomizeNames, InPlace or PrefixTargetName.',
    () => restore({ volumeRestorePolicy: 'Guess' }),
  ],
  [
    'VirtualMachineRestore',
    'spec.volumeOwnershipPolicy',
    'The policy is Vm or None.',
    () => restore({ volumeOwnershipPolicy: 'Mine' }),
  ],
  [
    'VirtualMachineExport',
    'spec.source',
    'The source is a claim, a machine, a snapshot or a backup, with its own apiGroup.',
    () =>
      validateExport(
        { spec: { source: { apiGroup: 'apps', kind: 'VirtualMachine', name: 'vm' } } } as never,
        config,
      ),
  ],
  [
    'VirtualMachineClone',
    'spec.source',
    'The source is a VirtualMachine or a VirtualMachineSnapshot.',
    () => clone({ source: { ...source, kind: 'Pod' } }),
  ],
  [
    'VirtualMachineClone',
    'spec.labelFilters, spec.annotationFilters',
    'In a filter `!` comes first and `*` last.',
    () => clone({ labelFilters: ['a*b'] }),
  ],
  [
    'VirtualMachineClone',
    'spec.newMacAddresses',
    'New MAC addresses have six bytes.',
    () => clone({ newMacAddresses: { default: '02:00' } }),
  ],
  [
    'VirtualMachineClone',
    'spec.warm',
    'A warm copy is made of a snapshot with memory.',
    () => clone({ warm: true }),
  ],
  [
    'VirtualMachineClone',
    'spec.identityless',
    'Only a warm copy can be without an identity of its own.',
    () => clone({ identityless: true }),
  ],
  ['VirtualMachineClone', 'spec.patches', 'Patches of the copy are JSON.', () => clone({ patches: ['{'] })],
  [
    'VirtualMachineInstancetype',
    'spec.memory.overcommitPercent',
    'Memory is overcommitted by 0 to 100 percent, and huge pages are not.',
    () =>
      validateInstancetype({
        cpu: { guest: 1 },
        memory: { guest: '1Gi', overcommitPercent: 15, hugepages: { pageSize: '2Mi' } },
      }),
  ],
  [
    'VirtualMachinePreference',
    'spec.cpu.spreadOptions',
    'vCPUs are spread across sockets, cores and threads; two threads a core at most.',
    () =>
      validatePreference({
        cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'Nodes' as never } },
      }),
  ],
  [
    'MigrationPolicy',
    'spec.bandwidthPerMigration, spec.completionTimeoutPerGiB',
    'Bandwidths and timeouts are not negative.',
    () => validateMigrationPolicy({ spec: { bandwidthPerMigration: '-1' } } as never, config),
  ],
  [
    'MigrationPolicy',
    'spec.maxDowntimeMs',
    'maxDowntimeMs needs the gate MigrationStallDetection or MigrationDowntimeTuning.',
    () => validateMigrationPolicy({ spec: { maxDowntimeMs: 5 } } as never, config),
  ],
  [
    'VirtualMachineBackup',
    'spec.source',
    'A source has one backup at a time.',
    () =>
      validateBackupCreate(
        { metadata: { name: 'b' }, spec: { source } } as never,
        withGates('IncrementalBackup'),
        [{ metadata: { name: 'a' }, spec: { source } } as never],
      ),
  ],
  [
    'VirtualMachineBackupTracker',
    '',
    'Backups need the gate IncrementalBackup.',
    () => validateBackupTrackerCreate(config),
  ],
  [
    'Plugin',
    'spec.domainHooks[].sidecar.socketPath',
    'The socket of a sidecar is a clean absolute path.',
    () =>
      validatePlugin({ spec: { domainHooks: [{ sidecar: { socketPath: '/a/../b' } }] } } as never, {
        config: withGates('Plugins'),
        celProblem: () => undefined,
      }),
  ],
  ...kubeVirtRows,
];

export const kindRules: readonly KindRule[] = ROWS.map(([kind, field, summary, broken]) => ({
  kind,
  field,
  summary,
  broken,
}));
