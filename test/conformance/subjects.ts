/** All subjects, in the order in which they are run: the quick ones first. */
import type { Subject } from './subject.ts';
import { admission } from './subjects/admission.ts';
import { admissionOther } from './subjects/admission-other.ts';
import { apiserver } from './subjects/apiserver.ts';
import { converterCases } from './subjects/converter-cases.ts';
import { converterE2e } from './subjects/converter-e2e.ts';
import { crdSurface } from './subjects/crd-surface.ts';
import { defaulting } from './subjects/defaulting.ts';
import { featureGates } from './subjects/feature-gates.ts';
import { instancetypeApply } from './subjects/instancetype-apply.ts';
import { launcherPod } from './subjects/launcher-pod.ts';
import { memoryOverhead } from './subjects/memory-overhead.ts';
import { metrics } from './subjects/metrics.ts';
import { mutation } from './subjects/mutation.ts';
import { schemas } from './subjects/schemas.ts';
import { subresources } from './subjects/subresources.ts';
import { virtctlTrace } from './subjects/virtctl-trace.ts';

export const subjects: readonly Subject[] = [
  admission,
  admissionOther,
  defaulting,
  mutation,
  instancetypeApply,
  schemas,
  crdSurface,
  featureGates,
  metrics,
  subresources,
  virtctlTrace,
  memoryOverhead,
  converterCases,
  converterE2e,
  launcherPod,
  apiserver,
];
