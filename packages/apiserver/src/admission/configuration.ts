/**
 * What an administrator says about admission: an `AdmissionConfiguration` as for Kubernetes' API server, at
 * `admission.yaml` of the home. Two plugins can be set up; any other is refused, so that nobody trusts in a
 * setting that does nothing. Pure.
 */
import { ipFamily } from '@podvisor/base';
import { arrayAt, asString, at, isObject, type Json, objectAt, stringAt } from '../wire/json.ts';
import { parseYaml } from '../wire/yaml.ts';
import { type NamespacePolicy, policyOf, PREFIX } from './pod-security/levels.ts';

export interface AdmissionSettings {
  readonly podSecurity: PodSecuritySettings;
  /** CIDRs that `externalIPs` of Services may be taken from; none: no Service may have any. */
  readonly externalIpCidrs: readonly string[];
}

export interface PodSecuritySettings {
  /** The policy of namespaces without labels. */
  readonly defaults: NamespacePolicy;
  /** Whom the levels do not bind. A controller that makes Pods for others must never be among the users. */
  readonly exemptions: {
    readonly namespaces: readonly string[];
    readonly usernames: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

/** The namespace of Podvisor's own components is exempt, as their Pods on a cluster need the host. */
const OWN_NAMESPACE = 'kubevirt';

export const defaultAdmission: AdmissionSettings = {
  podSecurity: {
    defaults: policyOf({}).policy,
    exemptions: { namespaces: [OWN_NAMESPACE], usernames: [], runtimeClasses: [] },
  },
  externalIpCidrs: [],
};

/** Throws an error that says what is wrong with the file. */
export function parseAdmissionConfiguration(text: string): AdmissionSettings {
  const { value } = parseYaml(text);
  if (!isObject(value) || stringAt(value, 'kind') !== 'AdmissionConfiguration')
    throw new Error('it must be an object of kind AdmissionConfiguration (apiserver.config.k8s.io/v1)');
  let settings = defaultAdmission;
  for (const plugin of arrayAt(value, 'plugins')) {
    const configuration = objectAt(plugin, 'configuration');
    const name = stringAt(plugin, 'name');
    if (name === 'PodSecurity') settings = { ...settings, podSecurity: podSecuritySettings(configuration) };
    else if (name === 'DenyServiceExternalIPs')
      settings = { ...settings, externalIpCidrs: texts(configuration, 'allowedCIDRs').map(checkedCidr) };
    else throw new Error(`plugin "${name}": only PodSecurity and DenyServiceExternalIPs can be set up`);
  }
  return settings;
}

function podSecuritySettings(configuration: Json): PodSecuritySettings {
  const defaults = Object.entries(objectAt(configuration, 'defaults'));
  const { policy, errors } = policyOf(
    Object.fromEntries(defaults.map(([key, value]) => [`${PREFIX}${key}`, value])),
  );
  const [error] = errors;
  if (error !== undefined) throw new Error(`PodSecurity defaults: ${error.field}: ${error.message}`);
  const exempt = at(configuration, 'exemptions');
  return {
    defaults: policy,
    exemptions: {
      namespaces: [OWN_NAMESPACE, ...texts(exempt, 'namespaces')],
      usernames: texts(exempt, 'usernames'),
      runtimeClasses: texts(exempt, 'runtimeClasses'),
    },
  };
}

function texts(value: Json | undefined, key: string): readonly string[] {
  return arrayAt(value, key).map(asString);
}

function checkedCidr(text: string): string {
  if (!/\/\d+$/.test(text) || ipFamily(text) === undefined)
    throw new Error(`DenyServiceExternalIPs: allowedCIDRs: "${text}" is not a CIDR such as 192.0.2.0/24`);
  return text;
}
