/** Which accelerator the domain uses. */
import { ConversionError, type Part } from '../part.ts';

/** `<domain type>` and names. KVM where it works; emulation only where the cluster allows it. */
export const hypervisorPart: Part = {
  name: 'hypervisor',
  fields: ['metadata.namespace', 'metadata.name', 'spec.domain.firmware.uuid'],
  convert: ({ name, namespace, spec, context }) => {
    if (!context.kvmAvailable && !context.allowEmulation) {
      throw new ConversionError('KVM is not available on this node and software emulation is not allowed');
    }
    const uuid = spec.domain.firmware?.uuid;
    return {
      type: context.kvmAvailable ? 'kvm' : 'qemu',
      name: `${namespace}_${name}`,
      ...(uuid ? { uuid } : {}),
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
