/** How much a component logs: KubeVirt's verbosity numbers as levels of the log. */
import { memberOf } from '@podvisor/base';
import type { LogVerbosity } from '../types/index.ts';
import type { ClusterConfig } from './cluster-config.ts';

export type LogLevel = 'info' | 'debug' | 'trace';

/** Components that have a verbosity of their own. */
export type LoggingComponent = Exclude<keyof LogVerbosity, 'nodeVerbosity'>;

const DEFAULT_VERBOSITY = 2;
const TRACE_VERBOSITY = 5;

/** The verbosity of a component; one of its node beats its own. */
export function logVerbosity(
  { configuration }: Pick<ClusterConfig, 'configuration'>,
  component: LoggingComponent,
  nodeName?: string,
): number {
  const own = configuration.developerConfiguration?.logVerbosity;
  const ofNode = nodeName === undefined ? undefined : memberOf(own?.nodeVerbosity, nodeName);
  // Zero is what an unset number looks like in Go.
  return ofNode || own?.[component] || DEFAULT_VERBOSITY;
}

/** Up to 2 is `info`, 3 and 4 are `debug`, more is `trace`. */
export function logLevel(
  config: Pick<ClusterConfig, 'configuration'>,
  component: LoggingComponent,
  nodeName?: string,
): LogLevel {
  const verbosity = logVerbosity(config, component, nodeName);
  if (verbosity <= DEFAULT_VERBOSITY) return 'info';
  return verbosity < TRACE_VERBOSITY ? 'debug' : 'trace';
}
