/** Mutating webhooks: the defaults of @podvisor/api as patches. Thin on purpose. */
import {
  admissionOf,
  DefaultsError,
  defaultClone,
  defaultMigration,
  defaultVm,
  defaultVmi,
  defaultVmiUpdate,
  matcherProblems,
  refusal,
  serviceAccounts,
  serviceAccountUser,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VirtualMachinePreferenceSpec,
  vmiDefaultWarnings,
} from '@podvisor/api';
import { InferenceError } from '../inference.ts';
import { ExpansionError } from '../instancetypes.ts';
import { isOwnComponent, type Webhook, type WebhookContext } from './context.ts';
import { diff } from './diff.ts';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

const BAD_REQUEST = 400;

/** Before anything is filled in: an object with a value that nobody knows is not completed. */
function refusalOf(error: unknown): AdmissionAnswer {
  if (!(error instanceof DefaultsError)) throw error;
  return { kind: 'validated', ...refusal(error.message, error.code) };
}

/** Runs a defaulter; an object that it cannot complete is refused in its words. */
function mutator<T>(
  mutate: (
    object: T,
    request: AdmissionRequest,
    context: WebhookContext,
  ) => { object: T; warnings?: readonly string[] },
): Webhook {
  return (request, context) => {
    if (request.object === undefined) return { kind: 'mutated', patch: [], warnings: [] };
    try {
      // The API server has checked the object against the schema of its kind.
      const { object, warnings = [] } = mutate(request.object as T, request, context);
      return { kind: 'mutated', patch: diff(request.object, object), warnings };
    } catch (error) {
      return refusalOf(error);
    }
  };
}

export const mutateVmi: Webhook = mutator<VirtualMachineInstance>((vmi, request, context) => {
  if (request.operation !== 'UPDATE') {
    const { config, now, newUuid } = context;
    const isController = request.user === serviceAccountUser(context.namespace, serviceAccounts.controller);
    const presets = context.presets(request.namespace);
    const object = defaultVmi(vmi, { config, now, newUuid, presets, isController });
    return { object, warnings: vmiDefaultWarnings(object) };
  }
  const own = isOwnComponent(request.user, context.namespace);
  return { object: defaultVmiUpdate(vmi, request.oldObject as VirtualMachineInstance, own) };
});

export const mutateVm: Webhook = async (request, context) => {
  const vm = request.object as VirtualMachine | undefined;
  const old = request.oldObject as VirtualMachine | undefined;
  // What is going away needs neither names nor defaults.
  if (vm === undefined || vm.metadata?.deletionTimestamp) return { kind: 'mutated', patch: [], warnings: [] };
  const problems = matcherProblems(vm, old);
  if (problems.length > 0) return { kind: 'validated', ...admissionOf(problems) };
  const { namespace } = request;
  let inferred: VirtualMachine;
  try {
    inferred = await context.inferMatchers(vm, namespace);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    return { kind: 'validated', ...refusal(error.message, BAD_REQUEST) };
  }
  const [preference, dataSourceArchitecture] = await Promise.all([
    preferenceOf(inferred, namespace, context),
    context.dataSourceArchitecture(inferred, namespace),
  ]);
  const { config, now, newUuid } = context;
  const complete = mutator<VirtualMachine>(() => ({
    object: defaultVm(inferred, { config, now, newUuid, preference, dataSourceArchitecture }, old),
  }));
  return complete(request, context);
};

/** A preference that is not found has nothing to prefer; virt-controller says so before it starts the VM. */
async function preferenceOf(
  vm: VirtualMachine,
  namespace: string,
  context: WebhookContext,
): Promise<VirtualMachinePreferenceSpec | undefined> {
  if (vm.spec.preference === undefined) return undefined;
  try {
    const onlyPreference = { ...vm, spec: { ...vm.spec, instancetype: undefined } };
    return (await context.findExpansion(onlyPreference, namespace)).preference;
  } catch (error) {
    if (error instanceof ExpansionError) return undefined;
    throw error;
  }
}

export const mutateMigration = mutator<VirtualMachineInstanceMigration>((migration) => ({
  object: defaultMigration(migration),
}));

export const mutateClone = mutator<VirtualMachineClone>((clone, _request, context) => ({
  object: defaultClone(clone, context.newSuffix()),
}));
