/**
 * What `podvisor doctor` is for a machine, for a cluster: is what VMs need there, by what its API tells to whoever
 * asks. What he may not look at is not judged. Pure.
 */
import { DEFAULT_CLASS } from '@podvisor/api';
import { isQuantity, parseQuantity } from '@podvisor/base';
import { at, listOf, textOf } from '../plain.ts';
import type { CheckFact } from './cluster-facts.ts';

/** What the API told; undefined: it was not told to this user. */
export interface ClusterPicture {
  readonly kubevirt?: unknown;
  readonly deployments?: readonly unknown[] | undefined;
  readonly daemonSets?: readonly unknown[] | undefined;
  readonly apiService?: unknown;
  readonly nodes?: readonly unknown[] | undefined;
  readonly storageClasses?: readonly unknown[] | undefined;
}

export function clusterChecks(picture: ClusterPicture): readonly CheckFact[] {
  const { kubevirt, deployments, daemonSets, apiService, nodes, storageClasses } = picture;
  return [
    ...(kubevirt === undefined ? [] : [installation(kubevirt)]),
    ...(deployments ?? []).map((one) => replicas(one, 'readyReplicas', at(one, 'spec', 'replicas'))),
    ...(daemonSets ?? []).map((one) =>
      replicas(one, 'numberReady', at(one, 'status', 'desiredNumberScheduled')),
    ),
    ...(apiService === undefined ? [] : [subresources(apiService)]),
    ...(nodes === undefined ? [] : [schedulable(nodes), hardware(nodes, kubevirt)]),
    ...(storageClasses === undefined ? [] : [defaultClass(storageClasses)]),
  ];
}

function check(level: CheckFact['level'], what: string, found: string, fix: string): CheckFact {
  return level === 'PASS' ? { level, what, found } : { level, what, found, fix };
}

const nameOf = (object: unknown): string => textOf(at(object, 'metadata', 'name')) ?? '';

function conditionOf(object: unknown, type: string): unknown {
  return listOf(at(object, 'status', 'conditions')).find((one) => at(one, 'type') === type);
}

function installation(kubevirt: unknown): CheckFact {
  const phase = textOf(at(kubevirt, 'status', 'phase')) ?? 'Unknown';
  const degraded = conditionOf(kubevirt, 'Degraded');
  const isBad = at(degraded, 'status') === 'True';
  const words = isBad ? (textOf(at(degraded, 'message')) ?? 'degraded') : phase;
  const namespace = textOf(at(kubevirt, 'metadata', 'namespace')) ?? 'kubevirt';
  return check(
    isBad ? 'FAIL' : phase === 'Deployed' ? 'PASS' : 'WARN',
    'installation',
    words,
    `kubectl describe kubevirt ${nameOf(kubevirt)} -n ${namespace}`,
  );
}

function replicas(workload: unknown, readyField: string, wanted: unknown): CheckFact {
  const ready = Number(at(workload, 'status', readyField) ?? 0);
  const all = Number(wanted ?? 1);
  const namespace = textOf(at(workload, 'metadata', 'namespace')) ?? '';
  // A DaemonSet that no node wants does nothing for anybody.
  const level = all > 0 && ready >= all ? 'PASS' : ready > 0 ? 'WARN' : 'FAIL';
  const fix = `kubectl get pods -n ${namespace} -l kubevirt.io=${nameOf(workload)}, and kubectl describe of one that is not ready`;
  return check(level, nameOf(workload), `${ready} of ${all} ready`, fix);
}

function subresources(apiService: unknown): CheckFact {
  const available = conditionOf(apiService, 'Available');
  const isThere = at(available, 'status') === 'True';
  return check(
    isThere ? 'PASS' : 'FAIL',
    'console, start, stop, migrate (aggregated API)',
    isThere ? 'available' : (textOf(at(available, 'message')) ?? 'not available'),
    'the API server must reach virt-api’s Service; look at virt-api first, then at policies of the network',
  );
}

function schedulable(nodes: readonly unknown[]): CheckFact {
  const isCordoned = (node: unknown): boolean => at(node, 'spec', 'unschedulable') === true;
  const without = nodes.filter(
    (node) => at(node, 'metadata', 'labels', 'kubevirt.io/schedulable') !== 'true' || isCordoned(node),
  );
  const names = without.map((node) => `${nameOf(node)}${isCordoned(node) ? ' (cordoned)' : ''}`).join(', ');
  return check(
    without.length === 0 && nodes.length > 0 ? 'PASS' : without.length < nodes.length ? 'WARN' : 'FAIL',
    'nodes that take VMs',
    `${nodes.length - without.length} of ${nodes.length}${names === '' ? '' : `; not ${names}`}`,
    'a cordoned node: kubectl uncordon NODE; is virt-handler ready on the others, and are they meant to run it (spec.workloads of the KubeVirt object)?',
  );
}

function hardware(nodes: readonly unknown[], kubevirt: unknown): CheckFact {
  const withKvm = nodes.filter(hasKvm);
  const emulates = at(kubevirt, 'spec', 'configuration', 'developerConfiguration', 'useEmulation') === true;
  return check(
    withKvm.length > 0 ? 'PASS' : emulates ? 'WARN' : 'FAIL',
    'hardware virtualisation (KVM)',
    withKvm.length > 0
      ? `on ${withKvm.length} of ${nodes.length} nodes`
      : emulates
        ? 'on no node: guests run by software emulation'
        : 'on no node, and software emulation is not allowed',
    'use nodes whose CPUs have vmx or svm; for trying out: developerConfiguration.useEmulation of the KubeVirt object',
  );
}

/** Devices are counted in quantities: a thousand is `1k`. */
function hasKvm(node: unknown): boolean {
  const count = at(node, 'status', 'allocatable', 'devices.kubevirt.io/kvm');
  return isQuantity(count) && parseQuantity(String(count)).nano > 0n;
}

function defaultClass(classes: readonly unknown[]): CheckFact {
  const found = classes.find((one) => at(one, 'metadata', 'annotations', DEFAULT_CLASS) === 'true');
  return check(
    found === undefined ? 'WARN' : 'PASS',
    'default storage class',
    found === undefined ? `none of ${classes.length}` : nameOf(found),
    `claims without a class wait for ever: kubectl annotate storageclass NAME ${DEFAULT_CLASS}=true`,
  );
}
