/** Metrics and rules as Prometheus' own tools see them; promtool comes with `./podvisor test`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALERTS } from '../../packages/api/src/metrics/alerts/index.ts';
import { exposition, type Sample } from '../../packages/base/src/metrics/exposition.ts';
import { ALERT_EXAMPLES } from './alert-examples.ts';
import { DEFINITIONS, unknownMetrics } from './metric-names.ts';

const directory = join(import.meta.dirname, '../../monitoring');
const promtool = (args: readonly string[], input?: string): string =>
  execFileSync('promtool', args, { cwd: directory, encoding: 'utf8', stdio: 'pipe', input });

test('promtool finds nothing wrong with any metric that is announced', () => {
  const histogram: readonly Sample[] = [
    { suffix: '_bucket', labels: { le: '+Inf' }, value: 1 },
    { suffix: '_sum', value: 1 },
    { suffix: '_count', value: 1 },
  ];
  const families = DEFINITIONS.map((definition) => ({
    definition,
    samples: definition.type === 'histogram' ? histogram : [{ value: 1 }],
  }));
  assert.equal(promtool(['check', 'metrics'], exposition(families)), '');
  for (const { name, help } of DEFINITIONS) assert.match(help, /\S/, name);
  const names = DEFINITIONS.map(({ name }) => name.replace(/_total$/, ''));
  assert.equal(new Set(names).size, names.length, 'two families would share a name in OpenMetrics');
});

test('rules are well formed, and each alert fires and does not fire as its examples say', () => {
  promtool(['check', 'rules', 'rules.yaml']);
  promtool(['test', 'rules', 'rules.test.yaml', 'rules.slow.test.yaml']);
  for (const { name, severity } of ALERTS)
    assert.ok(
      ALERT_EXAMPLES.some((one) => one.alert === name && (one.severity ?? severity) === severity),
      `${name} has no example in scripts/monitoring/alert-examples.ts`,
    );
});

test('a metric that nobody serves is found in an expression, a word in quotes is none', () => {
  const expression = 'rate(kubevirt_made_up_total{a="kubevirt_x"}[5m]) / up{job="a"}';
  assert.deepEqual(unknownMetrics(expression), ['kubevirt_made_up_total']);
});
