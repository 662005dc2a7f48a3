/** Fills ClusterRoles that collect the rules of others: `aggregationRule` selects them by label. */
import { deepEqual, isStatus, messageOf } from '@podvisor/base';
import type { Core } from '../core.ts';
import type { LocalClient } from '../local-client.ts';
import { arrayAt, type Json, type KubeObject, objectAt } from '../wire/json.ts';
import { matcherOf } from '../wire/label-selector.ts';

const ROLES = 'rbac.authorization.k8s.io/clusterroles';
const PATH = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

/** The rules an aggregated role should have: those of the roles it selects, by name, each once. */
export function collectedRules(role: KubeObject, roles: readonly KubeObject[]): Json[] {
  const matchers = arrayAt(role, 'aggregationRule', 'clusterRoleSelectors').map(matcherOf);
  const rules: Json[] = [];
  for (const other of roles) {
    if (other.metadata.name === role.metadata.name) continue;
    if (!matchers.some((matches) => matches(other.metadata.labels))) continue;
    for (const rule of arrayAt(other, 'rules'))
      if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
  }
  return rules;
}

export class RoleAggregation {
  readonly #core: Core;
  readonly #local: LocalClient;
  #running: Promise<void> = Promise.resolve();
  #wanted = false;

  constructor(core: Core, local: LocalClient) {
    this.#core = core;
    this.#local = local;
  }

  /** Brings all roles up to date, then follows changes. */
  async start(): Promise<void> {
    this.#core.store.subscribe(ROLES, () => this.#wake());
    this.#wake();
    await this.#running;
  }

  #wake(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#running = this.#running.then(() => this.#reconcile());
  }

  async #reconcile(): Promise<void> {
    this.#wanted = false;
    // A collecting role may itself be collected (admin takes edit, edit takes view): go on until it rests.
    for (let changed = true; changed; ) {
      changed = false;
      const roles = this.#core.store.list(ROLES).map(({ object }) => object);
      for (const role of roles) {
        if (Object.keys(objectAt(role, 'aggregationRule')).length === 0) continue;
        const rules = collectedRules(role, roles);
        if (deepEqual(rules, arrayAt(role, 'rules'))) continue;
        changed = await this.#write(role.metadata.name ?? '', rules);
      }
    }
  }

  /** True when it was written; a role that went meanwhile needs nothing, and other failures wait for a change. */
  async #write(name: string, rules: Json[]): Promise<boolean> {
    try {
      await this.#local.mergePatch(`${PATH}/${encodeURIComponent(name)}`, { rules });
      return true;
    } catch (error) {
      if (!isStatus(error, 'NotFound'))
        this.#core.log.warn(
          { role: name, err: messageOf(error) },
          'an aggregated role was not brought up to date',
        );
      return false;
    }
  }
}
