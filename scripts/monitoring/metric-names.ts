/** Which metrics a PromQL expression reads, and which exist. Pure. */
import * as catalogue from '../../packages/api/src/metrics/catalogue.ts';
import * as own from '../../packages/api/src/metrics/own-metrics.ts';
import { OWN_RECORDING_RULES, RECORDING_RULES } from '../../packages/api/src/metrics/recording-rules.ts';

/** Of kube-state-metrics, the kubelet and a whole API server: there where those are. */
const OF_OTHERS = /^(up$|kube_|container_|apiserver_requested_deprecated_apis$)/;
const NAME =
  /\b(?:up(?=[{ ])|(?:kubevirt|podvisor|apiserver|process|kube|container|cluster|vmi|node)[_:][a-zA-Z0-9_:]+)/g;

/** Every metric that we announce. */
export const DEFINITIONS = [...Object.values(catalogue), ...Object.values(own)].flatMap((group) =>
  Object.values(group),
);

const KNOWN: ReadonlySet<string> = new Set([
  ...DEFINITIONS.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  ),
  ...[...RECORDING_RULES, ...OWN_RECORDING_RULES].map(({ name }) => name),
]);

/** Names in the expression that nobody serves. */
export function unknownMetrics(expression: string): readonly string[] {
  // What stands in quotes is a value of a label.
  const names = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(NAME) ?? [];
  return names.filter((name) => !KNOWN.has(name) && !OF_OTHERS.test(name));
}
