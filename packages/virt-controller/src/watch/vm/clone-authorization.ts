/**
 * A VM may bring DataVolumes that clone a disk of another namespace. We create them with our own rights, so
 * the question whether the VM may read that disk is asked first, in the name of its service account.
 */
import {
  type CloneRight,
  cloneRights,
  type CloneSource,
  type KubernetesObject,
  type VirtualMachine,
  type DataVolume,
} from '@podvisor/api';
import { defineResource, type KubeClient } from '@podvisor/kube';

interface Reference {
  readonly name?: string;
  readonly namespace?: string;
}
interface Sources {
  readonly pvc?: Reference;
  readonly snapshot?: Reference;
  readonly dataSource?: Reference;
}
interface DataSource extends KubernetesObject {
  readonly spec?: { readonly source?: Sources };
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
const MAX_HOPS = 4;

/** Undefined when it may; else why not. */
export async function cloneRefusal(
  vm: VirtualMachine,
  { spec }: DataVolume,
  client: Pick<KubeClient, 'find' | 'create'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const namespace = vm.metadata?.namespace ?? '';
  const wish = (spec ?? {}) as { readonly source?: Sources; readonly sourceRef?: Reference };
  const source = await cloneSource(wish, namespace, client, signal);
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
  for (const rights of cloneRights(source)) if (await hasAll(rights, has)) return undefined;
  return `service account ${namespace}/${account} has insufficient permissions in clone source namespace ${source.namespace}`;
}

async function hasAll(
  rights: readonly CloneRight[],
  has: (right: CloneRight) => Promise<boolean>,
): Promise<boolean> {
  for (const right of rights) if (!(await has(right))) return false;
  return true;
}

/** What the content is copied from; undefined: nothing of the cluster. */
async function cloneSource(
  { source, sourceRef }: { readonly source?: Sources; readonly sourceRef?: Reference },
  own: string,
  client: Pick<KubeClient, 'find'>,
  signal: AbortSignal,
): Promise<CloneSource | undefined> {
  const direct = sourceIn(source, own);
  if (direct !== undefined) return direct;
  let name = sourceRef?.name ?? '';
  let from = sourceRef?.namespace || own;
  for (let hop = 0; name !== '' && hop < MAX_HOPS; hop += 1) {
    const found = await client.find(dataSources, { namespace: from, name }, signal);
    const next = found?.spec?.source;
    const end = sourceIn(next, from);
    if (end !== undefined) return end;
    name = next?.dataSource?.name ?? '';
    from = next?.dataSource?.namespace || from;
    // One that leads nowhere yet counts as a claim where it ends: it may lead there later.
    if (name === '' || hop === MAX_HOPS - 1) return { kind: 'pvc', namespace: from, name };
  }
  return undefined;
}

function sourceIn(sources: Sources | undefined, own: string): CloneSource | undefined {
  for (const kind of ['pvc', 'snapshot'] as const) {
    const { name = '', namespace = '' } = sources?.[kind] ?? {};
    if (name !== '' || namespace !== '') return { kind, namespace: namespace || own, name };
  }
  return undefined;
}
