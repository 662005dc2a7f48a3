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
import { arrayAt, cloneJson, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { customDefinitions } from './custom-definition.ts';
import { nextStatus, setCondition } from './definition-status.ts';

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
