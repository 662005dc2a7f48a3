/**
 * How many requests are answered at the same time. Long-running ones (watches, streams) count for themselves, as one
 * HTTP/2 connection may hold hundreds; those of the system are never refused, so that a crowd of tenants cannot keep nodes and controllers out.
 */
import { StatusError } from '@podvisor/base';
import type { UserInfo } from '../core.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import type { ServerLimits } from './server-limits.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const EXEMPT_GROUPS: ReadonlySet<string> = new Set(['system:masters', 'system:nodes']);
const LONG_RUNNING: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request may take as long as it takes. */
export function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || LONG_RUNNING.has(subresource));
}

function isExempt({ username, groups }: UserInfo): boolean {
  return (
    groups.some((group) => EXEMPT_GROUPS.has(group)) ||
    username.startsWith('system:kube-') ||
    username.startsWith('system:serviceaccount:kube-system:') ||
    username.startsWith('system:serviceaccount:kubevirt:')
  );
}

class Lane {
  readonly #limit: number;
  readonly #ofUser: number;
  readonly #users = new Map<string, number>();
  #all = 0;

  constructor(limit: number, share: number) {
    this.#limit = limit;
    this.#ofUser = Math.max(1, Math.floor(limit * share));
  }

  /** Undefined when there is no room. */
  enter(user: string): (() => void) | undefined {
    const mine = this.#users.get(user) ?? 0;
    if (this.#all >= this.#limit || mine >= this.#ofUser) return undefined;
    this.#all += 1;
    this.#users.set(user, mine + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#users.get(user) ?? 1) - 1;
      if (left > 0) this.#users.set(user, left);
      else this.#users.delete(user);
    };
  }
}

export class InFlight {
  readonly #reads: Lane;
  readonly #writes: Lane;
  readonly #longRunning: Lane;

  constructor(
    limits: Pick<ServerLimits, 'readsInFlight' | 'writesInFlight' | 'longRunning' | 'shareOfUser'>,
  ) {
    this.#reads = new Lane(limits.readsInFlight, limits.shareOfUser);
    this.#writes = new Lane(limits.writesInFlight, limits.shareOfUser);
    this.#longRunning = new Lane(limits.longRunning, limits.shareOfUser);
  }

  /** Counts a request; call the result when it is over. Throws 429 when there are too many. */
  enter(info: RequestInfo, user: UserInfo): () => void {
    if (isExempt(user)) return () => undefined;
    const leave = this.#laneOf(info).enter(user.username);
    if (leave !== undefined) return leave;
    throw new StatusError('TooManyRequests', 'Too many requests, please try again later.', {
      details: { retryAfterSeconds: 1 },
    });
  }

  #laneOf(info: RequestInfo): Lane {
    if (isLongRunning(info)) return this.#longRunning;
    return READS.has(info.method) ? this.#reads : this.#writes;
  }
}
