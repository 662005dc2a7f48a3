/** The examples of alerts as a file for `promtool test rules`. Pure. */
import { type Alert, runbookUrl } from '../../packages/api/src/metrics/alerts/alert.ts';
import { alertLabels } from '../../packages/api/src/metrics/rule-objects.ts';
import type { AlertExample } from './alert-examples.ts';

export interface RuleTestOptions {
  readonly alerts: readonly Alert[];
  readonly examples: readonly AlertExample[];
  readonly ruleFile: string;
  /** As in the rules that are tested. */
  readonly runbooks: string;
  /** How often promtool evaluates all rules: seldom in examples that take hours, or they take minutes to run. */
  readonly interval: string;
}

export function ruleTests({ alerts, examples, ruleFile, runbooks, interval }: RuleTestOptions): unknown {
  return {
    rule_files: [ruleFile],
    evaluation_interval: interval,
    tests: examples.flatMap((example) => {
      const alert = alerts.find(
        ({ name, severity }) =>
          name === example.alert && (example.severity === undefined || severity === example.severity),
      );
      if (alert === undefined) throw new Error(`an example is of ${example.alert}, which is no alert`);
      return [
        testOf(`${alert.name} fires`, example, example.fires, [expected(alert, example, runbooks)]),
        testOf(`${alert.name} does not fire`, example, example.silent, []),
      ];
    }),
  };
}

function testOf(
  name: string,
  { alert, minutes }: AlertExample,
  series: Readonly<Record<string, string>>,
  alerts: readonly unknown[],
): unknown {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: alerts }],
  };
}

function expected(alert: Alert, { labels = {} }: AlertExample, runbooks: string): unknown {
  return {
    exp_labels: { ...alertLabels(alert), ...labels },
    exp_annotations: {
      summary: alert.summary.replaceAll(
        /\{\{ \$labels\.(\w+) \}\}/g,
        (_, name: string) => labels[name] ?? '',
      ),
      runbook_url: runbookUrl(runbooks, alert.name),
    },
  };
}
