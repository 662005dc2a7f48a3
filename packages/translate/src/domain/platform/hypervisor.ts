/** Which accelerator the domain uses. */
import { ConversionError, type Part } from '../part.ts';

/** `<domain type>` and names. KVM where it works; emulation only where the cluster allows it. */
export const hypervisorPart: Part = {
  name: 'hypervisor',
  fields: ['metadata.namespace', 'metadata.name', 'spec.domain.firmware.uuid'],
  convert: ({ name, namespace, spec, context, architecture, crossesArchitectures }) => {
    if (crossesArchitectures && !context.allowCrossArchitectures) {
      throw new ConversionError(
        'cross-architecture emulation requires the CrossArchitectureVirtualization feature gate',
        'spec.architecture',
      );
    }
    if (!crossesArchitectures && !context.kvmAvailable && !context.allowEmulation) {
      throw new ConversionError('kvm not present and emulation is not allowed');
    }
    const uuid = spec.domain.firmware?.uuid;
    return {
      type: context.kvmAvailable && !crossesArchitectures ? 'kvm' : 'qemu',
      name: `${namespace}_${name}`,
      ...(uuid ? { uuid } : {}),
      ...(crossesArchitectures
        ? { devices: { emulator: `/usr/bin/qemu-system-${architecture.osArch}` } }
        : {}),
      metadata: { kubevirt: { xmlns: 'http://kubevirt.io', uid: context.uid ?? '' } },
    };
  },
};

/** What libvirt does when the guest reboots; it restarts it when nobody says. */
const ON_REBOOT = { Reboot: 'restart', Terminate: 'destroy' } as const;

/** `<on_reboot>` */
export const rebootPart: Part = {
  name: 'reboot',
  fields: ['spec.domain.rebootPolicy'],
  convert: ({ spec: { domain } }) =>
    domain.rebootPolicy === undefined ? {} : { onReboot: ON_REBOOT[domain.rebootPolicy] },
};
