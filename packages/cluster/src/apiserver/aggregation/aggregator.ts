/** APIServices: group versions that another server answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UserInfo } from '../core.ts';
import type { ForeignGroupVersion } from '../discovery/resource-lists.ts';
import type { RequestInfo } from '../wire/request-info.ts';

export interface Aggregator {
  serves(info: RequestInfo): boolean;
  proxy(request: IncomingMessage, response: ServerResponse, info: RequestInfo, user: UserInfo): Promise<void>;
  groupVersions(): readonly ForeignGroupVersion[];
}
