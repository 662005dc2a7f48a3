/**
 * What a user of the home is: a client certificate that names him and a group of his own, and a RoleBinding to that
 * group in each of his namespaces. The group carries a number that is new each time, because a certificate
 * cannot be called back: who is removed and added again does not get the rights of the old one back with it. Pure.
 */
import type { KubernetesObject } from '@podvisor/api';
import { nearest, rfc3339 } from '@podvisor/base';

export const USER_LABEL = 'podvisor.io/user';
const EXPIRES = 'podvisor.io/certificate-expires';

/** Roles that every cluster has, with what kubevirt.io adds to them. */
const USUAL_ROLES = ['view', 'edit', 'admin'];

export interface UserRequest {
  readonly name: string;
  readonly namespace: string;
  readonly role: string;
  /** Hexadecimal and new each time. */
  readonly number: string;
  /** When the certificate ends; epoch milliseconds. */
  readonly expires: number;
}

interface Subject {
  readonly kind: string;
  readonly apiGroup: string;
  readonly name: string;
}

export interface RoleBinding extends KubernetesObject {
  readonly subjects: readonly Subject[];
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

/** Throws with the flag and the fix. */
export function checkUser({ name, namespace }: Pick<UserRequest, 'name' | 'namespace'>): void {
  const label = /^[a-z0-9]([-a-z0-9.]{0,50}[a-z0-9])?$/;
  if (!label.test(name))
    throw new Error(
      `"${name}" cannot be a user: use small letters, digits, - and ., at most 52 (no "system:")`,
    );
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace))
    throw new Error(`--namespace "${namespace}": use small letters, digits and -`);
}

export function groupOf({ name, number }: Pick<UserRequest, 'name' | 'number'>): string {
  return `podvisor:user:${name}:${number}`;
}

export function bindingFor(request: UserRequest): RoleBinding {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: {
      name: `podvisor-user-${request.name}`,
      namespace: request.namespace,
      labels: { [USER_LABEL]: request.name },
      annotations: { [EXPIRES]: rfc3339(request.expires) },
    },
    subjects: [{ kind: 'Group', apiGroup, name: groupOf(request) }],
    roleRef: { apiGroup, kind: 'ClusterRole', name: request.role },
  };
}

/**
 * Who is left in a binding when a user goes; undefined: it does not name him. Who has the role `admin` may bind roles to
 * himself, by his name or group, in bindings of his own.
 */
export function subjectsWithout(binding: KubernetesObject, name: string): readonly Subject[] | undefined {
  const { subjects = [] } = binding as Partial<RoleBinding>;
  const isHis = ({ kind, name: subject }: Subject): boolean =>
    kind === 'User'
      ? subject === name
      : kind === 'Group' && subject.startsWith(groupOf({ name, number: '' }));
  return subjects.some(isHis) ? subjects.filter((subject) => !isHis(subject)) : undefined;
}

export interface UserRow {
  readonly name: string;
  readonly namespace: string;
  readonly role: string;
  readonly expires: string;
}

/** A line of `user list` for a RoleBinding of ours. */
export function userRow(binding: KubernetesObject): UserRow {
  const { metadata } = binding;
  return {
    name: metadata?.labels?.[USER_LABEL] ?? '',
    namespace: metadata?.namespace ?? '',
    role: (binding as Partial<RoleBinding>).roleRef?.name ?? '',
    expires: metadata?.annotations?.[EXPIRES] ?? '',
  };
}

/** Sentence for a role that is not there. */
export function missingRole(role: string): string {
  return `there is no ClusterRole "${role}": use ${USUAL_ROLES.join(', ')}, or one that \`kubectl get clusterroles\` lists`;
}

/** Sentence for a namespace that is not there. */
export function missingNamespace(name: string, there: readonly string[]): string {
  const near = nearest(name, there);
  const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
  return `there is no namespace "${name}"${meant}: --create-namespace makes it`;
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, y: 365 * 86_400_000 };

/** `30d` and the like in milliseconds. */
export function validityMs(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([hdy])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms === 0 || ms > 10 * (UNITS['y'] ?? 0))
    throw new Error(`--expires "${text}": write hours, days or years such as 12h, 30d or 1y, at most 10y`);
  return ms;
}
