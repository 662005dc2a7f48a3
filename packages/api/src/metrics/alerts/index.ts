/** All alerts. docs/runbooks, the rule files and their tests are made from this list. */
import type { Alert } from './alert.ts';
import { COMPONENT_ALERTS } from './component-alerts.ts';
import { VM_ALERTS } from './vm-alerts.ts';

export const ALERTS: readonly Alert[] = [...COMPONENT_ALERTS, ...VM_ALERTS];
