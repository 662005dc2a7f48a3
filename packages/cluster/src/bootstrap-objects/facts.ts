/** What the objects depend on besides the instance's configuration. */
import { readFileSync } from 'node:fs';
import { type InstancePaths, kvmFacts } from '@podvisor/sys';
import { pkiPaths } from '../pki-bootstrap/ensure-pki.ts';

export interface BootstrapFacts {
  /** PEM. */
  readonly kubevirtCa: string;
  /** Hardware virtualisation works; otherwise VMs run by software emulation. */
  readonly kvmUsable: boolean;
}

/** Reads the certificates that `ensurePki` made and looks at the machine. */
export function readBootstrapFacts(paths: InstancePaths): BootstrapFacts {
  return {
    kubevirtCa: readFileSync(pkiPaths(paths).kubevirtCa, 'utf8'),
    kvmUsable: kvmFacts().usable,
  };
}
