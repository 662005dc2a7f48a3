/** What Kubernetes refuses of the resources of a Pod as a whole. The good Pod's container asks for 1 CPU and 1Gi. */
import { refusals } from './testing/refusals.ts';

refusals('resources of the whole Pod', [
  ['spec.resources', { requests: { cpu: '1', memory: '1Gi' } }, []],
  ['spec.resources', { requests: { cpu: '500m' } }, ['Invalid spec.resources.requests[cpu]']],
  ['spec.resources', { requests: { cpu: '3' }, limits: { cpu: '2' } }, ['Invalid spec.resources.requests']],
  [
    'spec.resources',
    { requests: { 'example.com/x': '1' }, limits: { 'example.com/x': '1' } },
    [
      'NotSupported spec.resources.limits[example.com/x]',
      'NotSupported spec.resources.requests[example.com/x]',
    ],
  ],
  ['spec.resources', { limits: { memory: '1Gi' } }, ['Invalid spec.resources.containers[0][memory].limits']],
  ['spec.resources', { claims: [] }, ['Forbidden spec.resources.claims']],
]);
