/**
 * expand-spec and expand-vm-spec: a VM with its instancetype and preference merged in. A VM without either
 * comes back as it is. Looking them up works; merging is not built yet and says so.
 */
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { badRequest, internalError, VM_KIND } from './decision.ts';
import type { Answer } from './execute.ts';
import { notBuiltError } from './not-built.ts';

type Reader = Pick<KubeClient, 'find'>;

const GROUP_VERSION = 'instancetype.kubevirt.io/v1beta1';

/** Names that a matcher may give, singular and plural, in any case; none means the cluster-wide kind. */
function matcherResource(field: 'instancetype' | 'preference', kind: string | undefined) {
  const base = field === 'instancetype' ? 'Instancetype' : 'Preference';
  const namespaced = `virtualmachine${field}`;
  const name = (kind ?? '').toLowerCase();
  if (name === namespaced || name === `${namespaced}s`) {
    return defineResource<KubernetesObject>(`VirtualMachine${base}`, `${namespaced}s`, GROUP_VERSION);
  }
  if (name === '' || name === `virtualmachinecluster${field}` || name === `virtualmachinecluster${field}s`) {
    return defineResource<KubernetesObject>(
      `VirtualMachineCluster${base}`,
      `virtualmachinecluster${field}s`,
      GROUP_VERSION,
      'Cluster',
    );
  }
  throw new Error(`got unexpected kind in ${field}: ${kind}`);
}

/** What the VM refers to exists; throws in the words of the API otherwise. */
async function expand(vm: VirtualMachine, namespace: string, client: Reader, signal: AbortSignal): Promise<VirtualMachine> {
  let found = false;
  for (const field of ['instancetype', 'preference'] as const) {
    const matcher = vm.spec[field];
    if (matcher === undefined || matcher === null) continue;
    const resource = matcherResource(field, matcher.kind);
    const name = matcher.name ?? '';
    const object = await client.find(resource, resource.namespaced ? { namespace, name } : { name }, signal);
    if (object === undefined) throw new Error(`${resource.plural}.${resource.group} "${name}" not found`);
    found = true;
  }
  if (found) throw notBuiltError('Merging instancetypes and preferences into a VirtualMachine');
  return vm;
}

function answer(vm: VirtualMachine): Answer {
  return { code: 200, contentType: 'application/json', body: JSON.stringify(vm) };
}

/** GET …/virtualmachines/{name}/expand-spec */
export async function expandStored(
  namespace: string,
  name: string,
  client: Reader,
  signal: AbortSignal,
): Promise<Answer> {
  const vm = await client.find(resources.virtualMachines, { namespace, name }, signal);
  if (vm === undefined) throw new StatusError('NotFound', `${VM_KIND}.kubevirt.io "${name}" not found`);
  try {
    return answer(await expand(vm, namespace, client, signal));
  } catch (error) {
    throw error instanceof Error && !(error instanceof StatusError) ? internalError(error.message) : error;
  }
}

/** PUT …/namespaces/{namespace}/expand-vm-spec, with the VM in the body. */
export async function expandBody(
  namespace: string,
  body: unknown,
  client: Reader,
  signal: AbortSignal,
): Promise<Answer> {
  if (!isVirtualMachine(body)) throw badRequest('Object is not a valid VirtualMachine');
  const own = body.metadata?.namespace ?? '';
  if (own !== '' && own !== namespace) throw badRequest(`VM namespace must be empty or ${namespace}`);
  try {
    return answer(await expand(body, namespace, client, signal));
  } catch (error) {
    throw error instanceof Error && !(error instanceof StatusError) ? badRequest(error.message) : error;
  }
}

function isVirtualMachine(body: unknown): body is VirtualMachine {
  return typeof body === 'object' && body !== null && 'spec' in body && typeof body.spec === 'object' && body.spec !== null;
}
