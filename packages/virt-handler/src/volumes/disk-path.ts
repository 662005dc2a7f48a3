/** The disks of a running domain, from the file to the guest, out of three answers of its launcher. Pure. */
import type { DiskPicture } from '@podvisor/api';
import { type DomainDisk, domainFromXml } from '@podvisor/translate';

/** JSON of `getDomainXml`, `getDomainStats` and, where there is an agent, `getFilesystems`. */
export interface DiskAnswers {
  readonly xml: string;
  readonly stats: string;
  readonly filesystems?: string;
}

export function diskPictures({ xml, stats, filesystems = '' }: DiskAnswers): readonly DiskPicture[] {
  const numbers = record(stats);
  const mounts = mountsBySerial(filesystems);
  return (domainFromXml(textOf(xml)).devices?.disks ?? []).map((disk) => {
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
      ...requests(numbers, target),
      ...(mountedAt === undefined ? {} : { mountedAt }),
    };
  });
}

function volumeOf({ alias }: DomainDisk): string {
  return alias?.name?.replace(/^ua-/, '') ?? '';
}

/** libvirt counts disks as `block.0.…`, in an order of its own. */
function requests(
  numbers: Readonly<Record<string, unknown>>,
  target: string,
): Pick<DiskPicture, 'reads' | 'writes'> {
  const key = Object.keys(numbers).find(
    (name) => /^block\.\d+\.name$/.test(name) && numbers[name] === target,
  );
  const of = (kind: 'rd' | 'wr'): number => {
    const value = key === undefined ? 0 : Number(numbers[key.replace(/name$/, `${kind}.reqs`)]);
    return Number.isFinite(value) ? value : 0;
  };
  return { reads: of('rd'), writes: of('wr') };
}

function mountsBySerial(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const items = text === '' ? [] : (record(text)['items'] ?? []);
  for (const item of Array.isArray(items) ? items : []) {
    const { mountPoint, disk } = item as { mountPoint?: unknown; disk?: unknown };
    for (const { serial } of (Array.isArray(disk) ? disk : []) as readonly { serial?: unknown }[])
      if (typeof serial === 'string' && typeof mountPoint === 'string')
        found.set(serial, [...(found.get(serial) ?? []), mountPoint]);
  }
  return found;
}

function record(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : String((value as { xml?: unknown } | null)?.xml ?? '');
}
