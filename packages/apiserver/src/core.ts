/** What every part of a request may use: the store, the registry, the clock, admission and authorization. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@podvisor/base';
import type { Store } from './object-store.ts';
import type { Admission } from './admission/admission.ts';
import type { Authorizer } from './authz/authorizer.ts';
import type { ApiServerLog } from './options.ts';
import type { Answer } from './verbs/answer.ts';
import type { ResourceDefinition } from './registry/definition.ts';
import type { Registry } from './registry/registry.ts';
import type { KubeObject } from './wire/json.ts';
import type { RequestInfo } from './wire/request-info.ts';

/** Who sends a request, from the connection or a token; never from the body. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface Core {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: ApiServerLog;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  /** Behaviour of single resources and subresources (`group/plural` or `group/plural/sub`), put in at start. */
  readonly special: Map<string, SpecialHandler>;
  /** Resources that are not stored, by collection: who answers for them. */
  readonly virtual: Map<string, SpecialHandler>;
  /** Hears of every object that a client created, and when its request came. */
  readonly onCreated?: ((object: KubeObject, beganMs: number) => void) | undefined;
}

export type SpecialHandler = (context: VerbContext) => Answer | Promise<Answer>;

/** One request for a resource. */
export interface VerbContext {
  readonly core: Core;
  readonly info: RequestInfo;
  readonly definition: ResourceDefinition;
  readonly user: UserInfo;
  readonly headers: IncomingHttpHeaders;
  /** Texts for `Warning` headers, in order. */
  readonly warnings: string[];
  /** What admission adds to the request's entry in the audit log; absent where nothing is noted. */
  readonly auditAnnotations?: Map<string, string>;
  /** The body as text; read once. */
  readBody(): Promise<string>;
  /** The body as bytes, for formats that are not text; read once. */
  readBytes(): Promise<Buffer>;
  readonly signal: AbortSignal;
}

/** More than the headers of an answer have room for. */
const MAX_WARNINGS = 4096;

/** Adds a warning unless it was given already. */
export function warn(context: VerbContext, text: string): void {
  if (context.warnings.length >= MAX_WARNINGS) return;
  if (!context.warnings.includes(text)) context.warnings.push(text);
}
