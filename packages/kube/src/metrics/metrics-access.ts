/**
 * Who may read metrics: the bearer of a token that the API server knows and whose user may `get` the path
 * `/metrics`. Answers are kept for a minute, so that a scrape is no load.
 */
import type { KubernetesObject } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { KubeClient } from '../client/client.ts';
import { defineResource } from '../client/resource.ts';

interface Review extends KubernetesObject {
  readonly spec: unknown;
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
    };
    readonly allowed?: boolean;
  };
}

const tokenReviews = defineResource<Review>(
  'TokenReview',
  'tokenreviews',
  'authentication.k8s.io/v1',
  'Cluster',
);
const accessReviews = defineResource<Review>(
  'SubjectAccessReview',
  'subjectaccessreviews',
  'authorization.k8s.io/v1',
  'Cluster',
);

/** HTTP code of the answer: 200 may read, 401 nobody we know, 403 may not, 503 could not be found out. */
export type Verdict = 200 | 401 | 403 | 503;

const KEEP_MS = 60_000;
const MAX_KEPT = 100;

export class MetricsAccess {
  readonly #client: Pick<KubeClient, 'create'>;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();

  constructor(client: Pick<KubeClient, 'create'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** `authorization` is the request's header. */
  async judge(authorization: string | undefined, signal?: AbortSignal): Promise<Verdict> {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return 401;
    const kept = this.#kept.get(token);
    if (kept !== undefined && kept.untilMs > this.#clock.elapsed()) return kept.verdict;
    const verdict = await this.#ask(token, signal);
    // What could not be found out is asked again; guessed tokens must not fill our memory.
    if (verdict === 503) return verdict;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(token, { verdict, untilMs: this.#clock.elapsed() + KEEP_MS });
    return verdict;
  }

  async #ask(token: string, signal?: AbortSignal): Promise<Verdict> {
    try {
      const who = await this.#client.create(tokenReviews, { metadata: {}, spec: { token } }, {}, signal);
      if (who.status?.authenticated !== true) return 401;
      const { username: user, uid, groups } = who.status.user ?? {};
      const nonResourceAttributes = { path: '/metrics', verb: 'get' };
      const spec = { user, uid, groups, nonResourceAttributes };
      const may = await this.#client.create(accessReviews, { metadata: {}, spec }, {}, signal);
      return may.status?.allowed === true ? 200 : 403;
    } catch {
      return 503; // the API server is away: nobody is let in on a guess
    }
  }
}
