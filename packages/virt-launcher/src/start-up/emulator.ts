/**
 * QEMU for nodes without KVM. Emulated guests of QEMU before 9.0 lose writes while they migrate: after it has read
 * which pages were written, QEMU forgets to tell the CPUs to report writes to them again, and such a page arrives as it
 * was. It forgets only for blocks of memory that are a multiple of 64 pages, so each block of the guest gets 64 KiB
 * more. libvirt rounds memory to a mebibyte; hence this script between the two. Decision 010.
 */
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Domain } from '@podvisor/translate';

/** The first QEMU that keeps its CPUs informed, as libvirt writes versions. */
const MENDED_VERSION = 9_000_000;
const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const QEMU = `/usr/bin/qemu-system-${ARCHITECTURE}`;

/** What a block of memory has more. */
const SURPLUS_BYTES = 64 * 1024;
const MIB = 1024 * 1024;

/** Added to the script's path: where it is told of shared memory (hibernation/shared-memory.ts). */
export const MEMORY_NOTE = '.memory';

/** Runs `qemu` with 64 KiB more, or another surplus, in each block of memory that the guest boots with. */
export const emulatorScript = (qemu: string, surplusBytes = SURPLUS_BYTES): string => `#!/bin/sh
blocks=0 shared=0 memory= library= last=
# Written for one start: the file that the memory begins with, and the library that lets QEMU map it.
[ ! -r "$0${MEMORY_NOTE}" ] || { read -r memory && read -r library; } < "$0${MEMORY_NOTE}"
for word; do
  case "$last $word" in '-object {"qom-type":"memory-backend-'*'"id":"pc.ram"'* | '-object {"qom-type":"memory-backend-'*'"id":"mach-virt.ram"'* | '-object {"qom-type":"memory-backend-'*'"id":"ram-node'*)
    size=\${word#*'"size":'}
    size=\${size%%[!0-9]*}
    word=\${word%%'"size":'*}'"size":'$((size + ${surplusBytes}))\${word#*'"size":'"$size"}
    blocks=$((blocks + 1))
    case "$memory $word" in /*' {"qom-type":"memory-backend-ram","id":"pc.ram",'* | /*' {"qom-type":"memory-backend-ram","id":"mach-virt.ram",'* | /*' {"qom-type":"memory-backend-ram","id":"ram-node0",'*)
      word='{"qom-type":"memory-backend-file","mem-path":"'$memory'","share":false,"x-use-canonical-path-for-ramblock-id":false,'\${word#*,}
      shared=$((shared + 1)) ;;
    esac ;;
  esac
  set -- "$@" "$word"
  shift
  last=$word
done
# Sizes are "-m 192" or "-m size=1048576k,slots=1,maxmem=4194304k".
grown() {
  case "$1" in *k) echo "$((\${1%k} + ${surplusBytes / 1024} * blocks))k" ;; *) echo "$(($1 * 1024 + ${surplusBytes / 1024} * blocks))k" ;; esac
}
last=
for word; do
  case "$last $word" in
    '-m size='*,*maxmem=*)
      size=\${word#size=}
      rest=\${size#*,}
      word="size=$(grown "\${size%%,*}"),\${rest%%maxmem=*}maxmem=$(grown "\${rest#*maxmem=}")" ;;
    '-m size='*) word="size=$(grown "\${word#size=}")" ;;
    '-m '*) word="size=$(grown "$word")" ;;
  esac
  set -- "$@" "$word"
  shift
  last=$word
done
if [ -n "$memory" ]; then
  [ "$blocks $shared" = '1 1' ] || { echo 'the memory of this guest cannot be shared' >&2; exit 1; }
  export PODVISOR_SHARED_MEMORY="$memory" LD_PRELOAD="$library"
fi
exec ${qemu} "$@"
`;

/**
 * Makes the script at `path`, if this node's QEMU needs it, and known to libvirt: what its cache in `cacheDir` holds of
 * QEMU holds for the script too, and spares seconds of probing.
 */
export async function prepareEmulator(path: string, cacheDir: string): Promise<void> {
  const known = await knownOfQemu(cacheDir);
  if (known !== undefined && versionOf(known) >= MENDED_VERSION) return;
  await place(path, emulatorScript(QEMU), cacheDir, known);
}

/**
 * The same for guests that need no script but to share their memory: nothing is added. A domain that names it can come
 * from another launcher, which is why it is there before a guest comes.
 */
export async function prepareSharingEmulator(path: string, cacheDir: string): Promise<void> {
  await place(path, emulatorScript(QEMU, 0), cacheDir, await knownOfQemu(cacheDir));
}

function knownOfQemu(cacheDir: string): Promise<string | undefined> {
  return readFile(cacheFile(cacheDir, QEMU), 'utf8').catch(() => undefined);
}

async function place(
  path: string,
  script: string,
  cacheDir: string,
  known: string | undefined,
): Promise<void> {
  await writeFile(path, script, { mode: 0o755 });
  if (known === undefined) return;
  const { ctimeMs } = await stat(path);
  await writeFile(cacheFile(cacheDir, path), knownAs(known, path, Math.floor(ctimeMs / 1000)));
}

/** What the guest was promised of what QEMU counts: `currentBytes` may hold what the script has added, or not. */
export function withoutSurplus({ type, cpu }: Domain, currentBytes: number): number {
  const surplus = SURPLUS_BYTES * Math.max(1, cpu?.numa?.cells?.length ?? 0);
  return type === 'qemu' && currentBytes % MIB === surplus ? currentBytes - surplus : currentBytes;
}

function cacheFile(directory: string, binary: string): string {
  return `${directory}/${createHash('sha256').update(binary).digest('hex')}.xml`;
}

function versionOf(capabilities: string): number {
  return Number(/<version>(\d+)<\/version>/.exec(capabilities)?.[1] ?? 0);
}

/** libvirt believes what it knows of a binary as long as that has not changed since. */
function knownAs(capabilities: string, path: string, changedSeconds: number): string {
  return capabilities
    .replace(/<emulator>[^<]*/, `<emulator>${path}`)
    .replace(/<qemuctime>\d+/, `<qemuctime>${changedSeconds}`);
}
