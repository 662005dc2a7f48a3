/** A context in which nothing else exists. */
import { clusterConfig } from '@podvisor/api';
import type { WebhookContext } from '../webhooks/context.ts';

export const webhookContextForTests: WebhookContext = {
  config: clusterConfig(),
  namespace: 'kubevirt',
  now: '2026-01-01T00:00:00Z',
  newUuid: () => '5d307ca9-b3ef-428c-8861-06e72d69f223',
  newSuffix: () => 'abcde',
  presets: () => [],
  findExpansion: async () => ({}),
  findPod: async () => undefined,
  findVmi: async () => undefined,
  markForEvacuation: async () => undefined,
  migrationsOf: async () => [],
  inferMatchers: async (vm) => vm,
  dataSourceArchitecture: async () => undefined,
  findSnapshot: async () => undefined,
  findSnapshotContent: async () => undefined,
  findVm: async () => undefined,
  restores: async () => [],
  backups: async () => [],
  kubeVirts: async () => [],
  anyWorkload: async () => undefined,
  findDataSource: async () => undefined,
  isAllowed: async () => false,
};
