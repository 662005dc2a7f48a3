/** The hello guest for machine tests: its disk, and kernel and initrd alone. Built once for each state of its sources. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface HelloGuest {
  /** qcow2 that boots by BIOS and UEFI. */
  readonly disk: string;
  readonly kernel: string;
  readonly initrd: string;
}

const SOURCES = new URL('../../../../images/hello', import.meta.url).pathname;

export function helloGuest(): HelloGuest {
  const directory = `/tmp/podvisor-test-hello-${fingerprint()}`;
  if (!existsSync(directory)) build(directory);
  const at = (name: string): string => join(directory, name);
  return { disk: at('disk/hello.qcow2'), kernel: at('vmlinuz'), initrd: at('initrd') };
}

function build(directory: string): void {
  const work = mkdtempSync('/tmp/podvisor-test-hello.');
  const run = (tool: string, ...args: string[]): Buffer =>
    execFileSync(tool, args, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
  run(process.execPath, join(SOURCES, 'build.ts'), join(work, 'hello.tar'));
  run('tar', 'xf', 'hello.tar');
  const blobs = readdirSync(join(work, 'blobs/sha256')).map((name) => join(work, 'blobs/sha256', name));
  const [layer] = blobs.toSorted((one, other) => statSync(other).size - statSync(one).size);
  run('tar', 'xf', layer ?? '');
  run('qemu-img', 'convert', '-O', 'raw', 'disk/hello.qcow2', 'raw');
  for (const file of ['vmlinuz', 'initrd']) run('mcopy', '-i', 'raw@@1M', `::/${file}`, file);
  for (const name of ['hello.tar', 'raw', 'blobs', 'oci-layout', 'index.json'])
    rmSync(join(work, name), { recursive: true });
  run('chmod', '-R', 'a+rX', '.');
  try {
    renameSync(work, directory);
  } catch (error) {
    // Another test file has built the same meanwhile.
    rmSync(work, { recursive: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted())
    hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
