/** What an alert is: when it fires, and what a person is told then and finds on its runbook page. */

export interface Alert {
  readonly name: string;
  /** PromQL; it fires while this has a result. */
  readonly expression: string;
  /** How long that must hold, as Prometheus writes it; absent: at once. */
  readonly holds?: string;
  readonly severity: 'critical' | 'warning' | 'info';
  /** What it means for the installation, not for one VM; KubeVirt's label `operator_health_impact`. */
  readonly impact: 'critical' | 'warning' | 'none';
  /** One sentence; `{{ $labels.x }}` is filled in. */
  readonly summary: string;
  /** The runbook: what has happened and what it costs. */
  readonly meaning: string;
  /** Commands or queries that show whether it is so. */
  readonly confirm: readonly string[];
  /** What to do, in order. */
  readonly remedy: readonly string[];
}

/** Where the page of an alert is, in this repository; `%s` is its name, as in KubeVirt's RUNBOOK_URL_TEMPLATE. */
export const RUNBOOKS = 'docs/runbooks/%s.md';

export function runbookUrl(template: string, alert: string): string {
  return template.replace('%s', alert);
}
