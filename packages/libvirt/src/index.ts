/** libvirt's wire protocol, spoken directly over libvirtd's unix socket. */
export type { DomainStats } from './calls/inspect.ts';
export type { JobStats, MigrationCookie, MigrationStep } from './calls/migration.ts';
export { type ConnectOptions, LibvirtConnection, type LibvirtState } from './connection.ts';
export type { DomainEvent, DomainEventKind } from './events.ts';
export { isLibvirtError, LibvirtDisconnected, LibvirtError } from './libvirt-error.ts';
export * from './protocol/constants.ts';
export type { DomainRef } from './protocol/domain-ref.ts';
export type { ParamRecord, TypedParam } from './protocol/typed-param.ts';
