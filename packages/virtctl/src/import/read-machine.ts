/**
 * Reads the file that people have and says what machine it is. Only files that the user named, or that lie beside one
 * by a plain name, are opened, and never through a symbolic link: a description is a stranger's word. A domain XML may
 * name files anywhere; they are taken only when the user allows it.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { diskHead, HEAD_BYTES, noDisk, RAW_SECTOR } from './disk-head.ts';
import { machineFromLibvirt } from './libvirt-xml.ts';
import {
  type DiskSource,
  ImportError,
  MAX_DESCRIPTION_BYTES,
  type SourceDisk,
  type SourceMachine,
} from './machine.ts';
import { machineFromOvf } from './ovf.ts';
import { type ReadAt, type TarMember, tarIndex } from './tar-index.ts';

export interface ReadOptions {
  /** Size of a disk whose head does not tell it, in bytes. */
  readonly sizeBytes?: number;
  /** Paths in a domain XML are opened as they are. */
  readonly allowPaths: boolean;
  readonly os: SourceMachine['os'];
}

export function readMachine(file: string, options: ReadOptions): SourceMachine {
  const opened = open(file);
  try {
    const head = opened.readAt(0, HEAD_BYTES);
    if (/\.ova$/i.test(file) || head.subarray(257, 262).toString('latin1') === 'ustar')
      return fromOva(file, opened);
    const start = head.toString('utf8').trimStart();
    if (/\.ovf$/i.test(file)) return fromOvf(file, opened);
    if (start.startsWith('<')) return fromXml(file, opened, options);
    return bareDisk(file, opened, options);
  } finally {
    opened.close();
  }
}

interface Opened {
  readonly bytes: number;
  readonly readAt: ReadAt;
  close(): void;
}

/** Not through a link, and no device or pipe. */
function open(path: string, follow = true): Opened {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    throw new ImportError(`${path} cannot be opened`, { cause: error });
  }
  const stat = fstatSync(fd);
  if (!stat.isFile()) {
    closeSync(fd);
    throw new ImportError(`${path} is not a file`);
  }
  return {
    bytes: stat.size,
    readAt: (offset, length) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
    },
    close: () => closeSync(fd),
  };
}

function description({ readAt, bytes }: Pick<Opened, 'readAt' | 'bytes'>, offset = 0): string {
  if (bytes > MAX_DESCRIPTION_BYTES)
    throw new ImportError('the description is larger than any that we accept');
  return readAt(offset, bytes).toString('utf8');
}

function fromOva(file: string, { readAt, bytes }: Opened): SourceMachine {
  const members = tarIndex(readAt, bytes);
  const ovf = members.find(({ name }) => /\.ovf$/i.test(name));
  if (ovf === undefined) throw new ImportError(`${file} holds no .ovf: it is no OVA`);
  const source = ({ offset, bytes: length }: TarMember): DiskSource => ({ file, offset, bytes: length });
  return machineFromOvf(description({ readAt, bytes: ovf.bytes }, ovf.offset), (name) => {
    const found = members.find((member) => member.name === name);
    return found === undefined ? undefined : source(found);
  });
}

function fromOvf(file: string, opened: Opened): SourceMachine {
  return machineFromOvf(description(opened), (name) => beside(file, name));
}

function beside(file: string, name: string): DiskSource {
  if (name !== basename(name) || name === '' || name.startsWith('.'))
    throw new ImportError(`the description names "${name}": only files that lie beside it are opened`);
  return whole(join(dirname(file), name));
}

function whole(path: string): DiskSource {
  const opened = open(path, false);
  opened.close();
  return { file: path, offset: 0, bytes: opened.bytes };
}

function fromXml(file: string, opened: Opened, options: ReadOptions): SourceMachine {
  const text = description(opened);
  if (/<(\w+:)?Envelope[\s>]/.test(text)) return fromOvf(file, opened);
  return machineFromLibvirt(text, (path) => {
    const source = options.allowPaths ? whole(path) : beside(file, basename(path));
    return { source, sizeBytes: sizeOf(source, options) };
  });
}

function sizeOf(source: DiskSource, { sizeBytes }: ReadOptions): number {
  const opened = open(source.file, false);
  try {
    const head = diskHead(opened.readAt(0, HEAD_BYTES), source.bytes);
    const found = head.sizeBytes ?? sizeBytes;
    if (found === undefined)
      throw new ImportError(
        `how large the disk in ${source.file} is does not stand at its beginning (${head.format}): say it with --size`,
      );
    return found;
  } finally {
    opened.close();
  }
}

function bareDisk(file: string, opened: Opened, options: ReadOptions): SourceMachine {
  const source = { file, offset: 0, bytes: opened.bytes };
  const { sizeBytes, format } = diskHead(opened.readAt(0, HEAD_BYTES), opened.bytes);
  if (format === 'raw' && opened.bytes % RAW_SECTOR !== 0) throw new ImportError(noDisk(file));
  const size = sizeBytes ?? options.sizeBytes;
  if (size === undefined)
    throw new ImportError(`--size is needed: a ${format} does not tell its size at its beginning`);
  const disk: SourceDisk = { name: basename(file), bus: 'sata', sizeBytes: size, source };
  return {
    name: basename(file).replace(/\.[^.]*$/, ''),
    cpus: 1,
    memoryMib: 1024,
    firmware: 'bios',
    secureBoot: false,
    tpm: false,
    os: options.os,
    disks: [disk],
    nics: [{ model: 'e1000e', network: 'none' }],
    others: [],
  };
}
