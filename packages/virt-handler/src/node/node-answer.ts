/** What ask-node found out, as a file that it leaves for virt-handler in the same Pod. */
import { readFile } from 'node:fs/promises';
import { writeJson } from '@podvisor/sys';
import type { ProbeResult } from './libvirt-probe.ts';

type Answer = ProbeResult | { readonly failure: string };

export function writeAnswer(file: string, answer: Answer): void {
  writeJson(file, answer);
}

/** Throws what ask-node could not do: it is asked again when the Pod is made anew. */
export async function readAnswer(file: string): Promise<ProbeResult> {
  const answer = JSON.parse(await readFile(file, 'utf8')) as Answer;
  if ('failure' in answer)
    throw new Error(`${answer.failure}; it is asked again when this Pod of virt-handler is deleted`);
  return answer;
}
