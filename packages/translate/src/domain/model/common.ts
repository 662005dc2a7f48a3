import { attribute, element, type TypeOf } from '../../xml/codec.ts';

/** `<alias name='ua-…'/>`: the name under which we find a device again. */
export const alias = element({ name: attribute() });

/** `<boot order='1'/>` */
export const boot = element({ order: attribute() });

/** `<address type='pci' …/>` or `type='drive'`, `'ccw'`, `'usb'`, `'mdev'`. */
export const address = element({
  type: attribute(),
  domain: attribute(),
  bus: attribute(),
  slot: attribute(),
  function: attribute(),
  controller: attribute(),
  target: attribute(),
  unit: attribute(),
  uuid: attribute(),
  device: attribute(),
});
export type Address = TypeOf<typeof address>;

/** `<x state='on'/>` */
export const state = element({ state: attribute() });

/** `<driver iommu='on'/>` of devices that have no other driver options. */
export const iommuDriver = element({ iommu: attribute() });

/** `<format type='raw'/>` */
export const format = element({ type: attribute() });
