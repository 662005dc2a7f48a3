import type { EmptyObject } from './meta.ts';

/** - */
export interface Firmware {
  /** - */
  readonly acpi?: FirmwareACPI;
  /** - */
  readonly bootloader?: Bootloader;
  /** - */
  readonly kernelBoot?: KernelBoot;
  /** - */
  readonly serial?: string;
  /** - */
  readonly uuid?: string;
}

/** - */
export interface FirmwareACPI {
  /** - */
  readonly msdmNameRef?: string;
  /** - */
  readonly slicNameRef?: string;
}

/** - */
export interface Bootloader {
  /** - */
  readonly bios?: BIOS;
  /** - */
  readonly efi?: EFI;
}

/** - */
export interface BIOS {
  /** - */
  readonly useSerial?: boolean;
}

/** - */
export interface EFI {
  /** - */
  readonly persistent?: boolean;
  /** - */
  readonly secureBoot?: boolean;
}

/** - */
export interface KernelBoot {
  /** - */
  readonly container?: KernelBootContainer;
  /** - */
  readonly kernelArgs?: string;
}

/** - */
export interface KernelBootContainer {
  /** - */
  readonly image: string;
  /** - */
  readonly imagePullPolicy?: string;
  /** - */
  readonly imagePullSecret?: string;
  /** - */
  readonly initrdPath?: string;
  /** - */
  readonly kernelPath?: string;
}

/** - */
export interface LaunchSecurity {
  /** - */
  readonly sev?: SEV;
  /** - */
  readonly snp?: EmptyObject;
  /** - */
  readonly tdx?: EmptyObject;
}

/** - */
export interface SEV {
  /** - */
  readonly attestation?: EmptyObject;
  /** - */
  readonly dhCert?: string;
  /** - */
  readonly policy?: SEVPolicy;
  /** - */
  readonly session?: string;
}

/** - */
export interface SEVPolicy {
  /** - */
  readonly encryptedState?: boolean;
}
