/**
 * Kinds that are served and that nothing acts on yet. Their objects must not wait for ever in silence: each is
 * told once, in its status where it has one, and in an event.
 */
import type { KubernetesObject, VMICondition } from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';
import { defineResource, type Resource } from '@podvisor/kube';
import { setCondition } from '../conditions.ts';

export interface UnavailableObject extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly VMICondition[];
    readonly phase?: string;
    readonly [field: string]: unknown;
  };
}

/** A kind, and what its status says; undefined when it has no status to say it in. */
export interface UnavailableKind {
  readonly resource: Resource<UnavailableObject>;
  readonly conditions?: Readonly<Record<string, 'True' | 'False'>>;
  /** Other fields of the status. */
  readonly fields?: (message: string, at: string) => Readonly<Record<string, unknown>>;
}

const define = (kind: string, apiVersion: string, scope?: 'Cluster'): Resource<UnavailableObject> =>
  defineResource<UnavailableObject>(kind, `${kind.toLowerCase()}s`, apiVersion, scope);

export const unavailableKinds: readonly UnavailableKind[] = [
  { resource: define('Plugin', 'plugin.kubevirt.io/v1alpha1', 'Cluster') },
];

export const UNAVAILABLE_REASON = 'NotAvailable';

export function unavailableMessage({ resource }: UnavailableKind): string {
  return `${resource.kind} objects are stored, but nothing acts on them yet in this version.`;
}

/** The status that tells so; undefined when it does already, or has no place for it. */
export function toldStatus(
  kind: UnavailableKind,
  object: UnavailableObject,
  nowMs: number,
): UnavailableObject['status'] | undefined {
  if (kind.conditions === undefined) return undefined;
  const message = unavailableMessage(kind);
  const old = object.status?.conditions ?? [];
  const conditions = Object.entries(kind.conditions).reduce<readonly VMICondition[]>(
    (list, [type, status]) =>
      setCondition(list, { type, status, reason: UNAVAILABLE_REASON, message }, nowMs),
    old,
  );
  if (deepEqual(conditions, old)) return undefined;
  return { ...object.status, ...kind.fields?.(message, rfc3339(nowMs)), conditions };
}
