/** DNS of the guest: Kubernetes' rules for a Pod. */
import type { PodDNSConfig, VMISpec } from '../../../types/index.ts';
import { isIP } from '../../addresses.ts';
import { dnsSubdomainProblems } from '../../kubernetes-names.ts';
import { type Cause, invalid, notSupported, type Rule, required, when } from '../../rule.ts';

const POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None', ''];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 6;
const MAX_SEARCH_CHARACTERS = 256;

// The fields of a broken dnsConfig carry no path; clients know them so.
export const dnsRules: readonly Rule<VMISpec>[] = [
  {
    id: 'dnsPolicy',
    field: 'dnsPolicy',
    summary: 'The DNS policy is ClusterFirst, ClusterFirstWithHostNet, Default or None.',
    check: (spec, { path }) =>
      when(!POLICIES.includes(spec.dnsPolicy ?? ''), () =>
        notSupported(
          `${path}.dnsPolicy`,
          `DNSPolicy: ${spec.dnsPolicy} is not supported, valid values: [${POLICIES.join(' ')}]`,
        ),
      ),
  },
  {
    id: 'dnsConfig',
    field: 'dnsConfig',
    summary:
      'At most 3 nameservers (at least one with policy None), 6 search paths of 256 characters, named options.',
    check: (spec, { path }) => {
      const { dnsConfig } = spec;
      if (spec.dnsPolicy === 'None') {
        if (!dnsConfig)
          return [required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None')];
        if ((dnsConfig.nameservers ?? []).length === 0)
          return [
            required('nameservers', 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
          ];
      }
      return dnsConfig ? checkConfig(dnsConfig) : [];
    },
  },
];

function checkConfig({ nameservers = [], options = [], searches = [] }: PodDNSConfig): readonly Cause[] {
  return [
    ...when(nameservers.length > MAX_NAMESERVERS, () =>
      invalid(
        'nameservers',
        `must not have more than ${MAX_NAMESERVERS} nameservers: [${nameservers.join(' ')}]`,
      ),
    ),
    ...nameservers
      .filter((address) => !isIP(address))
      .map((address) => invalid('nameservers', `must be valid IP address: ${address}`)),
    ...when(searches.length > MAX_SEARCHES, () =>
      invalid('searchDomains', `must not have more than ${MAX_SEARCHES} search paths`),
    ),
    ...when(searches.join(' ').length > MAX_SEARCH_CHARACTERS, () =>
      invalid(
        'searchDomains',
        `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
      ),
    ),
    ...searches.flatMap(dnsSubdomainProblems).map((problem) => invalid('searchDomains', problem)),
    ...options
      .filter((option) => !option.name)
      .map(() => invalid('options', 'Option.Name must not be empty')),
  ];
}
