/**
 * Reads what a launcher says about its domain. A launcher sits next to a guest and may be lost to it, so its
 * words are taken apart carefully: wrong types are refused, lists and texts are cut to size.
 */
import { parseMigration } from './parse-migration.ts';
import type { DomainBackup, DomainInterface, DomainLifeState, DomainState } from '@podvisor/api';

const STATES: readonly DomainLifeState[] = [
  'NoState',
  'Running',
  'Blocked',
  'Paused',
  'ShuttingDown',
  'Shutoff',
  'Crashed',
  'PMSuspended',
];
const QUIESCE: readonly DomainBackup['quiesce'][] = ['Succeeded', 'Failed', 'Skipped'];
const MAX_INTERFACES = 64;
const MAX_ADDRESSES = 32;
const MAX_DISKS = 512;
const MAX_TEXT = 1024;

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
  const state = STATES.find((known) => known === fields['state']);
  if (state === undefined) throw new DomainMessageError('no known state');
  // Everything that is not looked at below is a plain fact that ends in the VMI's status unread.
  const { migration: _, ...others } = fields;
  const rest = others as unknown as DomainState;
  const migration = parseMigration(fields['migration']);
  return {
    ...rest,
    name: textOf(fields['name']),
    uuid: textOf(fields['uuid']),
    vmiUid: textOf(fields['vmiUid']),
    state,
    reason: textOf(fields['reason']) as DomainState['reason'],
    agentConnected: fields['agentConnected'] === true,
    interfaces: interfacesOf(fields['interfaces']),
    diskTargets: targetsOf(fields['diskTargets']),
    ...(migration === undefined ? {} : { migration }),
    ...(fields['diskTroubles'] === undefined ? {} : { diskTroubles: troublesOf(fields['diskTroubles']) }),
    ...(fields['trackedVolumes'] === undefined
      ? {}
      : { trackedVolumes: textsOf(fields['trackedVolumes'], MAX_DISKS) }),
    ...(fields['backup'] === undefined ? {} : { backup: backupOf(fields['backup']) }),
    ...(fields['pluggedVolumes'] === undefined
      ? {}
      : { pluggedVolumes: textsOf(fields['pluggedVolumes'], MAX_DISKS) }),
  };
}

function backupOf(value: unknown): DomainBackup {
  const fields = recordOf(value);
  const quiesce = QUIESCE.find((known) => known === fields['quiesce']) ?? 'Failed';
  const optional = (['endTimestamp', 'message', 'checkpointName'] as const).flatMap((field) =>
    fields[field] === undefined ? [] : [[field, textOf(fields[field])] as const],
  );
  return {
    name: textOf(fields['name']),
    startTimestamp: textOf(fields['startTimestamp']),
    target: textOf(fields['target']),
    volumes: textsOf(fields['volumes'], MAX_DISKS),
    quiesce,
    ...(fields['failed'] === true ? { failed: true } : {}),
    ...Object.fromEntries(optional),
  };
}

function interfacesOf(value: unknown): readonly DomainInterface[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_INTERFACES) : [];
  return list.map((item: unknown) => {
    const fields = recordOf(item);
    const addresses = Array.isArray(fields['ipAddresses']) ? fields['ipAddresses'] : undefined;
    return {
      ...(fields as unknown as DomainInterface),
      mac: textOf(fields['mac']),
      source: fields['source'] === 'guest-agent' ? 'guest-agent' : 'domain',
      ...(addresses === undefined ? {} : { ipAddresses: addresses.slice(0, MAX_ADDRESSES).map(textOf) }),
    };
  });
}

function targetsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(value ?? {})).slice(0, MAX_DISKS);
  return Object.fromEntries(entries.map(([volume, target]) => [volume, textOf(target)]));
}

function troublesOf(value: unknown): NonNullable<DomainState['diskTroubles']> {
  const list = Array.isArray(value) ? value.slice(0, MAX_INTERFACES) : [];
  return list.map((item: unknown) => {
    const { volume, reason } = recordOf(item);
    return { volume: textOf(volume), reason: reason === 'no-space' ? 'no-space' : 'error' };
  });
}

function textsOf(value: unknown, max: number): readonly string[] {
  return Array.isArray(value) ? value.slice(0, max).map(textOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DomainMessageError('no object');
  return value as Readonly<Record<string, unknown>>;
}
