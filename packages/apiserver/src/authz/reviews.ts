/** Access reviews and token reviews: questions about users that are answered and not stored. */
import type { TokenIssuer } from '../authn/tokens.ts';
import type { UserInfo, VerbContext } from '../core.ts';
import type { Answer } from '../verbs/answer.ts';
import { decodeBody, targetOf } from '../verbs/decode-body.ts';
import { type FieldError, invalid, invalidObject } from '../wire/field-errors.ts';
import {
  arrayAt,
  asObject,
  asString,
  at,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { badRequest } from '../wire/status.ts';
import { rfc3339 } from '@podvisor/base';
import { trackUpdate } from '../managed/field-manager.ts';
import { managedContext } from '../verbs/managed-context.ts';
import { writeOptions } from '../verbs/options.ts';
import type { Access, GrantedRule } from './authorizer.ts';

type Handler = (context: VerbContext) => Promise<Answer>;

/** Creates of review kinds, by plural. */
export function reviewHandlers(tokens: TokenIssuer): Readonly<Record<string, Handler>> {
  return {
    'authorization.k8s.io/selfsubjectaccessreviews': (context) =>
      review(context, (spec) => answerAccess(context, context.user, spec)),
    'authorization.k8s.io/subjectaccessreviews': (context) =>
      review(context, (spec) => answerAccess(context, userOf(spec), spec)),
    'authorization.k8s.io/localsubjectaccessreviews': (context) =>
      review(context, (spec) => answerAccess(context, userOf(spec), spec)),
    'authorization.k8s.io/selfsubjectrulesreviews': (context) =>
      review(context, (spec) => answerRules(context, stringAt(spec, 'namespace'))),
    'authentication.k8s.io/selfsubjectreviews': (context) =>
      review(context, () => ({ userInfo: userBody(context.user) })),
    'authentication.k8s.io/tokenreviews': (context) => review(context, (spec) => answerToken(tokens, spec)),
  };
}

async function review(context: VerbContext, answer: (spec: JsonObject) => JsonObject): Promise<Answer> {
  const options = writeOptions(context, 'CreateOptions');
  const object = await decodeBody(context, targetOf(context.definition), options.fieldValidation);
  const tracked = trackUpdate(managedContext(context), undefined, object, {
    manager: options.fieldManager,
    operation: 'Update',
    apiVersion: context.definition.apiVersion,
    subresource: '',
  });
  validate(context, tracked);
  const status = answer(objectAt(object, 'spec'));
  const { kind, apiVersion, spec } = object;
  const { metadata } = tracked;
  const managed = {
    ...(kind === 'SelfSubjectRulesReview' ? object.metadata : metadata),
    ...(kind === 'SelfSubjectReview' ? { creationTimestamp: rfc3339(context.core.clock.now()) } : {}),
    ...(context.definition.namespaced ? { namespace: context.info.namespace } : {}),
  };
  const body: JsonObject = {
    kind,
    apiVersion,
    metadata: managed,
    ...(spec === undefined || kind === 'SelfSubjectReview'
      ? {}
      : { spec: kind === 'SelfSubjectRulesReview' ? {} : spec }),
    status,
  };
  return { kind: 'other', code: 201, body };
}

function validate({ definition, info }: VerbContext, object: KubeObject): void {
  const spec = objectAt(object, 'spec');
  const errors: FieldError[] = [];
  if (definition.kind.endsWith('AccessReview')) {
    const resource = asObject(at(spec, 'resourceAttributes'));
    const other = asObject(at(spec, 'nonResourceAttributes'));
    if (resource !== undefined && other !== undefined)
      errors.push(
        invalid(
          'spec.nonResourceAttributes',
          { Path: stringAt(other, 'path'), Verb: stringAt(other, 'verb') },
          'cannot be specified in combination with resourceAttributes',
        ),
      );
    if (resource === undefined && other === undefined)
      errors.push(
        invalid(
          'spec.resourceAttributes',
          null,
          'exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ),
      );
    if (
      definition.kind !== 'SelfSubjectAccessReview' &&
      stringAt(spec, 'user') === '' &&
      arrayAt(spec, 'groups').length === 0
    ) {
      errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'));
    }
  }
  if (definition.kind === 'LocalSubjectAccessReview') {
    const namespace = stringAt(spec, 'resourceAttributes', 'namespace');
    const paths = objectAt(spec, 'nonResourceAttributes');
    if (Object.keys(paths).length > 0)
      errors.push(
        invalid(
          'spec.nonResourceAttributes',
          { Path: stringAt(paths, 'path'), Verb: stringAt(paths, 'verb') },
          'disallowed on this kind of request',
        ),
      );
    else if (namespace !== info.namespace)
      errors.push(invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (definition.kind === 'TokenReview' && stringAt(spec, 'token') === '')
    throw badRequest('token is required for TokenReview in authentication');
  if (definition.kind === 'SelfSubjectRulesReview' && stringAt(spec, 'namespace') === '')
    throw badRequest('no namespace on request');
  const { namespace: _, ...metadata } = object.metadata;
  const bare = Object.keys(metadata).filter((key) => key !== 'managedFields');
  if (bare.length > 0 && definition.kind.endsWith('AccessReview'))
    errors.push(invalid('metadata', object.metadata, 'must be empty'));
  if (errors.length > 0) throw invalidObject('', definition.group, '', errors);
}

function userOf(spec: JsonObject): UserInfo {
  return {
    username: stringAt(spec, 'user'),
    uid: stringAt(spec, 'uid'),
    groups: arrayAt(spec, 'groups').map(asString),
  };
}

function userBody({ username, uid, groups, extra }: UserInfo): JsonObject {
  const extras: JsonObject = Object.fromEntries(
    Object.entries(extra ?? {}).map(([key, values]) => [key, [...values]]),
  );
  return {
    username,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(Object.keys(extras).length === 0 ? {} : { extra: extras }),
  };
}

function answerAccess({ core }: VerbContext, user: UserInfo, spec: JsonObject): JsonObject {
  const { allowed, reason } = core.authorizer.authorize(user, accessOf(spec));
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

function accessOf(spec: JsonObject): Access {
  const resource = asObject(at(spec, 'resourceAttributes'));
  const text = (key: string): string => stringAt(resource, key);
  if (resource === undefined) {
    return {
      verb: stringAt(spec, 'nonResourceAttributes', 'verb'),
      isResource: false,
      group: '',
      resource: '',
      subresource: '',
      name: '',
      namespace: '',
      path: stringAt(spec, 'nonResourceAttributes', 'path'),
    };
  }
  return {
    verb: text('verb'),
    isResource: true,
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    name: text('name'),
    namespace: text('namespace'),
    path: '',
  };
}

function answerRules({ core, user }: VerbContext, namespace: string): JsonObject {
  const granted = core.authorizer
    .rulesOf(user)
    .filter((rule) => rule.namespace === '' || rule.namespace === namespace);
  const resourceRules = granted.filter(({ rule }) => rule.nonResourceURLs.length === 0).map(resourceRule);
  const nonResourceRules = granted
    .filter(({ rule, namespace: where }) => where === '' && rule.nonResourceURLs.length > 0)
    .map(({ rule }) => ({ verbs: [...rule.verbs], nonResourceURLs: [...rule.nonResourceURLs] }));
  return { resourceRules, nonResourceRules, incomplete: false };
}

function resourceRule({ rule }: GrantedRule): JsonObject {
  return {
    verbs: [...rule.verbs],
    apiGroups: [...rule.apiGroups],
    resources: [...rule.resources],
    ...(rule.resourceNames.length === 0 ? {} : { resourceNames: [...rule.resourceNames] }),
  };
}

function answerToken(tokens: TokenIssuer, spec: JsonObject): JsonObject {
  const audiences = arrayAt(spec, 'audiences').map(asString);
  const tried = audiences.length === 0 ? [tokens.issuer] : audiences;
  const audience = tried.find((candidate) => tokens.verify(stringAt(spec, 'token'), candidate) !== undefined);
  const user = audience === undefined ? undefined : tokens.verify(stringAt(spec, 'token'), audience);
  if (user === undefined || audience === undefined) return { user: {}, error: 'invalid bearer token' };
  return {
    authenticated: true,
    user: userBody({ ...user, groups: [...user.groups, 'system:authenticated'] }),
    audiences: [audience],
  };
}
