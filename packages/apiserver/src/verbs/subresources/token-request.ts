/** `serviceaccounts/token`: issues a token for a service account. */
import { rfc3339 } from '@podvisor/base';
import { keyOf } from '@podvisor/store';
import { nodeTokenProblem } from '../../admission/node-restriction.ts';
import type { TokenIssuer, TokenSubject } from '../../authn/tokens.ts';
import type { VerbContext } from '../../core.ts';
import { library } from '../../registry/library.ts';
import { invalid, invalidObject } from '../../wire/field-errors.ts';
import {
  arrayAt,
  asString,
  at,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import { badRequest, conflict, forbiddenObject, notFound } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { decodeBody } from '../decode-body.ts';
import { find } from '../read/get.ts';

/** What a token may be bound to, and end with. */
const BOUND_KINDS: Readonly<Record<string, 'pods' | 'secrets' | 'nodes'>> = {
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
};
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

export function requestTokenWith(tokens: TokenIssuer): (context: VerbContext) => Promise<Answer> {
  return async (context) => {
    const { info, definition, core } = context;
    const target = {
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      schema: library.struct('AuthenticationV1TokenRequest'),
      definition,
    };
    const request = await decodeBody(context, target, 'Ignore');
    const account = find({ ...context, info: { ...info, subresource: '' } }).object;
    const seconds = Number(at(request, 'spec', 'expirationSeconds') ?? 3600);
    if (seconds < MIN_SECONDS)
      throw invalidObject('TokenRequest', 'authentication.k8s.io', '', [
        invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
      ]);
    if (seconds > MAX_SECONDS)
      throw invalidObject('TokenRequest', 'authentication.k8s.io', '', [
        invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds'),
      ]);
    const ref = objectAt(request, 'spec', 'boundObjectRef');
    const found = Object.keys(ref).length === 0 ? undefined : boundObject(context, ref);
    const problem = nodeTokenProblem(context.user, request, found?.object);
    if (problem !== undefined) throw forbiddenObject(definition, info.name, problem);
    const audiences = arrayAt(request, 'spec', 'audiences').map(asString);
    const { token, expiresAtMs } = tokens.issue(
      {
        namespace: info.namespace,
        serviceAccount: info.name,
        serviceAccountUid: account.metadata.uid ?? '',
        ...(found === undefined ? {} : { bound: found.bound }),
        ...nodeOfPod(context, found),
      },
      audiences,
      seconds,
    );
    const body: JsonObject = {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: info.name, namespace: info.namespace, creationTimestamp: rfc3339(core.clock.now()) },
      spec: {
        audiences: audiences.length === 0 ? [tokens.issuer] : audiences,
        expirationSeconds: seconds,
        boundObjectRef: found === undefined ? null : { ...ref },
      },
      status: { token, expirationTimestamp: rfc3339(expiresAtMs) },
    };
    return { kind: 'other', code: 201, body };
  };
}

interface Bound {
  readonly bound: NonNullable<TokenSubject['bound']>;
  readonly object: KubeObject;
}

/** A token of a Pod says on which node it is. */
function nodeOfPod({ core }: VerbContext, found: Bound | undefined): Pick<TokenSubject, 'node'> {
  const name = found?.bound.kind === 'Pod' ? stringAt(found.object, 'spec', 'nodeName') : '';
  if (name === '') return {};
  const uid = core.store.latest(keyOf('', 'nodes', '', name))?.object.metadata.uid ?? '';
  return { node: { name, uid } };
}

function boundObject({ core, info }: VerbContext, ref: JsonObject): Bound {
  const kind = stringAt(ref, 'kind');
  const plural = BOUND_KINDS[kind];
  if (plural === undefined) throw badRequest(`cannot bind token to object of type ${kind}`);
  const name = stringAt(ref, 'name');
  const found = core.store.latest(keyOf('', plural, plural === 'nodes' ? '' : info.namespace, name))?.object;
  if (found === undefined) throw notFound({ group: '', plural }, name);
  const uid = stringAt(ref, 'uid');
  if (uid !== '' && uid !== found.metadata.uid)
    throw conflict(
      { group: '', plural },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (plural === 'pods' && stringAt(found, 'spec', 'serviceAccountName') !== info.name)
    throw badRequest(
      `cannot bind token for serviceaccount "${info.name}" to pod running with different serviceaccount name.`,
    );
  return { bound: { kind, name, uid: found.metadata.uid ?? '' }, object: found };
}
