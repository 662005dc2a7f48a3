/** Rules of MigrationPolicies. */
import { deepEqual, parseQuantity } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { MigrationPolicy, MigrationPolicySpec, Quantity } from '../../types/index.ts';
import { type Admission, admissionOf } from '../admission.ts';
import { type Cause, invalid, when } from '../rule.ts';

/** Factors of the stall detector and the largest value that each may have. */
const SCALARS = [
  ['completionTimeoutFactor', undefined],
  ['ewmaAlpha', 1],
  ['patienceWindowDecayFactor', 1],
  ['precopyPossibleFactor', undefined],
] as const;

/** Whether a policy may stand; what needs a gate that is off may stay as it was, but not be set or changed. */
export function validateMigrationPolicy(
  policy: MigrationPolicy,
  config: ClusterConfig,
  old?: MigrationPolicy,
): Admission {
  return admissionOf([...valueCauses(policy.spec), ...gateCauses(policy.spec, old?.spec, config)]);
}

function valueCauses(spec: MigrationPolicySpec): readonly Cause[] {
  const detector = spec.experimental?.stallDetector ?? {};
  return [
    ...when((spec.completionTimeoutPerGiB ?? 0) < 0, () =>
      invalid('spec.completionTimeoutPerGiB', 'must not be negative'),
    ),
    ...when(parseQuantity(spec.bandwidthPerMigration ?? 0).nano < 0n, () =>
      invalid('spec.bandwidthPerMigration', 'must not be negative'),
    ),
    ...SCALARS.flatMap(([name, maximum]) => {
      const value = detector[name];
      return value === undefined
        ? []
        : scalarCauses(`spec.experimental.stallDetector.${name}`, value, maximum);
    }),
  ];
}

function scalarCauses(field: string, value: Quantity, maximum: number | undefined): readonly Cause[] {
  const { nano } = parseQuantity(value);
  if (nano < 0n)
    return [invalid(field, `invalid scalar ${JSON.stringify(String(value))}: must not be negative`)];
  if (nano % 1_000_000n !== 0n)
    return [
      invalid(field, `invalid scalar ${JSON.stringify(String(value))}: must have at most 3 decimal places`),
    ];
  return when(maximum !== undefined && nano > BigInt(maximum) * 1_000_000_000n, () =>
    invalid(field, `must be less than or equal to ${maximum}`),
  );
}

function gateCauses(
  spec: MigrationPolicySpec,
  old: MigrationPolicySpec | undefined,
  config: ClusterConfig,
): readonly Cause[] {
  const hasStallDetection = isGateEnabled(config, 'MigrationStallDetection');
  const hasDowntimeTuning = isGateEnabled(config, 'MigrationDowntimeTuning');
  const gated = [
    [
      'maxDowntimeMs',
      (of: MigrationPolicySpec) => of.maxDowntimeMs,
      hasStallDetection || hasDowntimeTuning,
      'MigrationStallDetection or MigrationDowntimeTuning',
    ],
    [
      'experimental.downtimeTuning',
      (of: MigrationPolicySpec) => of.experimental?.downtimeTuning,
      hasDowntimeTuning,
      'MigrationDowntimeTuning',
    ],
    [
      'experimental.stallDetector',
      (of: MigrationPolicySpec) => of.experimental?.stallDetector,
      hasStallDetection,
      'MigrationStallDetection',
    ],
  ] as const;
  return gated.flatMap(([name, of, isAllowed, gates]) => {
    const value = of(spec);
    const isChanged = value !== undefined && !(old && deepEqual(value, of(old)));
    return when(isChanged && !isAllowed, () =>
      invalid(`spec.${name}`, `${name} cannot be modified without enabling the ${gates} feature gate`),
    );
  });
}
