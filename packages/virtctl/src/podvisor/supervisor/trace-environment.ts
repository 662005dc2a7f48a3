/** Which processes of a home are told where traces go. Pure. */
import type { ProcessSpec } from '../home/processes.ts';

/** A node in a network namespace of its own does not reach a collector on the machine's loopback: it is not to try. */
export function tracesOf(
  { node }: Pick<ProcessSpec, 'node'>,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '' }: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  const isHere = host === 'localhost' || host === '[::1]' || host.startsWith('127.');
  return node?.netns !== undefined && isHere ? { OTEL_EXPORTER_OTLP_ENDPOINT: '' } : {};
}
