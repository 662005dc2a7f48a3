/** Admission as the verbs see it: first everything that may change the object, later everything that may refuse it. */
import type { KubeObject } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';

export interface Admission {
  /** Returns the object as it shall be stored. Throws a StatusError to refuse. */
  mutate(attributes: Attributes): Promise<KubeObject | undefined>;
  /** Throws a StatusError to refuse. */
  validate(attributes: Attributes): Promise<void>;
}
