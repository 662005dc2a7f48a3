/**
 * A VM may bring DataVolumes that clone a disk of another namespace. We create them with our own rights, so
 * the question whether the VM may read that disk is asked first, in the name of its service account.
 */
import {
  type CloneRight,
  type CloneSpec,
  cloneSourceOf,
  mayClone,
  serviceAccountGroups,
  serviceAccountUser,
  type KubernetesObject,
  type VirtualMachine,
  type DataVolume,
  withClonePin,
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

/** Why not, or the DataVolume with the note of what was allowed in place of any that a tenant wrote. */
export type CloneJudgement =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'allowed'; readonly dataVolume: DataVolume };

export async function judgeClone(
  vm: VirtualMachine,
  dataVolume: DataVolume,
  client: Pick<KubeClient, 'find' | 'create'>,
  signal: AbortSignal,
): Promise<CloneJudgement> {
  const namespace = vm.metadata?.namespace ?? '';
  const source = await cloneSourceOf((dataVolume.spec ?? {}) as CloneSpec, namespace, async (where, name) => {
    const found = await client.find(dataSources, { namespace: where, name }, signal);
    return found?.spec?.source;
  });
  const foreign = source?.namespace === namespace ? undefined : source;
  const allowed: CloneJudgement = { kind: 'allowed', dataVolume: withClonePin(dataVolume, foreign) };
  if (foreign === undefined) return allowed;
  const account =
    vm.spec.template?.spec?.volumes?.find(({ serviceAccount }) => serviceAccount !== undefined)
      ?.serviceAccount?.serviceAccountName ?? 'default';
  const has = async (resourceAttributes: CloneRight): Promise<boolean> => {
    const spec = {
      user: serviceAccountUser(namespace, account),
      groups: [...serviceAccountGroups(namespace), 'system:authenticated'],
      resourceAttributes,
    };
    const review = await client.create(accessReviews, { spec }, {}, signal);
    return review.status?.allowed === true;
  };
  if (await mayClone(foreign, has)) return allowed;
  const why = `service account ${namespace}/${account} has insufficient permissions in clone source namespace ${foreign.namespace}`;
  return { kind: 'refused', why };
}
