/**
 * The processes of monitoring, which the supervisor keeps running from when `up --monitoring` has written what they
 * read until `down`. The reader's token is written last and taken away first: it says whether they are wanted.
 */
import { existsSync, rmSync } from 'node:fs';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';
import { unprivileged } from '../home/confinements.ts';
import { type ProcessSpec, processesOf } from '../home/processes.ts';
import { alertmanagerArgs, prometheusArgs } from './plan.ts';

export const PROGRAMS = {
  prometheus: '/usr/bin/prometheus',
  alertmanager: '/usr/bin/prometheus-alertmanager',
} as const;

export function monitoringProcesses(config: InstanceConfig, paths: InstancePaths): readonly ProcessSpec[] {
  const spec = (name: keyof typeof PROGRAMS, args: readonly string[]): ProcessSpec => ({
    name,
    program: PROGRAMS[name],
    args,
    nodeFlags: [],
    confinement: unprivileged(name, config, paths),
  });
  return [
    spec('alertmanager', alertmanagerArgs(config, paths)),
    spec('prometheus', prometheusArgs(config, paths)),
  ];
}

export function tokenFile({ monitoring }: Pick<InstancePaths, 'monitoring'>): string {
  return `${monitoring}/token`;
}

export function isMonitored(paths: Pick<InstancePaths, 'monitoring'>): boolean {
  return existsSync(tokenFile(paths));
}

/** All that should run in this home. */
export function wantedProcesses(config: InstanceConfig, paths: InstancePaths): readonly ProcessSpec[] {
  return [...processesOf(config, paths), ...(isMonitored(paths) ? monitoringProcesses(config, paths) : [])];
}

/** The next start is without it. */
export function endMonitoring(paths: Pick<InstancePaths, 'monitoring'>): void {
  rmSync(tokenFile(paths), { force: true });
}
