/** Validating webhooks: the rules of @podvisor/api as verdicts. Thin on purpose. */
import {
  serviceAccounts,
  serviceAccountUser,
  validateMigrationCreate,
  validateMigrationUpdate,
  validateVmCreate,
  validateVmiCreate,
  validateVmiUpdate,
  validateVmUpdate,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { isOwnComponent, type Webhook } from './context.ts';
import type { AdmissionAnswer, AdmissionRequest, Verdict } from './review.ts';

// The API server has checked every object against the schema of its kind before it asks.

function verdict(admission: Verdict): AdmissionAnswer {
  return { kind: 'validated', ...admission };
}

export const validateNewVmi: Webhook = (request, { config, namespace }) => {
  const isKubeVirtServiceAccount = isOwnComponent(request.user, namespace);
  return verdict(validateVmiCreate(request.object as VirtualMachineInstance, { config, isKubeVirtServiceAccount }));
};

export const validateChangedVmi: Webhook = (request, { config, namespace }) =>
  verdict(
    validateVmiUpdate(request.object as VirtualMachineInstance, request.oldObject as VirtualMachineInstance, {
      config,
      isKubeVirtServiceAccount: isOwnComponent(request.user, namespace),
      handlerNode: handlerNode(request, namespace),
    }),
  );

/** The node in virt-handler's token. A client certificate has no such claim: then there is nothing to compare. */
function handlerNode(request: AdmissionRequest, namespace: string): string | undefined {
  if (request.user !== serviceAccountUser(namespace, serviceAccounts.handler)) return undefined;
  return request.userExtra['authentication.kubernetes.io/node-name']?.[0];
}

export const validateVm: Webhook = async (request, context) => {
  const vm = request.object as VirtualMachine;
  if (request.operation === 'CREATE') return verdict(validateVmCreate(vm, { config: context.config }));
  const plugs = (vm.status?.volumeRequests?.length ?? 0) > 0;
  const vmi = plugs ? await context.findVmi(request.namespace, request.name) : undefined;
  return verdict(validateVmUpdate(vm, request.oldObject as VirtualMachine, { config: context.config, vmi }));
};

export const validateNewMigration: Webhook = async (request, context) => {
  const migration = request.object as VirtualMachineInstanceMigration;
  const { namespace, user } = request;
  const vmiName = migration.spec.vmiName ?? '';
  const [vmi, migrations] = await Promise.all(
    vmiName === ''
      ? ([undefined, []] as const)
      : ([context.findVmi(namespace, vmiName), context.migrationsOf(namespace, vmiName)] as const),
  );
  const isController = user === serviceAccountUser(context.namespace, serviceAccounts.controller);
  return verdict(validateMigrationCreate(migration, { config: context.config, vmi, migrations, isController }));
};

export const validateChangedMigration: Webhook = (request) =>
  verdict(
    validateMigrationUpdate(
      request.object as VirtualMachineInstanceMigration,
      request.oldObject as VirtualMachineInstanceMigration,
    ),
  );
