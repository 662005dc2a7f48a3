/** The admission chain: built-in mutators, mutating webhooks, then built-in validators, policies, validating webhooks. */
import type { KubeObject } from '../wire/json.ts';
import type { Admission } from './admission.ts';
import type { Attributes } from './attributes.ts';

/** One step of the chain; a step that changes the object returns the new one. */
export interface Plugin {
  mutate?(attributes: Attributes): Promise<KubeObject | undefined> | KubeObject | undefined;
  validate?(attributes: Attributes): Promise<void> | void;
}

export class AdmissionChain implements Admission {
  readonly #plugins: readonly Plugin[];

  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins;
  }

  async mutate(attributes: Attributes): Promise<KubeObject | undefined> {
    let object = attributes.object;
    for (const plugin of this.#plugins) {
      if (plugin.mutate === undefined) continue;
      object = (await plugin.mutate({ ...attributes, object })) ?? object;
    }
    return object;
  }

  async validate(attributes: Attributes): Promise<void> {
    for (const plugin of this.#plugins) await plugin.validate?.(attributes);
  }
}
