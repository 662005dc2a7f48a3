/** Rights that are granted to components and controllers, compared with those that a recording shows. Pure. */
import { COMPONENT_RIGHTS, type PolicyRule } from '@podvisor/virt-operator';
import { CONTROLLER_ACCOUNTS, CONTROLLER_RIGHTS } from '@podvisor/workload-controllers';
import { NODE_NETWORK_RULES } from '../node-network.ts';
import { OCCASIONAL_RIGHTS, UNRECORDED_RIGHTS } from '../unrecorded-rights.ts';

interface Right {
  readonly user: string;
  readonly verb: string;
  readonly what: string;
  /** `cluster`: everywhere. */
  readonly scope: string;
}

const USERS = [...Object.keys(COMPONENT_RIGHTS), ...CONTROLLER_ACCOUNTS, 'system:kube-proxy'];

export const GRANTED: readonly Right[] = [
  ...Object.entries(COMPONENT_RIGHTS).flatMap(([user, { cluster, namespaces = {} }]) => [
    ...rightsOf(user, cluster, 'cluster'),
    ...Object.entries(namespaces).flatMap(([scope, rules]) => rightsOf(user, rules, scope)),
  ]),
  ...CONTROLLER_ACCOUNTS.flatMap((account) => rightsOf(account, CONTROLLER_RIGHTS[account], 'cluster')),
  ...rightsOf('system:kube-proxy', NODE_NETWORK_RULES, 'cluster'),
];

/** A right as a recording writes it; the scope is `cluster`, `tenant` or a namespace of ours. */
export const textOf = ({ user, verb, what, scope }: Right): string => `${user} ${verb} ${what} ${scope}`;

export interface RightsComparison {
  /** Used and granted by no list of ours. */
  readonly missing: readonly string[];
  /** Granted and not used. */
  readonly unused: readonly string[];
  /** Those of them that nothing says the use of. */
  readonly unexplained: readonly string[];
  /** Said to be used by no test, and used. */
  readonly outdated: readonly string[];
}

export function compareRights(recording: readonly string[]): RightsComparison {
  const used = recording
    .map((line): Right => {
      const [user = '', verb = '', what = '', scope = ''] = line.split(' ');
      return { user, verb, what, scope };
    })
    .filter(({ user }) => USERS.includes(user));
  const unused = GRANTED.filter((right) => !used.some((use) => covers(right, use))).map(textOf);
  return {
    missing: used.filter((use) => !GRANTED.some((right) => covers(right, use))).map(textOf),
    unused,
    unexplained: unused.filter(
      (right) => UNRECORDED_RIGHTS[right] === undefined && OCCASIONAL_RIGHTS[right] === undefined,
    ),
    outdated: Object.keys(UNRECORDED_RIGHTS).filter((right) => !unused.includes(right)),
  };
}

function rightsOf(user: string, rules: readonly PolicyRule[], scope: string): Right[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ user, verb, what: `${group}/${resource}`, scope })),
      ),
    ),
  );
}

function covers(right: Right, use: Right): boolean {
  const same = right.user === use.user && right.verb === use.verb && includes(right.what, use.what);
  return same && (right.scope === 'cluster' || right.scope === use.scope);
}

/** `*` stands for any, and a resource for itself without its subresources. */
function includes(right: string, use: string): boolean {
  const [group, ...resource] = right.split('/');
  const [usedGroup, ...used] = use.split('/');
  if (group !== '*' && group !== usedGroup) return false;
  const [kind, subresource] = resource;
  return (kind === '*' || kind === used[0]) && (right === '*/*' || subresource === used[1]);
}
