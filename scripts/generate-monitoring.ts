/**
 * Writes monitoring/ (rule files, tests of the rules, dashboards), docs/metrics-list.md and docs/runbooks from the lists in @podvisor/api.
 * `--check` fails when something is not up to date; a rule or a dashboard that reads a metric that nobody serves always
 * fails.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RUNBOOKS } from '../packages/api/src/metrics/alerts/alert.ts';
import { ALERTS } from '../packages/api/src/metrics/alerts/index.ts';
import { OWN_RECORDING_RULES, RECORDING_RULES } from '../packages/api/src/metrics/recording-rules.ts';
import { plainYaml } from '../packages/api/src/metrics/plain-yaml.ts';
import { prometheusRule, ruleGroups } from '../packages/api/src/metrics/rule-objects.ts';
import { ALERT_EXAMPLES } from './monitoring/alert-examples.ts';
import { dashboardJson } from './monitoring/dashboard-json.ts';
import { DASHBOARDS } from './monitoring/dashboards.ts';
import { unknownMetrics } from './monitoring/metric-names.ts';
import { metricsPage } from './monitoring/metrics-page.ts';
import { ruleTests } from './monitoring/rule-tests.ts';
import { runbookPage } from './monitoring/runbook-page.ts';

const root = join(import.meta.dirname, '..');
const NOTE = '# Made by node scripts/generate-monitoring.ts; do not edit.\n';

const tests = (interval: string, isIn: (minutes: number) => boolean): string => {
  const examples = ALERT_EXAMPLES.filter(({ minutes }) => isIn(minutes));
  return (
    NOTE +
    plainYaml(ruleTests({ alerts: ALERTS, examples, ruleFile: 'rules.yaml', runbooks: RUNBOOKS, interval }))
  );
};

const expressions: readonly (readonly [where: string, expression: string])[] = [
  ...[...ALERTS, ...RECORDING_RULES, ...OWN_RECORDING_RULES].map(
    ({ name, expression }) => [name, expression] as const,
  ),
  ...DASHBOARDS.flatMap(({ id, variables, rows }) => [
    ...Object.values(variables).map((query) => [id, query] as const),
    ...Object.values(rows)
      .flat()
      .flatMap(({ title, queries }) =>
        Object.values(queries).map((query) => [`${id}: ${title}`, query] as const),
      ),
  ]),
];
for (const [where, expression] of expressions)
  for (const name of unknownMetrics(expression)) throw new Error(`${where}: nobody serves ${name}`);

const byName = Map.groupBy(ALERTS, ({ name }) => name);
const files = new Map<string, string>([
  ['monitoring/rules.yaml', NOTE + plainYaml({ groups: ruleGroups() })],
  ['monitoring/prometheus-rule.yaml', NOTE + plainYaml(prometheusRule('kubevirt'))],
  ['monitoring/rules.test.yaml', tests('1m', (minutes) => minutes <= 30)],
  ['monitoring/rules.slow.test.yaml', tests('4m', (minutes) => minutes > 30)],
  ...DASHBOARDS.map((one) => [`monitoring/dashboards/${one.id}.json`, dashboardJson(one)] as const),
  ...[...byName].map(([name, alerts]) => [`docs/runbooks/${name}.md`, runbookPage(alerts)] as const),
  ['docs/metrics-list.md', metricsPage()],
  [
    'docs/runbooks/README.md',
    `# Runbooks\n\nOne page for each alert of \`monitoring/rules.yaml\`. Made by \`node scripts/generate-monitoring.ts\` from \`packages/api/src/metrics/alerts\`.\n\n| Alert | Severity | |\n|---|---|---|\n${ALERTS.map(({ name, severity, summary }) => `| [${name}](${name}.md) | ${severity} | ${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')} |`).join('\n')}\n`,
  ],
]);

/** Directories that hold nothing else. */
const OWN = ['monitoring', 'monitoring/dashboards', 'docs/runbooks'];
const stale = OWN.filter((directory) => existsSync(join(root, directory))).flatMap((directory) =>
  readdirSync(join(root, directory), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !files.has(`${directory}/${entry.name}`))
    .map((entry) => `${directory}/${entry.name}`),
);

if (process.argv.includes('--check')) {
  const differs = [...files].filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  );
  const wrong = [...differs.map(([path]) => path), ...stale];
  if (wrong.length > 0) {
    console.error(`out of date: ${wrong.join(', ')}: run node scripts/generate-monitoring.ts`);
    process.exitCode = 1;
  }
} else {
  for (const path of stale) rmSync(join(root, path));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
