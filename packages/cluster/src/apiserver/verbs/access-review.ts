/** SubjectAccessReview, SelfSubjectAccessReview, LocalSubjectAccessReview: asked, answered, never stored. */
import type { Access } from '../authz/authorizer.ts';
import type { UserInfo, VerbContext } from '../core.ts';
import { arrayAt, asObject, asString, at, type KubeObject, stringAt } from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { decodeBody, targetOf } from './decode-body.ts';
import { writeOptions } from './options.ts';

export async function accessReview(context: VerbContext): Promise<Answer> {
  const { core, definition, info, user } = context;
  const options = writeOptions(context, 'CreateOptions');
  const review = await decodeBody(context, targetOf(definition), options.fieldValidation);
  const isSelf = definition.kind === 'SelfSubjectAccessReview';
  if (definition.namespaced && stringAt(review, 'spec', 'resourceAttributes', 'namespace') !== info.namespace)
    throw badRequest('spec.resourceAttributes.namespace must match namespace');
  const decision = core.authorizer.authorize(isSelf ? user : subjectOf(review), accessOf(review));
  const status = { allowed: decision.allowed, ...(decision.reason === '' ? {} : { reason: decision.reason }) };
  return { kind: 'other', code: 201, body: { ...review, status } };
}

function subjectOf(review: KubeObject): UserInfo {
  const extra = asObject(at(review, 'spec', 'extra'));
  return {
    username: stringAt(review, 'spec', 'user'),
    groups: arrayAt(review, 'spec', 'groups').map(asString),
    ...(extra === undefined
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, arrayAt({ values }, 'values').map(asString)])) }),
  };
}

function accessOf(review: KubeObject): Access {
  const path = stringAt(review, 'spec', 'nonResourceAttributes', 'path');
  const isResource = at(review, 'spec', 'resourceAttributes') !== undefined;
  const attribute = (name: string): string => stringAt(review, 'spec', 'resourceAttributes', name);
  return {
    verb: isResource ? attribute('verb') : stringAt(review, 'spec', 'nonResourceAttributes', 'verb'),
    isResource,
    group: attribute('group'),
    version: attribute('version'),
    resource: attribute('resource'),
    subresource: attribute('subresource'),
    name: attribute('name'),
    namespace: attribute('namespace'),
    path,
  };
}
