/** Migrations as the page shows them, and cancelling one. Pure. */
import type { MigrationProgress, MigrationReport, VirtualMachineInstanceMigration } from '@podvisor/api';
import type { Action } from './action.ts';
import type { Tone } from './rows.ts';
import { bytesText, secondsText } from './units.ts';
import { commonText } from '../texts/common.ts';
import { migrationsText } from '../texts/nodes.ts';
import { unitsText } from '../texts/usage.ts';

/** `MIGRATION_REPORT_ANNOTATION` of the dictionary, whose values bring what only Node has: the page takes types alone. */
export const REPORT_ANNOTATION = 'podvisor.io/migration-report';

export interface MigrationRow {
  readonly namespace: string;
  readonly name: string;
  readonly vm: string;
  readonly phase: string;
  readonly tone: Tone;
  readonly from: string;
  readonly to: string;
  readonly isOver: boolean;
  /** How far it is by its phase alone, from 0 to 1. */
  readonly share: number;
  /** How it went, or why it did not. */
  readonly report: string;
  readonly createdAt: string;
}

/** Newest first. */
export function migrationRows(
  migrations: ReadonlyMap<string, VirtualMachineInstanceMigration>,
): readonly MigrationRow[] {
  return [...migrations.values()].map(rowOf).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

function rowOf(migration: VirtualMachineInstanceMigration): MigrationRow {
  const { metadata, spec, status } = migration;
  const phase = status?.phase ?? 'Pending';
  const { sourceNode = '', targetNode = '', failureReason } = status?.migrationState ?? {};
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    vm: spec.vmiName ?? '',
    phase,
    tone: phase === 'Succeeded' ? 'good' : phase === 'Failed' ? 'bad' : 'busy',
    from: sourceNode,
    to: targetNode,
    isOver: phase === 'Succeeded' || phase === 'Failed',
    share: phase === 'Succeeded' ? 1 : 0,
    report: failureReason ?? reportOf(metadata?.annotations?.[REPORT_ANNOTATION]),
    createdAt: metadata?.creationTimestamp ?? '',
  };
}

/** A node wrote it: what cannot be read is left out. */
function reportOf(text: string | undefined): string {
  if (text === undefined) return '';
  try {
    const { totalMs, downtimeMs, dataBytes } = JSON.parse(text) as Partial<MigrationReport>;
    const parts = [
      typeof totalMs === 'number' ? secondsText(totalMs) : '',
      typeof downtimeMs === 'number' ? migrationsText.downtime(downtimeMs) : '',
      typeof dataBytes === 'number' ? migrationsText.moved(bytesText(dataBytes)) : '',
    ];
    return parts.filter((part) => part !== '').join(', ');
  } catch {
    return '';
  }
}

/** A migration that runs: how much of it is done, from 0 to 1, and in words. What is not known is left out. */
export function progressOf(progress: MigrationProgress): { readonly share: number; readonly words: string } {
  const { dataTotalBytes, dataProcessedBytes, dataRemainingBytes, bandwidthBytesPerSecond, downtimeMs } =
    progress;
  const { dirtyRateBytesPerSecond = 0 } = progress;
  const gain = (bandwidthBytesPerSecond ?? 0) - dirtyRateBytesPerSecond;
  const parts = [
    dataProcessedBytes === undefined ? '' : migrationsText.moved(bytesText(dataProcessedBytes)),
    dataRemainingBytes === undefined ? '' : migrationsText.left(bytesText(dataRemainingBytes)),
    bandwidthBytesPerSecond === undefined ? '' : unitsText.perSecond(bytesText(bandwidthBytesPerSecond)),
    dirtyRateBytesPerSecond === 0
      ? ''
      : migrationsText.guestChanges(unitsText.perSecond(bytesText(dirtyRateBytesPerSecond))),
    downtimeMs === undefined ? '' : migrationsText.downtime(downtimeMs),
    dataRemainingBytes === undefined || gain <= 0
      ? ''
      : unitsText.toGo(secondsText((dataRemainingBytes / gain) * 1000)),
  ];
  const isKnown = dataTotalBytes !== undefined && dataTotalBytes > 0 && dataRemainingBytes !== undefined;
  const share = isKnown ? 1 - dataRemainingBytes / dataTotalBytes : 0;
  return {
    share: Math.min(1, Math.max(0, share)),
    words: parts.filter((part) => part !== '').join(', '),
  };
}

export const migrationActions: readonly Action<MigrationRow>[] = [
  {
    id: 'cancel',
    label: commonText.cancel,
    isGrave: true,
    fits: ({ isOver }) => !isOver,
    request: ({ namespace, name }) => ({
      method: 'DELETE',
      path: `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstancemigrations/${name}`,
    }),
    right: (namespace) => ({
      verb: 'delete',
      group: 'kubevirt.io',
      resource: 'virtualmachineinstancemigrations',
      namespace,
    }),
    command: ({ namespace, vm }) => `virtctl migrate-cancel ${vm} -n ${namespace}`,
  },
];
