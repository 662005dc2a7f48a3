/** Encrypted guests: AMD SEV and SEV-SNP, Intel TDX; on s390x Secure Execution, which needs no further choice. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { LaunchSecurity, VMISpec } from '../../types/index.ts';
import { type Cause, forbidden, invalid, type Rule, type RuleContext, when } from '../rule.ts';
import { hasSecureBoot } from './firmware.ts';

type Technology = 'SEV' | 'SNP' | 'TDX';

export const launchSecurityRules: readonly Rule<VMISpec>[] = [
  {
    id: 'launchSecurity',
    field: 'domain.launchSecurity',
    summary:
      'One technology, its gate on, EFI without what it cannot protect (Secure Boot, persistent variables, SMM), no bootable NIC; SEV attestation starts paused.',
    check: (spec, context) => {
      const { launchSecurity } = spec.domain;
      if (!launchSecurity) return [];
      const architecture = spec.architecture ?? '';
      const field = `${context.path}.launchSecurity`;
      if (architecture === 's390x') return [];
      if (architecture !== 'amd64')
        return [
          invalid(
            `${context.path}.architecture`,
            `No launchSecurity support for architecture: ${architecture}`,
          ),
        ];
      const chosen = technologies(launchSecurity);
      const [technology] = chosen;
      if (chosen.length !== 1 || !technology)
        return [forbidden(field, 'One and only one launchSecurity type can be set')];
      return checkTechnology(technology, spec, context, field);
    },
  },
];

function technologies({ sev, snp, tdx }: LaunchSecurity): Technology[] {
  return [
    ...(sev ? ['SEV' as const] : []),
    ...(snp ? ['SNP' as const] : []),
    ...(tdx ? ['TDX' as const] : []),
  ];
}

function checkTechnology(
  technology: Technology,
  spec: VMISpec,
  { config }: RuleContext,
  field: string,
): readonly Cause[] {
  const gate = technology === 'TDX' ? 'WorkloadEncryptionTDX' : 'WorkloadEncryptionSEV';
  if (!isGateEnabled(config, gate))
    return [invalid(field, `${gate} feature gate is not enabled in kubevirt-config`)];
  const { devices, features, firmware, launchSecurity } = spec.domain;
  const hasSmm = features?.smm !== undefined && features.smm.enabled !== false;
  return [
    ...when(technology === 'TDX' && hasSmm, () => invalid(field, 'TDX does not work along with SMM')),
    ...when(!firmware?.bootloader?.efi, () => invalid(field, `${technology} requires OVMF (UEFI)`)),
    ...when(technology !== 'TDX' && hasSecureBoot(firmware), () =>
      invalid(field, `${technology} does not work along with SecureBoot`),
    ),
    ...when(technology !== 'SEV' && firmware?.bootloader?.efi?.persistent, () =>
      invalid(field, `${technology} does not work along with Persistent EFI variables`),
    ),
    ...when(launchSecurity?.sev?.attestation !== undefined && spec.startStrategy !== 'Paused', () =>
      invalid(field, "SEV attestation requires VMI StartStrategy 'Paused'"),
    ),
    ...(devices.interfaces ?? [])
      .filter((nic) => nic.bootOrder !== undefined)
      .map((nic) => invalid(field, `${technology} does not work with bootable NICs: ${nic.name}`)),
  ];
}
