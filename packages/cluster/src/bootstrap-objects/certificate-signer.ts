/** Rights of the signer of certificates in the node agent: it follows requests, and signs for Kubernetes' own signers. Pure. */
import {
  clusterRole,
  clusterRoleBinding,
  FOLLOW,
  type Manifest,
  RBAC_GROUP,
  rule,
} from '@podvisor/virt-operator';
import { CERTIFICATE_SIGNER_USER } from '../pki-bootstrap/identities.ts';

const NAME = 'podvisor:certificate-signer';
const GROUP = 'certificates.k8s.io';

export function certificateSignerRights(): Manifest[] {
  const subject = { kind: 'User', name: CERTIFICATE_SIGNER_USER, apiGroup: RBAC_GROUP };
  const rules = [
    rule(GROUP, ['certificatesigningrequests'], FOLLOW),
    rule(GROUP, ['certificatesigningrequests/status'], ['patch']),
    { ...rule(GROUP, ['signers'], ['sign']), resourceNames: ['kubernetes.io/*'] },
  ];
  return [{ ...clusterRole(NAME, rules) }, { ...clusterRoleBinding(NAME, subject) }];
}
