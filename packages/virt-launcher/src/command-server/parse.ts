/** Reads the JSON inside requests. The VMI must be ours: the socket belongs to one VM. */
import type {
  BackupCheckpoint,
  BackupOptions,
  HoldOptions,
  MigrationOptions,
  SyncOptions,
  VirtualMachineInstance,
} from '@podvisor/api';
import { isUid } from '@podvisor/base';
import { LauncherError } from '../launcher-error.ts';

/** The VMI of a request; throws when it is not JSON or not the VM of this launcher. */
export function parseVmi(bytes: Uint8Array, uid: string): VirtualMachineInstance {
  const vmi = parseJson(bytes, 'VMI') as VirtualMachineInstance;
  checkUid(vmi, uid);
  if (typeof vmi.spec !== 'object') throw new LauncherError('the request holds no VirtualMachineInstance');
  return vmi;
}

/** Throws when a request means another VM. Metadata is enough: of a VMI that is gone, that is all there is. */
export function checkIdentity(bytes: Uint8Array, uid: string): void {
  checkUid(parseJson(bytes, 'VMI') as VirtualMachineInstance, uid);
}

function checkUid({ metadata }: VirtualMachineInstance, uid: string): void {
  if (metadata?.uid !== uid)
    throw new LauncherError(
      `this launcher runs the VMI with uid ${uid}, not ${metadata?.uid ?? 'one without uid'}`,
    );
}

/** Options of a sync, with the defaults of a caller that sends none. */
export function parseSyncOptions(bytes: Uint8Array): SyncOptions {
  const value = bytes.length === 0 ? {} : parseJson(bytes, 'options');
  const options = value as Partial<SyncOptions>;
  return {
    ...options,
    allowEmulation: options.allowEmulation === true,
    kvmAvailable: options.kvmAvailable === true,
    interfaces: Array.isArray(options.interfaces) ? options.interfaces : [],
  };
}

export function parseHoldOptions(bytes: Uint8Array): HoldOptions {
  const { sinceBootMs, untilBootMs, nowBootMs, silenceMs } = parseJson(
    bytes,
    'options',
  ) as Partial<HoldOptions>;
  if (![sinceBootMs, untilBootMs, nowBootMs, silenceMs].every(Number.isFinite))
    throw new LauncherError('the request does not say how long the guest is held');
  return { sinceBootMs, untilBootMs, nowBootMs, silenceMs } as HoldOptions;
}

export function parseMigrationOptions(bytes: Uint8Array): MigrationOptions {
  const options = parseJson(bytes, 'options') as Partial<MigrationOptions>;
  const { migrationUid, configuration = {} } = options;
  if (!isUid(migrationUid)) throw new LauncherError('the request names no migration');
  return { ...options, migrationUid, configuration };
}

/** Names become parts of paths and of XML, so they are looked at closely. */
const OBJECT_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const CHECKPOINT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,299}$/;
const MAX_VOLUMES = 512;

export function parseBackupOptions(bytes: Uint8Array): BackupOptions {
  const options = parseJson(bytes, 'options') as Partial<BackupOptions>;
  const { backupName = '', backupStartTime = '', incremental, supersedes, targetPath } = options;
  if (typeof backupName !== 'string' || !OBJECT_NAME.test(backupName))
    throw new LauncherError('the request names no backup');
  if (typeof backupStartTime !== 'string' || Number.isNaN(Date.parse(backupStartTime)))
    throw new LauncherError('the request does not say which backup of this name is meant');
  for (const name of [incremental, supersedes]) if (name !== undefined) checkpointName(name);
  if (targetPath !== undefined && !/^[\w./-]{1,512}$/.test(targetPath))
    throw new LauncherError('the target of the backup is not a path');
  const volumes: unknown = options.incrementalVolumes;
  const { bytesPerSecond } = options;
  if (bytesPerSecond !== undefined && !(Number.isSafeInteger(bytesPerSecond) && bytesPerSecond > 0))
    throw new LauncherError('the limit of the backup is not a number of bytes');
  return {
    cmd: options.cmd === 'Abort' ? 'Abort' : 'Start',
    backupName,
    backupStartTime,
    mode: options.mode === 'Pull' ? 'Pull' : 'Push',
    ...(incremental === undefined ? {} : { incremental }),
    ...(Array.isArray(volumes) ? { incrementalVolumes: volumes.slice(0, MAX_VOLUMES).map(String) } : {}),
    ...(targetPath === undefined ? {} : { targetPath }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    skipQuiesce: options.skipQuiesce === true,
    checkpoint: options.checkpoint === true,
  };
}

export function parseCheckpoint(bytes: Uint8Array): BackupCheckpoint {
  const { name, creationTime, volumes } = parseJson(bytes, 'checkpoint') as Partial<BackupCheckpoint>;
  return {
    name: checkpointName(name),
    ...(typeof creationTime === 'string' ? { creationTime } : {}),
    ...(Array.isArray(volumes) ? { volumes: volumes.slice(0, MAX_VOLUMES) } : {}),
  };
}

function checkpointName(name: unknown): string {
  if (typeof name !== 'string' || !CHECKPOINT_NAME.test(name))
    throw new LauncherError('the name of the checkpoint is not one that we would have given');
  return name;
}

function parseJson(bytes: Uint8Array, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new LauncherError(`the ${what} of the request is not JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null)
    throw new LauncherError(`the ${what} of the request is no object`);
  return value;
}
