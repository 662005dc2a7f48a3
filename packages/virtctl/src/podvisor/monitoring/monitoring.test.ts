import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { OBJECTIVES, objectiveQuery, ruleGroups } from '@podvisor/api';
import { exposition, Histogram } from '@podvisor/base';
import { instancePaths } from '@podvisor/sys';
import { planInstance } from '../home/instance-plan.ts';
import { bcrypt } from './bcrypt.ts';
import { fromCounters, parseExposition } from './from-counters.ts';
import { prometheusConfig, ruleFile, targetsOf, webConfig } from './plan.ts';
import { endMonitoring, monitoringProcesses, wantedProcesses } from './processes.ts';
import { RUNBOOK_PATH, runbookHtml } from './runbooks.ts';
import { holds } from './slo.ts';

const home = mkdtempSync(join(tmpdir(), 'monitoring-'));
const paths = instancePaths(home);
const config = planInstance(home, { apiPort: 6443, podCidr: '10.244.0.0/16', nodes: 2 });

test('every process of the home is read, each by its own CA', () => {
  assert.deepEqual(
    targetsOf(config).map(({ pod, address, ca }) => `${pod} ${address} ${ca}`),
    [
      'kube-apiserver-home 127.0.0.1:6443 ca',
      'virt-api-home 127.0.0.1:6444 kubevirt-ca',
      'virt-controller-home 127.0.0.1:6446 kubevirt-ca',
      'virt-handler-node-1 10.244.255.11:6445 kubevirt-ca',
      'virt-handler-node-2 10.244.255.12:6446 kubevirt-ca',
    ],
  );
});

test('Prometheus takes the configuration', async () => {
  const files = {
    [`${paths.monitoring}/prometheus.yml`]: prometheusConfig(config, paths),
    [`${paths.monitoring}/rules.yaml`]: ruleFile('http://127.0.0.1/%s.html'),
    [`${paths.monitoring}/web.yml`]: webConfig({ podvisor: await bcrypt('secret') }),
    [`${paths.monitoring}/sender-password`]: 'y',
    [`${paths.monitoring}/token`]: 'x',
    [`${paths.pki}/ca.crt`]: '',
    [`${paths.pki}/kubevirt-ca.crt`]: '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  execFileSync('promtool', ['check', 'config', `${paths.monitoring}/prometheus.yml`], { stdio: 'pipe' });
  execFileSync('promtool', ['check', 'web-config', `${paths.monitoring}/web.yml`], { stdio: 'pipe' });
});

test('each of the two has a user of its own, and writes only its own data', () => {
  const processes = monitoringProcesses(config, paths);
  assert.deepEqual(
    processes.map(({ name, confinement }) => [
      name,
      confinement.capabilities,
      confinement.view?.shown.filter(({ writable }) => writable === true).map(({ path }) => path),
    ]),
    [
      ['alertmanager', [], [`${paths.monitoring}/alerts`]],
      ['prometheus', [], [`${paths.monitoring}/data`]],
    ],
  );
  assert.equal(new Set(processes.map(({ confinement }) => confinement.user)).size, 2);
  // What is shown must be there, or the process goes on without a root directory of its own.
  const keys = processes.map(({ confinement }) =>
    confinement.view?.shown.some(({ path }) => path === paths.pki),
  );
  assert.deepEqual(keys, [false, true]);
});

test('they are wanted from when the token is there until down', () => {
  const names = (): readonly string[] => wantedProcesses(config, paths).map(({ name }) => name);
  mkdirSync(paths.monitoring, { recursive: true });
  endMonitoring(paths);
  assert.ok(!names().includes('prometheus'));
  writeFileSync(`${paths.monitoring}/token`, 'x');
  assert.deepEqual(names().slice(-2), ['alertmanager', 'prometheus']);
});

test('every alert of a home leads to a page that the home serves, in which no template is left open', () => {
  const pages = readdirSync(join(import.meta.dirname, '../../../../../docs/runbooks'));
  const groups = ruleGroups(`http://127.0.0.1:1${RUNBOOK_PATH}`);
  const urls = groups.flatMap(({ rules }) =>
    rules.flatMap(
      ({ annotations }) => (annotations as Record<string, string> | undefined)?.['runbook_url'] ?? [],
    ),
  );
  assert.ok(urls.length > 30);
  for (const url of urls) {
    const name = /^http:\/\/127\.0\.0\.1:1\/consoles\/(\w+)\.html$/.exec(url)?.[1];
    assert.ok(pages.includes(`${name}.md`), url);
  }
  assert.match(runbookHtml('X', 'a < b {{ $x }}'), /a &lt; b \{\{"\{\{"\}\} \$x \}\}/);
});

test('objectives from counters: a quantile, a ratio, a maximum; what was not counted is not missed', () => {
  const starts = new Histogram(
    { name: 'podvisor_operation_duration_seconds', type: 'histogram', help: '' },
    [1, 10, 100],
  );
  for (let i = 0; i < 100; i += 1) starts.observe({ operation: 'start' }, 0.5);
  const text = `${exposition([starts.family()])}
podvisor_operations_total{operation="migration",result="succeeded"} 3
podvisor_operations_total{operation="migration",result="failed"} 1
podvisor_virt_handler_adoption_seconds{node="a \\"b\\""} 12
podvisor_virt_handler_adoption_seconds{node="c"} 2
`;
  const points = parseExposition(text);
  const results = OBJECTIVES.map((objective) => {
    const value = fromCounters(objective, points);
    return [objective.id, value, holds(objective, value)];
  });
  assert.deepEqual(results, [
    ['start-p99', 0.99, true],
    ['api-mutating-p99', undefined, true],
    ['api-read-p99', undefined, true],
    ['migrations', 75, false],
    ['lost-writes', undefined, true],
    ['adoption', 12, false],
    ['console', undefined, true],
  ]);
});

test('SPECIFICATION.md lists the objectives as they are', () => {
  const file = join(import.meta.dirname, '../../../../../SPECIFICATION.md');
  const rows = OBJECTIVES.map((objective) => {
    const { what, bound, target, unit } = objective;
    const words = bound === 'at most' ? '≤' : '≥';
    const measure = unit === '' ? '' : ` ${unit}`;
    return `| ${what} | ${words} ${target}${measure} | \`${objectiveQuery(objective, 'RANGE').replaceAll('|', '\\|')}\` |`;
  });
  const text = readFileSync(file, 'utf8');
  if (process.env['UPDATE_DOCS'] !== undefined) {
    const [head = '', rest = ''] = text.split('|---|---|---|\n');
    const after = rest.slice(rest.indexOf('\n\n'));
    writeFileSync(file, `${head}|---|---|---|\n${rows.join('\n')}${after}`);
    return;
  }
  assert.ok(text.includes(rows.join('\n')), 'write it anew: UPDATE_DOCS=1 node --test, with this file');
});
