/**
 * The command line that libvirt made for a guest, for a QEMU without libvirt: the same machine, CPU, memory, devices
 * and sandbox. Descriptors that libvirt handed over become what QEMU can open itself; only the network is another.
 */

export interface BareParts {
  /** Path of a file of the guest as this machine sees it. */
  readonly fileOf: (path: string) => string;
  /** TAP device, a port of a bridge. */
  readonly tap: string;
  /** Queue pairs of the TAP and the guest's NIC; 1 unless told. */
  readonly queues?: number;
  /** Where the picture's socket may be. */
  readonly vncSocket: string;
}

/** Words after the program's name. Pure. */
export function bareCommandLine(words: readonly string[], parts: BareParts): readonly string[] {
  const bare: string[] = [];
  for (const [flag, value] of pairs(words)) {
    const replaced = replace(flag, value, parts);
    if (replaced !== undefined) bare.push(flag, ...(replaced === '' ? [] : [replaced]));
  }
  return bare;
}

/** Each flag with its value; flags without one have an empty value. */
function pairs(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.flatMap((word, index) => {
    if (!word.startsWith('-')) return [];
    const next = words[index + 1] ?? '-';
    return [[word, next.startsWith('-') ? '' : next] as const];
  });
}

/** The new value; undefined: without this flag. */
function replace(
  flag: string,
  value: string,
  { fileOf, tap, queues = 1, vncSocket }: BareParts,
): string | undefined {
  switch (flag) {
    case '-S': // libvirt lets it run later
    case '-mon':
      return undefined;
    case '-object':
      return value.includes('"secret"') ? undefined : value;
    case '-chardev': {
      const id = /\bid=([^,]*)/.exec(value)?.[1] ?? '';
      return id === 'charmonitor' ? undefined : `null,id=${id}`;
    }
    case '-netdev': {
      const { id } = JSON.parse(value) as { readonly id: string };
      const several = queues > 1 ? { queues } : {};
      return JSON.stringify({ type: 'tap', id, ifname: tap, script: 'no', downscript: 'no', ...several });
    }
    case '-blockdev':
      return value.replace(/"filename":"([^"]*)"/, (_, path: string) => `"filename":"${fileOf(path)}"`);
    case '-vnc':
      return value.replace(/unix:[^,]*/, `unix:${vncSocket}`);
    default:
      return value;
  }
}
