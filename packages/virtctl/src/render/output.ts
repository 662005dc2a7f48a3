/** A rendering as text. Pure. */
import { dump } from 'js-yaml';
import type { Rendering } from './render.ts';

export type OutputFormat = 'all' | 'xml' | 'pod' | 'vmi' | 'json';

export interface OutputOptions {
  readonly format: OutputFormat;
  readonly explain: boolean;
  /** QEMU's command line, when it was asked for. */
  readonly qemu?: string;
}

/** The text, ending in a newline. */
export function outputOf(rendering: Rendering, { format, explain, qemu }: OutputOptions): string {
  const { vmi, pod } = rendering;
  const xml = explain ? rendering.explainedXml : rendering.xml;
  switch (format) {
    case 'json': {
      const reasons = explain ? { podReasons: rendering.podReasons } : {};
      return `${JSON.stringify({ vmi, pod, xml, ...reasons, ...(qemu === undefined ? {} : { qemu }) }, undefined, 2)}\n`;
    }
    case 'vmi':
      return yaml(vmi);
    case 'pod':
      return `${yaml(pod)}${explain ? reasonsOf(rendering) : ''}`;
    case 'xml':
      return `${xml}${qemu === undefined ? '' : section('QEMU command line', qemu)}`;
    case 'all':
      return [
        section('VirtualMachineInstance', yaml(vmi)),
        section('launcher Pod', yaml(pod)),
        explain ? reasonsOf(rendering) : '',
        section('libvirt domain', xml),
        qemu === undefined ? '' : section('QEMU command line', qemu),
      ].join('');
  }
}

/** `#` begins a comment in YAML, so that sections may be cut apart by tools. */
function section(title: string, text: string): string {
  return `# ${title}\n${text.endsWith('\n') ? text : `${text}\n`}\n`;
}

function reasonsOf({ podReasons }: Rendering): string {
  const lines = podReasons.map(({ what, value, reason }) => `# ${what}: ${value}\n#   ${reason}`);
  return `# Why the Pod asks for this\n${lines.join('\n')}\n\n`;
}

/** Without references, which nobody reads, and without folding, so that lines can be compared. */
function yaml(value: unknown): string {
  return dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: -1 });
}
