/** The disks of a VM; plugging a claim into it and unplugging it while it runs. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { growAction } from '../model/claims.ts';
import { diskActions, type DiskRow, disksOf, plugAction } from '../model/disks.ts';
import { ActionBar } from './action-button.tsx';
import { Problem, Table } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { disksText } from '../texts/disks.ts';

export function Disks({
  vm,
  vmi,
}: {
  vm: VirtualMachine | undefined;
  vmi: VirtualMachineInstance | undefined;
}): JSX.Element {
  const [problem, setProblem] = useState<string>();
  return (
    <>
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <Table headings={disksText.headings}>
        {disksOf(vm, vmi).map((disk) => (
          <tr key={disk.name}>
            <td>{disk.name}</td>
            <td>{disk.source}</td>
            <td>{disk.device}</td>
            <td>{disk.size}</td>
            <td>{disk.state}</td>
            <td>{vm === undefined ? null : <ActionBar actions={diskActions} row={disk} onProblem={setProblem} />}</td>
          </tr>
        ))}
      </Table>
      <Grow disks={disksOf(vm, vmi)} onProblem={setProblem} />
      {vm === undefined ? null : <Plug vm={vm} onProblem={setProblem} />}
    </>
  );
}

/** A claim of this VM, asked for in a larger size. */
function Grow({
  disks,
  onProblem,
}: {
  disks: readonly DiskRow[];
  onProblem: (words: string | undefined) => void;
}): JSX.Element | null {
  const [form, setForm] = useState({ name: '', size: '' });
  const onClaims = disks.filter(({ claim }) => claim !== '');
  const [first] = onClaims;
  if (first === undefined) return null;
  return (
    <>
      <h2>{disksText.grow}</h2>
      <div class="bar">
        <label>
          {disksText.disk}{' '}
          <select value={form.name} onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}>
            <option value="">{commonText.choose}</option>
            {onClaims.map(({ name, claim }) => (
              <option key={name} value={claim}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {disksText.newSize}{' '}
          <input
            value={form.size}
            placeholder={disksText.sizeExample}
            onInput={(event) => setForm({ ...form, size: event.currentTarget.value.trim() })}
          />
        </label>
        <ActionBar actions={[growAction]} row={{ ...form, namespace: first.namespace }} onProblem={onProblem} />
      </div>
    </>
  );
}

function Plug({
  vm,
  onProblem,
}: {
  vm: VirtualMachine;
  onProblem: (words: string | undefined) => void;
}): JSX.Element {
  const { namespace = '', name = '' } = vm.metadata ?? {};
  const claims = useCollection(useCollections().claims);
  const [claim, setClaim] = useState('');
  const names = [...claims.items.values()]
    .filter(({ metadata }) => metadata?.namespace === namespace)
    .map(({ metadata }) => metadata?.name ?? '');
  return (
    <>
      <h2>{disksText.plug}</h2>
      <div class="bar">
        <label>
          {disksText.claim}{' '}
          <select value={claim} onChange={(event) => setClaim(event.currentTarget.value)}>
            <option value="">{commonText.choose}</option>
            {names.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </label>
        <ActionBar actions={[plugAction(name)]} row={{ namespace, name: claim }} onProblem={onProblem} />
      </div>
    </>
  );
}
