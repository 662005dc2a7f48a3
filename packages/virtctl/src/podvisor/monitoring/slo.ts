/** `podvisor slo`: how the home meets its objectives, in the last hour, day and week. */
import { OBJECTIVES, type Objective, objectiveQuery } from '@podvisor/api';
import { defaultHome, instancePaths, readInstanceConfig, readPidFile } from '@podvisor/sys';
import pc from 'picocolors';
import { table } from '../../output/table.ts';
import { fromCounters } from './from-counters.ts';
import { prometheusApi } from './prometheus-api.ts';
import { readCounters } from './read-counters.ts';

const RANGES = { hour: '1h', day: '1d', week: '7d' } as const;

interface Measured {
  readonly objective: Objective;
  /** By column: a range, or `since start`. */
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** False when an objective is missed. */
export async function slo(output: string): Promise<boolean> {
  if (output !== 'text' && output !== 'json') throw new Error(`--output ${output}: expected text or json`);
  const paths = instancePaths(defaultHome());
  const config = readInstanceConfig(paths.home);
  const hasHistory = readPidFile(`${paths.run}/prometheus.pid`) !== undefined;
  const measured = hasHistory ? await fromHistory() : await sinceStart();
  const isMet = measured.every(({ objective, values }) =>
    Object.values(values).every((value) => holds(objective, value)),
  );
  if (output === 'json') console.log(JSON.stringify(measured.map(asJson), null, 2));
  else {
    console.log(lines(measured));
    if (!hasHistory)
      console.log(
        'Counted since each process began. For the last hour, day and week: podvisor up --monitoring',
      );
  }
  return isMet;

  async function fromHistory(): Promise<readonly Measured[]> {
    const prometheus = prometheusApi(paths, config);
    return Promise.all(
      OBJECTIVES.map(async (objective) => ({
        objective,
        values: Object.fromEntries(
          await Promise.all(
            Object.entries(RANGES).map(
              async ([name, range]) =>
                [name, await prometheus.value(objectiveQuery(objective, range))] as const,
            ),
          ),
        ),
      })),
    );
  }

  async function sinceStart(): Promise<readonly Measured[]> {
    const points = await readCounters(paths, config);
    return OBJECTIVES.map((objective) => ({
      objective,
      values: { 'since start': fromCounters(objective, points) },
    }));
  }
}

/** What was not measured is not missed. */
export function holds({ bound, target }: Objective, value: number | undefined): boolean {
  if (value === undefined || Number.isNaN(value)) return true;
  return bound === 'at most' ? value <= target : value >= target;
}

function lines(measured: readonly Measured[]): string {
  const columns = Object.keys(measured[0]?.values ?? {});
  const rows = measured.map(({ objective, values }) => [
    objective.what,
    `${objective.bound} ${objective.target}${objective.unit}`,
    ...columns.map((column) => cell(objective, values[column])),
  ]);
  return table(['objective', 'target', ...columns], rows);
}

function cell(objective: Objective, value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-';
  const text = `${Number(value.toPrecision(3))}${objective.unit}`;
  return holds(objective, value) ? text : pc.red(`${text} MISSED`);
}

function asJson({ objective, values }: Measured): unknown {
  const { id, what, bound, target, unit } = objective;
  return {
    id,
    what,
    bound,
    target,
    unit,
    measured: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        { value: value === undefined || Number.isNaN(value) ? null : value, met: holds(objective, value) },
      ]),
    ),
  };
}
