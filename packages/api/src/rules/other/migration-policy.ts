/** Rules of MigrationPolicies. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { MigrationPolicy, MigrationPolicySpec, Quantity } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { type Cause, invalid, when } from '../rule.ts';
import { unreadableNumber } from '../go-unsigned.ts';

interface Bounds {
  readonly minimum: number;
  /** The minimum itself is too little. */
  readonly isOpen?: boolean;
  readonly maximum?: number;
}

/** Factors of the stall detector. */
const FACTORS: Readonly<Record<Factor, Bounds>> = {
  ewmaAlpha: { minimum: 0, isOpen: true, maximum: 1 },
  precopyPossibleFactor: { minimum: 1 },
  patienceWindowDecayFactor: { minimum: 0, maximum: 1 },
  completionTimeoutFactor: { minimum: 1 },
};
type Factor = 'ewmaAlpha' | 'precopyPossibleFactor' | 'patienceWindowDecayFactor' | 'completionTimeoutFactor';

const NANO_PER_UNIT = 1_000_000_000n;
const NANO_PER_MILLI = 1_000_000n;

/** Whether a policy may stand; what needs a gate that is off may stay as it was, but not be set or changed. */
export function validateMigrationPolicy(
  policy: MigrationPolicy,
  config: ClusterConfig,
  old?: MigrationPolicy,
): Admission {
  const { spec } = policy;
  if ((spec.maxDowntimeMs ?? 0) < 0)
    return refusal(
      unreadableNumber(spec.maxDowntimeMs, 'MigrationPolicySpec.spec.maxDowntimeMs', 'uint64'),
      400,
    );
  const { downtimeTuning, stallDetector } = spec.experimental ?? {};
  const gates = gateCauses(spec, old?.spec, config);
  return admissionOf([
    ...when((spec.completionTimeoutPerGiB ?? 0) < 0, () =>
      invalid('spec.completionTimeoutPerGiB', 'must not be negative'),
    ),
    ...gates.maxDowntimeMs,
    ...gates.downtimeTuning,
    ...when(stallDetector && downtimeTuning, () =>
      invalid(
        'spec.experimental',
        'experimental.stallDetector and experimental.downtimeTuning are mutually exclusive; the stall detection path manages its own downtime schedule',
      ),
    ),
    ...gates.stallDetector,
    ...factorNames().flatMap((name) => {
      const value = stallDetector?.[name];
      const field = `spec.experimental.stallDetector.${name}`;
      return value === undefined ? [] : factorCauses(field, value, FACTORS[name]);
    }),
    ...when(parseQuantity(spec.bandwidthPerMigration ?? 0).nano < 0n, () =>
      invalid('spec.bandwidthPerMigration', 'must not be negative'),
    ),
  ]);
}

function factorNames(): readonly Factor[] {
  return ['ewmaAlpha', 'precopyPossibleFactor', 'patienceWindowDecayFactor', 'completionTimeoutFactor'];
}

function factorCauses(
  field: string,
  value: Quantity,
  { isOpen = false, maximum, minimum }: Bounds,
): readonly Cause[] {
  const amount = parseQuantity(value);
  const { nano } = amount;
  const scalar = `invalid scalar ${JSON.stringify(amount.toString())}`;
  if (nano < 0n) return [invalid(field, `${scalar}: must not be negative`)];
  if (nano % NANO_PER_MILLI !== 0n) return [invalid(field, `${scalar}: must have at most 3 decimal places`)];
  const least = BigInt(minimum) * NANO_PER_UNIT;
  if (isOpen && nano <= least) return [invalid(field, `must be greater than ${minimum}`)];
  if (nano < least) return [invalid(field, `must be greater than or equal to ${minimum}`)];
  return when(maximum !== undefined && nano > BigInt(maximum) * NANO_PER_UNIT, () =>
    invalid(field, `must be less than or equal to ${maximum}`),
  );
}

type Gated = 'maxDowntimeMs' | 'downtimeTuning' | 'stallDetector';

function gateCauses(
  spec: MigrationPolicySpec,
  old: MigrationPolicySpec | undefined,
  config: ClusterConfig,
): Readonly<Record<Gated, readonly Cause[]>> {
  const hasStallDetection = isGateEnabled(config, 'MigrationStallDetection');
  const hasDowntimeTuning = isGateEnabled(config, 'MigrationDowntimeTuning');
  const check = (
    name: string,
    of: (spec: MigrationPolicySpec) => unknown,
    isAllowed: boolean,
    gates: string,
  ): readonly Cause[] => {
    const value = of(spec);
    const isChanged = value !== undefined && !(old && deepEqual(value, of(old)));
    return when(isChanged && !isAllowed, () =>
      invalid(`spec.${name}`, `${name} cannot be modified without enabling the ${gates} feature gate`),
    );
  };
  return {
    maxDowntimeMs: check(
      'maxDowntimeMs',
      (of) => of.maxDowntimeMs,
      hasStallDetection || hasDowntimeTuning,
      'MigrationStallDetection or MigrationDowntimeTuning',
    ),
    downtimeTuning: check(
      'experimental.downtimeTuning',
      (of) => of.experimental?.downtimeTuning,
      hasDowntimeTuning,
      'MigrationDowntimeTuning',
    ),
    stallDetector: check(
      'experimental.stallDetector',
      (of) => of.experimental?.stallDetector,
      hasStallDetection,
      'MigrationStallDetection',
    ),
  };
}
