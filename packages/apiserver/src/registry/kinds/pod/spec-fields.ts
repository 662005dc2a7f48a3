/** Rules of a Pod's single fields: names, DNS, hosts, gates. */
import { isIP } from 'node:net';
import { labelProblems, subdomainProblems } from '../../../verbs/metadata.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { labelKeyProblems, labelValueProblems } from '../../../wire/label-selector.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const SYSTEMS = ['linux', 'windows'];
const ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
/** A search path may have labels that begin with an underscore, as SRV records have. */
const SEARCH = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const SEARCH_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

export function fieldErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const policy = stringAt(spec, 'restartPolicy');
  if (!RESTART_POLICIES.includes(policy))
    errors.push(notSupported(`${path}.restartPolicy`, policy, RESTART_POLICIES));
  const dns = stringAt(spec, 'dnsPolicy');
  if (!DNS_POLICIES.includes(dns)) errors.push(notSupported(`${path}.dnsPolicy`, dns, DNS_POLICIES));
  for (const [key, value] of Object.entries(objectAt(spec, 'nodeSelector'))) {
    for (const problem of labelKeyProblems(key)) errors.push(invalid(`${path}.nodeSelector`, key, problem));
    for (const problem of labelValueProblems(asString(value)))
      errors.push(invalid(`${path}.nodeSelector`, value, problem));
  }
  const deadline = at(spec, 'activeDeadlineSeconds');
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2147483647))
    errors.push(
      invalid(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'),
    );
  const system = at(spec, 'os');
  if (system !== undefined) {
    const name = stringAt(system, 'name');
    if (name === '') errors.push(required(`${path}.os.name`));
    else if (!SYSTEMS.includes(name)) errors.push(notSupported(`${path}.os`, name, SYSTEMS));
  }
  return [
    ...errors,
    ...nameErrors(spec, path),
    ...dnsErrors(at(spec, 'dnsConfig'), dns, `${path}.dnsConfig`),
    ...aliasErrors(arrayAt(spec, 'hostAliases'), `${path}.hostAliases`),
    ...gateErrors(spec, path),
    ...claimErrors(arrayAt(spec, 'resourceClaims'), `${path}.resourceClaims`),
  ];
}

function nameErrors(spec: JsonObject, path: string): FieldError[] {
  const of = (field: string, rule: (name: string) => string[]): FieldError[] => {
    const name = stringAt(spec, field);
    return name === '' ? [] : rule(name).map((text) => invalid(`${path}.${field}`, name, text));
  };
  return [
    ...of('serviceAccountName', subdomainProblems),
    ...of('nodeName', subdomainProblems),
    ...of('hostname', labelProblems),
    ...of('subdomain', labelProblems),
    ...of('priorityClassName', subdomainProblems),
    ...of('runtimeClassName', subdomainProblems),
  ];
}

function dnsErrors(config: Json | undefined, policy: string, path: string): FieldError[] {
  const servers = arrayAt(config, 'nameservers').map(asString);
  if (policy === 'None' && config === undefined)
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  if (policy === 'None' && servers.length === 0)
    return [
      required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    ];
  const searches = arrayAt(config, 'searches').map(asString);
  const errors: FieldError[] = [];
  const most = (field: string, value: readonly string[], text: string): number =>
    errors.push(invalid(`${path}.${field}`, value, `must not have more than ${text}`));
  if (servers.length > MAX_NAMESERVERS) most('nameservers', servers, `${MAX_NAMESERVERS} nameservers`);
  servers.forEach((server, i) => {
    if (isIP(server) === 0) errors.push(invalid(`${path}.nameservers[${i}]`, server, ADDRESS));
  });
  if (searches.length > MAX_SEARCHES) most('searches', searches, `${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    most('searches', searches, `${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`);
  searches.forEach((given, i) => {
    const search = given.replace(/\.$/, '');
    if (given !== '.' && !SEARCH.test(search))
      errors.push(invalid(`${path}.searches[${i}]`, search, SEARCH_TEXT));
  });
  arrayAt(config, 'options').forEach((option, i) => {
    if (stringAt(option, 'name') === '') errors.push(required(`${path}.options[${i}]`, 'must not be empty'));
  });
  return errors;
}

function aliasErrors(aliases: readonly Json[], path: string): FieldError[] {
  return aliases.flatMap((alias, i) => {
    const address = stringAt(alias, 'ip');
    return [
      ...(isIP(address) === 0 ? [invalid(`${path}[${i}].ip`, address, ADDRESS)] : []),
      ...arrayAt(alias, 'hostnames').flatMap((name, j) =>
        subdomainProblems(asString(name)).map((text) => invalid(`${path}[${i}].hostnames[${j}]`, name, text)),
      ),
    ];
  });
}

/** What holds a Pod back: from the scheduler (Kubernetes names the gate, not its field) and from being ready. */
function gateErrors(spec: JsonObject, path: string): FieldError[] {
  const names = arrayAt(spec, 'schedulingGates').map((gate) => stringAt(gate, 'name'));
  const again = repeats(names);
  const gates = names.flatMap((name, i) => {
    const where = `${path}.schedulingGates[${i}]`;
    return [
      ...labelKeyProblems(name).map((problem) => invalid(where, name, problem)),
      ...(again.has(i) ? [duplicate(where, name)] : []),
    ];
  });
  if (names.length > 0 && stringAt(spec, 'nodeName') !== '')
    gates.push(forbidden(`${path}.nodeName`, 'cannot be set until all schedulingGates have been cleared'));
  const readiness = arrayAt(spec, 'readinessGates').flatMap((gate, i) => {
    const type = stringAt(gate, 'conditionType');
    return labelKeyProblems(type).map((text) =>
      invalid(`${path}.readinessGates[${i}].conditionType`, type, text),
    );
  });
  return [...gates, ...readiness];
}

function claimErrors(claims: readonly Json[], path: string): FieldError[] {
  return claims.flatMap((claim, i) => {
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'];
    const given = sources.filter((source) => at(claim, source) !== undefined);
    if (given.length === 1) return [];
    const shown = {
      Name: stringAt(claim, 'name'),
      ResourceClaimName: at(claim, 'resourceClaimName') ?? null,
      ResourceClaimTemplateName: at(claim, 'resourceClaimTemplateName') ?? null,
    };
    const text =
      given.length === 0
        ? 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
        : 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    return [invalid(`${path}[${i}]`, shown, text)];
  });
}
