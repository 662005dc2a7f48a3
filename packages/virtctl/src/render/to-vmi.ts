/**
 * The VMI that a manifest becomes: checked against the schema, defaulted as the webhooks do, for a VM with its
 * instancetype and preference merged in. What the cluster would refuse is refused here, field by field. Pure.
 */
import {
  type Admission,
  type ClusterConfig,
  conflictCauses,
  crdFor,
  DefaultsError,
  defaultVm,
  defaultVmi,
  expandVmiSpec,
  requirementCauses,
  spreadCauses,
  schemaProblems,
  validateVmCreate,
  validateVmiCreate,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { InputError } from './documents.ts';
import { matcherKey, type RenderInput } from './input.ts';

/** What the webhooks draw from clock and chance. */
export interface Chance {
  /** RFC 3339. */
  readonly now: string;
  newUuid(): string;
}

/** Throws InputError with all reasons. */
export function toVmi(input: RenderInput, config: ClusterConfig, chance: Chance): VirtualMachineInstance {
  const { subject } = input;
  const context = { config, now: chance.now, newUuid: () => chance.newUuid() };
  try {
    if (subject.kind === 'vmi') {
      const vmi = inNamespace(checked(subject.vmi, 'VirtualMachineInstance', subject.where));
      const defaulted = defaultVmi(vmi, context);
      refuse(subject.where, validateVmiCreate(defaulted, { config, isKubeVirtServiceAccount: false }));
      return withUid(defaulted);
    }
    const vm = defaultVm(inNamespace(checked(subject.vm, 'VirtualMachine', subject.where)), context);
    refuse(subject.where, validateVmCreate(vm, { config }));
    return withUid(defaultVmi(instanceOf(vm, input), context));
  } catch (error) {
    if (error instanceof DefaultsError) throw new InputError(subject.where, error.message);
    throw error;
  }
}

function checked<T>(object: T, kind: string, where: string): T {
  const schema = crdFor(kind).spec.versions[0]?.schema.openAPIV3Schema ?? {};
  const problems = schemaProblems(object, schema);
  if (problems.length > 0) throw new InputError(where, problems.map(plainer).join('; '));
  return object;
}

/** `.spec.x in body is required` → `field spec.x is required`. */
function plainer(problem: string): string {
  const match = /^(\S+) in body (.*)$/.exec(problem);
  return match === null ? problem : `field ${match[1]?.replace(/^\./, '')} ${match[2]}`;
}

function refuse(where: string, { allowed, causes, message }: Admission): void {
  if (allowed) return;
  const reasons = causes.map((cause) =>
    cause.field ? `field ${cause.field}: ${cause.message}` : cause.message,
  );
  throw new InputError(where, reasons.length === 0 ? message : reasons.join('; '));
}

/** The template under the VM's own name. */
function instanceOf(vm: VirtualMachine, input: RenderInput): VirtualMachineInstance {
  const { metadata = {}, spec } = vm.spec.template;
  const where = input.subject.where;
  if (spec === undefined) throw new InputError(where, 'field spec.template.spec is missing');
  const instancetype = referred(vm, 'instancetype', input.instancetypes, where);
  const preference = referred(vm, 'preference', input.preferences, where);
  const result = expandVmiSpec(spec, metadata, {
    ...(instancetype && { instancetype }),
    ...(preference && { preference }),
  });
  const causes = [
    ...spreadCauses(instancetype, preference),
    ...(result.kind === 'conflict' ? conflictCauses(result.paths) : []),
    ...(result.kind === 'expanded' && preference ? requirementCauses(spec, preference, instancetype) : []),
  ];
  if (result.kind === 'conflict' || causes.length > 0) {
    throw new InputError(where, causes.map(({ field, message }) => `field ${field}: ${message}`).join('; '));
  }
  const { labels, annotations } = result.metadata;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.metadata?.name,
      namespace: vm.metadata?.namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec: result.spec,
  };
}

function referred<T>(
  vm: VirtualMachine,
  field: 'instancetype' | 'preference',
  known: ReadonlyMap<string, T>,
  where: string,
): T | undefined {
  const matcher = vm.spec[field];
  if (matcher === undefined || matcher === null) return undefined;
  const name = matcher.name ?? '';
  if (name === '')
    throw new InputError(where, `field spec.${field}.name is missing: it cannot be inferred here`);
  const found = known.get(matcherKey(matcher.kind, name));
  if (found !== undefined) return found;
  const kind =
    matcher.kind ?? `VirtualMachineCluster${field === 'instancetype' ? 'Instancetype' : 'Preference'}`;
  throw new InputError(
    where,
    `field spec.${field}: there is no ${kind} "${name}"; give its file with a further -f`,
  );
}

function inNamespace<T extends VirtualMachine | VirtualMachineInstance>(object: T): T {
  return { ...object, metadata: { namespace: 'default', ...object.metadata } };
}

/** Stands for what the server would give. */
const UID = '00000000-0000-4000-8000-000000000000';

function withUid(vmi: VirtualMachineInstance): VirtualMachineInstance {
  return { ...vmi, metadata: { ...vmi.metadata, uid: vmi.metadata?.uid ?? UID } };
}
