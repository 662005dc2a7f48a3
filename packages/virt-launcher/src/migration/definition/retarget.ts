/** The definition of a domain made fit for another node: its CPUs are pinned to CPUs that exist there. Pure. */

const PIN = /(<(?:vcpupin|emulatorpin|iothreadpin)\b[^>]*\bcpuset=)(['"])([0-9,^-]+)\2/g;

/**
 * The XML with every pin moved to the target's CPUs: the first CPU in use here becomes the target's first, and so on,
 * so that what shared a CPU shares one, and what did not does not. Undefined: nothing is pinned, nothing to change.
 */
export function retarget(xml: string, targetCpus: readonly number[]): string | undefined {
  const pins = [...xml.matchAll(PIN)];
  if (pins.length === 0 || targetCpus.length === 0) return undefined;
  const used = [...new Set(pins.flatMap(([, , , set = '']) => cpusOf(set)))].toSorted((a, b) => a - b);
  if (used.length > targetCpus.length)
    throw new Error(
      `the guest is pinned to ${used.length} CPUs, and the target has ${targetCpus.length} for it`,
    );
  const there = new Map(used.map((cpu, index) => [cpu, targetCpus[index]]));
  return xml.replaceAll(PIN, (_all, head: string, quote: string, set: string) => {
    const moved = cpusOf(set).map((cpu) => there.get(cpu));
    return `${head}${quote}${moved.join(',')}${quote}`;
  });
}

/** CPUs of a set such as `0-2,5`. */
export function cpusOf(set: string): readonly number[] {
  return set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
