/**
 * The domain as a launcher defines it: the translation, and what this libvirt and QEMU need besides. The launcher and
 * `virtctl render` both make it here, so that what is shown is what runs. Pure.
 */
import { launcherPaths, type VirtualMachineInstance } from '@podvisor/api';
import type { ConverterContext } from './context.ts';
import { convertVmiToDomain } from './convert.ts';
import { mergeDomains } from './merge.ts';
import { withRoomForMemory } from './memory/memory-room.ts';
import type { Domain } from './model/domain.ts';

/** libvirt 9.0 wants one for memory that comes later. */
const MEMORY_SLOTS = 1;

const NUMBERS_CHARDEV = 'socket,id=numbers,';

/** Throws ConversionError. */
export function launcherDomain(vmi: VirtualMachineInstance, context: ConverterContext): Domain {
  const domain = convertVmiToDomain(vmi, { memorySlots: MEMORY_SLOTS, ...context });
  return withEmulator(
    mergeDomains(withRoomForMemory(domain), numbersMonitor(launcherPaths(context.paths).qemuSocket)),
    context.emulator,
  );
}

/**
 * A monitor of QEMU beside libvirt's, at which virt-handler reads the numbers of the guest: a question there wakes
 * neither the launcher nor libvirtd. Who can open it is the launcher's user, who commands libvirtd anyway.
 */
function numbersMonitor(path: string): Domain {
  // QEMU's own way to write a comma in a value.
  const chardev = `${NUMBERS_CHARDEV}path=${path.replaceAll(',', ',,')},server=on,wait=off`;
  return {
    xmlnsQemu: 'http://libvirt.org/schemas/domain/qemu/1.0',
    qemuCommandLine: {
      args: ['-chardev', chardev, '-mon', 'chardev=numbers,mode=control'].map((value) => ({ value })),
    },
  };
}

/** The argument that says where the monitor for numbers listens; undefined where there is none. */
export function numbersSocket({ qemuCommandLine }: Domain): string | undefined {
  return qemuCommandLine?.args?.find(({ value }) => value?.startsWith(NUMBERS_CHARDEV))?.value;
}

/** The domain as the guest sees it: an older launcher's, which has no such monitor, is the same one. */
export function withoutNumbersMonitor(domain: Domain): Domain {
  const { qemuCommandLine, xmlnsQemu, ...rest } = domain;
  const args = qemuCommandLine?.args ?? [];
  const at = args.findIndex(({ value }) => value?.startsWith(NUMBERS_CHARDEV)) - 1;
  if (at < 0) return domain;
  const others = args.toSpliced(at, numbersMonitor('').qemuCommandLine?.args?.length ?? 0);
  return others.length === 0 ? rest : { ...rest, xmlnsQemu, qemuCommandLine: { args: others } };
}

/** An emulated domain runs by the launcher's script, where there is one, and unless it needs another emulator. */
function withEmulator(domain: Domain, script: string | undefined): Domain {
  if (script === undefined || domain.type !== 'qemu' || domain.devices?.emulator !== undefined) return domain;
  return { ...domain, devices: { ...domain.devices, emulator: script } };
}
