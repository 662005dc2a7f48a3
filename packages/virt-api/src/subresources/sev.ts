/** Attestation of SEV guests: session parameters and launch secret. Pure. */
import { type ClusterConfig, isGateEnabled, type VirtualMachineInstance } from '@podvisor/api';
import { stillHas } from '@podvisor/kube';
import { isDryRun, optionsOf } from './body.ts';
import { badRequest, conflict, type Decider, required, VMI_KIND } from './decision.ts';
import { hasCondition, isRunning } from './vm-state.ts';

type Sev = NonNullable<NonNullable<VirtualMachineInstance['spec']['domain']['launchSecurity']>['sev']>;

/** SEV's endpoints exist by a gate. */
export function requireSevGate(config: ClusterConfig): void {
  if (!isGateEnabled(config, 'WorkloadEncryptionSEV')) {
    throw badRequest("'WorkloadEncryptionSEV' feature gate is not enabled");
  }
}

export function attestedSev(vmi: VirtualMachineInstance, name: string): Sev {
  const sev = vmi.spec.domain.launchSecurity?.sev;
  if (sev?.attestation === undefined) throw conflict(VMI_KIND, name, 'Attestation not requested for VMI');
  return sev;
}

/** A guest can be attested while it waits, before its first instruction. */
export function requireAttestable(vmi: VirtualMachineInstance, name: string): void {
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
  attestedSev(vmi, name);
  if (!hasCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is not paused');
}

export const setupSevSession: Decider = ({ name, body }, state) => {
  requireSevGate(state.config);
  if (body === undefined || body === null)
    throw badRequest('Request with no body: SEV session parameters are required');
  const { session, dhCert, ...rest } = optionsOf(body);
  if (typeof session !== 'string' || session === '') throw badRequest('Session blob is required');
  if (typeof dhCert !== 'string' || dhCert === '') throw badRequest('DH cert is required');
  const vmi = required(state.vmi, VMI_KIND, name);
  if (vmi.status?.phase !== 'Scheduled') throw conflict(VMI_KIND, name, 'VMI is not in Scheduled phase');
  const sev = attestedSev(vmi, name);
  if ((sev.session ?? '') !== '' || (sev.dhCert ?? '') !== '')
    throw conflict(VMI_KIND, name, 'Session already defined');
  const path = '/spec/domain/launchSecurity/sev';
  return {
    kind: 'patch',
    code: 202,
    dryRun: isDryRun(rest),
    patches: [
      {
        target: 'virtualmachineinstance',
        patch: [stillHas(path, sev), { op: 'replace', path, value: { ...sev, session, dhCert } }],
        failure: { kind: 'internal' },
      },
    ],
  };
};

export const injectLaunchSecret: Decider = ({ name, body }, state) => {
  requireSevGate(state.config);
  if (body === undefined || body === null)
    throw badRequest('Request with no body: SEV secret parameters are required');
  const vmi = required(state.vmi, VMI_KIND, name);
  requireAttestable(vmi, name);
  const options = optionsOf(body);
  return {
    kind: 'handler',
    method: 'PUT',
    vmi,
    path: 'sev/injectlaunchsecret',
    body: options,
    dryRun: isDryRun(options),
  };
};
