import type { EmptyObject, KubernetesObject } from './meta.ts';

/** - */
export interface Plugin extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'Plugin';
  /** - */
  readonly spec: PluginSpec;
  /** - */
  readonly status?: EmptyObject;
}

/** - */
export interface PluginSpec {
  /** - */
  readonly condition?: string;
  /**
   * -
   * @listType atomic
   */
  readonly domainHooks?: readonly PluginDomainHook[];
  /** - */
  readonly failureStrategy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly mutatingAdmissionPolicies?: readonly PluginAdmissionReference[];
  /**
   * -
   * @listType atomic
   */
  readonly mutatingAdmissionWebhooks?: readonly PluginAdmissionReference[];
  /**
   * -
   * @listType atomic
   */
  readonly nodeHooks?: readonly PluginNodeHook[];
  /**
   * -
   * @listType atomic
   */
  readonly validatingAdmissionPolicies?: readonly PluginAdmissionReference[];
  /**
   * -
   * @listType atomic
   */
  readonly validatingAdmissionWebhooks?: readonly PluginAdmissionReference[];
}

/** - */
export interface PluginDomainHook {
  /** - */
  readonly cel?: PluginCELHook;
  /** - */
  readonly condition?: string;
  /** - */
  readonly failureStrategy?: string;
  /** - */
  readonly sidecar?: PluginSidecarHook;
  /** - */
  readonly timeout?: string;
}

/** - */
export interface PluginCELHook {
  /**
   * -
   * @minLength 1
   */
  readonly expression: string;
}

/** - */
export interface PluginSidecarHook {
  /**
   * -
   * @minLength 1
   */
  readonly socketPath: string;
}

/** - */
export interface PluginAdmissionReference {
  /**
   * -
   * @minLength 1
   */
  readonly name: string;
}

/** - */
export interface PluginNodeHook {
  /** - */
  readonly condition?: string;
  /** - */
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
  /** - */
  readonly timeout?: string;
}
