/**
 * Which Pod Security Standard a namespace asks for, from its labels. Pure. A label that cannot be read
 * enforces the strictest level and neither audits nor warns, as in Kubernetes.
 */
import { type FieldError, invalid } from '../../wire/field-errors.ts';

export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** A level as it was at a version of Kubernetes: the minor number of 1.x, or the newest that is known. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

export interface NamespacePolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export const MODES = ['enforce', 'audit', 'warn'] as const;
type Mode = (typeof MODES)[number];

/** Prefix of the labels of namespaces and of the annotations of audit events. */
export const PREFIX = 'pod-security.kubernetes.io/';

const PRIVILEGED: LevelVersion = { level: 'privileged', version: 'latest' };
const PRIVILEGED_POLICY: NamespacePolicy = {
  enforce: PRIVILEGED,
  audit: PRIVILEGED,
  warn: PRIVILEGED,
};

export interface ParsedPolicy {
  readonly policy: NamespacePolicy;
  /** Labels that cannot be read. */
  readonly errors: readonly FieldError[];
}

/** The policy of a namespace with these labels. Always whole, also when there are errors. */
export function policyOf(
  labels: Readonly<Record<string, unknown>>,
  defaults: NamespacePolicy = PRIVILEGED_POLICY,
): ParsedPolicy {
  const errors: FieldError[] = [];
  const modes: Record<Mode, LevelVersion> = { ...defaults };
  for (const mode of MODES) {
    const level = labels[`${PREFIX}${mode}`];
    const version = labels[`${PREFIX}${mode}-version`];
    if (level !== undefined) {
      const known = LEVELS.find((name) => name === level);
      if (known === undefined)
        errors.push(labelError(mode, level, 'must be one of privileged, baseline, restricted'));
      const fallback = mode === 'enforce' ? 'restricted' : 'privileged';
      modes[mode] = { ...modes[mode], level: known ?? fallback };
    }
    if (version !== undefined) {
      const parsed = parseVersion(version);
      if (parsed === undefined)
        errors.push(labelError(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
      modes[mode] = { ...modes[mode], version: parsed ?? 'latest' };
    }
  }
  return { policy: { ...modes, warn: warnOf(labels, modes) }, errors };
}

/** Whoever enforces a level is warned of it, too, unless the labels say otherwise. */
function warnOf(labels: Readonly<Record<string, unknown>>, { enforce, warn }: NamespacePolicy): LevelVersion {
  const enforced = LEVELS.some((level) => level === labels[`${PREFIX}enforce`]);
  if (labels[`${PREFIX}warn`] !== undefined || !enforced || strictness(enforce) <= strictness(warn))
    return warn;
  const hasVersion = labels[`${PREFIX}warn-version`] !== undefined;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}

/** Larger is stricter. */
export function strictness({ level }: LevelVersion): number {
  return LEVELS.indexOf(level);
}

export function isSame(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

/** `restricted:latest`, `baseline:v1.24`. */
export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

function parseVersion(text: unknown): number | 'latest' | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(String(text))?.[1];
  return minor === undefined ? undefined : Number(minor);
}

function labelError(label: string, value: unknown, detail: string): FieldError {
  return invalid(`metadata.labels[${PREFIX}${label}]`, value, detail);
}
