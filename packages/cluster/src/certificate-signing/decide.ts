/**
 * Whether an approved CertificateSigningRequest is signed, by the rules that Kubernetes documents for its three signers.
 * Pure. Signers of other names are somebody else's.
 */
import type { CertificateSigningRequest } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { type ParsedRequest, parseCertificateRequest } from '@podvisor/kube';

export type SigningPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'sign';
      readonly request: ParsedRequest;
      readonly usage: 'client' | 'server';
      readonly validForMs: number;
    }
  /** It was approved, and must not be signed. */
  | { readonly kind: 'fail'; readonly message: string };

const CLIENT = 'kubernetes.io/kube-apiserver-client';
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const YEAR_SECONDS = 365 * 86_400;
const LEAST_SECONDS = 600;
const PLAIN_USAGES = ['digital signature', 'key encipherment'];

export function planSigning({ spec, status }: CertificateSigningRequest): SigningPlan {
  const has = (type: string): boolean =>
    status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
  const isOurs = [CLIENT, KUBELET, SERVING].includes(spec.signerName);
  if (!isOurs || !has('Approved') || has('Denied') || has('Failed') || (status?.certificate ?? '') !== '')
    return { kind: 'none' };
  let request: ParsedRequest;
  try {
    request = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString('latin1'));
  } catch (error) {
    return { kind: 'fail', message: `the request cannot be read: ${messageOf(error)}` };
  }
  const usage = spec.signerName === SERVING ? 'server' : 'client';
  const problem = usageProblem(spec.usages ?? [], usage) ?? subjectProblem(spec, request);
  if (problem !== undefined) return { kind: 'fail', message: problem };
  const seconds = Math.min(Math.max(spec.expirationSeconds ?? YEAR_SECONDS, LEAST_SECONDS), YEAR_SECONDS);
  return { kind: 'sign', request, usage, validForMs: seconds * 1000 };
}

function usageProblem(usages: readonly string[], usage: 'client' | 'server'): string | undefined {
  const needed = `${usage} auth`;
  if (!usages.includes(needed)) return `usages must have "${needed}"`;
  const other = usages.find((one) => one !== needed && !PLAIN_USAGES.includes(one));
  return other === undefined ? undefined : `usage "${other}" is not signed by this signer`;
}

function subjectProblem(
  { signerName, username }: CertificateSigningRequest['spec'],
  { commonName, organizations, dnsNames, addresses, otherNames }: ParsedRequest,
): string | undefined {
  if (commonName === '') return 'the subject has no common name';
  if (signerName === CLIENT)
    return organizations.includes('system:masters')
      ? 'no certificate is signed for the group system:masters'
      : undefined;
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes')
    return 'the organization of the subject must be system:nodes, and no other';
  if (!commonName.startsWith('system:node:')) return 'the common name must begin with system:node:';
  const names = dnsNames.length + addresses.length;
  if (signerName === KUBELET)
    return names + otherNames === 0 ? undefined : 'subjectAltNames are not signed for clients of kubelets';
  if (commonName !== username) return 'a node asks for a serving certificate of its own name only';
  return names === 0 || otherNames > 0
    ? 'a serving certificate needs DNS names or addresses, and no others'
    : undefined;
}
