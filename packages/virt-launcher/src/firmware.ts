/** Finds the UEFI firmware files below the OVMF directory; their names differ between distributions. */
import { existsSync } from 'node:fs';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { EfiFirmware } from '@podvisor/translate';
import { LauncherError } from './launcher-error.ts';

type Pair = readonly [code: string, vars: string];

const SECURE: readonly Pair[] = [
  ['OVMF_CODE_4M.ms.fd', 'OVMF_VARS_4M.ms.fd'],
  ['OVMF_CODE_4M.secboot.fd', 'OVMF_VARS_4M.ms.fd'],
  ['OVMF_CODE.secboot.fd', 'OVMF_VARS.secboot.fd'],
];
const PLAIN: readonly Pair[] = [
  ['OVMF_CODE_4M.fd', 'OVMF_VARS_4M.fd'],
  ['OVMF_CODE.fd', 'OVMF_VARS.fd'],
];

/** The firmware that the VMI asks for; nothing when it boots by BIOS. */
export function findFirmware(vmi: VirtualMachineInstance, directory: string): EfiFirmware | undefined {
  const efi = vmi.spec.domain.firmware?.bootloader?.efi;
  if (efi === undefined) return undefined;
  const secureLoader = efi.secureBoot !== false;
  const found = (secureLoader ? SECURE : PLAIN).find((pair) =>
    pair.every((file) => existsSync(`${directory}/${file}`)),
  );
  if (found === undefined)
    throw new LauncherError(
      `the virtual machine boots by UEFI${secureLoader ? ' with Secure Boot' : ''}, but no such firmware is in ${directory}; install the package ovmf`,
    );
  const [code, vars] = found;
  return { code: `${directory}/${code}`, vars: `${directory}/${vars}`, secureLoader };
}
