import type { EmptyObject, KubernetesObject } from '../kubernetes/meta.ts';

/** Changes guests or nodes at defined points, from outside. */
export interface Plugin extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'Plugin';
  /** What is changed, and when. */
  readonly spec: PluginSpec;
  /** Nothing yet. */
  readonly status?: EmptyObject;
}

/** What a plugin changes, and when. */
export interface PluginSpec {
  /** CEL expression over vmi: the plugin applies when it is true. */
  readonly condition?: string;
  /**
   * Changes of the domain before it starts.
   * @listType atomic
   */
  readonly domainHooks?: readonly PluginDomainHook[];
  /** What a failing hook does: Fail or Ignore. */
  readonly failureStrategy?: string;
  /**
   * Admission policies that belong to the plugin.
   * @listType atomic
   */
  readonly mutatingAdmissionPolicies?: readonly PluginAdmissionReference[];
  /**
   * Webhooks that belong to the plugin.
   * @listType atomic
   */
  readonly mutatingAdmissionWebhooks?: readonly PluginAdmissionReference[];
  /**
   * Programs on the node that are called.
   * @listType atomic
   */
  readonly nodeHooks?: readonly PluginNodeHook[];
  /**
   * Admission policies that belong to the plugin.
   * @listType atomic
   */
  readonly validatingAdmissionPolicies?: readonly PluginAdmissionReference[];
  /**
   * Webhooks that belong to the plugin.
   * @listType atomic
   */
  readonly validatingAdmissionWebhooks?: readonly PluginAdmissionReference[];
}

/** A change of the domain before it starts; cel or sidecar is set. */
export interface PluginDomainHook {
  /** A CEL expression that changes the domain. */
  readonly cel?: PluginCELHook;
  /** CEL expression over vmi: the hook applies when it is true. */
  readonly condition?: string;
  /** What a failure does: Fail or Ignore. */
  readonly failureStrategy?: string;
  /** A sidecar that changes the domain. */
  readonly sidecar?: PluginSidecarHook;
  /** How long the hook may take. */
  readonly timeout?: string;
}

/** A CEL expression that changes the domain. */
export interface PluginCELHook {
  /**
   * The expression; it gives a Domain.
   * @minLength 1
   */
  readonly expression: string;
}

/** A sidecar that changes the domain. */
export interface PluginSidecarHook {
  /**
   * Socket of the sidecar, an absolute path.
   * @minLength 1
   */
  readonly socketPath: string;
}

/** Names an admission object. */
export interface PluginAdmissionReference {
  /**
   * Its name.
   * @minLength 1
   */
  readonly name: string;
}

/** A program on the node that is called. */
export interface PluginNodeHook {
  /** CEL expression over vmi: the hook applies when it is true. */
  readonly condition?: string;
  /** What a failure does: Fail or Ignore. */
  readonly failureStrategy?: string;
  /**
   * Points at which it may be called.
   * @minItems 1
   * @listType atomic
   */
  readonly permittedHooks: readonly string[];
  /**
   * Socket of the program.
   * @minLength 1
   */
  readonly socket: string;
  /** How long the hook may take. */
  readonly timeout?: string;
}
