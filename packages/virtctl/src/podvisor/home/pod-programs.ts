/** The programs of Pods that are started by a name: small scripts which start Node with what fits the program. */
import { VIRT_TAIL_WRAPPER } from './virt-tail-wrapper.ts';
import { VIRTIOFSD_WRAPPER } from './virtiofsd-wrapper.ts';

/** Where our programs are, in every container. */
export const POD_LIB = '/usr/lib/podvisor';

/**
 * They are many on a node: one malloc arena that gives back what it frees, small heap areas, no compilers beyond the
 * interpreter, and of what was compiled for it only what runs again and again is kept. Measured: each of them saves
 * memory per VM, and none costs a start (docs/performance.md).
 */
function smallWrapper(program: string): string {
  return `#!/bin/sh
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_TOP_PAD_=16384 UV_THREADPOOL_SIZE=2
exec ${POD_LIB}/node --expose-gc --max-semi-space-size=1 --max-old-space-size=128 --v8-pool-size=0 --single-threaded-gc --no-opt --no-maglev --no-sparkplug --bytecode-old-age=2 ${POD_LIB}/${program}.mjs "$@"
`;
}

/** For what does one thing and ends: it may use what it needs to be fast. */
function plainWrapper(program: string): string {
  return `#!/bin/sh
exec ${POD_LIB}/node --max-old-space-size=256 ${POD_LIB}/${program}.mjs "$@"
`;
}

export type PodProgram =
  | 'virt-launcher'
  | 'virt-freezer'
  | 'virt-probe'
  | 'virt-lease-watch'
  | 'virtiofsd'
  | 'virt-tail'
  | 'ask-node'
  | 'importer'
  | 'virt-export';

/** Name → the script of that name in `POD_LIB`. */
export const POD_PROGRAMS: Readonly<Record<PodProgram, string>> = {
  'virt-launcher': smallWrapper('virt-launcher'),
  'virt-freezer': smallWrapper('virt-freezer'),
  'virt-probe': smallWrapper('virt-probe'),
  'virt-lease-watch': smallWrapper('virt-lease-watch'),
  virtiofsd: VIRTIOFSD_WRAPPER,
  'virt-tail': VIRT_TAIL_WRAPPER,
  'ask-node': plainWrapper('ask-node'),
  importer: plainWrapper('importer'),
  'virt-export': plainWrapper('virt-export'),
};
