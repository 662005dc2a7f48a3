/** The AdmissionReview that a webhook gets, and what its answer means. */
import { randomUUID } from 'node:crypto';
import type { StatusDetails } from '@podvisor/base';
import { StatusError } from '@podvisor/base';
import { textOf } from '../verbs/serialize.ts';
import { asObject, at, type JsonObject, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';
import { CallError } from './webhook-client.ts';

export interface Review {
  readonly uid: string;
  readonly text: string;
}

/** Builds the request for `version` (v1 or v1beta1). */
export function buildReview(attributes: Attributes, version: string): Review {
  const { definition, subresource, name, namespace, operation, object, oldObject, user, dryRun, options } = attributes;
  const uid = randomUUID();
  const sub = subresource === '' ? undefined : definition.subresources.get(subresource);
  const kind = { group: sub?.group ?? definition.group, version: sub?.version ?? definition.version, kind: sub?.kind ?? definition.kind };
  const resource = { group: definition.group, version: definition.version, resource: definition.plural };
  const head = JSON.stringify({
    uid,
    kind,
    resource,
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kind,
    requestResource: resource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: user,
  });
  const write = (value: KubeObject | undefined): string => (value === undefined ? 'null' : value.kind === definition.kind ? textOf(definition, value) : JSON.stringify(value));
  const request = `${head.slice(0, -1)},"object":${write(object)},"oldObject":${write(oldObject)},"dryRun":${dryRun},"options":${JSON.stringify(options)}}`;
  return { uid, text: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":${request}}` };
}

/** The `response` of an answer, checked. */
export function readResponse(review: JsonObject, uid: string, version: string): JsonObject {
  const apiVersion = stringAt(review, 'apiVersion');
  const kind = stringAt(review, 'kind');
  if (apiVersion === '' && kind === '') throw new CallError(`failed to call webhook: Object 'Kind' is missing in '${JSON.stringify(review)}'`);
  if (!/^admission\.k8s\.io\/v1(beta1)?$/.test(apiVersion)) {
    throw new CallError(`failed to call webhook: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/util/webhook/client.go:71"`);
  }
  const response = asObject(at(review, 'response'));
  if (response === undefined) throw new CallError('received invalid webhook response: webhook response was absent');
  if (version === 'v1' && stringAt(response, 'uid') !== uid) throw new CallError(`received invalid webhook response: expected response.uid="${uid}", got "${stringAt(response, 'uid')}"`);
  if (apiVersion !== `admission.k8s.io/${version}`) {
    throw new CallError(`received invalid webhook response: expected webhook response of admission.k8s.io/${version}, Kind=AdmissionReview, got ${apiVersion.replace('/', '/')}, Kind=${kind}`);
  }
  return response;
}

/** The refusal of a webhook: its code, reason and details, with Kubernetes' sentence around its message. */
export class WebhookDenied extends StatusError {
  readonly shownReason: string;

  constructor(name: string, status: JsonObject) {
    const message = stringAt(status, 'message');
    const reason = stringAt(status, 'reason');
    const text = message !== '' ? `: ${message}` : reason !== '' ? `: ${reason}` : ' without explanation';
    const code = Number(at(status, 'code') ?? 400);
    const details = asObject(at(status, 'details'));
    super('Unknown', `admission webhook "${name}" denied the request${text}`, {
      code: code < 400 || code > 599 ? 400 : code,
      ...(details === undefined ? {} : { details: objectAt(status, 'details') as unknown as StatusDetails }),
    });
    this.shownReason = reason;
  }

  override toBody(): ReturnType<StatusError['toBody']> {
    const { reason: _, ...body } = super.toBody();
    return { ...body, ...(this.shownReason === '' ? {} : { reason: this.shownReason }) };
  }
}
