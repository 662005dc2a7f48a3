/** Which requests are noted, and how much of them: the rules of an audit.k8s.io/v1 Policy. Pure. */
import type { UserInfo } from '../core.ts';
import { arrayAt, asString, isObject, type Json, stringAt } from '../wire/json.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import { parseYaml } from '../wire/yaml.ts';

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

const LEVELS: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];

interface Rule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  readonly nonResourceUrls: readonly string[];
  readonly resources: readonly {
    readonly group: string;
    readonly resources: readonly string[];
    readonly names: readonly string[];
  }[];
}

export type AuditPolicy = (info: RequestInfo, verb: string, user: UserInfo | undefined) => AuditLevel;

/** Reads a policy; throws an error that says what is wrong with it. */
export function parseAuditPolicy(text: string): AuditPolicy {
  const policy: unknown = parseYaml(text).value;
  if (!isObject(policy as Json) || stringAt(policy, 'kind') !== 'Policy')
    throw new Error('an audit policy must be an object of kind Policy (audit.k8s.io/v1)');
  const rules = arrayAt(policy, 'rules').map(readRule);
  if (rules.length === 0) throw new Error('an audit policy needs at least one rule');
  // The first rule that fits decides; what no rule speaks of is not noted.
  return (info, verb, user) => rules.find((rule) => fits(rule, info, verb, user))?.level ?? 'None';
}

function readRule(rule: Json, i: number): Rule {
  const texts = (key: string): string[] => arrayAt(rule, key).map(asString);
  const level = LEVELS.find((known) => known === stringAt(rule, 'level'));
  if (level === undefined) throw new Error(`rules[${i}].level must be one of ${LEVELS.join(', ')}`);
  return {
    level,
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    namespaces: texts('namespaces'),
    nonResourceUrls: texts('nonResourceURLs'),
    resources: arrayAt(rule, 'resources').map((entry) => ({
      group: stringAt(entry, 'group'),
      resources: arrayAt(entry, 'resources').map(asString),
      names: arrayAt(entry, 'resourceNames').map(asString),
    })),
  };
}

function fits(rule: Rule, info: RequestInfo, verb: string, user: UserInfo | undefined): boolean {
  const among = (list: readonly string[], value: string): boolean =>
    list.length === 0 || list.includes(value);
  if (!among(rule.users, user?.username ?? '')) return false;
  if (rule.userGroups.length > 0 && !rule.userGroups.some((group) => user?.groups.includes(group) === true))
    return false;
  if (!among(rule.verbs, verb)) return false;
  const aboutResources = rule.resources.length > 0 || rule.namespaces.length > 0;
  if (!aboutResources && rule.nonResourceUrls.length === 0) return true;
  if (!info.isResource) return rule.nonResourceUrls.some((pattern) => urlFits(pattern, info.path));
  if (!aboutResources || !among(rule.namespaces, info.namespace)) return false;
  return rule.resources.length === 0 || rule.resources.some((entry) => resourceFits(entry, info));
}

function urlFits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}

function resourceFits({ group, resources, names }: Rule['resources'][number], info: RequestInfo): boolean {
  if (group !== info.group) return false;
  if (names.length > 0 && !names.includes(info.name)) return false;
  const full = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  return (
    resources.length === 0 ||
    resources.some(
      (pattern) =>
        pattern === full ||
        pattern === '*' ||
        (info.subresource !== '' &&
          (pattern === `*/${info.subresource}` || pattern === `${info.resource}/*`)),
    )
  );
}
