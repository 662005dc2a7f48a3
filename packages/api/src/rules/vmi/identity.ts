/** Names that the guest and its Pod carry. */
import type { VMISpec } from '../../types/index.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../kubernetes-names.ts';
import { invalid, type Rule, when } from '../rule.ts';

export const identityRules: readonly Rule<VMISpec>[] = [
  {
    id: 'hostname.label',
    field: 'hostname',
    summary: 'A hostname is a DNS label: lower-case letters, digits and dashes, at most 63 characters.',
    check: (spec, { path }) => {
      const problems = spec.hostname ? dnsLabelProblems(spec.hostname) : [];
      const field = `${path}.hostname`;
      return when(problems.length > 0, () =>
        invalid(
          field,
          `${field} does not conform to the kubernetes DNS_LABEL rules : ${problems.join(', ')}`,
        ),
      );
    },
  },
  {
    id: 'subdomain.name',
    field: 'subdomain',
    summary: 'A subdomain is a DNS subdomain name.',
    check: (spec, { path }) => {
      const problems = spec.subdomain ? dnsSubdomainProblems(spec.subdomain) : [];
      const field = `${path}.subdomain`;
      return when(problems.length > 0, () =>
        invalid(
          field,
          `${field} does not conform to the kubernetes DNS_SUBDOMAIN rules : ${problems.join(', ')}`,
        ),
      );
    },
  },
];

export const serviceAccountRules: readonly Rule<VMISpec>[] = [
  {
    id: 'serviceAccountName.name',
    field: 'serviceAccountName',
    summary: 'A service account name is a DNS subdomain name.',
    check: (spec, { path }) => {
      const problems = spec.serviceAccountName ? dnsSubdomainProblems(spec.serviceAccountName) : [];
      const field = `${path}.serviceAccountName`;
      return when(problems.length > 0, () =>
        invalid(field, `${field} is not a valid service account name: ${problems.join('; ')}`),
      );
    },
  },
  {
    id: 'serviceAccountName.volume',
    field: 'serviceAccountName',
    summary: 'The service account of the Pod and that of a serviceAccount volume are the same.',
    check: (spec, { path }) => {
      const name = spec.serviceAccountName;
      const other = spec.volumes?.find(
        ({ serviceAccount }) => serviceAccount && serviceAccount.serviceAccountName !== name,
      );
      return when(name && other, () =>
        invalid(
          `${path}.serviceAccountName`,
          `spec.serviceAccountName "${name}" and serviceAccount volume "${other?.serviceAccount?.serviceAccountName ?? ''}" must reference the same service account`,
        ),
      );
    },
  },
];
