/** Bootloader, kernel boot and ACPI tables. */
import type { Firmware, KernelBoot, VMISpec, Volume } from '../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../rule.ts';
import { pathProblems } from './paths.ts';

export const acpiRules: readonly Rule<VMISpec>[] = [
  {
    id: 'firmware.acpi',
    field: 'domain.firmware.acpi',
    summary: 'ACPI tables (SLIC, MSDM) are taken from a volume that is a Secret.',
    check: (spec, { path }) => {
      const acpi = spec.domain.firmware?.acpi;
      if (!acpi) return [];
      const field = `${path}.acpi`;
      if (!acpi.slicNameRef && !acpi.msdmNameRef)
        return [invalid(field, 'ACPI was set but no SLIC nor MSDM volume reference was set')];
      return [
        ...acpiReference(field, 'slicNameRef', acpi.slicNameRef, spec.volumes),
        ...acpiReference(field, 'msdmNameRef', acpi.msdmNameRef, spec.volumes),
      ];
    },
  },
];

export const firmwareRules: readonly Rule<VMISpec>[] = [
  {
    id: 'firmware.bootloader',
    field: 'domain.firmware.bootloader',
    summary: 'A guest boots with BIOS or with EFI, not both.',
    check: (spec, { path }) => {
      const bootloader = spec.domain.firmware?.bootloader;
      const field = `${path}.domain.firmware.bootloader`;
      return when(bootloader?.bios && bootloader.efi, () =>
        invalid(field, `${field} has both EFI and BIOS configured, but they are mutually exclusive.`),
      );
    },
  },
  {
    id: 'firmware.kernelBoot',
    field: 'domain.firmware.kernelBoot',
    summary:
      'A kernel comes from a container with an image and a kernel or initrd path; arguments need a kernel.',
    check: (spec, { path }) => {
      const kernelBoot = spec.domain.firmware?.kernelBoot;
      return kernelBoot ? checkKernelBoot(kernelBoot, `${path}.domain.firmware.kernelBoot`) : [];
    },
  },
];

/** Not for a preset, which has no say in features. */
export const secureBootRules: readonly Rule<VMISpec>[] = [
  {
    id: 'firmware.secureBoot',
    field: 'domain.firmware.bootloader.efi.secureBoot',
    summary: 'Secure Boot (on by default with EFI) needs the feature SMM, except under TDX.',
    check: (spec, { path }) => {
      const { features, firmware, launchSecurity } = spec.domain;
      const hasSmm = features?.smm !== undefined && features.smm.enabled !== false;
      const field = `${path}.domain`;
      return when(hasSecureBoot(firmware) && !hasSmm && !launchSecurity?.tdx, () =>
        invalid(
          field,
          `${field} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`,
        ),
      );
    },
  },
];

/** EFI boots with Secure Boot unless it is switched off. */
export function hasSecureBoot(firmware: Firmware | undefined): boolean {
  const efi = firmware?.bootloader?.efi;
  return efi !== undefined && efi.secureBoot !== false;
}

function acpiReference(
  field: string,
  name: string,
  reference: string | undefined,
  volumes: readonly Volume[] | undefined,
): readonly Cause[] {
  if (!reference) return [];
  const volume = volumes?.find((candidate) => candidate.name === reference);
  if (!volume) return [invalid(`${field}.${name}`, `${field} does not have a matching Volume.`)];
  return when(!volume.secret, () =>
    invalid(`${field}.${name}`, `${field} refers to Volume of unsupported type.`),
  );
}

function checkKernelBoot({ container, kernelArgs }: KernelBoot, field: string): readonly Cause[] {
  if (!container) {
    return when(kernelArgs, () =>
      invalid(`${field}.kernelArgs`, 'kernel arguments cannot be provided without an external kernel'),
    );
  }
  const own = `${field}.container`;
  return [
    ...when(!container.image, () => required(`${own}.image`, `${own} must be defined with an image`)),
    ...when(!container.initrdPath && !container.kernelPath, () =>
      required(own, `${own} must be defined with at least one of the following: kernelPath, initrdPath`),
    ),
    ...(container.kernelPath ? pathProblems(`${own}.kernelPath`, container.kernelPath) : []),
    ...(container.initrdPath ? pathProblems(`${own}.initrdPath`, container.initrdPath) : []),
  ];
}
