/** Alerts and recording rules as Prometheus reads them: groups of a rule file, and objects of its operator. Pure. */
import type { KubernetesObject } from '../types/index.ts';
import { type Alert, RUNBOOKS, runbookUrl } from './alerts/alert.ts';
import { ALERTS } from './alerts/index.ts';
import { OWN_RECORDING_RULES, RECORDING_RULES, type RecordingRule } from './recording-rules.ts';

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Readonly<Record<string, unknown>>[];
}

/** The groups of a rule file. `runbooks`: where the page of an alert (`%s`) is. */
export function ruleGroups(runbooks: string = RUNBOOKS): readonly RuleGroup[] {
  return [
    { name: 'recordingRules.rules', rules: [...RECORDING_RULES, ...OWN_RECORDING_RULES].map(recording) },
    { name: 'alerts.rules', rules: ALERTS.map((alert) => alerting(alert, runbooks)) },
  ];
}

function recording({ name, expression, labels }: RecordingRule): Readonly<Record<string, unknown>> {
  return { record: name, expr: expression, ...(labels === undefined ? {} : { labels }) };
}

function alerting(alert: Alert, runbooks: string): Readonly<Record<string, unknown>> {
  return {
    alert: alert.name,
    expr: alert.expression,
    ...(alert.holds === undefined ? {} : { for: alert.holds }),
    labels: alertLabels(alert),
    annotations: { summary: alert.summary, runbook_url: runbookUrl(runbooks, alert.name) },
  };
}

/** What every alert carries beside the labels of what it is about. */
export function alertLabels({ severity, impact }: Alert): Readonly<Record<string, string>> {
  return {
    severity,
    operator_health_impact: impact,
    kubernetes_operator_part_of: 'kubevirt',
    kubernetes_operator_component: 'kubevirt',
  };
}

/** The rules as a PrometheusRule of the Prometheus operator. */
export function prometheusRule(
  namespace: string,
  runbooks?: string,
): KubernetesObject & { readonly spec: unknown } {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'prometheus-kubevirt-rules',
      namespace,
      labels: { 'prometheus.kubevirt.io': 'true', 'k8s-app': 'kubevirt' },
    },
    spec: { groups: ruleGroups(runbooks) },
  };
}
