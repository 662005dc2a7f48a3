/**
 * `<hostdev>` of the GPUs and host devices that a Pod was given by device plugins: each plugin names them in a variable
 * of its resource (`hostDeviceVariable`). Pure.
 */
import { type HostDeviceKind, hostDeviceVariable, type VMISpec } from '@podvisor/api';
import type { DomainHostDevice } from '../model/devices.ts';
import { ConversionError } from '../part.ts';
import { pciAddress } from './pci-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Asked = NonNullable<VMISpec['domain']['devices']['gpus']>[number];

/** Throws ConversionError when a device was asked for and not given. Devices of claims are not told of here. */
export function hostDevicesFromEnvironment(
  { domain }: VMISpec,
  env: Environment,
): { readonly gpus: readonly DomainHostDevice[]; readonly hostDevices: readonly DomainHostDevice[] } {
  const { gpus = [], hostDevices = [] } = domain.devices;
  const byPlugin = [...gpus, ...hostDevices].flatMap((device) => resourceOf(device) ?? []);
  const pool = poolOf(new Set(byPlugin), env);
  const askedFor = (name: string): number => byPlugin.filter((other) => other === name).length;
  const convert = (kind: 'gpu' | 'hostdevice', devices: readonly Asked[]): readonly DomainHostDevice[] =>
    devices.flatMap((device, index) => {
      const deviceName = resourceOf(device);
      if (deviceName === undefined) return [];
      const field = `spec.domain.devices.${kind === 'gpu' ? 'gpus' : 'hostDevices'}[${index}]`;
      const alias = `ua-${kind}-${device.name}`;
      const given = pool.take(deviceName, askedFor(deviceName));
      if (given.length === 0)
        throw new ConversionError(
          `no device of ${deviceName} was given to the Pod for ${device.name}: its device plugin set none of ${variables(deviceName).join(', ')}`,
          field,
        );
      return given.map(({ kind: of, value }, i) => ({
        ...elementOf(of, value, field, device, kind === 'gpu'),
        alias: { name: i === 0 ? alias : `${alias}-${i}` },
      }));
    });
  return { hostDevices: convert('hostdevice', hostDevices), gpus: convert('gpu', gpus) };
}

/** Of a device that comes by a plugin, as the Pod asks for it. */
function resourceOf({ deviceName, claimName, requestName }: Asked): string | undefined {
  return deviceName && !claimName && !requestName ? deviceName : undefined;
}

const KINDS: readonly HostDeviceKind[] = ['pci', 'mdev', 'usb'];

function variables(resource: string): readonly string[] {
  return KINDS.map((kind) => hostDeviceVariable(kind, resource));
}

interface Given {
  readonly kind: HostDeviceKind;
  readonly value: string;
}

/** A PCI or mediated device is given one by one; USB devices of a resource come in equal shares. */
function poolOf(
  resources: ReadonlySet<string>,
  env: Environment,
): { take(resource: string, askers: number): readonly Given[] } {
  const free = new Map<string, Given[]>();
  const shares = new Map<string, number>();
  for (const resource of resources) {
    const given = KINDS.flatMap((kind) =>
      (env[hostDeviceVariable(kind, resource)] ?? '')
        .split(',')
        .filter((value) => value !== '')
        .map((value) => ({ kind, value })),
    );
    free.set(resource, given);
  }
  return {
    take: (resource, askers) => {
      const given = free.get(resource) ?? [];
      const usb = given.filter(({ kind }) => kind === 'usb').length;
      const share = shares.get(resource) ?? Math.max(1, Math.floor(usb / askers));
      shares.set(resource, share);
      return given.splice(0, given[0]?.kind === 'usb' ? share : 1);
    },
  };
}

function elementOf(
  kind: HostDeviceKind,
  value: string,
  field: string,
  { name, virtualGPUOptions }: Asked,
  isGpu: boolean,
): DomainHostDevice {
  if (kind === 'pci')
    return {
      mode: 'subsystem',
      type: 'pci',
      managed: 'no',
      source: { address: pciAddress(value, field, `host device ${name}`) },
    };
  if (kind === 'usb') {
    const match = /^(\d{1,3}):(\d{1,3})$/.exec(value);
    if (match === null) throw new ConversionError(`failed to parse usb address ${value} of ${name}`, field);
    const [, bus, device] = match;
    return { mode: 'subsystem', type: 'usb', managed: 'no', source: { address: { bus, device } } };
  }
  const display = isGpu && virtualGPUOptions?.display?.enabled !== false;
  const ramfb = display && virtualGPUOptions?.display?.ramFB?.enabled !== false;
  return {
    mode: 'subsystem',
    type: 'mdev',
    managed: 'no',
    model: 'vfio-pci',
    ...(display ? { display: 'on' } : {}),
    ...(ramfb ? { ramfb: 'on' } : {}),
    source: { address: { uuid: value } },
  };
}
