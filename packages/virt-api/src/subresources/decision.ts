/**
 * What a subresource request comes to. Deciders are pure: they get the request and the stored objects and
 * give one of these; `execute.ts` carries it out.
 */
import type {
  ClusterConfig,
  Node,
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineInstance,
} from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { JsonPatchOperation } from '@podvisor/kube';
import type { User } from '../access/front-proxy.ts';
import type { GraphFacts } from './graph-facts.ts';

/** Result of reading an object that may not be there. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly object: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly message: string };

export interface SubresourceRequest {
  readonly namespace: string;
  readonly name: string;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** Who asks; that he may is known. */
  readonly user: User;
  /** Variable parts of the path beyond the name: port, protocol. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What a decider may look at. */
export interface StoredState {
  readonly vm: Lookup<VirtualMachine>;
  readonly vmi: Lookup<VirtualMachineInstance>;
  /** The claim that a memory dump goes to. */
  readonly claim?: Lookup<PersistentVolumeClaim>;
  /** The node that the VMI is to leave, or is on. */
  readonly node?: Node;
  /** Share of that claim that its file system takes; absent: nobody says. */
  readonly fileSystemOverhead?: number;
  readonly config: ClusterConfig;
  /** What an object graph tells beyond VM and VMI. */
  readonly graph?: GraphFacts;
  /** Where keys of hibernated states come from. */
  readonly stateKeys?: StateKeys;
}

export interface StateKeys {
  /** The user that virt-handlers are. */
  readonly handler: string;
  /** Of the installation; absent: states are not encrypted. */
  readonly masterKey?: Buffer;
}

export type PatchTarget = 'virtualmachine' | 'virtualmachine/status' | 'virtualmachineinstance';

/**
 * How a patch that failed is told. `conflict`: 409 when somebody else was faster, else 500. `internal`: always 500.
 * `invalid`: a refusal of the rules is passed on, all else is 500 after `what`.
 */
export type PatchFailure =
  | { readonly kind: 'conflict' }
  | { readonly kind: 'internal' }
  | { readonly kind: 'invalid'; readonly what: string };

export interface PatchCall {
  readonly target: PatchTarget;
  readonly patch: readonly JsonPatchOperation[];
  readonly failure: PatchFailure;
  /** Undoes this patch when a later one fails. */
  readonly rollback?: readonly JsonPatchOperation[];
}

export type Decision =
  /** Changes to stored objects, in order; then an empty answer. */
  | {
      readonly kind: 'patch';
      readonly code: 200 | 202;
      readonly patches: readonly PatchCall[];
      readonly dryRun: boolean;
      /** The answer after the patches, where it is not a success. */
      readonly refusal?: StatusError;
    }
  /** A command or question for the node's virt-handler. */
  | {
      readonly kind: 'handler';
      readonly method: 'GET' | 'PUT';
      readonly vmi: VirtualMachineInstance;
      readonly path: string;
      readonly body?: unknown;
      /** Nothing is sent. */
      readonly dryRun: boolean;
      /** What goes before the node's own words when it fails. */
      readonly failure?: string;
    }
  | {
      readonly kind: 'migrate';
      readonly vmiName: string;
      readonly addedNodeSelector?: Readonly<Record<string, string>>;
      readonly dryRun: boolean;
    }
  /** A byte stream to virt-handler. */
  | { readonly kind: 'stream'; readonly vmi: VirtualMachineInstance; readonly path: string }
  /** A byte stream to a port of the guest. */
  | {
      readonly kind: 'forward';
      readonly address: string;
      readonly port: number;
      readonly protocol: 'tcp' | 'udp';
    }
  | { readonly kind: 'answer'; readonly body: unknown };

/** A decider throws StatusError to refuse. */
export type Decider = (request: SubresourceRequest, state: StoredState) => Decision;

export const VM_KIND = 'virtualmachine';
export const VMI_KIND = 'virtualmachineinstance';
type Kind = typeof VM_KIND | typeof VMI_KIND;

/** 409 in the words that clients of KubeVirt know. */
export function conflict(kind: Kind, name: string, cause: string): StatusError {
  return new StatusError(
    'Conflict',
    `Operation cannot be fulfilled on ${kind}.kubevirt.io "${name}": ${cause}`,
    {
      details: { name, group: 'kubevirt.io', kind },
    },
  );
}

export function forbidden(kind: Kind, name: string, cause: string): StatusError {
  return new StatusError('Forbidden', `${kind}.kubevirt.io "${name}" is forbidden: ${cause}`, {
    details: { name, group: 'kubevirt.io', kind },
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message);
}

export function internalError(message: string): StatusError {
  return new StatusError('InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });
}

/** The object, or the refusal that its absence means. */
export function required<T>(lookup: Lookup<T>, kind: Kind, name: string): T {
  switch (lookup.kind) {
    case 'found':
      return lookup.object;
    case 'absent':
      throw new StatusError('NotFound', `${kind}.kubevirt.io "${name}" not found`, {
        details: { name, group: 'kubevirt.io', kind },
      });
    case 'failed':
      throw internalError(
        `unable to retrieve ${kind === VM_KIND ? 'vm' : 'vmi'} [${name}]: ${lookup.message}`,
      );
  }
}

/** Whether the message says that a JSON patch did not apply, as API servers and clients have it: mostly a failed `test`. */
export function isPatchNotApplied(message: string): boolean {
  return (
    message === 'the server rejected our request due to an error in our request' ||
    message.includes('jsonpatch test operation does not apply')
  );
}

/** The object, or undefined when it does not exist; that it cannot be read is told in the API's own words. */
export function optionalAsTold<T>(lookup: Lookup<T>): T | undefined {
  if (lookup.kind === 'failed') throw internalError(lookup.message);
  return lookup.kind === 'found' ? lookup.object : undefined;
}

/** The object, or undefined when it does not exist. */
export function optional<T>(lookup: Lookup<T>, kind: Kind, name: string): T | undefined {
  return lookup.kind === 'absent' ? undefined : required(lookup, kind, name);
}
