import type { EmptyObject, KubernetesObject } from './meta.ts';

/** - */
export interface Plugin extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'Plugin';
  /**
   * -
   */
  readonly spec: PluginSpec;
  /**
   * -
   */
  readonly status?: EmptyObject;
}

/** - */
export interface PluginSpec {
  /**
   * -
   */
  readonly condition?: string;
  /**
   * -
   * @listType atomic
   */
  readonly domainHooks?: readonly DomainHooks[];
  /**
   * -
   */
  readonly failureStrategy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly mutatingAdmissionPolicies?: readonly MutatingAdmissionPolicies[];
  /**
   * -
   * @listType atomic
   */
  readonly mutatingAdmissionWebhooks?: readonly MutatingAdmissionPolicies[];
  /**
   * -
   * @listType atomic
   */
  readonly nodeHooks?: readonly NodeHooks[];
  /**
   * -
   * @listType atomic
   */
  readonly validatingAdmissionPolicies?: readonly MutatingAdmissionPolicies[];
  /**
   * -
   * @listType atomic
   */
  readonly validatingAdmissionWebhooks?: readonly MutatingAdmissionPolicies[];
}

/** - */
export interface DomainHooks {
  /**
   * -
   */
  readonly cel?: Cel;
  /**
   * -
   */
  readonly condition?: string;
  /**
   * -
   */
  readonly failureStrategy?: string;
  /**
   * -
   */
  readonly sidecar?: Sidecar;
  /**
   * -
   */
  readonly timeout?: string;
}

/** - */
export interface Cel {
  /**
   * -
   * @minLength 1
   */
  readonly expression: string;
}

/** - */
export interface Sidecar {
  /**
   * -
   * @minLength 1
   */
  readonly socketPath: string;
}

/** - */
export interface MutatingAdmissionPolicies {
  /**
   * -
   * @minLength 1
   */
  readonly name: string;
}

/** - */
export interface NodeHooks {
  /**
   * -
   */
  readonly condition?: string;
  /**
   * -
   */
  readonly failureStrategy?: string;
  /**
   * -
   * @minItems 1
   * @listType atomic
   */
  readonly permittedHooks: readonly string[];
  /**
   * -
   * @minLength 1
   */
  readonly socket: string;
  /**
   * -
   */
  readonly timeout?: string;
}
