/** Validating webhooks: the rules of @podvisor/api as verdicts. Thin on purpose. */
import {
  admissionOf,
  type Cause,
  type ClusterConfig,
  conflictCauses,
  DefaultsError,
  defaultVmiSpec,
  type Expansion,
  NODE_NAME_EXTRA,
  requirementCauses,
  serviceAccounts,
  serviceAccountUser,
  spreadCauses,
  validateMigrationCreate,
  validateMigrationUpdate,
  validateVmCreate,
  validateVmiCreate,
  validateVmiUpdate,
  validateVmUpdate,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
  type VMISpec,
} from '@podvisor/api';
import { ExpansionError, expandVm, hasMatchers } from '../instancetypes.ts';
import { isOwnComponent, type Webhook, type WebhookContext } from './context.ts';
import { pluggedVmi } from './plugged-vmi.ts';
import type { AdmissionAnswer, AdmissionRequest, Verdict } from './review.ts';

// The API server has checked every object against the schema of its kind before it asks.

function verdict(admission: Verdict): AdmissionAnswer {
  return { kind: 'validated', ...admission };
}

export const validateNewVmi: Webhook = (request, { config, namespace }) => {
  const isKubeVirtServiceAccount = isOwnComponent(request.user, namespace);
  return verdict(
    validateVmiCreate(request.object as VirtualMachineInstance, { config, isKubeVirtServiceAccount }),
  );
};

export const validateChangedVmi: Webhook = (request, { config, namespace }) =>
  verdict(
    validateVmiUpdate(request.object as VirtualMachineInstance, request.oldObject as VirtualMachineInstance, {
      config,
      isKubeVirtServiceAccount: isOwnComponent(request.user, namespace),
      handlerNode: handlerNode(request, namespace),
    }),
  );

/** The node in virt-handler's credential, token or certificate; '' when it names none, undefined for everybody else. */
function handlerNode(request: AdmissionRequest, namespace: string): string | undefined {
  if (request.user !== serviceAccountUser(namespace, serviceAccounts.handler)) return undefined;
  return request.userExtra[NODE_NAME_EXTRA]?.[0] ?? '';
}

export const validateVm: Webhook = async (request, context) => {
  const vm = request.object as VirtualMachine;
  const { config } = context;
  let expandedSpec: VMISpec | undefined;
  // Deletion always works, whatever became of the instancetype.
  if (hasMatchers(vm) && !vm.metadata?.deletionTimestamp) {
    const expansion = await foundExpansion(vm, request.namespace, context);
    const spread = spreadCauses(expansion.instancetype, expansion.preference);
    if (spread.length > 0) return verdict(admissionOf(spread));
    const expanded = expandedTemplate(vm, expansion);
    if ('conflicts' in expanded) return verdict(admissionOf(expanded.conflicts));
    expandedSpec = expanded.spec;
    const unmet = unmetRequirements(expandedSpec, expansion, config);
    if (unmet.length > 0) return verdict(admissionOf(unmet));
  }
  const isKubeVirtServiceAccount = isOwnComponent(request.user, context.namespace);
  const vmi = await pluggedVmi(vm, request, context);
  const whole = { config, expandedSpec, isKubeVirtServiceAccount, vmi, namespace: request.namespace };
  return verdict(
    request.operation === 'CREATE'
      ? validateVmCreate(vm, whole)
      : validateVmUpdate(vm, request.oldObject as VirtualMachine, whole),
  );
};

/** What the preference requires and neither the instancetype nor the VM gives. */
function unmetRequirements(
  spec: VMISpec | undefined,
  { instancetype, preference }: Expansion,
  config: ClusterConfig,
): readonly Cause[] {
  if (spec === undefined || preference === undefined) return [];
  return requirementCauses(withDefaults(spec, config), preference, instancetype).map((cause) => ({
    ...cause,
    message: `failure checking preference requirements: ${cause.message}`,
  }));
}

/** What cannot be defaulted is refused by the rules, which come next. */
function withDefaults(spec: VMISpec, config: ClusterConfig): VMISpec {
  try {
    return defaultVmiSpec(spec, config);
  } catch (error) {
    if (error instanceof DefaultsError) return spec;
    throw error;
  }
}

/**
 * What the VM names, as far as it is there. A VM may be made before its instancetype: virt-controller says
 * what is missing when the VM is to start.
 */
async function foundExpansion(
  vm: VirtualMachine,
  namespace: string,
  context: WebhookContext,
): Promise<Expansion> {
  const { instancetype, preference, ...spec } = vm.spec;
  const find = async (matchers: Partial<VirtualMachine['spec']>): Promise<Expansion> => {
    try {
      return await context.findExpansion({ ...vm, spec: { ...spec, ...matchers } }, namespace);
    } catch (error) {
      if (error instanceof ExpansionError) return {};
      throw error;
    }
  };
  const [first, second] = await Promise.all([find({ instancetype }), find({ preference })]);
  return { ...defined(first), ...defined(second) };
}

function defined({ instancetype, preference }: Expansion): Expansion {
  return { ...(instancetype && { instancetype }), ...(preference && { preference }) };
}

/** The template with everything merged in, or one cause for each field that the instancetype owns. */
function expandedTemplate(
  vm: VirtualMachine,
  expansion: Expansion,
): { readonly spec: VMISpec | undefined } | { readonly conflicts: readonly Cause[] } {
  try {
    return { spec: expandVm(vm, expansion).spec.template?.spec };
  } catch (error) {
    if (error instanceof ExpansionError) return { conflicts: conflictCauses(error.conflicts) };
    throw error;
  }
}

export const validateNewMigration: Webhook = async (request, context) => {
  const migration = request.object as VirtualMachineInstanceMigration;
  const { namespace, user } = request;
  const vmiName = migration.spec.vmiName ?? '';
  const [vmi, migrations] =
    vmiName === ''
      ? [undefined, []]
      : await Promise.all([context.findVmi(namespace, vmiName), context.migrationsOf(namespace, vmiName)]);
  const isController = user === serviceAccountUser(context.namespace, serviceAccounts.controller);
  return verdict(
    validateMigrationCreate(migration, { config: context.config, vmi, migrations, isController }),
  );
};

export const validateChangedMigration: Webhook = (request) =>
  verdict(
    validateMigrationUpdate(
      request.object as VirtualMachineInstanceMigration,
      request.oldObject as VirtualMachineInstanceMigration,
    ),
  );
