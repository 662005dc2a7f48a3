/** Answers GET /metrics: checks the caller, limits how many read at once, renders. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { expositionFor, type MetricFamily } from '@podvisor/base';
import type { MetricsAccess } from './metrics-access.ts';

export interface MetricsEndpoint {
  readonly access: Pick<MetricsAccess, 'judge'>;
  families(): Promise<readonly MetricFamily[]> | readonly MetricFamily[];
}

/** As with KubeVirt's `--max-metric-requests`. */
const MAX_AT_ONCE = 3;
let running = 0;

/** What is answered, whatever the server looks like. */
export async function metricsAnswer(
  { authorization, accept }: Pick<IncomingHttpHeaders, 'authorization' | 'accept'>,
  { access, families }: MetricsEndpoint,
): Promise<{ readonly code: number; readonly contentType: string; readonly body: string }> {
  const refusal = (code: number, body: string) => ({ code, contentType: 'text/plain', body: `${body}\n` });
  const verdict = await access.judge(authorization);
  if (verdict === 401) return refusal(401, 'metrics need a bearer token of the cluster');
  if (verdict === 403) return refusal(403, 'this user may not get /metrics');
  if (verdict === 503) return refusal(503, 'the API server could not say who asks');
  if (running >= MAX_AT_ONCE) return refusal(503, 'too many readers at once');
  running += 1;
  try {
    return { code: 200, ...expositionFor(accept, await families()) };
  } finally {
    running -= 1;
  }
}

/** For plain Node servers. */
export async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: MetricsEndpoint,
): Promise<void> {
  const { code, contentType, body } = await metricsAnswer(request.headers, endpoint);
  response
    .writeHead(code, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
    .end(body);
}
