/** The question that a webhook is asked, and its answer. */
import { randomUUID } from 'node:crypto';
import { asObject, at, type JsonObject, stringAt } from '../../wire/json.ts';
import type { Attributes } from '../attributes.ts';

/** `request` of an AdmissionReview. */
export function reviewRequest(attributes: Attributes): JsonObject {
  const { definition, subresource, name, namespace, operation, user, object, oldObject, dryRun, options } =
    attributes;
  const { group, version, plural } = definition;
  const kind = kindOf(attributes);
  const resource = { group, version, resource: plural };
  const sub: JsonObject = subresource === '' ? {} : { subResource: subresource };
  return {
    uid: randomUUID(),
    kind,
    resource,
    ...sub,
    requestKind: kind,
    requestResource: resource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.username,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: [...user.groups],
      ...(user.extra === undefined
        ? {}
        : {
            extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
          }),
    },
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options,
  };
}

/** The kind of what is sent: a subresource may have one of its own (Scale, Eviction). */
function kindOf({ definition, subresource, object }: Attributes): JsonObject {
  const { group, version, kind } = definition;
  if (subresource !== '' && object !== undefined && object.kind !== undefined && object.kind !== kind) {
    const [first = '', second] = object.apiVersion.split('/');
    return second === undefined
      ? { group: '', version: first, kind: object.kind }
      : { group: first, version: second, kind: object.kind };
  }
  return { group, version, kind };
}

export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** JSON patch text; undefined: no change. */
  readonly patch: string | undefined;
  readonly warnings: readonly string[];
}

/** Reads an answer; throws with the reason when it is not one. */
export function readAnswer(body: JsonObject, uid: string): ReviewAnswer {
  const apiVersion = stringAt(body, 'apiVersion');
  // An answer that does not say what it is counts as a review.
  const unnamed = apiVersion === '' && stringAt(body, 'kind') === '';
  if (!unnamed && apiVersion !== 'admission.k8s.io/v1' && apiVersion !== 'admission.k8s.io/v1beta1')
    throw new Error(
      `failed to call webhook: no kind "${stringAt(body, 'kind')}" is registered for version "${apiVersion}" in scheme "pkg/util/webhook/client.go:71"`,
    );
  const response = asObject(at(body, 'response'));
  if (response === undefined)
    throw new Error('received invalid webhook response: webhook response was absent');
  const answered = stringAt(response, 'uid');
  if (answered !== uid)
    throw new Error(`received invalid webhook response: expected response.uid="${uid}", got "${answered}"`);
  const patch = stringAt(response, 'patch');
  const patchType = stringAt(response, 'patchType');
  if (patch !== '' && patchType === '')
    throw new Error(
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    );
  if (patchType !== '' && patch === '')
    throw new Error(
      'received invalid webhook response: webhook returned response.patchType but not response.patch',
    );
  if (patchType !== '' && patchType !== 'JSONPatch')
    throw new Error(
      `received invalid webhook response: webhook returned invalid response.patchType of "${patchType}"`,
    );
  return {
    allowed: at(response, 'allowed') === true,
    status: asObject(at(response, 'status')),
    patch: patch === '' ? undefined : Buffer.from(patch, 'base64').toString('utf8'),
    warnings: ((at(response, 'warnings') as unknown[] | undefined) ?? []).map(String),
  };
}
