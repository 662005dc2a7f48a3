/** expand-spec and expand-vm-spec: a VM with its instancetype and preference merged in. */
import {
  type ClusterConfig,
  closedValueProblems,
  crdFor,
  DefaultsError,
  defaultVmiDevices,
  defaultVmiSpec,
  schemaProblems,
  type VirtualMachine,
  withCanonicalQuantities,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';
import { ExpansionError, expandVm, findExpansion, hasMatchers } from '../instancetypes.ts';
import { badRequest, internalError, required, VM_KIND } from './decision.ts';
import type { Answer } from './execute.ts';
import { lookUp } from './look-up.ts';

export interface ExpansionIo {
  readonly client: Pick<KubeClient, 'find'>;
  readonly config: ClusterConfig;
}

/** A VM without matchers comes back as it is, with canonical quantities. `refuse` gives the code that the endpoint is known for. */
async function expand(
  vm: VirtualMachine,
  namespace: string,
  io: ExpansionIo,
  refuse: (message: string) => Error,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const expanded = hasMatchers(vm) ? await expansionOf(vm, namespace, io, signal) : vm;
    return {
      code: 200,
      contentType: 'application/json',
      body: JSON.stringify(withCanonicalQuantities(expanded)),
    };
  } catch (error) {
    const isRefusal = error instanceof ExpansionError || error instanceof DefaultsError;
    throw isRefusal ? refuse(error.message) : error;
  }
}

/** Preferences reach disks and interfaces that have no say of their own, so those are made first. */
async function expansionOf(
  vm: VirtualMachine,
  namespace: string,
  { client, config }: ExpansionIo,
  signal: AbortSignal,
): Promise<VirtualMachine> {
  const expansion = await findExpansion(vm, namespace, client, signal);
  const { spec } = vm.spec.template;
  const { status, ...merged } = expandVm(
    spec === undefined ? vm : withTemplate(vm, defaultVmiDevices(spec, config)),
    expansion,
  );
  const { instancetypeRef: _instancetype, preferenceRef: _preference, ...kept } = status ?? {};
  const template = merged.spec.template.spec;
  return {
    ...(template === undefined ? merged : withTemplate(merged, defaultVmiSpec(template, config))),
    ...(status && { status: kept }),
  };
}

function withTemplate(
  vm: VirtualMachine,
  spec: NonNullable<VirtualMachine['spec']['template']['spec']>,
): VirtualMachine {
  return { ...vm, spec: { ...vm.spec, template: { ...vm.spec.template, spec } } };
}

/** GET …/virtualmachines/{name}/expand-spec */
export async function expandStored(
  namespace: string,
  name: string,
  io: ExpansionIo,
  signal: AbortSignal,
): Promise<Answer> {
  const vm = required(
    await lookUp(io.client, resources.virtualMachines, { namespace, name }, signal),
    VM_KIND,
    name,
  );
  return expand(vm, namespace, io, internalError, signal);
}

/** PUT …/namespaces/{namespace}/expand-vm-spec, with the VM in the body. */
export async function expandBody(
  namespace: string,
  body: unknown,
  io: ExpansionIo,
  signal: AbortSignal,
): Promise<Answer> {
  if (body === undefined || body === null) throw badRequest('empty request body');
  if (!isVirtualMachine(body)) throw invalidMachine(problemsOf(body));
  if (namespace === '') throw badRequest('The request namespace must not be empty');
  const own = body.metadata?.namespace ?? '';
  if (own !== '' && own !== namespace) throw badRequest(`VM namespace must be empty or ${namespace}`);
  const vm = { ...body, metadata: { ...body.metadata, namespace } };
  return expand(vm, namespace, io, badRequest, signal);
}

function isVirtualMachine(body: unknown): body is VirtualMachine {
  return problemsOf(body).length === 0;
}

function problemsOf(body: unknown): readonly string[] {
  const schema = crdFor('VirtualMachine').spec.versions[0]?.schema.openAPIV3Schema ?? {};
  const problems = schemaProblems(body, schema);
  return problems.length > 0 ? problems : closedValueProblems('VirtualMachine', body);
}

function invalidMachine(problems: readonly string[]): StatusError {
  return new StatusError('BadRequest', 'Object is not a valid VirtualMachine', {
    details: { causes: problems.map((message) => ({ message })) },
  });
}
