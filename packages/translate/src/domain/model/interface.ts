import { attribute, child, children, element, integer, type TypeOf } from '../../xml/codec.ts';
import { address, alias, boot, state } from './common.ts';

const portForward = element({
  proto: attribute(),
  range: children('range', element({ start: integer(), end: integer(), exclude: attribute() })),
});

/** `<interface>`: a NIC of the guest. */
export const networkInterface = element({
  type: attribute(),
  source: child(
    element({
      dev: attribute(),
      mode: attribute(),
      bridge: attribute(),
      address: attribute(),
      port: integer(),
    }),
  ),
  target: child(element({ dev: attribute(), managed: attribute() })),
  model: child(element({ type: attribute() })),
  mac: child(element({ address: attribute() })),
  mtu: child(element({ size: integer() })),
  link: child(state),
  boot: child(boot),
  rom: child(element({ enabled: attribute() })),
  driver: child(element({ name: attribute(), queues: integer(), iommu: attribute() })),
  acpi: child(element({ index: integer() })),
  alias: child(alias),
  address: child(address),
  backend: child(element({ type: attribute(), logFile: attribute() })),
  portForwards: children('portForward', portForward),
});
export type DomainNetworkInterface = TypeOf<typeof networkInterface>;
