/** Attestation of SEV guests: session parameters and launch secret. Pure. */
import { type ClusterConfig, isGateEnabled, type VirtualMachineInstance } from '@podvisor/api';
import { isDryRun, optionsOf } from './body.ts';
import { badRequest, conflict, type Decider, required, VMI_KIND } from './decision.ts';
import { hasTrueCondition, isRunning } from './vm-state.ts';

type Sev = NonNullable<NonNullable<VirtualMachineInstance['spec']['domain']['launchSecurity']>['sev']>;

function attestedSev(vmi: VirtualMachineInstance, config: ClusterConfig): Sev {
  if (!isGateEnabled(config, 'WorkloadEncryptionSEV')) {
    throw badRequest('Enable WorkloadEncryptionSEV feature gate to use this API.');
  }
  const sev = vmi.spec.domain.launchSecurity?.sev;
  if (sev?.attestation === undefined) throw badRequest('Attestation not requested for VMI');
  return sev;
}

export const setupSevSession: Decider = ({ name, body }, state) => {
  const { session, dhCert, ...rest } = optionsOf(body);
  if (typeof session !== 'string' || session === '') throw badRequest('Session blob is required');
  if (typeof dhCert !== 'string' || dhCert === '') throw badRequest('DH cert is required');
  const vmi = required(state.vmi, VMI_KIND, name);
  const sev = attestedSev(vmi, state.config);
  if (vmi.status?.phase !== 'Scheduled') throw conflict(VMI_KIND, name, 'VMI is not in Scheduled phase');
  if ((sev.session ?? '') !== '' || (sev.dhCert ?? '') !== '') {
    throw conflict(VMI_KIND, name, 'Session and DH certificate already defined');
  }
  const path = '/spec/domain/launchSecurity/sev';
  return {
    kind: 'patch',
    code: 202,
    dryRun: isDryRun(rest),
    patches: [
      {
        target: 'virtualmachineinstance',
        patch: [
          { op: 'test', path, value: sev },
          { op: 'replace', path, value: { ...sev, session, dhCert } },
        ],
      },
    ],
  };
};

export const injectLaunchSecret: Decider = ({ name, body }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  attestedSev(vmi, state.config);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
  if (!hasTrueCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is not paused');
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
