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
  readonly request: (target: T) => ApiRequest;
  /** The right that it needs; `''` for objects of no namespace. */
  readonly right: (namespace: string) => Question;
  /** What does the same in a terminal. */
  readonly command: (target: T) => string;
}

/** The command that makes an object, for what has no command of its own. */
export function creationCommand(object: unknown): string {
  return `kubectl create -f - <<'EOF'\n${JSON.stringify(object, undefined, 2)}\nEOF`;
}
