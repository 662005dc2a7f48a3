/**
 * Memory that the node has unpacked once for all copies of a snapshot, and shows read-only (decision 022). QEMU maps it
 * privately: a page is the copy's own as soon as it is written to, and nobody else sees that. Only the rest of the
 * guest, a small stream, is loaded.
 *
 * QEMU is started by the emulator's script, which finds a note beside itself for this one start. The domain does not
 * say where its memory came from: it migrates and hibernates as any other.
 */
import { createReadStream, existsSync } from 'node:fs';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNPACKED } from '@podvisor/storage';
import { LauncherError } from '../launcher-error.ts';
import { MEMORY_NOTE, prepareSharingEmulator } from '../start-up/emulator.ts';

/** Beside the program when it is bundled, in the build directory when it is not. */
const LIBRARY = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../dist/shared-memory.so' : './shared-memory.so',
  import.meta.url,
).pathname;

export interface SharedMemory extends AsyncDisposable {
  /** The domain, started by the script. */
  xml(domain: string): string;
  /** QEMU's stream without the memory. */
  rest(): AsyncIterable<Buffer>;
  /** Throws unless the process has the memory mapped: with any other it would go on without its own. */
  requireMapped(pid: number | undefined): Promise<void>;
}

export interface SharedMemoryPlaces {
  /** Where the node shows memory. */
  readonly directory: string;
  /** The script that runs QEMU on nodes without KVM, where it is. */
  readonly emulator: string;
  /** The one that runs it elsewhere, made when it is needed. */
  readonly sharingEmulator: string;
  /** What libvirt knows of QEMU. */
  readonly capabilities: string;
}

/** The script that QEMU is started by, made if it is not there. A domain that comes from elsewhere may name it. */
export async function ensureScript(places: SharedMemoryPlaces): Promise<string> {
  const { emulator, sharingEmulator, capabilities } = places;
  if (existsSync(emulator)) return emulator;
  if (!existsSync(sharingEmulator)) await prepareSharingEmulator(sharingEmulator, capabilities);
  return sharingEmulator;
}

/** Undefined: the node shows none, or this launcher cannot use it. Dispose it when the guest is loaded, or is not. */
export async function openSharedMemory(places: SharedMemoryPlaces): Promise<SharedMemory | undefined> {
  const { directory } = places;
  const memory = join(directory, UNPACKED.memory);
  if (![memory, join(directory, UNPACKED.whole), LIBRARY].every((path) => existsSync(path))) return undefined;
  const emulator = await ensureScript(places);
  const note = `${emulator}${MEMORY_NOTE}`;
  await writeFile(note, `${memory}\n${LIBRARY}\n`);
  return {
    xml: (domain) => domain.replace(/<emulator>[^<]*/, () => `<emulator>${emulator}`),
    rest: () => createReadStream(join(directory, UNPACKED.rest)),
    requireMapped: async (pid) => {
      const maps = pid === undefined ? '' : await readFile(`/proc/${pid}/maps`, 'utf8');
      // As the kernel knows the file: `/var/run` is a link to `/run`, or is not.
      if (!maps.includes(` ${await realpath(memory)}\n`))
        throw new LauncherError('QEMU was started without the shared memory');
    },
    [Symbol.asyncDispose]: () => rm(note, { force: true }),
  };
}
