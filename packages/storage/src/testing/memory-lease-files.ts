/** The directory of an image in memory, for models of takers. A file with two names is one text: no record is changed. */
import { type Lease, leaseName, newestAmong } from '../lease.ts';
import type { LeaseFiles } from '../take-lease.ts';

export function memoryLeaseFiles(): LeaseFiles & { lease(image: string): Lease | undefined } {
  const files = new Map<string, string>();
  const copy = (name: string, newName: string): boolean => {
    const text = files.get(name);
    if (text !== undefined) files.set(newName, text);
    return text !== undefined;
  };
  const directory: LeaseFiles = {
    some: () => [...files.keys()],
    read: (name) => files.get(name),
    write: (name, text) => void files.set(name, text),
    link: (name, newName) => void (files.has(newName) || copy(name, newName)),
    rename: (name, newName) => void (copy(name, newName) && files.delete(name)),
    remove: (name) => void files.delete(name),
  };
  return { ...directory, lease: (image) => newestAmong(leaseName(image), directory.read) };
}
