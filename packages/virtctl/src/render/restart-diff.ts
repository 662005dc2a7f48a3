/** What a restart would change: what runs, against what the spec would give now. Pure. */
import { annotations, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import { domainToXml } from '@podvisor/translate';
import { dump } from 'js-yaml';
import { lineDiff } from './line-diff.ts';
import { comparable, type LiveXml, liveDomain, plain } from './live-domain.ts';
import { project } from './project.ts';
import type { Rendering } from './render.ts';

const generation = annotations.vmGeneration;

/** The things that run, as they are. */
export interface Running {
  readonly pod: Pod;
  readonly domain: LiveXml;
}

/**
 * The VMI as it would be made anew, with what the server and the running VMI have given it: identity, and values
 * that a webhook draws by chance when a VM does not set them.
 */
export function asRestarted(
  next: VirtualMachineInstance,
  running: VirtualMachineInstance,
): VirtualMachineInstance {
  const { uuid, serial } = running.spec.domain.firmware ?? {};
  const macs = (running.status?.interfaces ?? []).map(({ name, mac }) => ({ name, mac }));
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
    status: { ...next.status, interfaces: macs },
  };
}

/**
 * Two sections, Pod and domain; or one sentence when a restart changes nothing. `now` is the rendering of the VMI
 * that runs, `next` that of the one that would: together they say which parts of what runs are ours.
 */
export function restartDiff(running: Running, now: Rendering, next: Rendering): string {
  const pods = [now.pod, next.pod].map(podParts);
  const pod = project(podParts(running.pod), pods, { keyOf: ({ name }) => name as string | undefined });
  const domain = comparable(liveDomain(running.domain), [now.domain, next.domain]);
  return report([
    ['launcher Pod', yaml(pod), yaml(pods[1])],
    ['libvirt domain', domainToXml(domain), domainToXml(plain(next.domain))],
  ]);
}

/** What a spec decides about a Pod; its name, age and owner are the server's and the controller's. */
function podParts({ metadata, spec }: Pod): unknown {
  const { [generation]: _generation, ...own } = metadata.annotations ?? {};
  return { metadata: { labels: metadata.labels, annotations: own }, spec };
}

function report(parts: readonly (readonly [title: string, before: string, after: string])[]): string {
  const sections = parts.flatMap(([title, before, after]) => {
    const lines = lineDiff(before, after);
    return lines.length === 0
      ? []
      : [`# ${title}: running (-) and after a restart (+)\n${lines.join('\n')}\n`];
  });
  return sections.length === 0 ? 'A restart would change nothing.\n' : sections.join('\n');
}

function yaml(value: unknown): string {
  return dump(JSON.parse(JSON.stringify(value)), { lineWidth: -1, sortKeys: true });
}
