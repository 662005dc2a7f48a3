import {
  attribute,
  child,
  children,
  element,
  flag,
  integer,
  textChild,
  type TypeOf,
} from '../../xml/codec.ts';
import { address, alias, boot, format } from './common.ts';

const unixSource = element({ type: attribute(), path: attribute(), mode: attribute() });
const fileOrDevice = element({ file: attribute(), dev: attribute() });

const source = element({
  file: attribute(),
  dev: attribute(),
  name: attribute(),
  startupPolicy: attribute(),
  reservations: child(element({ managed: attribute(), migration: attribute(), source: child(unixSource) })),
  dataStore: child(element({ type: attribute(), format: child(format), source: child(fileOrDevice) })),
  /** Only this part is the disk: what a guest was copied to may be larger. */
  slices: child(
    element({
      slice: children('slice', element({ type: attribute(), offset: integer(), size: integer() })),
    }),
  ),
});

const driver = element({
  name: attribute(),
  type: attribute(),
  cache: attribute(),
  errorPolicy: attribute('error_policy'),
  io: attribute(),
  discard: attribute(),
  queues: integer(),
  iothread: integer(),
  iommu: attribute(),
  iothreads: child(element({ iothread: children('iothread', element({ id: integer() })) })),
});

/** `<disk>`: a disk, cdrom or LUN. */
export const disk = element({
  type: attribute(),
  device: attribute(),
  model: attribute(),
  driver: child(driver),
  source: child(source),
  backingStore: child(
    element({
      type: attribute(),
      format: child(format),
      source: child(element({ file: attribute(), dev: attribute(), name: attribute() })),
    }),
  ),
  target: child(element({ dev: attribute(), bus: attribute(), tray: attribute() })),
  blockio: child(
    element({
      logicalBlockSize: integer('logical_block_size'),
      physicalBlockSize: integer('physical_block_size'),
      discardGranularity: integer('discard_granularity'),
    }),
  ),
  readonly: flag(),
  shareable: flag(),
  serial: textChild(),
  boot: child(boot),
  alias: child(alias),
  address: child(address),
});
export type DomainDisk = TypeOf<typeof disk>;
export type DiskDriver = TypeOf<typeof driver>;
