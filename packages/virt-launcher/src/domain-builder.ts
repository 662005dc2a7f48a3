/** From a VMI to disks that exist and the XML that names them, with `storage` and `translate`. */
import { mkdir } from 'node:fs/promises';
import { diskPaths, prepareDisks } from '@podvisor/storage';
import { type ConverterContext, convertVmiToDomain, domainToXml } from '@podvisor/translate';
import type { DomainBuilder } from './domain-manager/context.ts';
import { findFirmware } from './firmware.ts';
import type { LauncherFlags } from './flags.ts';
import { prepareKernelBoot } from './kernel-boot.ts';
import { explain } from './launcher-error.ts';

export function domainBuilder(flags: LauncherFlags): DomainBuilder {
  const paths = diskPaths({
    ephemeralDisks: flags.ephemeralDiskDir,
    privateDir: flags.privateDir,
    libvirtRuntime: flags.libvirtRuntimeDir,
    containerDisks: flags.containerDiskDir,
    imageVolumes: flags.imageVolumeDir,
  });
  const nvram = `${flags.privateDir}/libvirt/qemu/nvram`;
  return {
    build: async (vmi, options, signal) => {
      const efi = findFirmware(vmi, flags.ovmfPath);
      if (efi !== undefined) await mkdir(nvram, { recursive: true });
      const [volumes] = await Promise.all([
        prepareDisks(vmi, { volumes: options.volumes, paths }, signal),
        prepareKernelBoot(vmi, { image: flags.kernelBootDir, containerDisks: flags.containerDiskDir }),
      ]).catch((error: unknown) => {
        throw explain('the disks of the virtual machine could not be prepared', error);
      });
      const context: ConverterContext = {
        ...options,
        allowEmulation: options.allowEmulation || flags.allowEmulation,
        volumes,
        efi,
        uid: flags.uid,
        paths: {
          privateDir: flags.privateDir,
          shareDir: flags.shareDir,
          ephemeralDisks: `${flags.ephemeralDiskDir}/disk-data`,
          cloudInit: `${flags.ephemeralDiskDir}/cloud-init-data`,
          emptyDisks: `${flags.libvirtRuntimeDir}/empty-disks`,
          containerDisks: flags.containerDiskDir,
          nvram,
        },
      };
      return domainToXml(convertVmiToDomain(vmi, context));
    },
  };
}
