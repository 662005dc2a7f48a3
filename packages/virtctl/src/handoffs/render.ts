/** Handoffs as lines of text. */
import pc from 'picocolors';
import type { Handoff } from './handoffs.ts';
import type { Trouble } from './trouble.ts';

/** `[ 4/11] virt-controller → launcher Pod: VMI Scheduling  +0.12 s`. */
export function handoffLine(handoff: Handoff, sinceMs: number | undefined, total = 11): string {
  const number = `[${String(handoff.number).padStart(2)}/${total}]`;
  const time = sinceMs === undefined ? '' : pc.dim(`  +${(sinceMs / 1000).toFixed(2)} s`);
  const mark = handoff.done ? number : pc.yellow(number);
  return `${mark} ${handoff.from} → ${handoff.to}: ${handoff.done ? handoff.sight : pc.yellow('waiting')}${time}`;
}

export function troubleLine(trouble: Trouble): string {
  return `        ${pc.red(trouble.source)}: ${trouble.reason}${trouble.message === '' ? '' : `: ${trouble.message}`}`;
}
