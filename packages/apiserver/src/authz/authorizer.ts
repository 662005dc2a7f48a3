/** Whether a user may do something: what a kubelet may by its node, everybody by the stored roles and bindings (RBAC). */
import type { Store } from '../object-store.ts';
import { kubeletNode } from '../authn/node-identity.ts';
import type { UserInfo } from '../core.ts';
import { arrayAt, asString, type Json, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { NodeAuthorizer } from './node-authorizer.ts';

/** What is asked for. */
export interface Access {
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  /** For requests outside the resource tree. */
  readonly path: string;
  /** Of a list or watch, as it was sent. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why, in RBAC's words; empty for no opinion. */
  readonly reason: string;
}

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** A rule a user has, where it holds and through which binding. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly source: string;
}

interface Binding {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
  readonly source: (subject: string) => string;
}

const RBAC = 'rbac.authorization.k8s.io';
const SUPERUSERS = 'system:masters';

export class Authorizer {
  readonly #store: Store;
  readonly #nodes: NodeAuthorizer;
  #bySubject: Map<string, Binding[]> | undefined;
  readonly #granted = new Map<string, readonly GrantedRule[]>();

  constructor(store: Store) {
    this.#store = store;
    this.#nodes = new NodeAuthorizer(store);
    for (const plural of ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']) {
      store.subscribe(`${RBAC}/${plural}`, () => {
        this.#bySubject = undefined;
        this.#granted.clear();
      });
    }
  }

  authorize(user: UserInfo, access: Access): Decision {
    if (user.groups.includes(SUPERUSERS)) return { allowed: true, reason: '' };
    const node = kubeletNode(user);
    if (node !== undefined && this.#nodes.allows(node, access)) return { allowed: true, reason: '' };
    for (const { rule, namespace, source } of this.rulesOf(user)) {
      if (namespace !== '' && (namespace !== access.namespace || !access.isResource)) continue;
      if (covers(rule, access)) return { allowed: true, reason: `RBAC: allowed by ${source}` };
    }
    return { allowed: false, reason: '' };
  }

  /** All rules that a user has. */
  rulesOf(user: UserInfo): readonly GrantedRule[] {
    const key = `${user.username}\n${user.groups.join('\n')}`;
    let rules = this.#granted.get(key);
    if (rules === undefined) {
      rules = this.#resolve(user);
      if (this.#granted.size > 1000) this.#granted.clear();
      this.#granted.set(key, rules);
    }
    return rules;
  }

  /** The rules of a role by reference; undefined when it does not exist. */
  roleRules(kind: string, namespace: string, name: string): readonly PolicyRule[] | undefined {
    const role = this.#store.get(
      kind === 'ClusterRole' ? `${RBAC}/clusterroles//${name}` : `${RBAC}/roles/${namespace}/${name}`,
    );
    return role === undefined ? undefined : rulesIn(role.object);
  }

  #resolve(user: UserInfo): GrantedRule[] {
    this.#bySubject ??= this.#index();
    const subjects = [`User ${user.username}`, ...user.groups.map((group) => `Group ${group}`)];
    const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user.username);
    if (account !== null) subjects.push(`ServiceAccount ${account[1]}/${account[2]}`);
    const granted: GrantedRule[] = [];
    for (const subject of subjects) {
      for (const binding of this.#bySubject.get(subject) ?? []) {
        const [kind = '', name = ''] = subject.split(/ (.*)/s);
        const source = binding.source(`${kind} "${kind === 'User' || kind === 'Group' ? name : name}"`);
        for (const rule of binding.rules) granted.push({ rule, namespace: binding.namespace, source });
      }
    }
    return granted;
  }

  #index(): Map<string, Binding[]> {
    const index = new Map<string, Binding[]>();
    for (const { object } of this.#store.list(`${RBAC}/clusterrolebindings`)) this.#add(index, object, '');
    for (const { object } of this.#store.list(`${RBAC}/rolebindings`))
      this.#add(index, object, object.metadata.namespace ?? '');
    return index;
  }

  #add(index: Map<string, Binding[]>, object: KubeObject, namespace: string): void {
    const ref = objectAt(object, 'roleRef');
    const roleKind = stringAt(ref, 'kind');
    const roleName = stringAt(ref, 'name');
    const rules = this.roleRules(roleKind, namespace, roleName);
    if (rules === undefined) return;
    const bindingName = object.metadata.name ?? '';
    const what =
      namespace === '' ? `ClusterRoleBinding "${bindingName}"` : `RoleBinding "${bindingName}/${namespace}"`;
    const source = (subject: string): string => `${what} of ${roleKind} "${roleName}" to ${subject}`;
    for (const subject of arrayAt(object, 'subjects')) {
      const kind = stringAt(subject, 'kind');
      const name = stringAt(subject, 'name');
      const key =
        kind === 'ServiceAccount'
          ? `ServiceAccount ${stringAt(subject, 'namespace') || namespace}/${name}`
          : `${kind} ${name}`;
      const list = index.get(key);
      if (list === undefined) index.set(key, [{ namespace, rules, source }]);
      else list.push({ namespace, rules, source });
    }
  }
}

export function rulesIn(role: KubeObject): PolicyRule[] {
  return arrayAt(role, 'rules').map(ruleOf);
}

export function ruleOf(rule: Json): PolicyRule {
  const strings = (key: string): string[] => arrayAt(rule, key).map(asString);
  return {
    verbs: strings('verbs'),
    apiGroups: strings('apiGroups'),
    resources: strings('resources'),
    resourceNames: strings('resourceNames'),
    nonResourceURLs: strings('nonResourceURLs'),
  };
}

function covers(rule: PolicyRule, access: Access): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(access.verb)) return false;
  if (!access.isResource) return rule.nonResourceURLs.some((url) => coversPath(url, access.path));
  if (!rule.apiGroups.includes('*') && !rule.apiGroups.includes(access.group)) return false;
  if (!rule.resources.some((resource) => coversResource(resource, access))) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(access.name);
}

export function coversResource(
  resource: string,
  { resource: asked, subresource }: Pick<Access, 'resource' | 'subresource'>,
): boolean {
  const whole = subresource === '' ? asked : `${asked}/${subresource}`;
  return resource === '*' || resource === whole || (subresource !== '' && resource === `*/${subresource}`);
}

export function coversPath(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  return url.endsWith('*') && path.startsWith(url.slice(0, -1));
}
