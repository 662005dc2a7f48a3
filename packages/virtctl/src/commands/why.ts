/** `virtctl why vm/x`: the pipeline of one VM, handoff by handoff, and the evidence where it stopped. */
import type { Command } from 'commander';
import { handoffsOf } from '../handoffs/handoffs.ts';
import { readPipeline } from '../handoffs/pipeline-watch.ts';
import { handoffLine, troubleLine } from '../handoffs/render.ts';
import { firstOpen, troubleOf } from '../handoffs/trouble.ts';
import { openSession } from '../kube-access.ts';
import type { Shell } from '../shell.ts';

export function addWhyCommand(program: Command, shell: Shell): void {
  program
    .command('why <vm>')
    .description('Which handoff of the pipeline a VM has reached, and why it goes no further.')
    .action(async (target: string, _flags: unknown, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const name = target.replace(/^(vm|vmi|virtualmachine|virtualmachineinstance)\//, '');
      const objects = await readPipeline(client, namespace, name);
      if (objects.vm === undefined && objects.vmi === undefined)
        throw new Error(
          `there is no VirtualMachine or VirtualMachineInstance "${name}" in namespace "${namespace}"`,
        );
      let last: number | undefined;
      for (const handoff of handoffsOf(objects)) {
        const since =
          last === undefined || handoff.atMs === undefined ? undefined : Math.max(0, handoff.atMs - last);
        console.log(handoffLine(handoff, since));
        last = handoff.atMs ?? last;
        if (!handoff.done) break;
      }
      for (const trouble of troubleOf(objects)) console.log(troubleLine(trouble));
      const stopped = objects.vm !== undefined && objects.vmi === undefined;
      if (stopped)
        console.log(
          `The VM is ${objects.vm?.status?.printableStatus ?? 'not running'}: virtctl start ${name}`,
        );
      else if (firstOpen(objects) === undefined) console.log('All handoffs are done.');
    });
}
