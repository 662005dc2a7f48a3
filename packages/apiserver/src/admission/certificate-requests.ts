/**
 * CertificateSigningRequests say truly who asked, never change what was asked, and are approved and signed only by who
 * may use the signer (Kubernetes: the strategy of the kind, CertificateApproval, CertificateSigning).
 */
import type { Authorizer } from '../authz/authorizer.ts';
import { objectAt, stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

export function certificateRequests(authorizer: Authorizer): Plugin {
  return {
    mutate: (attributes) => {
      const { operation, object, oldObject, user } = attributes;
      if (!isRequest(attributes) || object === undefined) return undefined;
      if (operation === 'UPDATE') return { ...object, spec: oldObject?.['spec'] ?? {} };
      if (operation !== 'CREATE' || attributes.subresource !== '') return undefined;
      const { uid: _, extra: __, ...spec } = objectAt(object, 'spec');
      return {
        ...object,
        spec: {
          ...spec,
          username: user.username,
          groups: [...user.groups],
          ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
        },
      };
    },
    validate: (attributes) => {
      const { operation, object, oldObject, subresource } = attributes;
      if (!isRequest(attributes) || operation !== 'UPDATE' || object === undefined) return;
      const certificate = stringAt(object, 'status', 'certificate');
      const signs = certificate !== '' && certificate !== stringAt(oldObject ?? {}, 'status', 'certificate');
      if (subresource === 'approval') requireSigner(authorizer, attributes, 'approve');
      if (subresource === 'status' && signs) requireSigner(authorizer, attributes, 'sign');
    },
  };
}

function isRequest({ definition }: Attributes): boolean {
  return definition.group === 'certificates.k8s.io' && definition.plural === 'certificatesigningrequests';
}

/** By the signer's own name, or by its domain: `kubernetes.io/*`. */
function requireSigner(authorizer: Authorizer, attributes: Attributes, verb: 'approve' | 'sign'): void {
  const { user, object, definition, name } = attributes;
  const signer = stringAt(object ?? {}, 'spec', 'signerName');
  const names = [signer, `${signer.split('/')[0]}/*`];
  const allowed = names.some(
    (one) =>
      authorizer.authorize(user, {
        verb,
        isResource: true,
        group: 'certificates.k8s.io',
        resource: 'signers',
        subresource: '',
        name: one,
        namespace: '',
        path: '',
      }).allowed,
  );
  if (!allowed)
    throw forbiddenObject(
      definition,
      name,
      `user not permitted to ${verb} requests with signerName "${signer}"`,
    );
}
