import type { EmptyObject } from '../kubernetes/meta.ts';

/** BIOS or EFI, direct kernel boot, and the identity of the board. */
export interface Firmware {
  /** ACPI tables that are taken from Secrets. */
  readonly acpi?: FirmwareACPI;
  /** BIOS or EFI. */
  readonly bootloader?: Bootloader;
  /** Boots a kernel from an image instead of a disk. */
  readonly kernelBoot?: KernelBoot;
  /** Serial number of the board. */
  readonly serial?: string;
  /** UUID of the board; random when unset. */
  readonly uuid?: string;
}

/** ACPI tables that are taken from volumes of Secrets. */
export interface FirmwareACPI {
  /** Volume that holds the MSDM table (a Windows licence key). */
  readonly msdmNameRef?: string;
  /** Volume that holds the SLIC table (a Windows licence). */
  readonly slicNameRef?: string;
}

/** BIOS or EFI, not both; BIOS on amd64 and EFI on arm64 when neither is set. */
export interface Bootloader {
  /** Boots with BIOS. */
  readonly bios?: BIOS;
  /** Boots with EFI. */
  readonly efi?: EFI;
}

/** Boots with BIOS. */
export interface BIOS {
  /** Shows the boot messages on the serial console. */
  readonly useSerial?: boolean;
}

/** Boots with EFI. */
export interface EFI {
  /** Keeps EFI variables from start to start, in a volume of their own. */
  readonly persistent?: boolean;
  /** Boots signed code only; on by default on amd64, and then needs the feature smm. */
  readonly secureBoot?: boolean;
}

/** Boots a kernel from an image instead of a disk. */
export interface KernelBoot {
  /** The image that holds the kernel. */
  readonly container?: KernelBootContainer;
  /** Command line of the kernel. */
  readonly kernelArgs?: string;
}

/** An image that holds a kernel or an initial ramdisk. */
export interface KernelBootContainer {
  /** Name of the image. */
  readonly image: string;
  /** When the image is pulled: Always, IfNotPresent or Never. */
  readonly imagePullPolicy?: string;
  /** Secret with the credentials of the registry. */
  readonly imagePullSecret?: string;
  /** Path of the initial ramdisk in the image. */
  readonly initrdPath?: string;
  /** Path of the kernel in the image. */
  readonly kernelPath?: string;
}

/**
 * Encryption of the guest's memory; one technology on amd64, an empty object on s390x (Secure
 * Execution).
 */
export interface LaunchSecurity {
  /** AMD Secure Encrypted Virtualization. */
  readonly sev?: SEV;
  /** AMD SEV with Secure Nested Paging. */
  readonly snp?: EmptyObject;
  /** Intel Trust Domain Extensions. */
  readonly tdx?: EmptyObject;
}

/** AMD Secure Encrypted Virtualization. */
export interface SEV {
  /** Starts the guest paused, to be measured before it runs. */
  readonly attestation?: EmptyObject;
  /** Diffie-Hellman key of the guest owner, base64. */
  readonly dhCert?: string;
  /** What the platform may do with the guest. */
  readonly policy?: SEVPolicy;
  /** Session blob of the guest owner, base64. */
  readonly session?: string;
}

/** What the platform may do with an SEV guest. */
export interface SEVPolicy {
  /** Also encrypts CPU registers (SEV-ES). */
  readonly encryptedState?: boolean;
}
