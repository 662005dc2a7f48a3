/** Mutating webhooks: the defaults of @podvisor/api as patches. Thin on purpose. */
import {
  DefaultsError,
  defaultClone,
  defaultMigration,
  defaultVm,
  defaultVmi,
  defaultVmiUpdate,
  matcherProblems,
  type VirtualMachine,
  type VirtualMachineClone,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  vmiDefaultWarnings,
} from '@podvisor/api';
import { isOwnComponent, type Webhook, type WebhookContext } from './context.ts';
import { diff } from './diff.ts';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

function refusal(error: unknown): AdmissionAnswer {
  if (!(error instanceof DefaultsError)) throw error;
  return { kind: 'validated', allowed: false, causes: [], message: error.message, code: error.code, warnings: [] };
}

/** Runs a defaulter; an object that it cannot complete is refused in its words. */
function mutator<T>(
  mutate: (object: T, request: AdmissionRequest, context: WebhookContext) => { object: T; warnings?: readonly string[] },
): Webhook {
  return (request, context) => {
    if (request.object === undefined) return { kind: 'mutated', patch: [], warnings: [] };
    try {
      // The API server has checked the object against the schema of its kind.
      const { object, warnings = [] } = mutate(request.object as T, request, context);
      return { kind: 'mutated', patch: diff(request.object, object), warnings };
    } catch (error) {
      return refusal(error);
    }
  };
}

export const mutateVmi = mutator<VirtualMachineInstance>((vmi, request, context) => {
  if (request.operation !== 'UPDATE') {
    const { config, now, newUuid } = context;
    const object = defaultVmi(vmi, { config, now, newUuid, presets: context.presets(request.namespace) });
    return { object, warnings: vmiDefaultWarnings(object) };
  }
  const own = isOwnComponent(request.user, context.namespace);
  return { object: defaultVmiUpdate(vmi, request.oldObject as VirtualMachineInstance, own) };
});

const completeVm = mutator<VirtualMachine>((vm, request, context) => ({
  object: defaultVm(vm, { config: context.config, now: context.now, newUuid: context.newUuid }, request.oldObject as VirtualMachine | undefined),
}));

export const mutateVm: Webhook = (request, context) => {
  const vm = request.object as VirtualMachine | undefined;
  const problems = vm === undefined ? [] : matcherProblems(vm, request.oldObject as VirtualMachine | undefined);
  if (problems.length === 0) return completeVm(request, context);
  const message = problems.map((cause) => cause.message).join(', ');
  return { kind: 'validated', allowed: false, causes: problems, message, code: 422, warnings: [] };
};

export const mutateMigration = mutator<VirtualMachineInstanceMigration>((migration) => ({
  object: defaultMigration(migration),
}));

export const mutateClone = mutator<VirtualMachineClone>((clone, _request, context) => ({
  object: defaultClone(clone, context.newSuffix()),
}));
