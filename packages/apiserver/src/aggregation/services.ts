/**
 * The APIServices in force. Each that leads to a Service is probed when it, its Service or its Endpoints
 * change, and again from time to time; what is found becomes its Available condition.
 */
import type { Duplex } from 'node:stream';
import { isStatus, messageOf, rfc3339, StatusError } from '@podvisor/base';
import type { Core, UserInfo } from '../core.ts';
import type { ForeignGroupVersion } from '../discovery/resource-lists.ts';
import type { LocalClient } from '../local-client.ts';
import { type Destination, NoDestination, type OutboundAgents } from '../outbound.ts';
import { arrayAt, type JsonObject, type KubeObject, stringAt } from '../wire/json.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import type { Aggregator } from './aggregator.ts';
import { type ApiServiceSpec, apiServiceOf } from './api-service.ts';
import { type Availability, probe } from './availability.ts';
import { localCondition } from './local-services.ts';
import { proxyRequest, proxyUpgrade } from './proxy.ts';
import type { ApiRequest, ApiResponse } from '../wire/exchange.ts';

const COLLECTION = 'apiregistration.k8s.io/apiservices';
/** A server that is there is asked again this often; one that is not, more often. */
const HEALTHY_MS = 30_000;
const ABSENT_MS = 1_000;

export interface AggregationParts {
  readonly core: Core;
  readonly local: LocalClient;
  readonly agents: OutboundAgents;
  readonly signal: AbortSignal;
}

export class ApiServices implements Aggregator {
  readonly #parts: AggregationParts;
  readonly #found = new Map<string, Availability>();
  readonly #timers = new Map<string, () => void>();
  #specs: ReadonlyMap<string, ApiServiceSpec> | undefined;

  constructor(parts: AggregationParts) {
    this.#parts = parts;
  }

  /** Begins to follow the objects. */
  start(): void {
    const { store } = this.#parts.core;
    store.subscribe(COLLECTION, (events) => {
      this.#specs = undefined;
      for (const { type, stored, previous } of events) {
        const name = stored.object.metadata.name ?? '';
        if (type !== 'DELETED') this.#markLocal(stored.object);
        const before = previous === undefined ? undefined : JSON.stringify(previous.object['spec']);
        if (before !== JSON.stringify(stored.object['spec']) || !this.#byName().has(name)) this.#check(name);
      }
    });
    const checkAll = (): void => {
      for (const name of this.#byName().keys()) this.#check(name);
    };
    for (const collection of ['/services', '/endpoints']) store.subscribe(collection, checkAll);
    checkAll();
    for (const { object } of store.list(COLLECTION)) this.#markLocal(object);
    this.#parts.signal.addEventListener('abort', () => {
      for (const cancel of this.#timers.values()) cancel();
    });
  }

  serves(info: RequestInfo): boolean {
    return this.#of(info) !== undefined;
  }

  groupVersions(): readonly ForeignGroupVersion[] {
    return [...this.#byName().values()].map((spec) => {
      const found = this.#found.get(spec.name);
      const { group, version, groupPriority, versionPriority } = spec;
      return {
        group,
        version,
        groupPriority,
        versionPriority,
        resources: found?.available === true ? found.resources : undefined,
      };
    });
  }

  async proxy(request: ApiRequest, response: ApiResponse, info: RequestInfo, user: UserInfo): Promise<void> {
    const { spec, destination } = this.#target(info);
    await proxyRequest(request, response, user, {
      spec,
      destination,
      agents: this.#parts.agents,
      path: info.path + info.search,
    });
  }

  upgrade(request: ApiRequest, socket: Duplex, head: Buffer, info: RequestInfo, user: UserInfo): void {
    const { spec, destination } = this.#target(info);
    proxyUpgrade(request, socket, head, user, {
      spec,
      destination,
      agents: this.#parts.agents,
      path: info.path + info.search,
    });
  }

  #target(info: RequestInfo): { spec: ApiServiceSpec; destination: Destination } {
    const spec = this.#of(info);
    if (spec === undefined) throw unavailable();
    // A request comes right after a restart: asked now is better than refused because nobody asked yet.
    const found = this.#found.get(spec.name);
    if (found?.available === false) throw unavailable();
    try {
      return { spec, destination: this.#parts.agents.destination(this.#parts.core.store, spec.service) };
    } catch (error) {
      if (error instanceof NoDestination) throw unavailable();
      throw error;
    }
  }

  #of({ prefix, group, version }: RequestInfo): ApiServiceSpec | undefined {
    if (prefix !== 'apis' || version === '') return undefined;
    return this.#byName().get(`${version}.${group}`);
  }

  #byName(): ReadonlyMap<string, ApiServiceSpec> {
    this.#specs ??= new Map(
      this.#parts.core.store.list(COLLECTION).flatMap(({ object }) => {
        const spec = apiServiceOf(object);
        return spec === undefined ? [] : [[`${spec.version}.${spec.group}`, spec] as const];
      }),
    );
    return this.#specs;
  }

  #check(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
    const spec = this.#byName().get(name);
    if (spec === undefined) {
      this.#found.delete(name);
      return;
    }
    this.#tellFailure(name, this.#look(spec));
  }

  /** One without a Service is this server's own, and there whenever it is asked. */
  #markLocal(object: KubeObject): void {
    if (apiServiceOf(object) !== undefined) return;
    const condition = localCondition(object, this.#parts.core.clock.now());
    const { name = '' } = object.metadata;
    if (condition !== undefined) this.#tellFailure(name, this.#write(name, condition));
  }

  #tellFailure(name: string, work: Promise<void>): void {
    void work.catch((error: unknown) => {
      if (isStatus(error, 'NotFound')) return; // it is gone meanwhile
      const { log } = this.#parts.core;
      log.warn({ apiService: name, error: messageOf(error) }, 'APIService could not be checked');
    });
  }

  async #look(spec: ApiServiceSpec): Promise<void> {
    const { core, agents, signal } = this.#parts;
    const found = await probe(spec, core.store, agents, signal);
    if (signal.aborted || this.#byName().get(spec.name) === undefined) return;
    this.#found.set(spec.name, found);
    await this.#report(spec, found);
    this.#timers.get(spec.name)?.();
    this.#timers.set(
      spec.name,
      core.clock.after(found.available ? HEALTHY_MS : ABSENT_MS, () => this.#check(spec.name)),
    );
  }

  async #report(spec: ApiServiceSpec, found: Availability): Promise<void> {
    const { core } = this.#parts;
    const object = core.store.get(`${COLLECTION}//${spec.name}`)?.object;
    if (object === undefined) return;
    const status = found.available ? 'True' : 'False';
    const reason = found.available ? 'Passed' : found.reason;
    const message = found.available ? 'all checks passed' : found.message;
    const conditions = arrayAt(object, 'status', 'conditions');
    const old = conditions.find((condition) => stringAt(condition, 'type') === 'Available');
    if (
      stringAt(old, 'status') === status &&
      stringAt(old, 'reason') === reason &&
      stringAt(old, 'message') === message
    )
      return;
    const changed = stringAt(old, 'status') !== status;
    const condition: JsonObject = {
      type: 'Available',
      status,
      lastTransitionTime: changed ? rfc3339(core.clock.now()) : stringAt(old, 'lastTransitionTime'),
      reason,
      message,
    };
    await this.#write(spec.name, condition);
  }

  #write(name: string, condition: JsonObject): Promise<void> {
    return this.#parts.local.mergePatch(`/apis/${COLLECTION.replace('/', '/v1/')}/${name}/status`, {
      status: { conditions: [condition] },
    });
  }
}

function unavailable(): StatusError {
  return new StatusError('ServiceUnavailable', 'service unavailable');
}
