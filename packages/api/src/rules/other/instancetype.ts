/** Rules of instancetypes. */
import type { VirtualMachineInstancetypeSpec } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { invalid, when } from '../rule.ts';
import { unreadableNumber } from '../go-unsigned.ts';

const FIELD = 'spec.memory.overcommitPercent';

/** Whether an instancetype, of a namespace or of the cluster, may stand. */
export function validateInstancetype(spec: VirtualMachineInstancetypeSpec): Admission {
  for (const name of ['guest', 'maxSockets'] as const)
    if ((spec.cpu[name] ?? 0) < 0)
      return refusal(unreadableNumber(spec.cpu[name], `CPUInstancetype.spec.cpu.${name}`, 'uint32'), 400);
  const { hugepages, overcommitPercent = 0 } = spec.memory;
  return admissionOf(
    [
      ...when(overcommitPercent < 0 || overcommitPercent > 100, () =>
        invalid(FIELD, `${FIELD} '${overcommitPercent}': must be in range between 0 and 100.`),
      ),
      ...when(overcommitPercent !== 0 && hugepages, () =>
        invalid(FIELD, `${FIELD} and spec.memory.hugepages should not be requested together.`),
      ),
    ],
    spec.launchSecurity === undefined
      ? []
      : ['launchSecurity is deprecated and will be removed in a future release. Use preference instead.'],
  );
}
