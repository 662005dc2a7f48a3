/** An APIService that another server answers, read from its object. */
import { arrayAt, at, type KubeObject, stringAt } from '../wire/json.ts';

export interface ApiServiceSpec {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  readonly caBundle: string;
  readonly insecure: boolean;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly available: boolean;
}

/** Undefined for a local one, which this server answers itself. */
export function apiServiceOf(object: KubeObject): ApiServiceSpec | undefined {
  if (at(object, 'spec', 'service') === undefined || at(object, 'spec', 'service') === null) return undefined;
  return {
    name: object.metadata.name ?? '',
    group: stringAt(object, 'spec', 'group'),
    version: stringAt(object, 'spec', 'version'),
    service: {
      namespace: stringAt(object, 'spec', 'service', 'namespace'),
      name: stringAt(object, 'spec', 'service', 'name'),
      port: Number(at(object, 'spec', 'service', 'port') ?? 443),
    },
    caBundle: stringAt(object, 'spec', 'caBundle'),
    insecure: at(object, 'spec', 'insecureSkipTLSVerify') === true,
    groupPriority: Number(at(object, 'spec', 'groupPriorityMinimum') ?? 0),
    versionPriority: Number(at(object, 'spec', 'versionPriority') ?? 0),
    available: arrayAt(object, 'status', 'conditions').some(
      (condition) => stringAt(condition, 'type') === 'Available' && stringAt(condition, 'status') === 'True',
    ),
  };
}
