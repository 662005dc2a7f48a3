/** Prometheus' text format (version 0.0.4) of metric families. Pure. */

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** What a metric is; its samples come from elsewhere. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
}

export interface Sample {
  /** Absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
  /** Histograms only: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
}

export interface MetricFamily {
  readonly definition: MetricDefinition;
  readonly samples: readonly Sample[];
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text of all families, also of those without samples: that a metric exists is worth telling. */
export function exposition(families: Iterable<MetricFamily>): string {
  const lines: string[] = [];
  for (const { definition, samples } of families) {
    const { name, type, help } = definition;
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`);
    lines.push(`# TYPE ${name} ${type}`);
    for (const { labels, value, suffix = '' } of samples)
      lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Sample['labels']): string {
  const entries = Object.entries(labels ?? {});
  return entries.length === 0 ? '' : `{${entries.map(([key, value]) => `${key}="${escape(value)}"`).join()}}`;
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
