/** What `podvisor up MANIFEST` printed, and when, as the steps that a user waits for. Pure. */

export interface StampedLine {
  /** Milliseconds since the command was typed. */
  readonly atMs: number;
  readonly text: string;
}

/** Steps in the order in which `up` tells them, each by the line that ends it. */
const STEPS: readonly (readonly [name: string, ends: RegExp])[] = [
  ['programs are there, the command begins', /^Podvisor: /],
  ['API server answers', /^\[\d+\/\d+\] control-plane: /],
  ['virt-api answers', /^\[\d+\/\d+\] virt-api: /],
  ['virt-controller leads', /^\[\d+\/\d+\] virt-controller: /],
  ['the node takes VMs', /^\[\d+\/\d+\] virt-handler on /],
  ['image there, VM applied', /^applied VirtualMachine /],
  ['VM Running', / is Running on /],
  ['its guest is up: READY', /^READY after /],
];

export const RUNNING = 'VM Running';
export const READY = 'its guest is up: READY';

/** When each step had ended. Throws when one was never told: `up` says something else than this file knows. */
export function upSteps(lines: readonly StampedLine[]): ReadonlyMap<string, number> {
  return new Map(
    STEPS.map(([name, ends]) => {
      const line = lines.find(({ text }) => ends.test(text));
      if (line === undefined)
        throw new Error(`podvisor up has not told "${name}": ${lines.map(({ text }) => text).join(' / ')}`);
      return [name, line.atMs];
    }),
  );
}
