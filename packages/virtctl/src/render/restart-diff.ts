/** What a restart would change: what runs, against what the spec would give now. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { lineDiff } from './line-diff.ts';
import { outputOf } from './output.ts';
import type { Rendering } from './render.ts';

/**
 * The VMI as it would be made anew, with what the server and the running VMI have given it: identity, and values
 * that a webhook draws by chance when a VM does not set them.
 */
export function asRestarted(
  next: VirtualMachineInstance,
  running: VirtualMachineInstance,
): VirtualMachineInstance {
  const { uuid, serial } = running.spec.domain.firmware ?? {};
  const { macAddresses } = knownMacs(running);
  return {
    ...next,
    metadata: { ...next.metadata, uid: running.metadata?.uid },
    spec: {
      ...next.spec,
      domain: {
        ...next.spec.domain,
        firmware: { ...next.spec.domain.firmware, ...(uuid && { uuid }), ...(serial && { serial }) },
      },
    },
    status: { ...next.status, interfaces: macAddresses },
  };
}

function knownMacs({ status }: VirtualMachineInstance): {
  readonly macAddresses: readonly { readonly name?: string; readonly mac?: string }[];
} {
  return { macAddresses: (status?.interfaces ?? []).map(({ name, mac }) => ({ name, mac })) };
}

/** Two sections, Pod and domain; or one sentence when a restart changes nothing. */
export function restartDiff(running: Rendering, next: Rendering): string {
  const sections = (['pod', 'xml'] as const).flatMap((format) => {
    const options = { format, explain: false };
    const lines = lineDiff(outputOf(running, options), outputOf(next, options));
    const title = format === 'pod' ? 'launcher Pod' : 'libvirt domain';
    return lines.length === 0
      ? []
      : [`# ${title}: running (-) and after a restart (+)\n${lines.join('\n')}\n`];
  });
  return sections.length === 0 ? 'A restart would change nothing.\n' : sections.join('\n');
}
