/** Finds the UEFI firmware files below the OVMF directory; their names differ between distributions. */
import { existsSync } from 'node:fs';
import type { VirtualMachineInstance } from '@podvisor/api';
import type { EfiFirmware } from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';

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

/** Where Debian and Fedora keep it; KubeVirt's default names only the latter. */
const KNOWN_DIRECTORIES = ['/usr/share/OVMF', '/usr/share/edk2/ovmf'];

/**
 * The firmware that the VMI asks for, in `directory` or where distributions keep it; nothing when it boots by BIOS.
 * One directory has both files: they belong together.
 */
export function findFirmware(
  vmi: VirtualMachineInstance,
  directory: string,
  others: readonly string[] = KNOWN_DIRECTORIES,
): EfiFirmware | undefined {
  const efi = vmi.spec.domain.firmware?.bootloader?.efi;
  if (efi === undefined) return undefined;
  const secureLoader = efi.secureBoot !== false;
  for (const place of [directory, ...others]) {
    const found = (secureLoader ? SECURE : PLAIN).find((pair) =>
      pair.every((file) => existsSync(`${place}/${file}`)),
    );
    if (found !== undefined) {
      const [code, vars] = found;
      return { code: `${place}/${code}`, vars: `${place}/${vars}`, secureLoader };
    }
  }
  throw new LauncherError(
    `the virtual machine boots by UEFI${secureLoader ? ' with Secure Boot' : ''}, but no such firmware is in ${[directory, ...others].join(' or ')}; install the package ovmf`,
  );
}
