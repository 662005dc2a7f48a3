/**
 * What the node agent, which is root, tells the control plane, which is not: the instance, what only root can
 * find out about the machine, and what a person left in the home for the API server. Written before the
 * control plane starts.
 */
import { readFileSync } from 'node:fs';
import { readFileIfThere } from '@podvisor/kube';
import { componentUser, type InstanceConfig, type InstancePaths, kvmFacts, writeJson } from '@podvisor/sys';
import { directoryFor, lend } from './pki-bootstrap/hand-out.ts';

export interface MachineFacts {
  readonly config: InstanceConfig;
  /** Hardware virtualisation works; otherwise VMs run by software emulation. */
  readonly kvmUsable: boolean;
  /** An audit.k8s.io/v1 Policy as YAML. */
  readonly auditPolicy?: string;
  /** An apiserver.config.k8s.io/v1 AdmissionConfiguration as YAML. */
  readonly admission?: string;
}

const fileOf = (paths: InstancePaths): string => `${paths.machine}/facts.json`;

export function writeMachineFacts(paths: InstancePaths, config: InstanceConfig): void {
  const auditPolicy = readFileIfThere(`${paths.home}/audit-policy.yaml`);
  const admission = readFileIfThere(`${paths.home}/admission.yaml`);
  const facts: MachineFacts = {
    config,
    kvmUsable: kvmFacts().usable,
    ...(auditPolicy === undefined ? {} : { auditPolicy }),
    ...(admission === undefined ? {} : { admission }),
  };
  const group = componentUser(config.name, 'control-plane');
  directoryFor(group, paths.machine, paths.home);
  writeJson(fileOf(paths), facts);
  lend(fileOf(paths), group, 0o640);
}

export function readMachineFacts(paths: InstancePaths): MachineFacts {
  // Written by the function above, in the version that started us.
  return JSON.parse(readFileSync(fileOf(paths), 'utf8')) as MachineFacts;
}

/** The node agent's socket. */
export function nodeListenerSocket(paths: InstancePaths): string {
  return `${paths.machine}/node.sock`;
}
