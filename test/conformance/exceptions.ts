/** Recorded cases that we do not follow, each with the reason. Ten at most, over all files. */

export interface Exception {
  /** Path below the directory of recordings. */
  readonly file: string;
  readonly id: string;
  readonly reason: string;
}

const IMAGE_VOLUMES =
  'with the gate ImageVolume off, containers would serve container disks; here they are always image volumes';

const TEMPLATES = 'templates are the kinds of another project, which brings its own CRDs and server';

export const exceptions: readonly Exception[] = [
  {
    file: 'launcher-pod/cases.jsonl',
    id: 'template/endering-with-containerdisk-pull-secrets-should-have-compute-as-first-container-in-the-pod',
    reason: IMAGE_VOLUMES,
  },
  {
    file: 'launcher-pod/cases.jsonl',
    id: 'template/template-rendering-with-kernel-boot-should-define-containers-and-volumes-properly',
    reason: IMAGE_VOLUMES,
  },
  {
    file: 'launcher-pod/cases.jsonl',
    id: 'container_disk/container-disk-image-pull-policy-should-pass-through-ifnotpresent-to-the-pod',
    reason: IMAGE_VOLUMES,
  },
  {
    file: 'launcher-pod/cases.jsonl',
    id: 'template/ation-should-fail-when-the-first-generator-failure-is-encountered-when-all-generators-fail',
    reason: 'tests an extension point of the recorded code: two generators of annotations that always fail',
  },
  {
    file: 'crd-surface.json',
    id: 'virtualmachinetemplates.template.kubevirt.io',
    reason: TEMPLATES,
  },
  {
    file: 'crd-surface.json',
    id: 'virtualmachinetemplaterequests.template.kubevirt.io',
    reason: TEMPLATES,
  },
  {
    file: 'apiserver/discovery.jsonl',
    id: 'discovery/openapi-index',
    reason: 'compares the text that describes a kind; our descriptions are in our own words',
  },
  { file: 'virtctl/trace.json', id: 'virtctl template process t1', reason: TEMPLATES },
];
