/** Paths inside an image: absolute, without `.`, `..` or doubled slashes, and not the root. */
import { type Cause, invalid, when } from '../rule.ts';

export function pathProblems(field: string, path: string): readonly Cause[] {
  if (path === '/') return [invalid(field, `${field} must not point to root`)];
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const parts = trimmed.split('/');
  const isClean =
    parts[0] === '' && parts.slice(1).every((part) => part !== '' && part !== '.' && part !== '..');
  return when(!isClean, () =>
    invalid(field, `${field} must be an absolute path to a file without relative components`),
  );
}
