/**
 * The next step of an uninstallation. Pure: each step is decided from what is still there, so that a new leader goes
 * on where the old one stopped.
 *
 * Webhooks go first, so that none can hold up what follows; then guests, while those who end them still run; then the
 * components, when no guest is left; then what they knew and were allowed.
 */
import type { KubernetesObject, KubeVirt } from '@podvisor/api';

export interface UninstallFacts {
  /** Objects that carry our mark. */
  readonly live: readonly KubernetesObject[];
  /** VMs, VMIs and what makes them. */
  readonly workloads: readonly KubernetesObject[];
  /** Pods of guests that have not ended. */
  readonly guestPods: number;
  /** Somebody is there who ends guests and takes finalizers away. */
  readonly controllerRuns: boolean;
  /** Pods of components that have not ended. */
  readonly pods: number;
  /** Leases of virt-handlers, and nodes with labels of ours. */
  readonly leftOnNodes: number;
  /** DataVolumes in the cluster, whoever filled them. */
  readonly dataVolumes: number;
}

export type UninstallStep =
  | { readonly kind: 'wait'; readonly message: string }
  | { readonly kind: 'remove'; readonly objects: readonly KubernetesObject[]; readonly message: string }
  | { readonly kind: 'endWorkloads'; readonly force: boolean; readonly message: string }
  | { readonly kind: 'cleanNodes'; readonly message: string }
  | { readonly kind: 'done' };

/** How long guests have to end before their objects are let go by force. */
const PATIENCE_MS = 5 * 60_000;

const HOOKS = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);
/** What runs, or is found by others. */
const RUNNING = new Set([
  'APIService',
  'Deployment',
  'DaemonSet',
  'PodDisruptionBudget',
  'Service',
  'ServiceMonitor',
  'PrometheusRule',
]);

export function uninstallStep(kubevirt: KubeVirt, facts: UninstallFacts, now: number): UninstallStep {
  const { workloads } = facts;
  // Without its kind a DataVolume would go, and the claim that it owns with it: an uninstallation takes nobody's disk.
  const live = facts.dataVolumes === 0 ? facts.live : facts.live.filter((object) => !isOfDataVolumes(object));
  const count = workloads.length;
  if (count > 0 && kubevirt.spec.uninstallStrategy === 'BlockUninstallIfWorkloadsExist')
    return {
      kind: 'wait',
      message: `${count} virtual machines or what makes them are still there (${namesOf(workloads)}), and spec.uninstallStrategy is BlockUninstallIfWorkloadsExist: delete them, or set RemoveWorkloads`,
    };
  const hooks = live.filter(({ kind = '' }) => HOOKS.has(kind));
  if (hooks.length > 0) return { kind: 'remove', objects: hooks, message: 'Removing webhooks' };
  const isLate = now - Date.parse(kubevirt.metadata?.deletionTimestamp ?? '') > PATIENCE_MS;
  if (count > 0) {
    const force = !facts.controllerRuns || isLate;
    return { kind: 'endWorkloads', force, message: `Ending ${count} virtual machines or what makes them` };
  }
  // Those of a node that is lost stay until it comes back; they hold nothing up for ever.
  if (facts.guestPods > 0 && !isLate)
    return { kind: 'wait', message: `Waiting for ${facts.guestPods} Pods of guests to end` };
  const running = live.filter(({ kind = '' }) => RUNNING.has(kind));
  if (running.length > 0) return { kind: 'remove', objects: running, message: 'Removing components' };
  if (facts.pods > 0) return { kind: 'wait', message: `Waiting for ${facts.pods} Pods of components to end` };
  if (facts.leftOnNodes > 0) return { kind: 'cleanNodes', message: 'Removing labels from nodes' };
  const definitions = live.filter(({ kind }) => kind === 'CustomResourceDefinition');
  if (definitions.length > 0)
    return { kind: 'remove', objects: definitions, message: 'Removing definitions of kinds' };
  if (live.length > 0) return { kind: 'remove', objects: live, message: 'Removing rights and certificates' };
  return { kind: 'done' };
}

function isOfDataVolumes({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && metadata?.name?.endsWith('.cdi.kubevirt.io') === true;
}

function namesOf(objects: readonly KubernetesObject[]): string {
  const names = objects
    .slice(0, 3)
    .map(({ kind, metadata }) => `${kind} ${metadata?.namespace}/${metadata?.name}`);
  return [...names, ...(objects.length > 3 ? ['…'] : [])].join(', ');
}
