/** What admission is asked about. */
import type { UserInfo } from '../core.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface Attributes {
  readonly operation: Operation;
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent on DELETE. */
  readonly object: KubeObject | undefined;
  /** Absent on CREATE. */
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as webhooks see them. */
  readonly options: JsonObject;
  warn(text: string): void;
  /** Adds a fact to the request's entry in the audit log. */
  annotate?(key: string, value: string): void;
}
