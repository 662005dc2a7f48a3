/**
 * APIServices of the group versions that this server answers itself, as Kubernetes registers them: those of its own
 * groups once, when it starts; those of CustomResourceDefinitions for as long as one of them serves the version.
 * One that somebody made by hand is theirs: it is not changed.
 */
import { messageOf, rfc3339 } from '@podvisor/base';
import type { Core } from '../core.ts';
import type { LocalClient } from '../local-client.ts';
import { builtinPriority, CUSTOM_PRIORITY, type Priority } from '../registry/group-priorities.ts';
import { arrayAt, at, type JsonObject, type KubeObject, stringAt } from '../wire/json.ts';

const PATH = '/apis/apiregistration.k8s.io/v1/apiservices';
const COLLECTION = 'apiregistration.k8s.io/apiservices';
const CRDS = 'apiextensions.k8s.io/customresourcedefinitions';

/** The label by which others know who keeps an APIService; its values say for how long. */
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
type Automanaged = 'onstart' | 'true';

interface Wanted {
  readonly group: string;
  readonly version: string;
  readonly priority: Priority;
  readonly automanaged: Automanaged;
}

export class LocalApiServices {
  readonly #core: Core;
  readonly #local: LocalClient;
  #turn: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(core: Core, local: LocalClient) {
    this.#core = core;
    this.#local = local;
  }

  start(): void {
    const { registry, store } = this.#core;
    const builtin = wantedOf(
      [...registry.all()].filter(({ custom }) => custom === undefined),
      'onstart',
      ({ group, version }) => builtinPriority(group, version),
    );
    this.#soon(builtin);
    store.subscribe(CRDS, () => this.#soon());
    store.subscribe(COLLECTION, (events) => {
      if (events.some(({ type }) => type === 'DELETED')) this.#soon();
    });
  }

  /** Changes come in bunches: the turn that has not begun yet sees them all. */
  #soon(once: readonly Wanted[] = []): void {
    if (this.#isWaiting && once.length === 0) return;
    this.#isWaiting = true;
    this.#turn = this.#turn
      .then(() => {
        this.#isWaiting = false;
        return this.#sync(once);
      })
      .catch((error: unknown) =>
        this.#core.log.warn({ error: messageOf(error) }, 'APIServices of served groups could not be written'),
      );
  }

  async #sync(once: readonly Wanted[]): Promise<void> {
    const { store } = this.#core;
    const custom = wantedOf(servedVersions(store.list(CRDS)), 'true', () => CUSTOM_PRIORITY);
    const names = new Set(custom.map(nameOf));
    const stale = store
      .list(COLLECTION)
      .map(({ object }) => object)
      .filter(({ metadata }) => metadata.labels?.[AUTOMANAGED] === 'true' && !names.has(metadata.name ?? ''));
    await Promise.all([
      ...[...once, ...custom]
        .filter((wanted) => store.get(`${COLLECTION}//${nameOf(wanted)}`) === undefined)
        .map((wanted) => this.#local.ensure(apiService(wanted))),
      ...stale.map(({ metadata }) => this.#local.delete(`${PATH}/${metadata.name}`)),
    ]);
  }
}

/** The condition of an APIService that needs no other server; undefined when it has it already. */
export function localCondition(object: KubeObject, nowMs: number): JsonObject | undefined {
  const reason = 'Local';
  const has = arrayAt(object, 'status', 'conditions').some(
    (condition) =>
      stringAt(condition, 'type') === 'Available' &&
      stringAt(condition, 'status') === 'True' &&
      stringAt(condition, 'reason') === reason,
  );
  if (has) return undefined;
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: rfc3339(nowMs),
    reason,
    message: 'Local APIServices are always available',
  };
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function wantedOf<T extends GroupVersion>(
  served: readonly T[],
  automanaged: Automanaged,
  priorityOf: (of: T) => Priority | undefined,
): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const of of served) {
    const priority = priorityOf(of);
    if (priority === undefined) continue;
    const { group, version } = of;
    wanted.set(nameOf(of), { group, version, priority, automanaged });
  }
  return [...wanted.values()];
}

function servedVersions(crds: readonly { readonly object: KubeObject }[]): readonly GroupVersion[] {
  return crds.flatMap(({ object }) =>
    arrayAt(object, 'spec', 'versions')
      .filter((version) => at(version, 'served') === true)
      .map((version) => ({
        group: stringAt(object, 'spec', 'group'),
        version: stringAt(version, 'name'),
      })),
  );
}

function nameOf({ group, version }: GroupVersion): string {
  return `${version}.${group}`;
}

function apiService(wanted: Wanted): JsonObject {
  const { group, version, priority, automanaged } = wanted;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: nameOf(wanted), labels: { [AUTOMANAGED]: automanaged } },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
  };
}
