/** The disks of a VM; plugging a claim into it and unplugging it while it runs. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { usePoll } from '../live/use-poll.ts';
import { growAction } from '../model/claims.ts';
import { diskActions, type DiskRow, disksOf, plugAction } from '../model/disks.ts';
import { type FileSystem, fileSystemRows } from '../model/file-systems.ts';
import { vmiPath } from '../model/units.ts';
import { ActionBar, FormButton } from './action-button.tsx';
import { Command, Problem, Table } from './parts.tsx';
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
      {vmi?.status?.phase === 'Running' ? (
        <FileSystems namespace={vmi.metadata?.namespace ?? ''} name={vmi.metadata?.name ?? ''} />
      ) : null}
      <Grow disks={disksOf(vm, vmi)} onProblem={setProblem} />
      {vm === undefined ? null : <Plug vm={vm} onProblem={setProblem} />}
    </>
  );
}

const ASK_MS = 10_000;

/** How full the guest's own file systems are, which only its agent knows. */
function FileSystems({ namespace, name }: { namespace: string; name: string }): JSX.Element {
  const { value } = usePoll<{ readonly items?: readonly FileSystem[] }>(vmiPath(namespace, name, 'filesystemlist'), ASK_MS);
  const rows = fileSystemRows(value?.items ?? []);
  return (
    <>
      <h2>{disksText.fileSystems}</h2>
      {rows.length === 0 ? (
        <p class="faint">{disksText.noAgent}</p>
      ) : (
        <Table headings={disksText.fileSystemHeadings}>
          {rows.map(({ place, kind, disks, used, words }) => (
            <tr key={place}>
              <td>{place}</td>
              <td>{kind}</td>
              <td>{disks}</td>
              <td>
                <meter aria-label={disksText.usedOf(place)} min={0} max={1} high={0.9} optimum={0} value={used} /> {words}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <p class="faint">
        {commonText.inTerminal} <Command text={`virtctl fslist ${name} -n ${namespace}`} />
      </p>
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
        <FormButton action={growAction} row={{ ...form, namespace: first.namespace }} onProblem={onProblem} />
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
        <FormButton action={plugAction(name)} row={{ namespace, name: claim }} onProblem={onProblem} />
      </div>
    </>
  );
}
