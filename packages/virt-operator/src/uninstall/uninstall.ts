/** Carries out one step of an uninstallation. Needs neither webhooks nor virt-api. */
import type { KubernetesObject, KubeVirt } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { nodeOfLease } from '../certificates/node-identity.ts';
import { removeAll } from '../reconcile/apply.ts';
import type { Caches } from '../reconcile/caches.ts';
import { isRolledOut } from '../reconcile/rollout.ts';
import { withoutMarks } from './node-marks.ts';
import { type UninstallStep, uninstallStep } from './plan.ts';
import { countDataVolumes, countGuestPods, endWorkloads, listWorkloads } from './workloads.ts';

export interface UninstallOptions {
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly clock: Clock;
}

/** The step that was taken. The caller says so in the status, and comes again. */
export async function takeUninstallStep(
  { client, caches, clock }: UninstallOptions,
  kubevirt: KubeVirt,
  signal: AbortSignal,
): Promise<UninstallStep> {
  const live = [...caches.installed().values()];
  const workloads = await listWorkloads(client, signal);
  const controller = live.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata?.name === 'virt-controller',
  );
  const leases = caches.leases.list().filter((lease) => nodeOfLease(lease) !== undefined);
  const marked = caches.nodes.list().filter((node) => withoutMarks(node) !== undefined);
  const step = uninstallStep(
    kubevirt,
    {
      live,
      workloads,
      guestPods: workloads.length > 0 ? 0 : await countGuestPods(client, signal),
      controllerRuns: controller !== undefined && isRolledOut(controller),
      pods: caches.pods.list().filter(isComponentPod).length,
      leftOnNodes: leases.length + marked.length,
      dataVolumes: await countDataVolumes(client, signal),
    },
    clock.now(),
  );
  switch (step.kind) {
    case 'remove':
      await removeAll(client, step.objects, signal);
      break;
    case 'endWorkloads':
      await endWorkloads(client, workloads, step.force, signal);
      break;
    case 'cleanNodes':
      await removeAll(
        client,
        leases.map((lease) => ({ ...lease, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' })),
        signal,
      );
      for (const node of marked) {
        const key = { name: node.metadata.name ?? '' };
        await client.patch(resources.nodes, key, { type: 'merge', body: withoutMarks(node) }, signal);
      }
      break;
    default:
  }
  return step;
}

function isComponentPod({ metadata }: KubernetesObject): boolean {
  return ['virt-api', 'virt-controller', 'virt-handler', 'virt-data-volumes', 'virt-ui'].includes(
    metadata?.labels?.['kubevirt.io'] ?? '',
  );
}
