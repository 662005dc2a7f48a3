/** APIServices: group versions that another server answers. */
import type { Duplex } from 'node:stream';
import type { UserInfo } from '../core.ts';
import type { ForeignGroupVersion } from '../discovery/resource-lists.ts';
import type { RequestInfo } from '../wire/request-info.ts';
import type { ApiRequest, ApiResponse } from '../wire/exchange.ts';

export interface Aggregator {
  serves(info: RequestInfo): boolean;
  proxy(request: ApiRequest, response: ApiResponse, info: RequestInfo, user: UserInfo): Promise<void>;
  /** Joins an upgraded connection; throws a StatusError when the server behind it is away. */
  upgrade(request: ApiRequest, socket: Duplex, head: Buffer, info: RequestInfo, user: UserInfo): void;
  groupVersions(): readonly ForeignGroupVersion[];
}
