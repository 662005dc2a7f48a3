/** Nobody grants by a role or binding what they do not have themselves, unless RBAC lets them escalate or bind. */
import {
  type Access,
  type Authorizer,
  coversPath,
  coversResource,
  type PolicyRule,
  ruleOf,
} from '../authz/authorizer.ts';
import { arrayAt, stringAt } from '../wire/json.ts';
import { forbiddenObject, notFound } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

const GROUP = 'rbac.authorization.k8s.io';

export function rbacEscalation(authorizer: Authorizer): Plugin {
  return {
    validate: (attributes) => {
      const { definition, operation, object, user, namespace, name } = attributes;
      if (
        definition.group !== GROUP ||
        object === undefined ||
        (operation !== 'CREATE' && operation !== 'UPDATE') ||
        user.groups.includes('system:masters')
      )
        return;
      const binding = definition.plural.endsWith('bindings');
      const access: Access = {
        verb: binding ? 'bind' : 'escalate',
        isResource: true,
        group: GROUP,
        resource: binding
          ? stringAt(object, 'roleRef', 'kind') === 'Role'
            ? 'roles'
            : 'clusterroles'
          : definition.plural,
        subresource: '',
        name: binding ? stringAt(object, 'roleRef', 'name') : name,
        namespace,
        path: '',
      };
      if (authorizer.authorize(user, access).allowed) return;
      const rules = binding ? boundRules(authorizer, attributes) : arrayAt(object, 'rules').map(ruleOf);
      const held = authorizer
        .rulesOf(user)
        .filter((granted) => granted.namespace === '' || granted.namespace === namespace)
        .map(({ rule }) => rule);
      const missing = rules.filter((rule) => !heldBy(rule, held));
      if (missing.length === 0) return;
      const groups = `[${user.groups.map((g) => `"${g}"`).join(' ')}]`;
      throw forbiddenObject(
        definition,
        name,
        `user "${user.username}" (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${missing.map(ruleText).join('\n')}`,
      );
    },
  };
}

function boundRules(
  authorizer: Authorizer,
  { object, namespace, definition }: Attributes,
): readonly PolicyRule[] {
  const name = stringAt(object, 'roleRef', 'name');
  const rules = authorizer.roleRules(stringAt(object, 'roleRef', 'kind'), namespace, name);
  if (rules === undefined) throw notFound(definition, name);
  return rules;
}

/** Every combination the rule grants is granted by some held rule. */
function heldBy(rule: PolicyRule, held: readonly PolicyRule[]): boolean {
  const verbHeld = (own: PolicyRule, verb: string): boolean =>
    own.verbs.includes('*') || own.verbs.includes(verb);
  if (rule.nonResourceURLs.length > 0) {
    return rule.verbs.every((verb) =>
      rule.nonResourceURLs.every((url) =>
        held.some((own) => verbHeld(own, verb) && own.nonResourceURLs.some((mine) => coversPath(mine, url))),
      ),
    );
  }
  const names = rule.resourceNames.length === 0 ? [''] : rule.resourceNames;
  return rule.verbs.every((verb) =>
    rule.apiGroups.every((group) =>
      rule.resources.every((resource) =>
        names.every((name) =>
          held.some((own) => {
            const [plain = '', subresource = ''] = resource.split('/');
            return (
              verbHeld(own, verb) &&
              (own.apiGroups.includes('*') || own.apiGroups.includes(group)) &&
              own.resources.some(
                (mine) => mine === resource || coversResource(mine, { resource: plain, subresource }),
              ) &&
              (own.resourceNames.length === 0 || (name !== '' && own.resourceNames.includes(name)))
            );
          }),
        ),
      ),
    ),
  );
}

function ruleText(rule: PolicyRule): string {
  const list = (items: readonly string[]): string => `[${items.map((item) => `"${item}"`).join(' ')}]`;
  const parts: [string, readonly string[]][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['ResourceNames', rule.resourceNames],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['Verbs', rule.verbs],
  ];
  return `{${parts
    .filter(([, items]) => items.length > 0)
    .map(([key, items]) => `${key}:${list(items)}`)
    .join(', ')}}`;
}
