/** Subresource requests from URL to answer: route, permission, objects, decision, execution. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ClusterConfig,
  isGateEnabled,
  type KubernetesObject,
  type Node,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { messageOf, StatusError } from '@podvisor/base';
import { type KubeClient, type Resource, resources } from '@podvisor/kube';
import { authorize, type Permission, verbOf } from '../access/authorize.ts';
import type { User } from '../access/front-proxy.ts';
import type { HandlerClient } from '../handler-client.ts';
import { type ApiPath, parseApiPath } from '../paths.ts';
import { dialPort } from '../stream/port-forward.ts';
import { relay } from '../stream/relay.ts';
import { acceptUpgrade, bytesOf } from '../stream/upgrade.ts';
import {
  type Decision,
  internalError,
  type Lookup,
  type StateKeys,
  type StoredState,
  type SubresourceRequest,
} from './decision.ts';
import { type Answer, type ExecutionIo, execute } from './execute.ts';
import { type ExpansionIo, expandBody, expandStored } from './expand.ts';
import { readOverhead } from './file-system-overhead.ts';
import { readGraphFacts } from './graph-facts.ts';
import { lookUp } from './look-up.ts';
import { claimNameOf } from './memory-dump.ts';
import { matchSubresource, type RouteMatch } from './routes.ts';

export interface Caller {
  readonly method: string;
  readonly url: URL;
  /** Throws 401 when nobody trustworthy says who asks. */
  user(): User;
}

/** What an upgrade request brings. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** What subresources use of the API. */
export type SubresourceClient = Pick<KubeClient, 'find' | 'list' | 'create' | 'patch'>;

export interface SubresourcesOptions {
  readonly client: SubresourceClient;
  readonly handlers: Pick<HandlerClient, 'call' | 'dial'>;
  config(): ClusterConfig;
  /** Absent: nobody gets a key of a hibernated state. */
  stateKeys?(): StateKeys;
  /** A request for a stream was answered. */
  onStreamRequest?(subresource: string, result: 'opened' | 'refused' | 'failed'): void;
  /** A stream was opened; the answer is called when it has ended. */
  onStream?(subresource: string, vmi: { readonly namespace: string; readonly name: string }): () => void;
}

export class Subresources {
  readonly #options: SubresourcesOptions;

  constructor(options: SubresourcesOptions) {
    this.#options = options;
  }

  /** Undefined when the path is not a subresource. */
  async answer(
    caller: Caller,
    body: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const path = parseApiPath(caller.url.pathname);
    if (path === undefined) return undefined;
    if (path.kind === 'namespace') return this.#answerNamespace(path, caller, body, signal);
    if (
      path.resource === 'virtualmachines' &&
      path.rest.join('/') === 'expand-spec' &&
      caller.method === 'GET'
    ) {
      await this.#authorize(
        caller,
        { ...permissionOf(path), subresource: 'expand-spec', verb: 'get' },
        signal,
      );
      return expandStored(path.namespace, path.name, this.#expansion(), signal);
    }
    const match = findRoute(path, caller.method);
    if (match === undefined) return undefined;
    await this.#authorizeRoute(path, match, caller, signal);
    if (match.route.stream)
      throw new StatusError('BadRequest', `${match.route.subresource} needs a websocket connection`);
    const request = requestOf(path, match, caller, await body());
    const decision = match.route.decide(request, await this.#state(request, match, signal));
    if (decision.kind === 'stream' || decision.kind === 'forward') throw internalError('not a stream');
    return execute(decision, request, this.#io(signal));
  }

  /** False when the path is not a stream. Refusals are thrown before the connection is taken over. */
  async stream(caller: Caller, upgrade: Upgrade, signal: AbortSignal): Promise<boolean> {
    const path = parseApiPath(caller.url.pathname);
    const match = path?.kind === 'object' ? findRoute(path, caller.method) : undefined;
    if (path?.kind !== 'object' || match?.route.stream !== true) return false;
    const target = await this.#counted(match.route.subresource, async () => {
      await this.#authorizeRoute(path, match, caller, signal);
      const request = requestOf(path, match, caller, undefined);
      return this.#open(match.route.decide(request, await this.#state(request, match, signal)), signal);
    });
    const viewer = await acceptUpgrade(upgrade.request, upgrade.socket, upgrade.head);
    const closed = this.#options.onStream?.(match.route.subresource, path);
    await relay(bytesOf(viewer), target);
    closed?.();
    return true;
  }

  /** Tells how a request for a stream ended. */
  async #counted<T>(subresource: string, open: () => Promise<T>): Promise<T> {
    try {
      const opened = await open();
      this.#options.onStreamRequest?.(subresource, 'opened');
      return opened;
    } catch (error) {
      const isRefusal = error instanceof StatusError && error.code < 500;
      this.#options.onStreamRequest?.(subresource, isRefusal ? 'refused' : 'failed');
      throw error;
    }
  }

  async #open(decision: Decision, signal: AbortSignal): Promise<Duplex> {
    try {
      if (decision.kind === 'stream')
        return bytesOf(await this.#options.handlers.dial(decision.vmi, decision.path, signal));
      if (decision.kind === 'forward') return await dialPort(decision);
    } catch (error) {
      throw error instanceof StatusError ? error : internalError(messageOf(error));
    }
    throw internalError('not a stream');
  }

  async #answerNamespace(
    path: Extract<ApiPath, { kind: 'namespace' }>,
    caller: Caller,
    body: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    if (path.resource !== 'expand-vm-spec' || caller.method !== 'PUT') return undefined;
    const { version, namespace, resource } = path;
    await this.#authorize(caller, { verb: 'update', version, resource, namespace }, signal);
    return expandBody(namespace, await body(), this.#expansion(), signal);
  }

  #expansion(): ExpansionIo {
    return { client: this.#options.client, config: this.#options.config() };
  }

  #authorizeRoute(
    path: Extract<ApiPath, { kind: 'object' }>,
    { route }: RouteMatch,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<void> {
    const { subresource } = route;
    return this.#authorize(
      caller,
      { ...permissionOf(path), subresource, verb: verbOf(caller.method) },
      signal,
    );
  }

  async #authorize(caller: Caller, permission: Permission, signal: AbortSignal): Promise<void> {
    await authorize(this.#options.client, caller.user(), permission, signal);
  }

  async #state(
    request: SubresourceRequest,
    { route }: RouteMatch,
    signal: AbortSignal,
  ): Promise<StoredState> {
    const { namespace, name } = request;
    const read = <T extends KubernetesObject>(resource: Resource<T>, needed: boolean): Promise<Lookup<T>> =>
      needed
        ? lookUp(this.#options.client, resource, { namespace, name }, signal)
        : Promise.resolve({ kind: 'absent' });
    const [vm, vmi] = await Promise.all([
      read(resources.virtualMachines, route.needs.includes('vm')),
      read(resources.virtualMachineInstances, route.needs.includes('vmi')),
    ]);
    const config = this.#options.config();
    if (route.needs.includes('node')) {
      const node = await this.#nodeOf(vmi, signal);
      return { vm, vmi, config, ...(node && { node }) };
    }
    if (route.needs.includes('graph')) {
      const instance = vmi.kind === 'found' ? vmi.object : undefined;
      const root = vm.kind === 'found' ? vm.object : instance;
      // Who may not have the graph reads nothing for it.
      if (root === undefined || !isGateEnabled(config, 'ObjectGraph')) return { vm, vmi, config };
      return { vm, vmi, config, graph: await readGraphFacts(this.#options.client, root, instance, signal) };
    }
    if (route.needs.includes('state-keys')) {
      const stateKeys = this.#options.stateKeys?.();
      return { vm, vmi, config, ...(stateKeys && { stateKeys }) };
    }
    if (!route.needs.includes('claim')) return { vm, vmi, config };
    const claimName = claimNameOf(request.body, vm.kind === 'found' ? vm.object : undefined);
    if (claimName === '') return { vm, vmi, config };
    const key = { namespace, name: claimName };
    const claim = await lookUp(this.#options.client, resources.persistentVolumeClaims, key, signal);
    const storageClass = claim.kind === 'found' ? claim.object.spec.storageClassName : undefined;
    const fileSystemOverhead = await readOverhead(this.#options.client, storageClass, signal);
    return { vm, vmi, claim, config, fileSystemOverhead };
  }

  /** Undefined when the VMI has none, or when it is gone. */
  async #nodeOf(vmi: Lookup<VirtualMachineInstance>, signal: AbortSignal): Promise<Node | undefined> {
    const { evacuationNodeName, nodeName } = vmi.kind === 'found' ? (vmi.object.status ?? {}) : {};
    const name = evacuationNodeName || nodeName;
    if (!name) return undefined;
    const found = await lookUp(this.#options.client, resources.nodes, { name }, signal);
    if (found.kind === 'failed') throw internalError(found.message);
    return found.kind === 'found' ? found.object : undefined;
  }

  #io(signal: AbortSignal): ExecutionIo {
    const { client, handlers } = this.#options;
    return {
      async patch(target, key, body, dryRun) {
        const resource =
          target === 'virtualmachineinstance' ? resources.virtualMachineInstances : resources.virtualMachines;
        const subresource = target === 'virtualmachine/status' ? 'status' : undefined;
        await client.patch<KubernetesObject>(
          resource,
          key,
          { type: 'json', body, dryRun, subresource },
          signal,
        );
      },
      async createMigration(namespace, spec, dryRun) {
        await client.create(
          resources.virtualMachineInstanceMigrations,
          {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachineInstanceMigration',
            metadata: { namespace, generateName: 'kubevirt-migrate-vm-' },
            spec,
          },
          { dryRun },
          signal,
        );
      },
      callHandler: ({ vmi, method, path, body }) => handlers.call(vmi, method, path, body, signal),
    };
  }
}

function permissionOf({ version, namespace, resource, name }: Extract<ApiPath, { kind: 'object' }>) {
  return { version, namespace, resource, name };
}

function findRoute(path: Extract<ApiPath, { kind: 'object' }>, method: string): RouteMatch | undefined {
  const matches = matchSubresource(path.resource, path.rest);
  const match = matches.find(({ route }) => route.method === method);
  if (match === undefined && matches.length > 0) {
    throw new StatusError(
      'MethodNotAllowed',
      `${method} is not supported on ${path.resource}/${path.rest.join('/')}`,
    );
  }
  return match;
}

function requestOf(
  path: Extract<ApiPath, { kind: 'object' }>,
  { parameters }: RouteMatch,
  caller: Caller,
  body: unknown,
): SubresourceRequest {
  const { namespace, name } = path;
  return { namespace, name, body, query: caller.url.searchParams, user: caller.user(), parameters };
}
