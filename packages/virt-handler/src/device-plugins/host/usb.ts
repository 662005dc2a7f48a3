/** USB devices by vendor and product. A resource may be of several devices, which a guest gets together. */
import { join } from 'node:path';
import type { USBHostDevice, USBSelector } from '@podvisor/api';
import { entriesOf, textOf, ueventOf } from './sysfs.ts';
import type { GivenUnits } from './given-units.ts';
import type { DeviceRoots, DeviceUnit, UnitsByResource } from './units.ts';

interface UsbDevice {
  readonly vendor: number;
  readonly product: number;
  readonly bus: number;
  readonly number: number;
  readonly node: string;
}

const NODE_NAME = /^bus\/usb\/\d{3}\/\d{3}$/;

/**
 * Units of `before` whose devices are all still there stay as they are: a device that comes must not change what a
 * guest already has. One of those that were `given` to a Pod stays while any device of it is there: it is unhealthy then,
 * and what is left of it is in no other unit. A device belongs to one unit.
 */
export function usbUnits(
  roots: DeviceRoots,
  permitted: readonly USBHostDevice[],
  before: UnitsByResource,
  given: GivenUnits,
): UnitsByResource {
  const present = new Map(devicesOf(roots).map((device) => [idOf(device), device]));
  const free = new Map(present);
  const take = (devices: readonly UsbDevice[]): DeviceUnit => {
    for (const device of devices) free.delete(idOf(device));
    return unitOf(devices);
  };
  const kept = new Map<string, readonly DeviceUnit[]>();
  for (const { resourceName, selectors = [] } of permitted) {
    const known = new Set([
      ...given.of(resourceName),
      ...(before.get(resourceName) ?? []).map(({ id }) => id),
    ]);
    const there = [...known].flatMap((id) => {
      const devices = devicesOfId(id);
      const left = devices.filter((device) => free.has(idOf(device))).length;
      const isGiven = given.of(resourceName).has(id);
      if (isGiven && !devices.some((device) => present.has(idOf(device)))) given.forget(resourceName, id);
      const stays = left > 0 && (isGiven || left === devices.length);
      return stays && matchesAll(devices, selectors) ? [take(devices)] : [];
    });
    kept.set(resourceName, [...(kept.get(resourceName) ?? []), ...there]);
  }
  for (const { resourceName, selectors = [] } of permitted)
    for (;;) {
      const devices = pick([...free.values()], selectors);
      if (devices === undefined) break;
      kept.set(resourceName, [...(kept.get(resourceName) ?? []), take(devices)]);
    }
  return new Map([...kept].filter(([, units]) => units.length > 0));
}

/** One free device for each selector; undefined when one is missing, or nothing is selected. */
function pick(
  free: readonly UsbDevice[],
  selectors: readonly USBSelector[],
): readonly UsbDevice[] | undefined {
  const chosen: UsbDevice[] = [];
  for (const selector of selectors) {
    const device = free.find((candidate) => !chosen.includes(candidate) && matches(candidate, selector));
    if (device === undefined) return undefined;
    chosen.push(device);
  }
  return chosen.length === 0 ? undefined : chosen;
}

function matchesAll(devices: readonly UsbDevice[], selectors: readonly USBSelector[]): boolean {
  return devices.length === selectors.length && selectors.every((selector, i) => isOf(devices[i], selector));
}

function isOf(device: UsbDevice | undefined, selector: USBSelector): boolean {
  return device !== undefined && matches(device, selector);
}

function matches({ vendor, product }: UsbDevice, selector: USBSelector): boolean {
  return vendor === Number.parseInt(selector.vendor, 16) && product === Number.parseInt(selector.product, 16);
}

function unitOf(devices: readonly UsbDevice[]): DeviceUnit {
  return {
    id: devices.map(idOf).join('+'),
    kind: 'usb',
    values: devices.map(({ bus, number }) => `${bus}:${number}`),
    nodes: devices.map(({ node }) => node),
  };
}

/** The devices of a unit, as its id tells them; none when it is no id of USB devices. */
function devicesOfId(id: string): readonly UsbDevice[] {
  return id.split('+').flatMap((part) => {
    const match = /^([0-9a-f]{4}):([0-9a-f]{4})-(\d{2,3}):(\d{2,3})$/.exec(part);
    if (match === null) return [];
    const [, vendor = '', product = '', bus = '', number = ''] = match;
    const place = [bus, number].map((text) => text.padStart(3, '0')).join('/');
    return [
      {
        vendor: Number.parseInt(vendor, 16),
        product: Number.parseInt(product, 16),
        bus: Number(bus),
        number: Number(number),
        node: `/dev/bus/usb/${place}`,
      },
    ];
  });
}

/** A device that is plugged again has another number, and so is another one. */
function idOf({ vendor, product, bus, number }: UsbDevice): string {
  const hex = (value: number): string => value.toString(16).padStart(4, '0');
  const decimal = (value: number): string => String(value).padStart(2, '0');
  return `${hex(vendor)}:${hex(product)}-${decimal(bus)}:${decimal(number)}`;
}

/** All that are plugged in, without hubs of the machine itself (`usb1`), in the order in which they came to a bus. */
function devicesOf({ sys }: DeviceRoots): readonly UsbDevice[] {
  const bus = join(sys, 'bus/usb/devices');
  return entriesOf(bus)
    .filter((name) => !name.startsWith('usb') && textOf(bus, name, 'idVendor') !== undefined)
    .flatMap((name) => {
      const { BUSNUM = '', DEVNUM = '', PRODUCT = '', DEVNAME = '' } = ueventOf(join(bus, name));
      const [vendor = NaN, product = NaN] = PRODUCT.split('/').map((part) => Number.parseInt(part, 16));
      const device = {
        vendor,
        product,
        bus: Number(BUSNUM),
        number: Number(DEVNUM),
        node: `/dev/${DEVNAME}`,
      };
      const isWhole = [vendor, product, device.bus, device.number].every(Number.isInteger);
      return isWhole && NODE_NAME.test(DEVNAME) ? [device] : [];
    })
    .toSorted((a, b) => a.bus - b.bus || a.number - b.number);
}
