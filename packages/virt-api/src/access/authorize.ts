/** May this user do this? Asked of the API server by a SubjectAccessReview, for every request anew. */
import type { KubernetesObject } from '@podvisor/api';
import { messageOf, StatusError } from '@podvisor/base';
import { defineResource, type KubeClient } from '@podvisor/kube';
import type { User } from './front-proxy.ts';

/** One permission of group `subresources.kubevirt.io`. */
export interface Permission {
  readonly verb: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface SubjectAccessReview extends KubernetesObject {
  readonly spec: unknown;
  readonly status?: { readonly allowed?: boolean; readonly reason?: string };
}

const reviews = defineResource<SubjectAccessReview>(
  'SubjectAccessReview',
  'subjectaccessreviews',
  'authorization.k8s.io/v1',
  'Cluster',
);

/** Throws 401 when the answer is no, or cannot be had: clients of KubeVirt know it so. */
export async function authorize(
  client: Pick<KubeClient, 'create'>,
  user: User,
  permission: Permission,
  signal: AbortSignal,
): Promise<void> {
  const spec = {
    user: user.name,
    groups: user.groups,
    extra: user.extra,
    resourceAttributes: { group: 'subresources.kubevirt.io', ...permission },
  };
  let review: SubjectAccessReview;
  try {
    review = await client.create(reviews, { metadata: {}, spec }, {}, signal);
  } catch (error) {
    throw new StatusError('Unauthorized', `not authorized: the access review failed: ${messageOf(error)}`);
  }
  if (review.status?.allowed !== true) throw denied(user, permission, review.status?.reason);
}

/** Whether the subject of an access review has what it names. */
export async function hasAccess(client: Pick<KubeClient, 'create'>, spec: object): Promise<boolean> {
  const review = await client.create(reviews, { metadata: {}, spec });
  return review.status?.allowed === true;
}

function denied(user: User, permission: Permission, reason: string | undefined): StatusError {
  const { verb, resource, subresource, namespace, name } = permission;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? '' : ` in namespace "${namespace}"`;
  const which = name === undefined ? '' : ` "${name}"`;
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
  return new StatusError('Unauthorized', `User "${user.name}" cannot ${verb} ${what}${which}${where}${why}`);
}

/** The RBAC verb of an HTTP method. */
export function verbOf(method: string): string {
  const verbs: Readonly<Record<string, string>> = {
    GET: 'get',
    PUT: 'update',
    POST: 'create',
    PATCH: 'patch',
    DELETE: 'delete',
  };
  return verbs[method] ?? method.toLowerCase();
}
