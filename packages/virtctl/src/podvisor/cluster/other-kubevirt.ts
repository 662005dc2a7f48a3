/**
 * A KubeVirt of somebody else: its operator has the names that ours has, and its VMs go with its KubeVirt object. So
 * nothing is installed over it, and nothing of it is taken away.
 */
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { isOwned, resourceOf } from '@podvisor/virt-operator';

export type OperatorDeployment = KubernetesObject & {
  readonly spec?: {
    readonly template?: {
      readonly spec?: { readonly containers?: readonly { readonly args?: readonly string[] }[] };
    };
  };
};

export interface InstalledKubeVirt {
  /** The definition of VirtualMachine, if there is one. */
  readonly definition?: KubernetesObject;
  /** Every virt-operator of the cluster. */
  readonly operators: readonly OperatorDeployment[];
}

export const WAY_OUT =
  'keep its VMs first, which go with it (docs/cluster-install.md, "Moving over from KubeVirt\'s operator, and back"); then kubectl delete kubevirt --all -A, and its virt-operator by the manifest that it came with';

export async function findInstalled(client: KubeClient, signal: AbortSignal): Promise<InstalledKubeVirt> {
  const definitions = resourceOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
  });
  const deployments = resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' });
  const [definition, operators] = await Promise.all([
    client.find(definitions, { name: 'virtualmachines.kubevirt.io' }, signal),
    client.list(deployments, { labelSelector: 'kubevirt.io=virt-operator' }, signal),
  ]);
  return { operators: operators.items, ...(definition === undefined ? {} : { definition }) };
}

/** What may not be seen is not there. */
export async function findVisible(client: KubeClient, signal: AbortSignal): Promise<InstalledKubeVirt> {
  try {
    return await findInstalled(client, signal);
  } catch (error) {
    if (isStatus(error, 'Forbidden')) return { operators: [] };
    throw error;
  }
}

/** The namespace of an installation of ours. Pure. */
export function ourNamespace({ definition }: InstalledKubeVirt): string | undefined {
  const labels = Object.entries(definition?.metadata?.labels ?? {});
  const namespace = labels.find(([key]) => key.startsWith('operator.podvisor.io/'))?.[1];
  return definition !== undefined && namespace !== undefined && isOwned(definition, namespace)
    ? namespace
    : undefined;
}

/** What is there of somebody else's; undefined: nothing. Pure. */
export function othersIn(installed: InstalledKubeVirt): string | undefined {
  if (installed.definition !== undefined && ourNamespace(installed) === undefined)
    return 'another KubeVirt is installed';
  const other = installed.operators.find((operator) => !isOurs(operator));
  return other === undefined
    ? undefined
    : `virt-operator of another KubeVirt is there (Deployment ${other.metadata?.namespace}/${other.metadata?.name})`;
}

/** Both have the same name and labels; ours is told its namespace by a flag, which the other does not know. */
function isOurs({ spec }: OperatorDeployment): boolean {
  const containers = spec?.template?.spec?.containers ?? [];
  return containers.some(({ args = [] }) => args.some((word) => word.startsWith('--namespace=')));
}
