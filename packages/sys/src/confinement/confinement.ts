/** What a part of the home is given when it starts; `component-exec` sees to it. */
import type { Capability } from './capabilities.ts';
import type { ShownPath } from './root-view.ts';

export interface Confinement {
  /** User and group id; absent: root's. */
  readonly user?: number;
  /** All that it and its children can ever have. */
  readonly capabilities: readonly Capability[];
  /** Its root directory; absent: the machine's. */
  readonly view?: {
    readonly shown: readonly ShownPath[];
    /** A directory that is not shown. */
    readonly stage: string;
  };
  /** Nothing that it executes gains privileges. */
  readonly noNewPrivileges: boolean;
  /** The seccomp filter of `daemon-filter.ts`. */
  readonly filtered: boolean;
}
