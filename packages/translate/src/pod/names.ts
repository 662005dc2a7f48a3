/** Names derived from the VMI: host name and stable id. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { stripEnd } from '@podvisor/base';
import { sha1Hex } from './sha1.ts';

const MAX_LABEL = 63;
const HASH_LENGTH = 8;

/** Host name of Pod and guest: the one in the spec, else the VMI's name up to its first dot, cut to 63. */
export function hostnameOf(vmi: VirtualMachineInstance): string {
  const wanted = vmi.spec.hostname || (vmi.metadata?.name ?? '').split('.')[0] || '';
  return wanted.length <= MAX_LABEL ? wanted : stripEnd(wanted.slice(0, MAX_LABEL), '-.');
}

/** A label value that names the VMI uniquely, also when its name is too long to be one. */
export function vmiIdOf(name: string): string {
  if (name.length <= MAX_LABEL) return name;
  return `${name.slice(0, MAX_LABEL - HASH_LENGTH - 1)}-${sha1Hex(name).slice(0, HASH_LENGTH)}`;
}
