/** Maxima of libvirt's protocol. A peer that goes beyond one is broken or hostile and is refused. */
export const LIMITS = {
  /** Bytes of a whole message behind its length word. */
  message: 33_554_432,
  string: 4_194_304,
  domainList: 16_384,
  memoryStats: 1_024,
  jobStats: 64,
  migrateParams: 64,
  migrateCookie: 4_194_304,
  domainStats: 262_144,
  guestInfoParams: 2_048,
  sshKeys: 2_048,
  authTypes: 20,
  diskErrors: 256,
  checkpointList: 16_384,
} as const;
