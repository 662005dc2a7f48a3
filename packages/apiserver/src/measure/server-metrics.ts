/**
 * What the API server tells of itself at `/metrics`. Labels are bounded by what the server serves: a path that
 * nobody serves, which anybody may ask for, is counted without its words.
 */
import { statfsSync, statSync } from 'node:fs';
import { CONTROL_PLANE_METRICS as M } from '@podvisor/api';
import { type Clock, expositionFor, Histogram, Meter, type MetricFamily } from '@podvisor/base';
import { processFamilies } from '@podvisor/kube';
import { isLongRunning } from '../limits/in-flight.ts';
import type { ApiRequest, ApiResponse } from '../wire/exchange.ts';
import type { RequestInfo } from '../wire/request-info.ts';

const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

export interface ServerMetricsOptions {
  readonly clock: Clock;
  /** Path of the store's file; one in memory has no size. */
  readonly storePath: string;
  revision(): number;
  /** Whether a resource, with its subresource if any, is served here. */
  isServed(info: RequestInfo): boolean;
  /** Whether another server answers for the group and version. */
  isAggregated(info: RequestInfo): boolean;
  /** PEM of the serving certificate. */
  certificate(): string;
  /** What others in this process tell of themselves. */
  more?(): readonly MetricFamily[];
}

export class ServerMetrics {
  readonly #options: ServerMetricsOptions;
  readonly #requests = new Meter(M.apiserverRequestTotal);
  readonly #durations = new Histogram(M.apiserverRequestDurationSeconds, BOUNDS_SECONDS);

  constructor(options: ServerMetricsOptions) {
    this.#options = options;
  }

  /** Counts a request when its answer is over. */
  follow(info: RequestInfo, response: ApiResponse): void {
    const startedAt = this.#options.clock.elapsed();
    response.once('close', () => this.observed(info, response.statusCode, startedAt));
  }

  observed(info: RequestInfo, code: number, startedAtMs: number): void {
    const labels = this.#labels(info);
    this.#requests.add({ ...labels, code: String(code) });
    if (!isLongRunning(info))
      this.#durations.observe(labels, Math.max(0, this.#options.clock.elapsed() - startedAtMs) / 1000);
  }

  /** Answers GET /metrics; the caller is allowed to. */
  answer(request: ApiRequest, response: ApiResponse): void {
    const { contentType, body } = expositionFor(request.headers.accept, this.families());
    response
      .writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
      .end(body);
  }

  families(): readonly MetricFamily[] {
    const { storePath, revision, certificate } = this.#options;
    const disk = diskOf(storePath);
    const one = (value: number | undefined) => (value === undefined ? [] : [{ value }]);
    return [
      this.#requests.family(),
      this.#durations.family(),
      { definition: M.apiserverStorageSizeBytes, samples: one(disk?.fileBytes) },
      { definition: M.storeRevision, samples: one(revision()) },
      { definition: M.storeDiskFreeBytes, samples: one(disk?.freeBytes) },
      { definition: M.storeDiskSizeBytes, samples: one(disk?.sizeBytes) },
      ...processFamilies({ 'kube-apiserver': certificate() }),
      ...(this.#options.more?.() ?? []),
    ];
  }

  #labels(info: RequestInfo): Readonly<Record<string, string>> {
    const verb = info.isResource ? info.verb.toUpperCase() : METHODS.has(info.method) ? info.method : 'other';
    if (!info.isResource) return { verb, group: '', version: '', resource: '', subresource: '' };
    const { group, version, resource, subresource } = info;
    if (this.#options.isServed(info)) return { verb, group, version, resource, subresource };
    if (this.#options.isAggregated(info)) return { verb, group, version, resource: '', subresource: '' };
    return { verb, group: '', version: '', resource: 'unknown', subresource: '' };
  }
}

function diskOf(path: string): { fileBytes: number; freeBytes: number; sizeBytes: number } | undefined {
  if (path === ':memory:') return undefined;
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { fileBytes: statSync(path).size, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return undefined; // no number is better than a wrong one
  }
}
