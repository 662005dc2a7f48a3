/** Notes requests as audit.k8s.io/v1 Events: who did what to what, when, and how it ended. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Clock } from '@podvisor/base';
import type { UserInfo } from '../core.ts';
import type { Json, JsonObject } from '../wire/json.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import type { AuditLog } from './log.ts';
import type { AuditLevel, AuditPolicy } from './policy.ts';
import { type ApiRequest, type ApiResponse, remoteAddressOf } from '../wire/exchange.ts';

interface AuditEvent {
  readonly level: AuditLevel;
  write(stage: 'RequestReceived' | 'ResponseComplete', more: object): void;
}

/** Bodies beyond this are left out. */
const MAX_BODY_BYTES = 256 * 1024;
/** Whose content never belongs into a log. */
const SECRET = new Set(['secrets', 'tokenreviews', 'serviceaccounts/token', 'uploadtokenrequests']);

/** Absent: nobody who is known. */
export interface Sender {
  readonly user?: UserInfo;
  /** In whose name, where that is another one. */
  readonly actsAs?: UserInfo;
}

export class Auditor {
  readonly #policy: AuditPolicy;
  readonly #log: AuditLog;
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();

  constructor(policy: AuditPolicy, log: AuditLog, clock: Clock) {
    this.#policy = policy;
    this.#log = log;
    this.#clock = clock;
  }

  /** Follows a request whose sender is known, or was refused, and notes it when it is over. */
  follow(
    request: ApiRequest,
    response: ApiResponse,
    info: RequestInfo,
    sender: Sender,
    annotations: ReadonlyMap<string, string> = new Map(),
  ): void {
    const event = this.#event(request, info, sender);
    if (event === undefined) return;
    const bodies = collect(request, response, event.level, info);
    const note = (): void => {
      if (!this.#open.delete(note)) return;
      event.write('ResponseComplete', {
        responseStatus: { metadata: {}, code: response.statusCode },
        ...bodies(),
        ...(annotations.size === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
      });
    };
    this.#open.add(note);
    // An answer that nobody waits for any more is never finished.
    response.once('finish', note);
    response.once('close', note);
  }

  /**
   * Follows a request to switch protocols: exec, consoles, screens, tunnels. It is noted at once, because it may last
   * for days, and when it is over. `code`: of a refusal; what is behind us answers for itself.
   */
  followUpgrade(
    request: ApiRequest,
    socket: Duplex,
    info: RequestInfo,
    sender: Sender,
    code: () => number | undefined,
  ): void {
    const event = this.#event(request, info, sender);
    if (event === undefined) return;
    event.write('RequestReceived', {});
    const note = (): void => {
      if (!this.#open.delete(note)) return;
      event.write('ResponseComplete', { responseStatus: { metadata: {}, code: code() } });
    };
    this.#open.add(note);
    socket.once('close', note);
    if (socket.destroyed) note();
  }

  /** Undefined: the policy does not ask for it. */
  #event(request: ApiRequest, info: RequestInfo, { user, actsAs }: Sender): AuditEvent | undefined {
    const verb = info.isResource ? info.verb : info.method.toLowerCase();
    const level = this.#policy(info, verb, user);
    if (level === 'None') return undefined;
    const received = micro(this.#clock.now());
    const common = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level,
      auditID: randomUUID(),
      requestURI: request.url,
      verb,
      user: { username: user?.username ?? 'system:anonymous', uid: user?.uid, groups: user?.groups },
      ...(actsAs === undefined
        ? {}
        : { impersonatedUser: { username: actsAs.username, uid: actsAs.uid, groups: actsAs.groups } }),
      sourceIPs: [remoteAddressOf(request)],
      userAgent: request.headers['user-agent'],
      objectRef: info.isResource ? referenceOf(info) : undefined,
      requestReceivedTimestamp: received,
    };
    return {
      level,
      write: (stage, more) =>
        this.#log.write({ ...common, stage, ...more, stageTimestamp: micro(this.#clock.now()) }),
    };
  }

  /** Notes what is still under way, and closes the log. */
  close(): Promise<void> {
    for (const note of [...this.#open]) note();
    return this.#log.close();
  }
}

function referenceOf({ resource, namespace, name, group, version, subresource }: RequestInfo): JsonObject {
  return {
    resource,
    ...(namespace === '' ? {} : { namespace }),
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { apiGroup: group }),
    apiVersion: version,
    ...(subresource === '' ? {} : { subresource }),
  };
}

function micro(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/** Listens to what passes by, as far as the level asks for it. */
function collect(
  request: ApiRequest,
  response: ApiResponse,
  level: AuditLevel,
  info: RequestInfo,
): () => JsonObject {
  const full = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  if (level === 'Metadata' || SECRET.has(full) || !info.isResource || info.verb === 'watch')
    return () => ({});
  const sent = new Bounded();
  const answered = new Bounded();
  request.on('data', (chunk: Buffer) => sent.add(chunk));
  if (level === 'RequestResponse') listen(response, answered);
  return () => ({
    ...object('requestObject', sent),
    ...(level === 'RequestResponse' ? object('responseObject', answered) : {}),
  });
}

function listen(response: ApiResponse, into: Bounded): void {
  const end = response.end.bind(response);
  response.end = ((chunk?: unknown, ...rest: never[]) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) into.add(Buffer.from(chunk));
    return end(chunk as never, ...rest);
  }) as typeof response.end;
}

function object(key: string, { text }: Bounded): JsonObject {
  if (text === undefined || text === '') return {};
  try {
    return { [key]: JSON.parse(text) as Json };
  } catch {
    // Not JSON: a patch in YAML, protobuf, compressed. The rest of the event says what there is to say.
    return {};
  }
}

class Bounded {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_BODY_BYTES) this.#chunks.push(chunk);
    else this.#chunks.length = 0;
  }

  get text(): string | undefined {
    return this.#bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(this.#chunks).toString('utf8');
  }
}
