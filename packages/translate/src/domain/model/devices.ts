import {
  attribute,
  child,
  children,
  content,
  element,
  integer,
  integerChild,
  textChild,
  type TypeOf,
} from '../../xml/codec.ts';
import { address, alias, boot, iommuDriver } from './common.ts';
import { amount } from './compute.ts';
import { disk } from './disk.ts';
import { networkInterface } from './interface.ts';

const characterSource = element({ mode: attribute(), path: attribute() });

const controller = element({
  type: attribute(),
  index: integer(),
  model: attribute(),
  driver: child(
    element({
      iothread: integer(),
      queues: integer(),
      iommu: attribute(),
      iothreads: child(element({ iothread: children('iothread', element({ id: integer() })) })),
    }),
  ),
  pcihole64: child(element({ unit: attribute(), value: content() })),
  target: child(element({ chassis: integer(), port: attribute(), busNr: integer(), node: textChild() })),
  alias: child(alias),
  address: child(address),
});

const channel = element({
  type: attribute(),
  source: child(characterSource),
  target: child(element({ type: attribute(), name: attribute(), state: attribute() })),
  alias: child(alias),
});

const serial = element({
  type: attribute(),
  source: child(characterSource),
  log: child(element({ file: attribute(), append: attribute() })),
  target: child(element({ type: attribute(), port: integer() })),
});

const hostDevice = element({
  mode: attribute(),
  type: attribute(),
  managed: attribute(),
  model: attribute(),
  display: attribute(),
  ramfb: attribute(),
  driver: child(element({ name: attribute(), iommufd: attribute() })),
  source: child(element({ address: child(address) })),
  boot: child(boot),
  alias: child(alias),
  address: child(address),
});

const memoryBalloon = element({
  model: attribute(),
  freePageReporting: attribute(),
  stats: child(element({ period: integer() })),
  driver: child(iommuDriver),
  address: child(address),
});

const memoryDevice = element({
  model: attribute(),
  target: child(
    element({
      size: child(amount),
      node: integerChild(),
      block: child(amount),
      requested: child(amount),
      current: child(amount),
    }),
  ),
  alias: child(alias),
  address: child(address),
});

const videoModel = element({ type: attribute(), heads: integer(), vram: integer() });

/** `<devices>` */
export const devices = element({
  emulator: textChild(),
  disks: children('disk', disk),
  controllers: children('controller', controller),
  filesystems: children(
    'filesystem',
    element({
      type: attribute(),
      // Spelled as recorded; libvirt reads `accessmode` and takes passthrough as its default for virtiofs anyway.
      accessMode: attribute(),
      driver: child(element({ type: attribute(), queue: integer() })),
      source: child(element({ dir: attribute(), socket: attribute() })),
      target: child(element({ dir: attribute() })),
    }),
  ),
  interfaces: children('interface', networkInterface),
  serials: children('serial', serial),
  consoles: children(
    'console',
    element({ type: attribute(), target: child(element({ type: attribute(), port: integer() })) }),
  ),
  channels: children('channel', channel),
  inputs: children(
    'input',
    element({
      type: attribute(),
      bus: attribute(),
      model: attribute(),
      alias: child(alias),
      address: child(address),
    }),
  ),
  tpms: children(
    'tpm',
    element({
      model: attribute(),
      backend: child(
        element({ type: attribute(), version: attribute(), persistentState: attribute('persistent_state') }),
      ),
    }),
  ),
  graphics: children(
    'graphics',
    element({ type: attribute(), listen: child(element({ type: attribute(), socket: attribute() })) }),
  ),
  sounds: children('sound', element({ model: attribute(), alias: child(alias) })),
  videos: children('video', element({ model: child(videoModel) })),
  hostDevices: children('hostdev', hostDevice),
  redirectedDevices: children(
    'redirdev',
    element({ bus: attribute(), type: attribute(), source: child(characterSource) }),
  ),
  watchdogs: children(
    'watchdog',
    element({ model: attribute(), action: attribute(), alias: child(alias), address: child(address) }),
  ),
  memoryBalloon: child(memoryBalloon, 'memballoon'),
  rng: child(
    element({
      model: attribute(),
      backend: child(element({ model: attribute(), source: content() })),
      driver: child(iommuDriver),
      address: child(address),
    }),
  ),
  panics: children('panic', element({ model: attribute() })),
  memoryDevices: children('memory', memoryDevice),
  vsock: child(
    element({
      model: attribute(),
      cid: child(element({ auto: attribute(), address: attribute() })),
      driver: child(iommuDriver),
    }),
  ),
});
export type DomainController = TypeOf<typeof controller>;
export type DomainMemoryDevice = TypeOf<typeof memoryDevice>;
export type DomainHostDevice = TypeOf<typeof hostDevice>;
