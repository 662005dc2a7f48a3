/**
 * What an installation should hold, and how it is measured. SPECIFICATION.md prints this list; `podvisor slo` measures
 * it, in Prometheus or from the counters of the processes alone.
 */

/** Series by name and what their labels must match. */
export interface Series {
  readonly metric: string;
  /** Label → regular expression over the whole value. */
  readonly labels?: Readonly<Record<string, string>>;
}

export type Measure =
  /** Of a histogram. */
  | { readonly kind: 'quantile'; readonly series: Series; readonly quantile: number }
  /** Part of all: counters. */
  | { readonly kind: 'ratio'; readonly good: Series; readonly all: Series }
  /** How often something that only grows went back. */
  | { readonly kind: 'resets'; readonly series: Series }
  | { readonly kind: 'maximum'; readonly series: Series };

export interface Objective {
  readonly id: string;
  readonly what: string;
  readonly measure: Measure;
  /** The value must not be above, or not be below. */
  readonly bound: 'at most' | 'at least';
  readonly target: number;
  readonly unit: 's' | '%' | '';
}

const requests = (verb: string): Series => ({
  metric: 'apiserver_request_duration_seconds',
  labels: { verb },
});
const operations = (result: string): Series => ({
  metric: 'podvisor_operations_total',
  labels: { operation: 'migration', result },
});
const streams = (result: string): Series => ({
  metric: 'podvisor_stream_requests_total',
  labels: { result },
});

export const OBJECTIVES: readonly Objective[] = [
  {
    id: 'start-p99',
    what: 'VMI created → Running, 99th percentile, images on the node',
    measure: {
      kind: 'quantile',
      quantile: 0.99,
      series: { metric: 'podvisor_operation_duration_seconds', labels: { operation: 'start' } },
    },
    bound: 'at most',
    target: 30,
    unit: 's',
  },
  {
    id: 'api-mutating-p99',
    what: 'API requests that change something, 99th percentile',
    measure: { kind: 'quantile', quantile: 0.99, series: requests('CREATE|UPDATE|PATCH|DELETE') },
    bound: 'at most',
    target: 1,
    unit: 's',
  },
  {
    id: 'api-read-p99',
    what: 'API requests that read, 99th percentile',
    measure: { kind: 'quantile', quantile: 0.99, series: requests('GET|LIST') },
    bound: 'at most',
    target: 1,
    unit: 's',
  },
  {
    id: 'migrations',
    what: 'migrations that succeed',
    measure: { kind: 'ratio', good: operations('succeeded'), all: operations('succeeded|failed') },
    bound: 'at least',
    target: 99,
    unit: '%',
  },
  {
    id: 'lost-writes',
    what: 'times that acknowledged writes were lost',
    measure: { kind: 'resets', series: { metric: 'podvisor_store_revision' } },
    bound: 'at most',
    target: 0,
    unit: '',
  },
  {
    id: 'adoption',
    what: 'virt-handler started → all its guests taken up again',
    measure: { kind: 'maximum', series: { metric: 'podvisor_virt_handler_adoption_seconds' } },
    bound: 'at most',
    target: 10,
    unit: 's',
  },
  {
    id: 'console',
    what: 'consoles, VNC and port-forwards that open, of those that may',
    measure: { kind: 'ratio', good: streams('opened'), all: streams('opened|failed') },
    bound: 'at least',
    target: 99.9,
    unit: '%',
  },
];

/** PromQL over `range`, such as `1h`; percentages as such. */
export function objectiveQuery({ measure }: Objective, range: string): string {
  switch (measure.kind) {
    case 'quantile':
      return `histogram_quantile(${measure.quantile}, sum by (le) (increase(${selector(measure.series, '_bucket')}[${range}])))`;
    case 'ratio':
      return `100 * (sum(increase(${selector(measure.good)}[${range}])) or vector(0)) / (sum(increase(${selector(measure.all)}[${range}])) > 0)`;
    case 'resets':
      return `sum(resets(${selector(measure.series)}[${range}]))`;
    case 'maximum':
      return `max(max_over_time(${selector(measure.series)}[${range}]))`;
  }
}

function selector({ metric, labels = {} }: Series, suffix = ''): string {
  const matchers = Object.entries(labels).map(([name, value]) => `${name}=~"${value}"`);
  return `${metric}${suffix}${matchers.length === 0 ? '' : `{${matchers.join(', ')}}`}`;
}
