/**
 * The libvirt domain as data: the parts of libvirt's XML that we write or read back. One description per
 * element (see `xml/codec.ts`); units stay libvirt's, sizes are bytes where we write them.
 */
import {
  attribute,
  child,
  children,
  element,
  integer,
  integerChild,
  integerContent,
  textChild,
  type TypeOf,
} from '../../xml/codec.ts';
import { amount, cpu, cpuTune, memoryBacking, numaTune, vcpu, vcpus } from './compute.ts';
import { devices } from './devices.ts';
import { clock, features, launchSecurity, os, sysinfo } from './platform.ts';

/** What the launcher keeps in the domain itself, so that it survives a restart of everything else. */
const kubevirtMetadata = element({
  xmlns: attribute(),
  uid: textChild(),
  gracePeriod: child(
    element({
      deletionGracePeriodSeconds: integerChild(),
      deletionTimestamp: textChild(),
      markedForGracefulShutdown: textChild(),
    }),
    'graceperiod',
  ),
  migration: child(
    element({
      uid: textChild(),
      startTimestamp: textChild(),
      endTimestamp: textChild(),
      failed: textChild(),
      failureReason: textChild(),
      abortStatus: textChild(),
      mode: textChild(),
    }),
  ),
});

/** Codec of the whole `<domain>`. */
export const domainCodec = element({
  type: attribute(),
  id: integer(),
  xmlnsQemu: attribute('xmlns:qemu'),
  name: textChild(),
  uuid: textChild(),
  metadata: child(element({ kubevirt: child(kubevirtMetadata) })),
  maxMemory: child(element({ slots: integer(), unit: attribute(), value: integerContent() })),
  memory: child(amount),
  currentMemory: child(amount),
  memoryBacking: child(memoryBacking),
  vcpu: child(vcpu),
  vcpus: child(vcpus),
  ioThreads: integerChild('iothreads'),
  cpuTune: child(cpuTune, 'cputune'),
  numaTune: child(numaTune, 'numatune'),
  sysinfo: child(sysinfo),
  os: child(os),
  features: child(features),
  cpu: child(cpu),
  clock: child(clock),
  onPoweroff: textChild('on_poweroff'),
  onReboot: textChild('on_reboot'),
  onCrash: textChild('on_crash'),
  iommufd: child(element({ enabled: attribute(), fdgroup: attribute() })),
  devices: child(devices),
  launchSecurity: child(launchSecurity),
  qemuCommandLine: child(
    element({ args: children('qemu:arg', element({ value: attribute() })) }),
    'qemu:commandline',
  ),
});

/** A libvirt domain. */
export type Domain = TypeOf<typeof domainCodec>;
