/** Numbers of libvirt's public API that callers pass or read. */

export const DOMAIN_STATE = {
  noState: 0,
  running: 1,
  blocked: 2,
  paused: 3,
  shutdown: 4,
  shutoff: 5,
  crashed: 6,
  pmSuspended: 7,
} as const;

export const CREATE_FLAG = { paused: 1, autoDestroy: 2, validate: 16 } as const;
export const DESTROY_FLAG = { graceful: 1 } as const;
export const UNDEFINE_FLAG = {
  managedSave: 1,
  snapshotsMetadata: 2,
  nvram: 4,
  keepNvram: 8,
  checkpointsMetadata: 16,
} as const;
/** For shutdown and reboot alike. 0 lets libvirt choose. */
export const POWER_FLAG = { acpi: 1, guestAgent: 2 } as const;
export const AFFECT = { current: 0, live: 1, config: 2 } as const;
export const XML_FLAG = { secure: 1, inactive: 2, updateCpu: 4, migratable: 8 } as const;
export const GUEST_INFO = {
  users: 1,
  os: 2,
  timezone: 4,
  hostname: 8,
  filesystem: 16,
  disks: 32,
  interfaces: 64,
} as const;
export const LIST_FLAG = { active: 1, inactive: 2 } as const;
export const STATS = {
  state: 1,
  cpuTotal: 2,
  balloon: 4,
  vcpu: 8,
  interface: 16,
  block: 32,
  perf: 64,
  ioThread: 128,
  memory: 256,
  dirtyRate: 512,
  vm: 1024,
} as const;
/** Statistics are skipped rather than waited for when a domain is busy. */
export const STATS_NO_WAIT = 1 << 29;
export const METADATA = { description: 0, title: 1, element: 2 } as const;

export const MIGRATE_FLAG = {
  live: 1 << 0,
  peerToPeer: 1 << 1,
  persistDestination: 1 << 3,
  undefineSource: 1 << 4,
  paused: 1 << 5,
  nonSharedDisk: 1 << 6,
  nonSharedIncremental: 1 << 7,
  changeProtection: 1 << 8,
  unsafe: 1 << 9,
  compressed: 1 << 11,
  abortOnError: 1 << 12,
  autoConverge: 1 << 13,
  postCopy: 1 << 15,
  tls: 1 << 16,
  parallel: 1 << 17,
  postCopyResume: 1 << 19,
} as const;

/** `code` of a LibvirtError, the ones our callers decide on. */
export const ERROR_CODE = {
  internal: 1,
  noSupport: 3,
  noConnect: 5,
  invalidArgument: 8,
  operationFailed: 9,
  domainExists: 28,
  systemError: 38,
  rpc: 39,
  noDomain: 42,
  operationInvalid: 55,
  configUnsupported: 67,
  operationTimeout: 68,
  operationAborted: 78,
  noDomainMetadata: 80,
  operationUnsupported: 84,
  agentUnresponsive: 86,
  resourceBusy: 87,
  /** An incoming migration was undone, as asked. */
  migrateFinishOk: 93,
  agentUnsynced: 97,
  deviceMissing: 99,
  noDomainCheckpoint: 103,
  checkpointInconsistent: 109,
} as const;

export const LIFECYCLE_EVENT = {
  defined: 0,
  undefined: 1,
  started: 2,
  suspended: 3,
  resumed: 4,
  stopped: 5,
  shutdown: 6,
  pmSuspended: 7,
  crashed: 8,
} as const;
