/**
 * The disks of a running domain, from the file to the guest, out of three answers of its launcher. A launcher may be lost
 * to its guest, and who reads it here serves all guests of the node: what it says is looked at as far as a domain can
 * go, each part once. Pure.
 */
import { isRecord } from '@podvisor/base';
import type { DiskPicture } from '@podvisor/api';
import { type DomainDisk, domainFromXml } from '@podvisor/translate';
import { type Fields } from '../launcher-client/parse-values.ts';

const MAX_DISKS = 512;
const MAX_MOUNTS = 512;
/** Longest path that is kept. */
const MAX_TEXT = 4096;
/** Characters: a domain with five hundred disks is shorter. */
const MAX_XML = 512 * 1024;

/** JSON of `getDomainXml`, `getDomainStats` and, where there is an agent, `getFilesystems`. */
export interface DiskAnswers {
  readonly xml: string;
  readonly stats: string;
  readonly filesystems?: string;
}

/** Throws for what is no domain. */
export function diskPictures({ xml, stats, filesystems = '' }: DiskAnswers): readonly DiskPicture[] {
  const numbers = record(stats);
  const byTarget = numbersByTarget(numbers);
  const mounts = mountsBySerial(filesystems);
  return (domainFromXml(xmlOf(xml)).devices?.disks ?? []).slice(0, MAX_DISKS).map((disk) => {
    const { source, backingStore, serial } = disk;
    const target = disk.target?.dev ?? '';
    const file = source?.file ?? source?.dev;
    const backing = backingStore?.source?.file ?? backingStore?.source?.dev;
    const mountedAt = serial === undefined ? undefined : mounts.get(serial);
    return {
      volume: volumeOf(disk),
      target,
      bus: disk.target?.bus ?? '',
      ...(file === undefined ? {} : { source: file }),
      ...(backing === undefined ? {} : { backing }),
      ...requests(numbers, byTarget.get(target)),
      ...(mountedAt === undefined ? {} : { mountedAt }),
    };
  });
}

function volumeOf({ alias }: DomainDisk): string {
  return alias?.name?.replace(/^ua-/, '') ?? '';
}

/** libvirt counts disks as `block.0.…`, in an order of its own: the number of each disk, by its target. */
function numbersByTarget(numbers: Fields): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let i = 0; i < MAX_DISKS; i += 1) {
    const target = numbers[`block.${i}.name`];
    if (typeof target === 'string') found.set(target, i);
  }
  return found;
}

function requests(numbers: Fields, index: number | undefined): Pick<DiskPicture, 'reads' | 'writes'> {
  const of = (kind: 'rd' | 'wr'): number => {
    const value = index === undefined ? 0 : Number(numbers[`block.${index}.${kind}.reqs`]);
    return Number.isFinite(value) ? value : 0;
  };
  return { reads: of('rd'), writes: of('wr') };
}

function mountsBySerial(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { mountPoint, disk } of recordsOf(text === '' ? [] : record(text)['items'], MAX_MOUNTS))
    for (const { serial } of recordsOf(disk, MAX_DISKS)) {
      if (typeof serial !== 'string' || typeof mountPoint !== 'string') continue;
      const mounts = found.get(serial) ?? [];
      if (mounts.length < MAX_MOUNTS) mounts.push(mountPoint.slice(0, MAX_TEXT));
      found.set(serial, mounts);
    }
  return found;
}

/** Those of the first `max` of a list that are objects. */
function recordsOf(list: unknown, max: number): readonly Fields[] {
  return (Array.isArray(list) ? list.slice(0, max) : []).filter(isRecord);
}

function record(text: string): Fields {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}

function xmlOf(json: string): string {
  const value: unknown = JSON.parse(json);
  const xml = isRecord(value) ? value['xml'] : value;
  if (typeof xml !== 'string' || xml.length > MAX_XML) throw new Error('the launcher tells no domain');
  return xml;
}
