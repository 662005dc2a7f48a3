/**
 * Reads what a launcher says about its domain. A launcher sits next to a guest and may be lost to it, so every field
 * is read by its own kind: wrong types are refused or left away, lists and texts are cut to size, and a field that is
 * not named here does not exist. Nothing of it says who the launcher is: that is known from the connection.
 */
import { isRecord } from '@podvisor/base';
import {
  DOMAIN_STATE_NAMES,
  type AccessCredentialsReport,
  type DomainBackup,
  type DomainFilesystem,
  type DomainInterface,
  type DomainHibernation,
  type DomainMemoryDump,
  type DomainMemorySnapshot,
  type DomainState,
  type GuestOSInfo,
} from '@podvisor/api';
import { parseMigration } from './parse-migration.ts';
import { countOf, type Fields, mapOf, optional, textFields, textOf, textsOf } from './parse-values.ts';

const QUIESCE: readonly DomainBackup['quiesce'][] = ['Succeeded', 'Failed', 'Skipped'];
const TEXTS = [
  'exitDetail',
  'shutdownRequestedAt',
  'agentVersion',
  'guestHostname',
  'fsFreezeStatus',
  'machineType',
  'osArch',
] as const;
const GUEST_OS: readonly (keyof GuestOSInfo)[] = [
  'id',
  'kernelRelease',
  'kernelVersion',
  'machine',
  'name',
  'prettyName',
  'version',
  'versionId',
];
const MAX_INTERFACES = 64;
const MAX_ADDRESSES = 32;
const MAX_DISKS = 512;
const MAX_COMMANDS = 256;
const MAX_FILESYSTEMS = 512;

/** The launcher's message makes no sense. */
export class DomainMessageError extends Error {
  constructor(what: string) {
    super(`the launcher sent a domain state that makes no sense: ${what}`);
    this.name = 'DomainMessageError';
  }
}

/** The state in the message; undefined when the launcher says that there is no domain. */
export function parseDomain(bytes: Uint8Array): DomainState | undefined {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new DomainMessageError('not JSON');
  }
  const fields = recordOf(value);
  const state = DOMAIN_STATE_NAMES.find((known) => known === fields['state']);
  if (state === undefined) throw new DomainMessageError('no known state');
  /** Of a field that is there. */
  const present = <T>(name: string, read: (field: unknown) => T): T | undefined =>
    fields[name] === undefined ? undefined : read(fields[name]);
  const volumes = (field: unknown): readonly string[] => textsOf(field, MAX_DISKS);
  return {
    name: textOf(fields['name']),
    uuid: textOf(fields['uuid']),
    vmiUid: textOf(fields['vmiUid']),
    state,
    reason: textOf(fields['reason']) as DomainState['reason'],
    agentConnected: fields['agentConnected'] === true,
    interfaces: interfacesOf(fields['interfaces']),
    diskTargets: mapOf(fields['diskTargets'], textOf),
    ...textFields(fields, TEXTS),
    ...optional('qemuPid', countOf(fields['qemuPid'])),
    ...optional(
      'diskBytes',
      present('diskBytes', (field) => mapOf(field, countOf)),
    ),
    ...optional(
      'imageBytes',
      present('imageBytes', (field) => mapOf(field, countOf)),
    ),
    ...optional('pluggedVolumes', present('pluggedVolumes', volumes)),
    ...optional('trackedVolumes', present('trackedVolumes', volumes)),
    ...optional('diskTroubles', present('diskTroubles', troublesOf)),
    ...optional('lease', present('lease', leaseOf)),
    ...optional(
      'agentCommands',
      present('agentCommands', (field) => textsOf(field, MAX_COMMANDS)),
    ),
    ...optional(
      'guestOS',
      present('guestOS', (field) => textFields(recordOf(field), GUEST_OS)),
    ),
    ...optional('filesystems', present('filesystems', filesystemsOf)),
    ...optional('guestLoad', loadOf(fields['guestLoad'])),
    ...optional('memoryBytes', memoryOf(fields['memoryBytes'])),
    ...optional('cpu', cpuOf(fields['cpu'])),
    ...optional('migration', parseMigration(fields['migration'])),
    ...optional('accessCredentials', present('accessCredentials', credentialsOf)),
    ...optional('memoryDump', present('memoryDump', memoryDumpOf)),
    ...optional('hibernation', present('hibernation', hibernationOf)),
    ...optional('memorySnapshot', present('memorySnapshot', memorySnapshotOf)),
    ...optional('backup', present('backup', backupOf)),
  };
}

function memoryOf(value: unknown): DomainState['memoryBytes'] {
  if (!isRecord(value)) return undefined;
  const [current, max] = [countOf(value['current']), countOf(value['max'])];
  if (current === undefined || max === undefined) return undefined;
  return { current, max, ...optional('requested', countOf(value['requested'])) };
}

function cpuOf(value: unknown): DomainState['cpu'] {
  if (!isRecord(value)) return undefined;
  const [sockets, cores, threads] = [value['sockets'], value['cores'], value['threads']].map(countOf);
  if (sockets === undefined || cores === undefined || threads === undefined) return undefined;
  return { sockets, cores, threads };
}

function filesystemsOf(value: unknown): readonly DomainFilesystem[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_FILESYSTEMS) : [];
  return list.flatMap((item: unknown): DomainFilesystem[] => {
    const fields = recordOf(item);
    const [usedBytes, totalBytes] = [countOf(fields['usedBytes']), countOf(fields['totalBytes'])];
    if (usedBytes === undefined || totalBytes === undefined) return [];
    return [
      {
        diskName: textOf(fields['diskName']),
        mountPoint: textOf(fields['mountPoint']),
        fileSystemType: textOf(fields['fileSystemType']),
        usedBytes,
        totalBytes,
      },
    ];
  });
}

function loadOf(value: unknown): DomainState['guestLoad'] {
  const numbers = Array.isArray(value) ? value.filter((load) => Number.isFinite(load) && load >= 0) : [];
  const [one, five, fifteen]: readonly number[] = numbers;
  return one === undefined || five === undefined || fifteen === undefined ? undefined : [one, five, fifteen];
}

function credentialsOf(value: unknown): AccessCredentialsReport {
  const fields = recordOf(value);
  return { succeeded: fields['succeeded'] === true, ...textFields(fields, ['message']) };
}

function memoryDumpOf(value: unknown): DomainMemoryDump {
  const fields = recordOf(value);
  return {
    volume: textOf(fields['volume']),
    claimName: textOf(fields['claimName']),
    fileName: textOf(fields['fileName']),
    startTimestamp: textOf(fields['startTimestamp']),
    ...textFields(fields, ['endTimestamp', 'message']),
    ...(fields['failed'] === true ? { failed: true } : {}),
  };
}

const HIBERNATION_PHASES = ['Saving', 'Saved', 'Failed', 'Woken', 'Booted'] as const;

function hibernationOf(value: unknown): DomainHibernation | undefined {
  const fields = recordOf(value);
  const phase = HIBERNATION_PHASES.find((known) => known === fields['phase']);
  if (phase === undefined) return undefined;
  return {
    phase,
    id: textOf(fields['id']),
    startTimestamp: textOf(fields['startTimestamp']),
    ...textFields(fields, ['endTimestamp', 'message']),
    ...optional('sizeBytes', countOf(fields['sizeBytes'])),
  };
}

const MEMORY_SNAPSHOT_PHASES = ['Saving', 'Saved', 'Taken', 'Failed'] as const;

function memorySnapshotOf(value: unknown): DomainMemorySnapshot | undefined {
  const fields = recordOf(value);
  const phase = MEMORY_SNAPSHOT_PHASES.find((known) => known === fields['phase']);
  if (phase === undefined) return undefined;
  return {
    phase,
    claimName: textOf(fields['claimName']),
    startTimestamp: textOf(fields['startTimestamp']),
    ...textFields(fields, ['endTimestamp', 'message']),
    ...optional('sizeBytes', countOf(fields['sizeBytes'])),
    ...optional('pauseMilliseconds', countOf(fields['pauseMilliseconds'])),
  };
}

function backupOf(value: unknown): DomainBackup {
  const fields = recordOf(value);
  const quiesce = QUIESCE.find((known) => known === fields['quiesce']) ?? 'Failed';
  return {
    name: textOf(fields['name']),
    startTimestamp: textOf(fields['startTimestamp']),
    target: textOf(fields['target']),
    volumes: textsOf(fields['volumes'], MAX_DISKS),
    quiesce,
    ...(fields['failed'] === true ? { failed: true } : {}),
    ...textFields(fields, ['endTimestamp', 'message', 'checkpointName']),
  };
}

function interfacesOf(value: unknown): readonly DomainInterface[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_INTERFACES) : [];
  return list.map((item: unknown): DomainInterface => {
    const fields = recordOf(item);
    const addresses = Array.isArray(fields['ipAddresses']) ? fields['ipAddresses'] : undefined;
    const link = (['up', 'down'] as const).find((known) => known === fields['linkState']);
    const { address, at } = isRecord(fields['lease']) ? fields['lease'] : {};
    return {
      ...textFields(fields, ['name', 'guestInterfaceName']),
      mac: textOf(fields['mac']),
      source: fields['source'] === 'guest-agent' ? 'guest-agent' : 'domain',
      ...optional('linkState', link),
      ...optional('queueCount', countOf(fields['queueCount'])),
      ...(typeof address === 'string' ? { lease: { address: textOf(address), at: textOf(at) } } : {}),
      ...optional('ipAddresses', addresses === undefined ? undefined : textsOf(addresses, MAX_ADDRESSES)),
    };
  });
}

function leaseOf(value: unknown): NonNullable<DomainState['lease']> {
  const fields = recordOf(value);
  return { volume: textOf(fields['volume']), ...textFields(fields, ['overdue']) };
}

function troublesOf(value: unknown): NonNullable<DomainState['diskTroubles']> {
  const list = Array.isArray(value) ? value.slice(0, MAX_INTERFACES) : [];
  return list.map((item: unknown) => {
    const { volume, reason } = recordOf(item);
    return { volume: textOf(volume), reason: reason === 'no-space' ? 'no-space' : 'error' };
  });
}

function recordOf(value: unknown): Fields {
  if (!isRecord(value)) throw new DomainMessageError('no object');
  return value;
}
