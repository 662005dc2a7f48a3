/**
 * What a live migration tells about itself: figures while it runs (a subresource, never written to an object) and
 * a report at its end (annotation `MIGRATION_REPORT_ANNOTATION` of the VMI, copied to the migration). Bytes and
 * milliseconds; a figure that is not known is absent.
 */

/** Annotation of ours: JSON of `MigrationReport`. */
export const MIGRATION_REPORT_ANNOTATION = 'podvisor.io/migration-report';

export type MigrationMode = 'PreCopy' | 'PostCopy' | 'Paused';

/** What a migration has to copy. */
export interface MigrationWork {
  /** At most. */
  readonly memoryBytes: number;
  /** What the disks take up now; of an overlay only what the guest has changed. */
  readonly diskBytes: number;
  /** Volumes whose disks are copied. */
  readonly volumes: readonly string[];
}

/** A migration that runs, as its source sees it now. */
export interface MigrationProgress {
  /** UID of the migration object. */
  readonly uid: string;
  readonly mode: MigrationMode;
  readonly elapsedMs: number;
  /** What is to be copied, known before the first byte moves. */
  readonly planned?: MigrationWork;
  /** Memory and disks together. */
  readonly dataTotalBytes?: number;
  readonly dataProcessedBytes?: number;
  readonly dataRemainingBytes?: number;
  readonly diskTotalBytes?: number;
  readonly diskRemainingBytes?: number;
  /** Memory that the guest changes, a second. */
  readonly dirtyRateBytesPerSecond?: number;
  /** What is moved, a second. */
  readonly bandwidthBytesPerSecond?: number;
  /** Passes over the memory so far. */
  readonly iterations?: number;
  /** How long the guest stood still, or would if it were switched over now. */
  readonly downtimeMs?: number;
}

/** A migration that has ended. */
export interface MigrationReport {
  readonly uid: string;
  readonly mode: MigrationMode;
  readonly totalMs: number;
  readonly downtimeMs?: number;
  /** Memory and disks together. */
  readonly dataBytes?: number;
  readonly diskBytes?: number;
  readonly iterations?: number;
}
