/** `serviceaccounts/token`: issues a token for a service account. */
import { rfc3339 } from '@podvisor/base';
import { keyOf } from '../../store/types.ts';
import type { TokenIssuer } from '../authn/tokens.ts';
import type { VerbContext } from '../core.ts';
import { library } from '../registry/library.ts';
import { invalid, invalidObject } from '../wire/field-errors.ts';
import { arrayAt, asString, at, type JsonObject, objectAt, stringAt } from '../wire/json.ts';
import { conflict, notFound } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { decodeBody } from './decode-body.ts';
import { find } from './get.ts';

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
    const bound = Object.keys(ref).length === 0 ? undefined : boundObject(context, ref);
    const audiences = arrayAt(request, 'spec', 'audiences').map(asString);
    const { token, expiresAtMs } = tokens.issue(
      {
        namespace: info.namespace,
        serviceAccount: info.name,
        serviceAccountUid: account.metadata.uid ?? '',
        ...(bound === undefined ? {} : { bound }),
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
        boundObjectRef: bound === undefined ? null : { ...ref },
      },
      status: { token, expirationTimestamp: rfc3339(expiresAtMs) },
    };
    return { kind: 'other', code: 201, body };
  };
}

function boundObject(
  { core, info }: VerbContext,
  ref: JsonObject,
): { kind: string; name: string; uid: string } {
  const kind = stringAt(ref, 'kind');
  const plural = kind === 'Secret' ? 'secrets' : kind === 'Node' ? 'nodes' : 'pods';
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
  return { kind, name, uid: found.metadata.uid ?? '' };
}
