import {
  attribute,
  child,
  children,
  content,
  element,
  flag,
  integer,
  integerContent,
  type TypeOf,
} from '../../xml/codec.ts';

/** An amount with its unit: `<memory unit='b'>134217728</memory>`. */
export const amount = element({ unit: attribute(), value: integerContent() });

export const memoryBacking = element({
  hugepages: child(
    element({
      page: children('page', element({ size: attribute(), unit: attribute(), nodeset: attribute() })),
    }),
  ),
  source: child(element({ type: attribute() })),
  access: child(element({ mode: attribute() })),
  allocation: child(element({ mode: attribute() })),
  nosharepages: flag(),
  locked: flag(),
});

const numaCell = element({
  id: attribute(),
  cpus: attribute(),
  memory: integer(),
  unit: attribute(),
  memAccess: attribute(),
});

export const cpu = element({
  mode: attribute(),
  check: attribute(),
  model: child(element({ fallback: attribute(), value: content() })),
  features: children('feature', element({ name: attribute(), policy: attribute() })),
  topology: child(element({ sockets: integer(), cores: integer(), threads: integer() })),
  numa: child(element({ cells: children('cell', numaCell) })),
});
export type DomainCpu = TypeOf<typeof cpu>;

export const vcpu = element({ placement: attribute(), current: integer(), value: integerContent() });

export const vcpus = element({
  vcpu: children('vcpu', element({ id: integer(), enabled: attribute(), hotpluggable: attribute() })),
});

export const cpuTune = element({
  vcpuPins: children('vcpupin', element({ vcpu: integer(), cpuset: attribute() })),
  ioThreadPins: children('iothreadpin', element({ iothread: integer(), cpuset: attribute() })),
  emulatorPin: child(element({ cpuset: attribute() }), 'emulatorpin'),
  vcpuSchedulers: children(
    'vcpusched',
    element({ scheduler: attribute(), priority: integer(), vcpus: attribute() }),
  ),
});
export type DomainCpuTune = TypeOf<typeof cpuTune>;

export const numaTune = element({
  memory: child(element({ mode: attribute(), nodeset: attribute() })),
  memNodes: children(
    'memnode',
    element({ cellId: attribute('cellid'), mode: attribute(), nodeset: attribute() }),
  ),
});
