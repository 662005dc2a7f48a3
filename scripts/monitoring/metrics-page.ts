/** docs/metrics-list.md: every family that is announced, with who serves it, its unit and where it is seen to change. Pure. */
import * as catalogue from '../../packages/api/src/metrics/catalogue.ts';
import * as own from '../../packages/api/src/metrics/own-metrics.ts';
import { MOVING } from './moving-metrics.ts';

interface Group {
  readonly title: string;
  readonly families: Readonly<
    Record<string, { readonly name: string; readonly type: string; readonly help: string }>
  >;
  /** Where they are held to what they tell of. */
  readonly test: string;
}

const GROUPS: readonly Group[] = [
  {
    title: 'Every component',
    families: catalogue.ALL_METRICS,
    test: 'packages/kube/src/metrics/metrics.test.ts',
  },
  {
    title: 'Work queues',
    families: catalogue.QUEUE_METRICS,
    test: 'packages/kube/src/metrics/metrics.test.ts',
  },
  {
    title: 'Every process',
    families: own.PROCESS_METRICS,
    test: 'packages/kube/src/metrics/metrics.test.ts',
  },
  {
    title: 'virt-api',
    families: { ...catalogue.API_METRICS, ...own.STREAM_METRICS },
    test: 'packages/virt-api/src/metrics.test.ts',
  },
  {
    title: 'virt-controller',
    families: catalogue.CONTROLLER_METRICS,
    test: 'packages/virt-controller/src/metrics/follows.test.ts',
  },
  {
    title: 'Handoffs and risks (virt-controller)',
    families: own.HANDOFF_METRICS,
    test: 'packages/virt-controller/src/metrics/handoffs.test.ts, risk-metrics.test.ts',
  },
  {
    title: 'virt-handler',
    families: { ...catalogue.HANDLER_METRICS, ...own.NODE_METRICS },
    test: 'packages/virt-handler/src/metrics/domain-metrics.test.ts, metrics.test.ts',
  },
  {
    title: 'Control plane of an embedded home',
    families: own.CONTROL_PLANE_METRICS,
    test: 'packages/apiserver/src/measure/server-metrics.test.ts',
  },
];

export function metricsPage(): string {
  const moving = new Set<string>(MOVING);
  const sections = GROUPS.map(({ title, families, test }) => {
    const rows = Object.values(families)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        ({ name, type, help }) =>
          `| \`${name}\` | ${type} | ${unitOf(name, type)} | ${help} | ${moving.has(name) ? 'yes' : ''} |`,
      );
    return `## ${title}\n\nTested in \`${test}\`.\n\n| Name | Type | Unit | | Real home |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# All metrics\n\nMade by \`node scripts/generate-monitoring.ts\` from \`packages/api/src/metrics\`. "Real home": a real Prometheus has seen it grow, in \`test/e2e/migration.test.ts\`. What they are for: [metrics.md](metrics.md).\n\n${sections.join('\n')}`;
}

/** Prometheus' own rule: the unit is the last word of the name, before `total`. */
export function unitOf(name: string, type: string): string {
  const plain = name.replace(/_total$/, '');
  if (plain.endsWith('_timestamp_seconds') || plain.endsWith('_time_seconds'))
    return type === 'gauge' ? 'time' : 'seconds';
  if (plain.endsWith('_seconds')) return 'seconds';
  if (plain.endsWith('_bytes')) return 'bytes';
  if (plain.endsWith('_info') || plain.endsWith('_labels') || plain.endsWith('_addresses')) return 'always 1';
  return /_(status|failed|succeeded|enabled|evictable|error|node)$/.test(plain) ? '0 or 1' : 'count';
}
