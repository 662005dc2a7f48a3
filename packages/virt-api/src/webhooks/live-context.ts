/** What webhooks know, from the running process: live configuration, time, chance, and reads of the API. */
import { randomUUID } from 'node:crypto';
import { labels } from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { randomSuffix } from '../generated-name.ts';
import { findExpansion } from '../instancetypes.ts';
import type { LiveConfig } from '../live-config.ts';
import type { WebhookContext } from './context.ts';

export interface LiveContextOptions {
  readonly client: Pick<KubeClient, 'find' | 'list' | 'patch'>;
  readonly live: Pick<LiveConfig, 'config' | 'presets'>;
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
    findPod: (where, name) => client.find(resources.pods, { namespace: where, name }),
    findVmi: (where, name) => client.find(resources.virtualMachineInstances, { namespace: where, name }),
    migrationsOf: async (where, vmiName) => {
      const select = { namespace: where, labelSelector: `${labels.vmiName}=${vmiName}` };
      return (await client.list(resources.virtualMachineInstanceMigrations, select)).items;
    },
    markForEvacuation: async (vmi, value, dryRun) => {
      const { namespace: where, name = '' } = vmi.metadata ?? {};
      const body = [
        { op: 'test', path: '/status/nodeName', value },
        { op: 'add', path: '/status/evacuationNodeName', value },
      ] as const;
      const patch = { type: 'json', body, dryRun } as const;
      await client.patch(resources.virtualMachineInstances, { namespace: where, name }, patch);
    },
  };
  return () => ({ ...reads, config: live.config, now: rfc3339(Date.now()) });
}
