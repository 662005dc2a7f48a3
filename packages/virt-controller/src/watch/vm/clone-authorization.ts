/**
 * A VM may bring DataVolumes that clone a disk of another namespace. We create them with our own rights, so
 * the question whether the VM may read that disk is asked first, in the name of its service account.
 */
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { defineResource, type KubeClient } from '@podvisor/kube';
import type { DataVolume } from '../../resources.ts';

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
  const from = await sourceNamespace(wish, namespace, client, signal);
  if (from === namespace) return undefined;
  const account =
    vm.spec.template?.spec?.volumes?.find(({ serviceAccount }) => serviceAccount !== undefined)
      ?.serviceAccount?.serviceAccountName ?? 'default';
  const review = await client.create(
    accessReviews,
    {
      spec: {
        user: `system:serviceaccount:${namespace}:${account}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        resourceAttributes: {
          namespace: from,
          verb: 'create',
          group: 'cdi.kubevirt.io',
          resource: 'datavolumes',
          subresource: 'source',
        },
      },
    },
    {},
    signal,
  );
  if (review.status?.allowed === true) return undefined;
  return `service account ${namespace}/${account} has insufficient permissions in clone source namespace ${from}`;
}

async function sourceNamespace(
  { source, sourceRef }: { readonly source?: Sources; readonly sourceRef?: Reference },
  own: string,
  client: Pick<KubeClient, 'find'>,
  signal: AbortSignal,
): Promise<string> {
  const given = source?.pvc?.namespace ?? source?.snapshot?.namespace;
  if (given !== undefined && given !== '') return given;
  let name = sourceRef?.name ?? '';
  let from = sourceRef?.namespace || own;
  for (let hop = 0; name !== '' && hop < MAX_HOPS; hop += 1) {
    const found = await client.find(dataSources, { namespace: from, name }, signal);
    const { pvc, snapshot, dataSource } = found?.spec?.source ?? {};
    const end = pvc ?? snapshot;
    if (end !== undefined) return end.namespace || from;
    name = dataSource?.name ?? '';
    from = dataSource?.namespace || from;
  }
  return from;
}
