/** What the things around a VM say: its node, its claims, the API server. */
import { at, listOf, textOf } from '../plain.ts';
import { type Evidence, type Observed, time } from './observed.ts';

export function nodeEvidence({ node, nodeMissing }: Observed): readonly Evidence[] {
  if (nodeMissing !== undefined)
    return [
      {
        source: 'node',
        object: `node ${nodeMissing}`,
        reason: 'NodeNotFound',
        message: 'the API does not know this node',
      },
    ];
  const name = textOf(at(node, 'metadata', 'name'));
  const ready = listOf(at(node, 'status', 'conditions')).find(
    (condition) => at(condition, 'type') === 'Ready',
  );
  if (name === undefined || ready === undefined || at(ready, 'status') === 'True') return [];
  const reason = `Ready=${String(at(ready, 'status'))}/${textOf(at(ready, 'reason')) ?? ''}`;
  return [
    {
      source: 'node',
      object: `node ${name}`,
      reason,
      message: textOf(at(ready, 'message')) ?? '',
      ...time(at(ready, 'lastTransitionTime')),
    },
  ];
}

export function claimEvidence({ claims }: Observed): readonly Evidence[] {
  return claims.flatMap((claim): Evidence[] => {
    const phase = textOf(at(claim, 'status', 'phase')) ?? 'Pending';
    // What fills the claim (an importer, on any cluster with DataVolumes) leaves its last words there.
    const notes = at(claim, 'metadata', 'annotations');
    const complaint = textOf(at(notes, 'cdi.kubevirt.io/storage.condition.running.message')) ?? '';
    const isFilled = at(notes, 'cdi.kubevirt.io/storage.pod.phase') === 'Succeeded';
    if (complaint !== '' && !isFilled)
      return [
        {
          source: 'claim',
          object: `PVC ${textOf(at(claim, 'metadata', 'name'))}`,
          reason: 'ImportFailed',
          message: complaint,
        },
      ];
    if (phase === 'Bound') return [];
    return [
      {
        source: 'claim',
        object: `PVC ${textOf(at(claim, 'metadata', 'name'))}`,
        reason: phase,
        message: 'the claim is not bound',
      },
    ];
  });
}

export function serverEvidence({ serverTrouble }: Observed): readonly Evidence[] {
  if (serverTrouble === undefined) return [];
  return [{ source: 'server', object: 'virt-api', reason: 'Unavailable', message: serverTrouble }];
}
