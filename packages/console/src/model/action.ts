/** Something that can be done to an object from the page. Pure. */
import type { Question } from '../live/access.ts';
import type { ApiRequest } from '../live/requests.ts';

export interface Target {
  /** Absent: the object belongs to no namespace. */
  readonly namespace?: string;
  readonly name: string;
}

export interface Action<T extends Target> {
  readonly id: string;
  readonly label: string;
  /** Asks before it is done. */
  readonly isGrave: boolean;
  readonly fits: (target: T) => boolean;
  /** Why the server would refuse it now, in its own words; `''`: it would not, or nobody knows. */
  readonly hindrance?: (target: T) => string;
  readonly request: (target: T) => ApiRequest;
  /** The right that it needs for a target in `namespace`; `''` for objects of no namespace. */
  readonly right: (namespace: string, target: T) => Question;
  /** What does the same in a terminal. */
  readonly command: (target: T) => string;
}

/** What must be allowed for the action to be done to all of these, each right once. */
export function rightsOf<T extends Target>(action: Action<T>, targets: readonly T[]): readonly Question[] {
  const asked = targets.map((target) => action.right(target.namespace ?? '', target));
  return [...new Map(asked.map((question) => [JSON.stringify(question), question])).values()];
}

/** The command that makes an object, for what has no command of its own. */
export function creationCommand(object: unknown): string {
  return `kubectl create -f - <<'EOF'\n${JSON.stringify(object, undefined, 2)}\nEOF`;
}
