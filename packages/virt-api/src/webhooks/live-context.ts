/** What webhooks know, from the running process: live configuration, time, chance, and reads of the API. */
import { randomUUID } from 'node:crypto';
import {
  annotations,
  labels,
  type VirtualMachineBackup,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import {
  defineResource,
  type JsonPatchOperation,
  type KubeClient,
  type Resource,
  resources,
  stillHas,
} from '@podvisor/kube';
import { hasAccess } from '../access/authorize.ts';
import { randomSuffix } from '../generated-name.ts';
import { dataSourceArchitecture, inferMatchers } from '../inference.ts';
import { findExpansion } from '../instancetypes.ts';
import type { LiveSettings } from '../live-settings.ts';
import type { WebhookContext } from './context.ts';

const SNAPSHOT = 'snapshot.kubevirt.io/v1beta1';
const snapshots = defineResource<VirtualMachineSnapshot>(
  'VirtualMachineSnapshot',
  'virtualmachinesnapshots',
  SNAPSHOT,
);
const snapshotContents = defineResource<VirtualMachineSnapshotContent>(
  'VirtualMachineSnapshotContent',
  'virtualmachinesnapshotcontents',
  SNAPSHOT,
);
const restores = defineResource<VirtualMachineRestore>(
  'VirtualMachineRestore',
  'virtualmachinerestores',
  SNAPSHOT,
);
const backups = defineResource<VirtualMachineBackup>(
  'VirtualMachineBackup',
  'virtualmachinebackups',
  'backup.kubevirt.io/v1alpha1',
);

/** What an uninstall must not take along, as the refusal names it. */
const WORKLOADS: readonly (readonly [name: string, resource: Resource])[] = [
  ['Virtual Machine Instances', resources.virtualMachineInstances],
  ['Virtual Machines', resources.virtualMachines],
  [
    'Virtual Machine Instance Replica Sets',
    defineResource('VirtualMachineInstanceReplicaSet', 'virtualmachineinstancereplicasets', 'kubevirt.io/v1'),
  ],
];

export interface LiveContextOptions {
  readonly client: Pick<KubeClient, 'create' | 'find' | 'list' | 'patch'>;
  readonly live: Pick<LiveSettings, 'config' | 'presets'>;
  readonly namespace: string;
}

/** A context for each request: the configuration may change between two. */
export function webhookContext({ client, live, namespace }: LiveContextOptions): () => WebhookContext {
  const reads: Omit<WebhookContext, 'config' | 'now'> = {
    namespace,
    newUuid: () => randomUUID(),
    newSuffix: randomSuffix,
    presets: (where) => live.presets(where),
    findExpansion: (vm, where) => findExpansion(vm, where, client),
    inferMatchers: (vm, where) => inferMatchers(vm, where, client),
    dataSourceArchitecture: (vm, where) => dataSourceArchitecture(vm, where, client),
    findSnapshot: (where, name) => client.find(snapshots, { namespace: where, name }),
    findSnapshotContent: (where, name) => client.find(snapshotContents, { namespace: where, name }),
    findVm: (where, name) => client.find(resources.virtualMachines, { namespace: where, name }),
    restores: async (where) => (await client.list(restores, { namespace: where })).items,
    backups: async (where) => (await client.list(backups, { namespace: where })).items,
    kubeVirts: async () => (await client.list(resources.kubeVirts, {})).items,
    anyWorkload: async () => {
      for (const [name, resource] of WORKLOADS) {
        if ((await client.list(resource, { limit: 1 })).items.length > 0) return name;
      }
      return undefined;
    },
    findDataSource: (where, name) => client.find(resources.dataSources, { namespace: where, name }),
    isAllowed: (subject, resourceAttributes) => hasAccess(client, { ...subject, resourceAttributes }),
    findPod: (where, name) => client.find(resources.pods, { namespace: where, name }),
    findVmi: (where, name) => client.find(resources.virtualMachineInstances, { namespace: where, name }),
    migrationsOf: async (where, vmiName) => {
      const select = { namespace: where, labelSelector: `${labels.vmiName}=${vmiName}` };
      return (await client.list(resources.virtualMachineInstanceMigrations, select)).items;
    },
    markForEvacuation: async (vmi, { nodeName, source, dryRun }) => {
      const { namespace: where, name = '', annotations: own } = vmi.metadata ?? {};
      const body: readonly JsonPatchOperation[] = [
        stillHas('/status/nodeName', nodeName),
        { op: 'add', path: '/status/evacuationNodeName', value: nodeName },
        ...evictionSourcePatch(own, source),
      ];
      const patch = { type: 'json', body, dryRun } as const;
      await client.patch(resources.virtualMachineInstances, { namespace: where, name }, patch);
    },
  };
  return () => ({ ...reads, config: live.config, now: rfc3339(Date.now()) });
}

/** Who asked last decides how urgent the move is. */
function evictionSourcePatch(
  own: Readonly<Record<string, string>> | undefined,
  source: string | undefined,
): readonly JsonPatchOperation[] {
  const path = `/metadata/annotations/${annotations.evictionSource.replaceAll('/', '~1')}`;
  if (source === undefined)
    return own?.[annotations.evictionSource] === undefined ? [] : [{ op: 'remove', path }];
  return own === undefined
    ? [{ op: 'add', path: '/metadata/annotations', value: { [annotations.evictionSource]: source } }]
    : [{ op: 'add', path, value: source }];
}
