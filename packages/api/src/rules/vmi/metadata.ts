/** Labels and annotations of a VMI, or of the template that it is made from. */
import { isGateEnabled } from '../../config/cluster-config.ts';
import { annotations, restrictedVmiLabels } from '../../names.ts';
import type { ObjectMeta } from '../../types/index.ts';
import { invalid, notSupported, type Rule, type RuleContext, when } from '../rule.ts';

export interface MetadataContext extends RuleContext {
  /** The request comes from one of our own components. */
  readonly isKubeVirtServiceAccount: boolean;
}

export const labelRule: Rule<ObjectMeta, MetadataContext> = {
  id: 'metadata.labels.reserved',
  field: 'metadata.labels',
  summary: 'Labels by which our components find VMIs are written by our components only.',
  check: (metadata, { isKubeVirtServiceAccount, path }) =>
    when(
      !isKubeVirtServiceAccount &&
        restrictedVmiLabels.some((label) => metadata.labels?.[label] !== undefined),
      () =>
        notSupported(
          `${path}.labels`,
          'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
        ),
    ),
};

/** Whoever may make VMIs could otherwise have any guest of the namespace go on as his own, with all that it knows. */
export const stateRule: Rule<ObjectMeta, MetadataContext> = {
  id: 'metadata.annotations.state',
  field: 'metadata.annotations',
  summary: 'Which memory a VMI goes on from is said by virt-controller only.',
  check: (metadata, { isKubeVirtServiceAccount, path }) =>
    when(!isKubeVirtServiceAccount && metadata.annotations?.[annotations.hibernatedState] !== undefined, () =>
      notSupported(
        `${path}.annotations`,
        `${annotations.hibernatedState} is written by virt-controller only; restore the snapshot or start the hibernated VM`,
      ),
    ),
};

export const annotationRules: readonly Rule<ObjectMeta>[] = [
  {
    id: 'metadata.annotations.ignition',
    field: 'metadata.annotations',
    summary: 'Ignition data needs the gate ExperimentalIgnitionSupport.',
    check: (metadata, { config, path }) =>
      when(
        metadata.annotations?.[annotations.ignitionData] &&
          !isGateEnabled(config, 'ExperimentalIgnitionSupport'),
        () =>
          invalid(
            `${path}.annotations`,
            `ExperimentalIgnitionSupport feature gate is not enabled in kubevirt-config, invalid entry ${path}.annotations.${annotations.ignitionData}`,
          ),
      ),
  },
  {
    id: 'metadata.annotations.sidecars',
    field: 'metadata.annotations',
    summary: 'Hook sidecars need the gate Sidecar.',
    check: (metadata, { config, path }) =>
      when(metadata.annotations?.[annotations.hookSidecars] && !isGateEnabled(config, 'Sidecar'), () =>
        invalid(
          `${path}.annotations`,
          `sidecar feature gate is not enabled in kubevirt-config, invalid entry ${path}.annotations.${annotations.hookSidecars}`,
        ),
      ),
  },
];
