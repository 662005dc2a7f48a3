/**
 * Lets libvirt run a TPM (swtpm) as the launcher's user. Its state (`tpm-state.ts`) and its certificate authority go
 * where the Pod mounts them when they are to outlive it; the system-wide configuration belongs to another user.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import type { LibvirtPaths } from './libvirt-paths.ts';
import type { TpmPlaces } from './tpm-state.ts';

/** In session mode libvirt keeps the state of TPMs beside its configuration. */
export function tpmPlaces(libvirt: LibvirtPaths, privateDir: string): TpmPlaces {
  return { libvirt: `${libvirt.config}/libvirt/qemu/swtpm`, kept: `${privateDir}/libvirt/qemu/swtpm` };
}

/** Idempotent. `privateDir` holds `libvirt/qemu/swtpm` and `var/lib/swtpm-localca`. */
export async function prepareSwtpm(libvirt: LibvirtPaths, privateDir: string): Promise<void> {
  const authority = `${privateDir}/var/lib/swtpm-localca`;
  const settings = (name: string): string => `${libvirt.config}/${name}`;
  await Promise.all([authority, libvirt.config].map((path) => mkdir(path, { recursive: true })));
  await Promise.all([
    writeFile(
      settings('swtpm_setup.conf'),
      [
        'create_certs_tool = /usr/bin/swtpm_localca',
        `create_certs_tool_config = ${settings('swtpm-localca.conf')}`,
        `create_certs_tool_options = ${settings('swtpm-localca.options')}`,
        'active_pcr_banks = sha256',
        '',
      ].join('\n'),
    ),
    writeFile(
      settings('swtpm-localca.conf'),
      [
        `statedir = ${authority}`,
        `signingkey = ${authority}/signkey.pem`,
        `issuercert = ${authority}/issuercert.pem`,
        `certserial = ${authority}/certserial`,
        '',
      ].join('\n'),
    ),
    writeFile(
      settings('swtpm-localca.options'),
      ['--platform-manufacturer Podvisor', '--platform-version 1', '--platform-model QEMU', ''].join('\n'),
    ),
  ]);
}
