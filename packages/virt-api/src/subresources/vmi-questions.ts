/**
 * Questions that the guest agent answers, and SEV's. Whatever goes wrong here is a 500: clients of KubeVirt
 * know these endpoints so.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { conflict, type Decider, internalError, required, VMI_KIND } from './decision.ts';
import { attestedSev, requireAttestable, requireSevGate } from './sev.ts';
import { hasCondition, isRunning } from './vm-state.ts';

/** The decider's refusal in its own words, whatever its code, as an internal error. */
export function flattened(decide: Decider): Decider {
  return (request, state) => {
    try {
      return decide(request, state);
    } catch (error) {
      throw error instanceof StatusError ? new StatusError('InternalError', error.message) : error;
    }
  };
}

function agentQuestion(path: string): Decider {
  return flattened(({ name }, state) => {
    const vmi = required(state.vmi, VMI_KIND, name);
    if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
    if (!hasCondition(vmi, 'AgentConnected'))
      throw conflict(VMI_KIND, name, 'VMI does not have guest agent connected');
    return { kind: 'handler', method: 'GET', vmi, path, dryRun: false };
  });
}

export const guestOsInfo = agentQuestion('guestosinfo');
export const userList = agentQuestion('userlist');
export const filesystemList = agentQuestion('filesystemlist');

/** Ours: the way of a packet through the Pod, which `virtctl net` draws. */
export const networkPath: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'networkpath', dryRun: false };
};

/** Ours: the disks of the guest, from the file to the guest, which `virtctl why` follows. */
export const diskPath: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'diskpath', dryRun: false };
};

/** Ours: what libvirt counts of the domain; its memory as the guest sees it is what `virtctl top` shows. */
export const domainStats: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'domainstats', dryRun: false };
};

/** Ours: the same of the last hour, as far as its node has kept it, which the web page draws. */
export const usageHistory: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'usagehistory', dryRun: false };
};

/** Ours: the domain as libvirt runs it, which `virtctl render --diff` compares with the spec. */
export const domainXml: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'domainxml', dryRun: false };
};

/** Ours: how far the migration of the guest is, from the node that it leaves; 404 while nothing moves. */
export const migrationProgress: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'migrationprogress', dryRun: false };
};

/** Ours: how far the backup of the guest is; 404 while none is copied. */
export const backupProgress: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw internalError('VMI is not running');
  return { kind: 'handler', method: 'GET', vmi, path: 'backupprogress', dryRun: false };
};

function sevQuestion(path: string, check: (vmi: VirtualMachineInstance, name: string) => void): Decider {
  const decide = flattened(({ name }, state) => {
    const vmi = required(state.vmi, VMI_KIND, name);
    check(vmi, name);
    return { kind: 'handler', method: 'GET', vmi, path, dryRun: false };
  });
  return (request, state) => {
    requireSevGate(state.config);
    return decide(request, state);
  };
}

export const fetchCertChain = sevQuestion('sev/fetchcertchain', (vmi, name) => {
  if (!isRunning(vmi) && vmi.status?.phase !== 'Scheduled')
    throw conflict(VMI_KIND, name, 'VMI is not assigned to a node yet');
  attestedSev(vmi, name);
});

export const queryLaunchMeasurement = sevQuestion('sev/querylaunchmeasurement', requireAttestable);
