/** What sysfs tells of a device. Everything may vanish between two reads: absent is an answer. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Names in a directory, in order; none when there is no such bus. */
export function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return []; // The kernel has no such bus.
  }
}

/** A file's text without the newline at its end. */
export function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined; // The device went away, or has no such property.
  }
}

/** Last part of where a link leads, e.g. the name of a device's driver. */
export function linkedName(...path: readonly string[]): string | undefined {
  try {
    return basename(readlinkSync(join(...path)));
  } catch {
    return undefined; // No driver, no IOMMU, or the device went away.
  }
}

/** `KEY=value` lines of a `uevent` file. */
export function ueventOf(device: string): Readonly<Record<string, string>> {
  const lines = (textOf(device, 'uevent') ?? '').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
    }),
  );
}

/** NUMA node as a property of a unit; machines without nodes say -1. */
export function numaNodeOf(device: string): { readonly numaNode?: number } {
  const text = textOf(device, 'numa_node') ?? '';
  return /^\d+$/.test(text) ? { numaNode: Number(text) } : {};
}
