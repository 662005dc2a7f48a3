/** Grafana's form of a dashboard: importable JSON with a data source to choose. Pure; the same data, the same text. */
import type { Dashboard, Panel } from './dashboards.ts';

const WIDTH = 24;
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '$datasource' };

export function dashboardJson(dashboard: Dashboard): string {
  const panels: unknown[] = [];
  let y = 0;
  for (const [title, row] of Object.entries(dashboard.rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
      panels: [],
    });
    y += 1;
    row.forEach((panel, i) => {
      const x = (i * PANEL_WIDTH) % WIDTH;
      const line = Math.floor((i * PANEL_WIDTH) / WIDTH);
      const gridPos = { x, y: y + line * PANEL_HEIGHT, w: PANEL_WIDTH, h: PANEL_HEIGHT };
      panels.push({ id: panels.length + 1, gridPos, ...panelJson(panel) });
    });
    y += Math.ceil((row.length * PANEL_WIDTH) / WIDTH) * PANEL_HEIGHT;
  }
  return `${JSON.stringify(
    {
      uid: dashboard.id,
      title: dashboard.title,
      tags: ['podvisor', 'kubevirt'],
      schemaVersion: 39,
      version: 1,
      editable: true,
      refresh: '30s',
      time: { from: 'now-1h', to: 'now' },
      templating: {
        list: [
          { name: 'datasource', type: 'datasource', query: 'prometheus' },
          ...Object.entries(dashboard.variables).map(([name, query]) => ({
            name,
            type: 'query',
            datasource: SOURCE,
            query: { query, refId: name },
            refresh: 2,
            multi: true,
            includeAll: true,
            allValue: '.*',
            current: { text: 'All', value: '$__all' },
          })),
        ],
      },
      panels,
    },
    null,
    1,
  )}\n`;
}

function panelJson({ title, unit, kind = 'timeseries', queries }: Panel): Readonly<Record<string, unknown>> {
  const isTable = kind === 'table';
  return {
    type: kind,
    title,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: SOURCE,
      expr,
      legendFormat,
      ...(isTable ? { instant: true, format: 'table' } : {}),
    })),
  };
}
