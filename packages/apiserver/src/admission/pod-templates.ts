/** Where the kinds that make Pods keep the template of them. */
import type { ResourceName } from '../wire/status.ts';

const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/replicationcontrollers': ['spec', 'template'],
  '/podtemplates': ['template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Path to the template in an object of this kind; undefined: it has none. */
export function templatePath({ group, plural }: ResourceName): readonly string[] | undefined {
  return TEMPLATES[`${group}/${plural}`];
}
