/** `<os>`: machine type, UEFI or BIOS, direct kernel boot, ACPI tables. */
import type { LauncherPaths, Volume } from '@podvisor/api';
import type { DomainOs } from '../model/platform.ts';
import { ConversionError, type Conversion, type Part } from '../part.ts';

const BOOT_MENU_TIMEOUT_MS = 10_000;

/** Machine and firmware. */
export const firmwarePart: Part = {
  name: 'firmware',
  fields: ['spec.domain.machine', 'spec.domain.firmware', 'spec.startStrategy'],
  convert: (input) => {
    const { spec, architecture } = input;
    const machine = spec.domain.machine?.type || architecture.defaultMachine;
    return {
      os: {
        type: { arch: architecture.osArch, machine, value: 'hvm' },
        ...(architecture.smbios ? { smbios: { mode: 'sysinfo' } } : {}),
        ...(spec.startStrategy === 'Paused'
          ? { bootmenu: { enable: 'yes', timeout: BOOT_MENU_TIMEOUT_MS } }
          : {}),
        ...efi(input),
        ...(spec.domain.firmware?.bootloader?.bios?.useSerial ? { bios: { useserial: 'yes' } } : {}),
        ...kernelBoot(input),
        ...acpiTables(input),
      },
    };
  },
};

function efi({ name, spec, context, paths, architecture }: Conversion): DomainOs {
  // Whoever looks for the files says so when there are none.
  const firmware = context.efi;
  if (spec.domain.firmware?.bootloader?.efi === undefined || firmware === undefined) return {};
  const nvram = `${paths.nvram}/${name}_VARS.fd`;
  if (firmware.autoSelection === true) {
    return {
      firmware: 'efi',
      features: {
        feature: [
          { name: 'secure-boot', enabled: 'yes' },
          { name: 'enrolled-keys', enabled: 'yes' },
        ],
      },
      // On arm64 libvirt keeps the variables in a store of its own.
      ...(architecture.name === 'arm64' ? {} : { nvram: { format: 'raw', path: nvram } }),
    };
  }
  const secure = firmware.secureLoader ? 'yes' : 'no';
  // SNP and TDX measure a stateless firmware: it is loaded as ROM and keeps no variables.
  if (spec.domain.launchSecurity?.snp !== undefined || spec.domain.launchSecurity?.tdx !== undefined) {
    return { loader: { readonly: 'yes', secure, type: 'rom', path: firmware.code } };
  }
  return {
    loader: { readonly: 'yes', secure, type: 'pflash', path: firmware.code },
    nvram: { ...(firmware.vars === '' ? {} : { template: firmware.vars }), path: nvram },
  };
}

function kernelBoot({ spec, paths }: Conversion): DomainOs {
  const boot = spec.domain.firmware?.kernelBoot;
  if (boot === undefined) return {};
  const container = boot.container;
  return {
    ...(container?.kernelPath ? { kernel: paths.kernelFile(container.kernelPath) } : {}),
    ...(container?.initrdPath ? { initrd: paths.kernelFile(container.initrdPath) } : {}),
    ...(boot.kernelArgs ? { cmdline: boot.kernelArgs } : {}),
  };
}

function acpiTables({ spec, paths }: Conversion): DomainOs {
  const acpi = spec.domain.firmware?.acpi;
  if (acpi === undefined) return {};
  if (!acpi.slicNameRef && !acpi.msdmNameRef) {
    throw new ConversionError('no ACPI tables were set, expecting at least one', 'spec.domain.firmware.acpi');
  }
  const table = (type: 'slic' | 'msdm', volumeName: string | undefined): { type: string; path: string }[] => {
    if (!volumeName) return [];
    const volume = spec.volumes?.find(({ name }) => name === volumeName);
    if (volume === undefined) {
      throw new ConversionError(`firmware's volume for ${type} was not found`, 'spec.domain.firmware.acpi');
    }
    return [{ type, path: acpiTablePath(paths, volume, type) }];
  };
  return { acpi: { tables: [...table('slic', acpi.slicNameRef), ...table('msdm', acpi.msdmNameRef)] } };
}

function acpiTablePath(paths: LauncherPaths, volume: Volume, type: string): string {
  if (volume.secret !== undefined) return `${paths.configDisk('secret', volume.name).source}/${type}.bin`;
  throw new ConversionError(`firmware's volume type is unsupported for ${type}`, 'spec.domain.firmware.acpi');
}
