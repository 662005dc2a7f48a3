/**
 * What the components of a home write for one start, by the home's audit log, and the events that they make, which are
 * not in that log. Signs of life (leases, the node's own state) come all the time and are none of a start's.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@podvisor/api';
import { type KubeClient, type Resource, resources } from '@podvisor/kube';
import type { Writes } from './api-writes.ts';

const OURS = /^system:serviceaccount:kubevirt:/;
const WRITING = new Set(['create', 'update', 'patch', 'delete']);
const SIGNS_OF_LIFE = new Set(['leases', 'nodes', 'tokenreviews', 'subjectaccessreviews']);

interface CountedEvent extends KubernetesObject {
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly count?: number;
}

interface AuditLine {
  readonly verb?: string;
  readonly user?: { readonly username?: string };
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

/** Writes of our components that were answered with success. Pure. */
export function componentWrites(auditLog: string): Writes {
  const writes = new Map<string, number>();
  for (const line of auditLog.split('\n')) {
    if (line === '') continue;
    const { verb = '', user, objectRef, responseStatus } = JSON.parse(line) as AuditLine;
    const { resource = '', subresource } = objectRef ?? {};
    const isOurs = OURS.test(user?.username ?? '') && WRITING.has(verb) && !SIGNS_OF_LIFE.has(resource);
    if (!isOurs || (responseStatus?.code ?? 0) >= 300) continue;
    const key = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    writes.set(key, (writes.get(key) ?? 0) + 1);
  }
  return writes;
}

/** One start after the other: what each of them made our components write. */
export class HomeWrites {
  readonly runs: Writes[] = [];
  readonly #file: string;
  readonly #client: KubeClient;
  readonly #settleMs: number;
  #from = 0;
  #events = 0;

  /** `settleMs`: what follows upon Running has been written by then. */
  constructor(home: string, client: KubeClient, settleMs: number) {
    this.#file = `${home}/control-plane/audit.log`;
    this.#client = client;
    this.#settleMs = settleMs;
  }

  readonly beforeStart = async (): Promise<void> => {
    // The end of the start before is still being written.
    await delay(this.#settleMs);
    this.#from = statSync(this.#file).size;
    this.#events = await this.#eventWrites();
  };

  readonly whenRunning = async (): Promise<void> => {
    await delay(this.#settleMs);
    const bytes = readFileSync(this.#file);
    // A log that was begun anew meanwhile tells less than there was: such a run does not count.
    if (bytes.length < this.#from) return;
    const writes = new Map(componentWrites(bytes.subarray(this.#from).toString()));
    writes.set('create events', (await this.#eventWrites()) - this.#events);
    this.runs.push(writes);
  };

  /** Each time that an event was counted was a write. */
  async #eventWrites(): Promise<number> {
    const { items } = await this.#client.list(resources.events as Resource<CountedEvent>, {});
    return items
      .filter(({ source, reportingComponent }) =>
        /^virt-/.test(source?.component ?? reportingComponent ?? ''),
      )
      .reduce((sum, { count }) => sum + (count ?? 1), 0);
  }
}
