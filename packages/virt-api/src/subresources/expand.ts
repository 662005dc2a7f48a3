/** expand-spec and expand-vm-spec: a VM with its instancetype and preference merged in. */
import type { VirtualMachine } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { ExpansionError, expandVm, findExpansion, hasMatchers } from '../instancetypes.ts';
import { badRequest, internalError, required, VM_KIND } from './decision.ts';
import type { Answer } from './execute.ts';

type Reader = Pick<KubeClient, 'find'>;

/** A VM without matchers comes back as it is. `refuse` gives the code that the endpoint is known for. */
async function expand(
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
  refuse: (message: string) => Error,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const expanded = hasMatchers(vm) ? expandVm(vm, await findExpansion(vm, namespace, client, signal)) : vm;
    return { code: 200, contentType: 'application/json', body: JSON.stringify(expanded) };
  } catch (error) {
    throw error instanceof ExpansionError ? refuse(error.message) : error;
  }
}

/** GET …/virtualmachines/{name}/expand-spec */
export async function expandStored(
  namespace: string,
  name: string,
  client: Reader,
  signal: AbortSignal,
): Promise<Answer> {
  const object = await client.find(resources.virtualMachines, { namespace, name }, signal);
  const vm = required(object === undefined ? { kind: 'absent' } : { kind: 'found', object }, VM_KIND, name);
  return expand(vm, namespace, client, internalError, signal);
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
  return expand(body, namespace, client, badRequest, signal);
}

function isVirtualMachine(body: unknown): body is VirtualMachine {
  return (
    typeof body === 'object' &&
    body !== null &&
    'spec' in body &&
    typeof body.spec === 'object' &&
    body.spec !== null
  );
}
