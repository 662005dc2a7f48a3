/** `<launchSecurity>`: encrypted guests. */
import { annotations, type VMISpec } from '@podvisor/api';
import type { Architecture } from './architecture.ts';
import type { Part } from '../part.ts';

const SEV_POLICY_NO_DEBUG = 1;
const SEV_POLICY_ENCRYPTED_STATE = 4;

/**
 * Virtio devices must go through the IOMMU, because the host cannot read guest memory: SEV, SEV-SNP, and Secure
 * Execution, which on s390x any launch security means.
 */
export function isEncrypted(spec: VMISpec, architecture: Architecture): boolean {
  const security = spec.domain.launchSecurity;
  if (security === undefined) return false;
  return architecture.name === 's390x' || security.sev !== undefined || security.snp !== undefined;
}

/** SEV, SEV-SNP or TDX, of amd64. Secure Execution on s390x needs nothing here. */
export const launchSecurityPart: Part = {
  name: 'launch-security',
  fields: ['spec.domain.launchSecurity'],
  convert: ({ vmi, spec, context, architecture }) => {
    const security = spec.domain.launchSecurity;
    if (security === undefined || architecture.name !== 'amd64') return {};
    if (security.sev === undefined && security.snp === undefined) {
      if (security.tdx === undefined) return {};
      // The cluster's socket was noted when the VMI was made.
      const path = vmi.metadata?.annotations?.[annotations.qgsSocketPath];
      return { launchSecurity: { type: 'tdx', quoteGenerationService: path ? { path } : {} } };
    }
    const host = context.sev;
    const hostBits = {
      ...(host?.cbitpos === undefined ? {} : { cbitpos: host.cbitpos }),
      ...(host?.reducedPhysBits === undefined ? {} : { reducedPhysBits: host.reducedPhysBits }),
    };
    if (security.sev === undefined)
      return { launchSecurity: { type: 'sev-snp', ...hostBits, policy: '0x30000' } };
    const { policy, dhCert, session } = security.sev;
    const bits = SEV_POLICY_NO_DEBUG | (policy?.encryptedState ? SEV_POLICY_ENCRYPTED_STATE : 0);
    return {
      launchSecurity: {
        type: 'sev',
        ...hostBits,
        policy: `0x${bits.toString(16)}`,
        ...(dhCert ? { dhCert } : {}),
        ...(session ? { session } : {}),
      },
    };
  },
};
