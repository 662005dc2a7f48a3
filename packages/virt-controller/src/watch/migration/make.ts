/** Migrations that controllers ask for. */
import {
  isFinalMigrationPhase,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import { type Expectations, type KubeClient, resources } from '@podvisor/kube';
import type { Recorder } from '../recorder.ts';

/** Why a migration is asked for, and who goes first. */
export interface MigrationRequest {
  readonly vmi: VirtualMachineInstance;
  readonly generateName: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly priority: 'system-critical' | 'user-triggered' | 'system-maintenance';
}

/** The object to create. */
function migrationFor({
  vmi,
  generateName,
  annotations,
  labels,
  priority,
}: MigrationRequest): VirtualMachineInstanceMigration {
  const { namespace, name } = vmi.metadata ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { generateName, namespace, annotations, ...(labels === undefined ? {} : { labels }) },
    spec: { vmiName: name, priority },
  };
}

/** True when a migration of the VMI has not ended. */
export function hasOpenMigration(migrations: readonly VirtualMachineInstanceMigration[]): boolean {
  return migrations.some(({ status }) => !isFinalMigrationPhase(status?.phase));
}

export interface MakeContext {
  readonly client: Pick<KubeClient, 'create'>;
  readonly recorder: Recorder;
  /** By the VMI's UID: migrations asked for and not yet in the cache. */
  readonly expectations: Expectations;
}

/** Asks for the migration. One that is refused is told to the VMI; the next look asks again. */
export async function makeMigration(
  request: MigrationRequest,
  { client, recorder, expectations }: MakeContext,
  signal: AbortSignal,
): Promise<boolean> {
  const uid = request.vmi.metadata?.uid ?? '';
  expectations.expectCreations(uid, 1);
  try {
    const made = await client.create(
      resources.virtualMachineInstanceMigrations,
      migrationFor(request),
      {},
      signal,
    );
    const message = `Created Migration ${made.metadata?.name}`;
    recorder.event(request.vmi, 'Normal', 'SuccessfulCreate', message);
    return true;
  } catch (error) {
    expectations.creationObserved(uid);
    const message = `Error creating a Migration: ${messageOf(error)}`;
    recorder.event(request.vmi, 'Warning', 'FailedCreate', message);
    // The webhook said no: another migration was faster, or the VMI ended. Trying again at once changes nothing.
    if (isStatus(error, 'BadRequest') || isStatus(error, 'Invalid') || isStatus(error, 'Forbidden'))
      return false;
    throw error;
  }
}
