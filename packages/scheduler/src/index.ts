/** Which node a Pod goes to. */
export { matchesNodeAffinity } from './filters/node-affinity.ts';
export { tolerates, untolerated } from './filters/taints.ts';
export { NodeState } from './node-info.ts';
export { Scheduler } from './scheduler.ts';
