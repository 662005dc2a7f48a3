/**
 * Brings CRDs to life: accepts their names, marks them established, serves their versions, and on deletion
 * removes their objects before the definition itself may go.
 */
import { hash } from 'node:crypto';
import { isStatus, messageOf, rfc3339 } from '@podvisor/base';
import type { Core } from '../core.ts';
import type { LocalClient } from '../local-client.ts';
import type { OutboundAgents } from '../outbound.ts';
import { textOf } from '../verbs/serialize.ts';
import {
  arrayAt,
  asString,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { customDefinitions } from './custom-definition.ts';

const CRDS = 'apiextensions.k8s.io/customresourcedefinitions';
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

export class CrdController {
  readonly #core: Core;
  readonly #local: LocalClient;
  readonly #agents: OutboundAgents;
  readonly #busy = new Map<string, Promise<void>>();

  constructor(core: Core, local: LocalClient, agents: OutboundAgents) {
    this.#core = core;
    this.#local = local;
    this.#agents = agents;
  }

  /** Serves what is stored, then follows changes. */
  async start(): Promise<void> {
    for (const { object } of this.#core.store.list(CRDS)) this.#serve(object);
    this.#core.store.subscribe(CRDS, (events) => {
      for (const event of events) {
        if (event.type === 'DELETED') this.#withdraw(event.stored.object);
        else this.#serve(event.stored.object);
        this.#enqueue(event.stored.object.metadata.name ?? '');
      }
    });
    for (const { object } of this.#core.store.list(CRDS)) this.#enqueue(object.metadata.name ?? '');
    await Promise.all(this.#busy.values());
  }

  #withdraw(crd: KubeObject): void {
    this.#served.delete(collectionOf(crd));
    this.#core.registry.replaceCustom(collectionOf(crd), []);
  }

  #enqueue(name: string): void {
    const before = this.#busy.get(name) ?? Promise.resolve();
    const next = before
      .then(() => this.#reconcile(name))
      .catch((error: unknown) => {
        this.#core.log.warn({ crd: name, err: messageOf(error) }, 'a CRD could not be brought up to date');
      });
    this.#busy.set(name, next);
    void next.then(() => {
      if (this.#busy.get(name) === next) this.#busy.delete(name);
    });
  }

  async #reconcile(name: string): Promise<void> {
    const crd = this.#core.store.latest(`${CRDS}//${name}`)?.object;
    if (crd === undefined) return;
    if (crd.metadata.deletionTimestamp !== undefined) return this.#cleanUp(crd);
    const others = this.#core.store
      .list(CRDS)
      .map((stored) => stored.object)
      .filter((other) => other.metadata.name !== name);
    const status = nextStatus(crd, others, rfc3339(this.#core.clock.now()));
    if (status === undefined) return;
    await this.#ignoreGone(this.#local.mergePatch(`${pathOf(name)}/status`, { status }));
  }

  /** Deletes the objects; the finalizer goes when they are gone. */
  async #cleanUp(crd: KubeObject): Promise<void> {
    if (!(crd.metadata.finalizers ?? []).includes(CLEANUP)) return;
    const name = crd.metadata.name ?? '';
    const collection = collectionOf(crd);
    const left = this.#core.store.list(collection);
    if (left.length > 0) {
      await this.#markTerminating(crd, left.length);
      for (const { object } of left) {
        if (object.metadata.deletionTimestamp !== undefined) continue;
        await this.#ignoreGone(this.#local.delete(objectPath(crd, object)));
      }
      if (this.#core.store.list(collection).length > 0) {
        // Objects with finalizers stay for a while: look again when something changes.
        const end = this.#core.store.subscribe(collection, () => {
          end();
          this.#enqueue(name);
        });
        return;
      }
    }
    const finalizers = (crd.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP);
    await this.#ignoreGone(
      this.#local.mergePatch(pathOf(name), {
        metadata: { finalizers: finalizers.length === 0 ? null : finalizers },
      }),
    );
  }

  async #markTerminating(crd: KubeObject, count: number): Promise<void> {
    void count;
    const now = rfc3339(this.#core.clock.now());
    const conditions = setCondition(
      arrayAt(crd, 'status', 'conditions'),
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      },
      now,
    );
    await this.#ignoreGone(
      this.#local.mergePatch(`${pathOf(crd.metadata.name ?? '')}/status`, { status: { conditions } }),
    );
  }

  async #ignoreGone(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
    }
  }

  /** Puts the versions into the registry, and re-reads stored objects when their schema changed. */
  #serve(crd: KubeObject): void {
    const { registry, store, clock } = this.#core;
    void clock;
    const collection = collectionOf(crd);
    const established = arrayAt(crd, 'status', 'conditions').some(
      (c) => stringAt(c, 'type') === 'Established' && stringAt(c, 'status') === 'True',
    );
    if (!established) return;
    // A digest: the texts of all specs together are more than a MiB.
    const served = JSON.stringify([crd['spec'], objectAt(crd, 'status')['acceptedNames']]);
    const fingerprint = hash('sha256', served);
    if (this.#served.get(collection) === fingerprint) return;
    this.#served.set(collection, fingerprint);
    const definitions = customDefinitions(crd, { store, agents: this.#agents });
    registry.replaceCustom(collection, definitions);
    // What a webhook converted is found by the object that it was asked about.
    if (definitions.some(({ conversion }) => conversion?.prepare !== undefined)) store.holdValues(collection);
    const storage = definitions.find((definition) => definition.conversion === undefined);
    if (storage?.custom === undefined) return;
    for (const stored of store.list(collection)) {
      const object = { ...cloneJson(stored.object), apiVersion: storage.apiVersion };
      storage.custom.default(object);
      store.reinterpret({ ...stored, object, text: textOf(storage, object) });
    }
  }

  readonly #served = new Map<string, string>();
}

function collectionOf(crd: KubeObject): string {
  return `${stringAt(crd, 'spec', 'group')}/${stringAt(crd, 'spec', 'names', 'plural')}`;
}

function pathOf(name: string): string {
  return `/apis/${CRDS.replace('/', '/v1/')}/${name}`;
}

function objectPath(crd: KubeObject, { metadata }: KubeObject): string {
  const spec = objectAt(crd, 'spec');
  const version = arrayAt(spec, 'versions').find((v) => objectAt({ v }, 'v')['served'] === true);
  const root = `/apis/${stringAt(spec, 'group')}/${stringAt(version, 'name')}`;
  const plural = stringAt(spec, 'names', 'plural');
  return metadata.namespace === undefined
    ? `${root}/${plural}/${metadata.name}`
    : `${root}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}

/** The status a CRD should have; undefined when it has it. */
export function nextStatus(
  crd: KubeObject,
  others: readonly KubeObject[],
  now: string,
): JsonObject | undefined {
  const group = stringAt(crd, 'spec', 'group');
  const asked = objectAt(crd, 'spec', 'names');
  const rivals = others
    .filter((other) => stringAt(other, 'spec', 'group') === group)
    .map((other) => objectAt(other, 'status', 'acceptedNames'));
  const taken = (key: string): Set<string> =>
    new Set(rivals.map((names) => stringAt(names, key)).filter((name) => name !== ''));
  const conflicts: { reason: string; message: string }[] = [];
  const accepted: JsonObject = { ...objectAt(crd, 'status', 'acceptedNames') };
  const all = new Set([
    ...taken('plural'),
    ...taken('singular'),
    ...rivals.flatMap((names) => arrayAt(names, 'shortNames').map(asString)),
  ]);
  const kinds = new Set([...taken('kind'), ...taken('listKind')]);
  const take = (key: string, reason: string, used: ReadonlySet<string>): void => {
    const name = stringAt(asked, key);
    if (used.has(name)) conflicts.push({ reason, message: `"${name}" is already in use` });
    else accepted[key] = name;
  };
  take('plural', 'PluralConflict', all);
  take('singular', 'SingularConflict', all);
  const shorts = arrayAt(asked, 'shortNames').map(asString);
  const used = shorts.filter((name) => all.has(name));
  if (used.length > 0)
    conflicts.push({
      reason: 'ShortNamesConflict',
      message: used.map((name) => `"${name}" is already in use`).join(', '),
    });
  else if (shorts.length > 0) accepted['shortNames'] = shorts;
  else delete accepted['shortNames'];
  take('kind', 'KindConflict', kinds);
  take('listKind', 'ListKindConflict', kinds);
  const categories = arrayAt(asked, 'categories');
  if (categories.length > 0) accepted['categories'] = categories;
  else delete accepted['categories'];
  let conditions = arrayAt(crd, 'status', 'conditions');
  const last = conflicts.at(-1);
  if (last === undefined) {
    conditions = setCondition(
      conditions,
      { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      now,
    );
    conditions = setCondition(
      conditions,
      {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
      now,
    );
  } else {
    conditions = setCondition(conditions, { type: 'NamesAccepted', status: 'False', ...last }, now);
    if (!conditions.some((c) => stringAt(c, 'type') === 'Established')) {
      conditions = setCondition(
        conditions,
        {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        },
        now,
      );
    }
  }
  const storage = arrayAt(crd, 'spec', 'versions')
    .filter((v) => objectAt({ v }, 'v')['storage'] === true)
    .map((v) => stringAt(v, 'name'));
  const stored = [...new Set([...arrayAt(crd, 'status', 'storedVersions').map(asString), ...storage])];
  const status: JsonObject = { acceptedNames: accepted, conditions, storedVersions: stored };
  const current = objectAt(crd, 'status');
  const same = JSON.stringify(sortable(current)) === JSON.stringify(sortable({ ...current, ...status }));
  return same ? undefined : status;
}

function sortable(status: JsonObject): Json {
  const names = objectAt(status, 'acceptedNames');
  return [
    Object.entries(names).toSorted(),
    arrayAt(status, 'conditions'),
    arrayAt(status, 'storedVersions'),
  ] as unknown as Json;
}

function setCondition(
  conditions: readonly Json[],
  condition: { type: string; status: string; reason: string; message: string },
  now: string,
): Json[] {
  const index = conditions.findIndex((c) => stringAt(c, 'type') === condition.type);
  const old = index < 0 ? undefined : conditions[index];
  if (
    old !== undefined &&
    stringAt(old, 'status') === condition.status &&
    stringAt(old, 'reason') === condition.reason &&
    stringAt(old, 'message') === condition.message
  )
    return [...conditions];
  const entry = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime:
      old !== undefined && stringAt(old, 'status') === condition.status
        ? stringAt(old, 'lastTransitionTime')
        : now,
    reason: condition.reason,
    message: condition.message,
  };
  return index < 0 ? [...conditions, entry] : conditions.map((c, i) => (i === index ? entry : c));
}
