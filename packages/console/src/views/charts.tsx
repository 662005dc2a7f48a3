/** CPU, memory, disks and network of a guest over the last hour. */
import type { JSX } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { type UsageHistory, usageHistory } from '../live/usage-history.ts';
import { bytesText } from '../model/units.ts';
import { type UsageSeries, usageSeries } from '../model/usage.ts';
import { Command, Problem } from './parts.tsx';
import { unitsText, usageText } from '../texts/usage.ts';

interface Line {
  readonly label: string;
  readonly of: (series: UsageSeries) => readonly (number | null)[];
}

interface Chart {
  readonly title: string;
  readonly text: (value: number) => string;
  /** The scale goes at least as far. */
  readonly least: number;
  readonly lines: readonly Line[];
}

const perSecond = (value: number): string => unitsText.perSecond(bytesText(value));
const CHARTS: readonly Chart[] = [
  { title: usageText.cpu, text: (value) => usageText.percent(value.toFixed(value < 10 ? 1 : 0)), least: 1, lines: [{ label: usageText.ofOneCpu, of: ({ cpu }) => cpu }] },
  { title: usageText.memory, text: bytesText, least: 1024, lines: [{ label: usageText.used, of: ({ memory }) => memory }] },
  {
    title: usageText.disks,
    text: perSecond,
    least: 1024,
    lines: [
      { label: usageText.read, of: ({ diskRead }) => diskRead },
      { label: usageText.written, of: ({ diskWritten }) => diskWritten },
    ],
  },
  {
    title: usageText.network,
    text: perSecond,
    least: 1024,
    lines: [
      { label: usageText.received, of: ({ received }) => received },
      { label: usageText.sent, of: ({ sent }) => sent },
    ],
  },
];
const COLOURS = ['--link', '--busy'] as const;
const HEIGHT_PX = 150;

export default function Charts({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const history: UsageHistory = usageHistory(namespace, name);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const listener = (): void => redraw(undefined as never);
    history.listeners.add(listener);
    return () => void history.listeners.delete(listener);
  }, [history]);
  const series = usageSeries(history.points);
  const [first] = history.points;
  return (
    <>
      {history.problem === undefined ? null : <Problem>{history.problem}</Problem>}
      <div class="charts">
        {CHARTS.map((chart) => (
          <ChartView key={chart.title} chart={chart} series={series} />
        ))}
      </div>
      <p class="faint">
        {first === undefined ? '' : usageText.since(new Date(first.atMs).toLocaleTimeString())} {usageText.now}{' '}
        <Command text={`virtctl top -n ${namespace}`} />
      </p>
    </>
  );
}

function ChartView({ chart, series }: { chart: Chart; series: UsageSeries }): JSX.Element {
  const isDark = useIsDark();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const columns = chart.lines.map(({ of }) => of(series));
  const data = [series.times, ...columns] as unknown as UPlot.AlignedData;
  useEffect(() => {
    if (place.current === null) return;
    const made = new UPlot(optionsOf(chart, place.current.clientWidth || 400), data, place.current);
    plot.current = made;
    const fit = (): void => made.setSize({ width: place.current?.clientWidth ?? 400, height: HEIGHT_PX });
    addEventListener('resize', fit);
    return () => {
      removeEventListener('resize', fit);
      made.destroy();
    };
    // Made once for each colour scheme; what comes later is set.
  }, [isDark]);
  plot.current?.setData(data);
  return (
    <section aria-label={chart.title}>
      <h2>
        {chart.title}{' '}
        {chart.lines.map(({ label }, i) => {
          const value = columns[i]?.at(-1) ?? null;
          return (
            <span class={`legend line-${i}`} key={label}>
              {label} {value === null ? usageText.unknown : chart.text(value)}{' '}
            </span>
          );
        })}
      </h2>
      <div class="chart" ref={place} />
    </section>
  );
}

function optionsOf({ text, lines, least }: Chart, width: number): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name);
  const axis = { stroke: plainColour(colour('--faint')), grid: { stroke: '#8883', width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, _min, max) => [0, Math.max(max * 1.15, least)] } },
    axes: [{ ...axis, space: 70, values: clockTexts }, { ...axis, size: 80, values: (_, ticks) => ticks.map((tick) => text(tick)) }],
    series: [{}, ...lines.map(({ label }, i) => ({ label, stroke: plainColour(colour(COLOURS[i] ?? '--link')), width: 2, points: { show: false } }))],
  };
}

/** Hours and minutes; seconds too where lines are nearer than a minute. */
function clockTexts(_: UPlot, times: number[], _axis: number, _space: number, stepSeconds: number): string[] {
  const seconds = stepSeconds < 60 ? ({ second: '2-digit' } as const) : {};
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false, ...seconds });
  return times.map((time) => clock.format(time * 1000));
}

/** Whether the page is dark now: a canvas does not change its colours by itself. */
function useIsDark(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const onChange = (): void => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isDark;
}

/** `light-dark(a, b)` as the one that holds; a canvas does not know it. */
function plainColour(value: string): string {
  const [, light, dark] = /light-dark\((.+),\s*(.+)\)/.exec(value) ?? [];
  if (light === undefined || dark === undefined) return value;
  return matchMedia('(prefers-color-scheme: dark)').matches ? dark : light;
}
