/**
 * A VM may bring DataVolumes that clone a disk of another namespace. We create them with our own rights, so
 * the question whether the VM may read that disk is asked first, in the name of its service account.
 */
import {
  type CloneRight,
  type CloneSpec,
  cloneSourceOf,
  mayClone,
  type KubernetesObject,
  type VirtualMachine,
  type DataVolume,
} from '@podvisor/api';
import { defineResource, type KubeClient } from '@podvisor/kube';

interface DataSource extends KubernetesObject {
  readonly spec?: { readonly source?: CloneSpec['source'] };
}
interface AccessReview extends KubernetesObject {
  readonly spec: object;
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

const dataSources = defineResource<DataSource>('DataSource', 'datasources', 'cdi.kubevirt.io/v1beta1');
const accessReviews = defineResource<AccessReview>(
  'SubjectAccessReview',
  'subjectaccessreviews',
  'authorization.k8s.io/v1',
  'Cluster',
);

/** Undefined when it may; else why not. */
export async function cloneRefusal(
  vm: VirtualMachine,
  { spec }: DataVolume,
  client: Pick<KubeClient, 'find' | 'create'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const namespace = vm.metadata?.namespace ?? '';
  const source = await cloneSourceOf((spec ?? {}) as CloneSpec, namespace, async (where, name) => {
    const found = await client.find(dataSources, { namespace: where, name }, signal);
    return found?.spec?.source;
  });
  if (source === undefined || source.namespace === namespace) return undefined;
  const account =
    vm.spec.template?.spec?.volumes?.find(({ serviceAccount }) => serviceAccount !== undefined)
      ?.serviceAccount?.serviceAccountName ?? 'default';
  const has = async (resourceAttributes: CloneRight): Promise<boolean> => {
    const spec = {
      user: `system:serviceaccount:${namespace}:${account}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      resourceAttributes,
    };
    const review = await client.create(accessReviews, { spec }, {}, signal);
    return review.status?.allowed === true;
  };
  if (await mayClone(source, has)) return undefined;
  return `service account ${namespace}/${account} has insufficient permissions in clone source namespace ${source.namespace}`;
}
