/** Reads a machine of a running cluster and what it refers to. */
import {
  type KubernetesObject,
  type KubeVirt,
  labels,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { subresourcePath } from '../subresource-path.ts';
import { matcherKey, objectsOf, type RenderInput } from './input.ts';
import type { LiveXml } from './live-domain.ts';
import type { Running } from './restart-diff.ts';

/** A machine on a cluster: its input, and the VMI that runs, if one does. */
export interface ClusterMachine {
  readonly input: RenderInput;
  readonly running: VirtualMachineInstance | undefined;
}

/** Reading is all that is needed. */
type Reader = Pick<KubeClient, 'find' | 'list'>;

const GROUP_VERSION = 'instancetype.kubevirt.io/v1beta1';

/** `target` is `vm/x`, `vmi/x` or a bare name, which means a VM. */
export async function readMachine(
  client: Reader,
  namespace: string,
  target: string,
  signal?: AbortSignal,
): Promise<ClusterMachine> {
  const [, kind = 'vm', name = target] =
    /^(?:(vm|vmi|virtualmachine|virtualmachineinstance)\/)?(.+)$/.exec(target) ?? [];
  const key = { namespace, name };
  const [kubevirt] = (await client.list(resources.kubeVirts, {}, signal)).items;
  const claims = (await client.list(resources.persistentVolumeClaims, { namespace }, signal)).items;
  const known = [
    ...claims.map((claim) => ({ ...claim, kind: 'PersistentVolumeClaim' })),
    ...kubevirtOf(kubevirt),
  ];
  const running = await client.find(resources.virtualMachineInstances, key, signal);
  if (kind.startsWith('vmi') || kind === 'virtualmachineinstance') {
    if (running === undefined)
      throw new Error(`there is no VirtualMachineInstance "${name}" in namespace "${namespace}"`);
    return { running, input: { subject: { kind: 'vmi', where: target, vmi: running }, ...objectsOf(known) } };
  }
  const vm = await client.find(resources.virtualMachines, key, signal);
  if (vm === undefined) throw new Error(`there is no VirtualMachine "${name}" in namespace "${namespace}"`);
  const referred = await referredBy(client, vm, namespace, signal);
  return {
    running,
    input: { subject: { kind: 'vm', where: target, vm }, ...objectsOf([...known, ...referred]) },
  };
}

/** The launcher Pod and the domain of a VMI that runs. Throws when there is none. */
export async function readRunning(
  client: Pick<KubeClient, 'list' | 'request'>,
  vmi: VirtualMachineInstance,
  signal?: AbortSignal,
): Promise<Running> {
  const { name = '', namespace = '', uid = '' } = vmi.metadata ?? {};
  const labelSelector = `${labels.createdBy}=${uid}`;
  const { items } = await client.list(resources.pods, { namespace, labelSelector }, signal);
  const pod = items.find(
    ({ spec, status }) => spec.nodeName === vmi.status?.nodeName && status?.phase === 'Running',
  );
  if (pod === undefined) throw new Error(`VirtualMachineInstance "${name}" has no launcher Pod that runs`);
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'domainxml');
  return { pod, domain: await client.request<LiveXml>({ method: 'GET', path }) };
}

function kubevirtOf(kubevirt: KubeVirt | undefined): readonly (KubeVirt & { readonly kind: string })[] {
  return kubevirt === undefined ? [] : [{ ...kubevirt, kind: 'KubeVirt' }];
}

async function referredBy(
  client: Reader,
  vm: VirtualMachine,
  namespace: string,
  signal?: AbortSignal,
): Promise<readonly (KubernetesObject & { readonly kind: string })[]> {
  const found = [];
  for (const [field, base] of [
    ['instancetype', 'Instancetype'],
    ['preference', 'Preference'],
  ] as const) {
    const matcher = vm.spec[field];
    if (!matcher?.name) continue;
    const isNamespaced = matcherKey(matcher.kind, '').startsWith('namespaced');
    const kind = `VirtualMachine${isNamespaced ? '' : 'Cluster'}${base}`;
    const resource = defineResource<KubernetesObject>(
      kind,
      `${kind.toLowerCase()}s`,
      GROUP_VERSION,
      isNamespaced ? 'Namespaced' : 'Cluster',
    );
    const key = isNamespaced ? { namespace, name: matcher.name } : { name: matcher.name };
    const object = await client.find(resource, key, signal);
    if (object !== undefined) found.push({ ...object, kind });
  }
  return found;
}
