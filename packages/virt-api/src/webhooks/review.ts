/** AdmissionReview (admission.k8s.io/v1): from JSON to what a webhook looks at, and back. */
import { type StatusCause, StatusError, isRecord } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import { withoutNulls } from './nulls.ts';

/** The resource that a review is about. */
export interface ReviewedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** One admission request. `object` is undefined on DELETE, `oldObject` on CREATE. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly resource: ReviewedResource;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly userGroups: readonly string[];
  readonly userExtra: Readonly<Record<string, readonly string[]>>;
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly dryRun: boolean;
}

/** A yes or no. `code` and `message` count when it is no. */
export interface Verdict {
  readonly allowed: boolean;
  readonly causes: readonly StatusCause[];
  readonly message: string;
  readonly code: number;
  readonly warnings: readonly string[];
}

/** What a webhook says: an object in place of the one that came, or yes and no. */
export type AdmissionAnswer =
  | {
      readonly kind: 'mutated';
      readonly patch: readonly JsonPatchOperation[];
      readonly warnings: readonly string[];
    }
  | ({ readonly kind: 'validated' } & Verdict);

const OPERATIONS: ReadonlySet<unknown> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

/** Throws 400 when the body is no review. */
export function parseReview(body: unknown): AdmissionRequest {
  const request = isRecord(body) && body.kind === 'AdmissionReview' ? body.request : undefined;
  if (!isRecord(request) || typeof request.uid !== 'string' || !OPERATIONS.has(request.operation)) {
    throw new StatusError('BadRequest', 'the body is not an AdmissionReview with a request');
  }
  const info = isRecord(request.userInfo) ? request.userInfo : {};
  const user = info.username;
  return {
    uid: request.uid,
    resource: resourceOf(request.resource),
    operation: request.operation as AdmissionRequest['operation'],
    namespace: typeof request.namespace === 'string' ? request.namespace : '',
    name: typeof request.name === 'string' ? request.name : '',
    user: typeof user === 'string' ? user : '',
    userGroups: (info.groups ?? []) as AdmissionRequest['userGroups'],
    userExtra: (info.extra ?? {}) as AdmissionRequest['userExtra'],
    object: withoutNulls(request.object) ?? undefined,
    oldObject: withoutNulls(request.oldObject) ?? undefined,
    dryRun: request.dryRun === true,
  };
}

function resourceOf(value: unknown): ReviewedResource {
  const { group, resource, version } = isRecord(value) ? value : {};
  const text = (part: unknown): string => (typeof part === 'string' ? part : '');
  return { group: text(group), version: text(version), resource: text(resource) };
}

export function renderReview(uid: string, answer: AdmissionAnswer): unknown {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, ...(answer.kind === 'mutated' ? renderPatch(answer) : renderVerdict(answer)) },
  };
}

function renderPatch({ patch, warnings }: Extract<AdmissionAnswer, { kind: 'mutated' }>): object {
  const changed = patch.length > 0;
  return {
    allowed: true,
    ...(changed
      ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }
      : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function renderVerdict(verdict: Extract<AdmissionAnswer, { kind: 'validated' }>): object {
  const { allowed, causes, message, code, warnings } = verdict;
  const extra = warnings.length > 0 ? { warnings } : {};
  if (allowed) return { allowed, ...extra };
  return {
    allowed,
    status: {
      message,
      code,
      ...(code === 422 ? { reason: 'Invalid' } : {}),
      ...(causes.length > 0 ? { details: { causes } } : {}),
    },
    ...extra,
  };
}
