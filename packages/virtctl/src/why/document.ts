/** The catalogue as a page for people: docs/why.md. Pure; a test keeps the file in step. */
import { catalogue } from './catalogue.ts';

const HEAD = `# Why a VM does not run

\`virtctl why vm/NAME\` walks the eleven handoffs of the pipeline (ARCHITECTURE.md), says when each happened, names the first that has not, and shows the evidence: container states, conditions, events of VM, VMI and Pod, claims, the node, the launcher's last lines. Disks are followed link by link (claim, bound, mounted or plugged, overlay, in the domain, seen by the guest). \`--watch\` follows a start live, \`-o json\` is for programs. It ends with 0 when the VM runs (or is meant to be stopped), with 2 when a handoff is open.

\`podvisor up FILE\` ends with the same words at a failure that does not pass by waiting (marked below), or that is still there ten seconds after it was first seen; at trouble that it has no name for, after 45.

The failures that it knows, in the order in which it tries them. This page is made from \`packages/virtctl/src/why/known\`; change it there. Each of them is provoked for real by \`test/e2e/why.test.ts\` (a lost node: \`test/e2e/nodes.test.ts\`).
`;

export function whyDocument(): string {
  const parts = catalogue.map(({ id, title, handoff, where, cause, fix, deadEnd }) => {
    const place = handoff === undefined ? 'a running or ended guest' : `handoff ${handoff}`;
    return `## ${title}\n\n\`${id}\` · ${place} · seen in: ${where.join(', ')}${deadEnd === undefined ? '' : ` · ends \`podvisor up\` ${deadEnd === 'lasting' ? 'when it lasts' : deadEnd}`}\n\n${cause}\n\n**What to do:** ${fix.replaceAll('{1}', 'NAME').replace(/\{(name|namespace|node|pod)\}/g, (_, key: string) => key.toUpperCase())}\n`;
  });
  return [HEAD, ...parts].join('\n');
}
