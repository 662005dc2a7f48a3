/** A disk with a FAT partition from which syslinux starts Linux by BIOS, and shim and GRUB by UEFI. */
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { run } from '../packages/sys/src/processes/run.ts';

const SECTOR = 512;
const MIB = 1024 * 1024;
const FIRST_PARTITION = 2048 * SECTOR;
const FIRST_ENTRY = 446;
const ENTRY_BYTES = 16;
/** How long syslinux may take: it waits until all that it writes is on the disk, which may have much else to do. */
export const SYSLINUX_MS = 5 * 60_000;

export interface BootFiles {
  readonly kernel: string;
  readonly initrd: string;
  readonly kernelArguments: string;
  /** File and the name that UEFI looks for below EFI/BOOT. */
  readonly efi: readonly (readonly [file: string, name: string])[];
}

/** Makes the FAT partition in the file `target`. */
export async function buildBootPartition(
  files: BootFiles,
  target: string,
  { mib, label }: { readonly mib: number; readonly label: string },
): Promise<void> {
  const { kernelArguments } = files;
  const syslinux = `SERIAL 0 115200\nPROMPT 0\nTIMEOUT 1\nDEFAULT linux\nLABEL linux\n  LINUX /vmlinuz\n  INITRD /initrd\n  APPEND ${kernelArguments}\n`;
  writeFileSync(`${target}.syslinux`, syslinux);
  writeFileSync(`${target}.grub`, `linux /vmlinuz ${kernelArguments}\ninitrd /initrd\nboot\n`);
  writeFileSync(target, '');
  await truncate(target, mib * MIB);
  const sectors = (mib * MIB) / SECTOR;
  const shape = ['-T', String(sectors), '-h', '16', '-s', '63', '-H', '2048', '-v', label];
  await run('mformat', ['-i', target, ...shape, '::']);
  for (const directory of ['EFI', 'EFI/BOOT', 'EFI/debian'])
    await run('mmd', ['-i', target, `::/${directory}`]);
  const copies: readonly (readonly [string, string])[] = [
    [files.kernel, 'vmlinuz'],
    [files.initrd, 'initrd'],
    [`${target}.syslinux`, 'syslinux.cfg'],
    // Debian's signed GRUB looks for its configuration here, wherever it was started from.
    [`${target}.grub`, 'EFI/debian/grub.cfg'],
    ...files.efi.map(([file, name]): readonly [string, string] => [file, `EFI/BOOT/${name}`]),
  ];
  for (const [from, name] of copies) await run('mcopy', ['-i', target, from, `::/${name}`]);
  await run('syslinux', ['--install', target], { timeoutMs: SYSLINUX_MS });
}

export interface Partition {
  readonly file: string;
  /** Type in the partition table: 0x0e FAT16, 0x83 Linux. */
  readonly type: number;
  readonly isBootable?: boolean;
}

/** Writes partitions one after the other behind a boot record and their table. At most four. */
export async function writeDisk(target: string, partitions: readonly Partition[]): Promise<void> {
  const record = Buffer.alloc(FIRST_PARTITION);
  readFileSync('/usr/lib/syslinux/mbr/mbr.bin').copy(record);
  let start = FIRST_PARTITION;
  const starts = partitions.map(({ file, type, isBootable }, index) => {
    const entry = FIRST_ENTRY + index * ENTRY_BYTES;
    const bytes = statSync(file).size;
    record[entry] = isBootable === true ? 0x80 : 0;
    record[entry + 4] = type;
    record.writeUInt32LE(start / SECTOR, entry + 8);
    record.writeUInt32LE(bytes / SECTOR, entry + 12);
    const own = start;
    start += Math.ceil(bytes / MIB) * MIB;
    return own;
  });
  record.writeUInt16LE(0xaa55, 510);
  writeFileSync(target, record);
  for (const [index, { file }] of partitions.entries())
    await pipeline(
      createReadStream(file, { highWaterMark: MIB }),
      createWriteStream(target, { flags: 'r+', start: starts[index] ?? 0, highWaterMark: MIB }),
    );
  await truncate(target, start);
}
