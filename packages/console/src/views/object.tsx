/** The object of a VM: what a restart would bring, and its YAML, to be changed. Loaded when it is opened. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { dump, load } from 'js-yaml';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useMay } from '../live/access.ts';
import { Refusal } from '../live/refusal.ts';
import { send } from '../live/requests.ts';
import { merged } from '../model/merge.ts';
import { type Difference, restartDifferences } from '../model/restart-diff.ts';
import { Command, Problem, Table } from './parts.tsx';
import { YamlEditor } from './yaml-editor.tsx';
import { commonText } from '../texts/common.ts';
import { objectText } from '../texts/object.ts';

interface ObjectProps {
  readonly vm: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
}

/** What people change; without fields that the server keeps for itself, which only stand in the way of who reads. */
function readable({ apiVersion, kind, metadata, spec }: VirtualMachine): object {
  const { managedFields: _, ...kept } = { managedFields: undefined, ...metadata };
  return { apiVersion, kind, metadata: kept, spec };
}

/** The same object for who edits it: another version of it may differ in its status alone. */
function isUnchanged(one: VirtualMachine, other: VirtualMachine): boolean {
  const meant = ({ metadata, spec }: VirtualMachine): unknown => {
    const { managedFields: _, resourceVersion: __, generation: ___, ...kept } = {
      ...{ managedFields: undefined, resourceVersion: undefined, generation: undefined },
      ...metadata,
    };
    return { kept, spec };
  };
  return deepEqual(meant(one), meant(other));
}

export default function ObjectView({ vm, vmi }: ObjectProps): JSX.Element {
  const differences =
    vm === undefined || vmi === undefined ? [] : restartDifferences(vm.spec.template?.spec, vmi.spec);
  return (
    <>
      {vmi === undefined || vm === undefined ? null : <RestartDiff differences={differences} />}
      {vm === undefined ? null : <Editor key={vm.metadata?.uid} vm={vm} />}
      <details>
        <summary>{objectText.asServerHas}</summary>
        <pre tabIndex={0}>{dump({ vm, vmi }, { noRefs: true })}</pre>
      </details>
    </>
  );
}

function RestartDiff({ differences }: { differences: readonly Difference[] }): JSX.Element {
  if (differences.length === 0) return <p class="faint">{objectText.nothingNew}</p>;
  return (
    <section aria-label={objectText.restartBrings}>
      <h2>{objectText.restartBrings}</h2>
      <Table headings={objectText.headings}>
        {differences.map(({ path, running = objectText.nothing, next = objectText.nothing }) => (
          <tr key={path}>
            <td>
              <code>{path}</code>
            </td>
            <td>{running}</td>
            <td>{next}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const textOf = (object: unknown): string => dump(object, { noRefs: true });

function Editor({ vm }: { vm: VirtualMachine }): JSX.Element {
  const { namespace = '', name = '' } = vm.metadata ?? {};
  /** What the text began as. */
  const [begun, setBegun] = useState(vm);
  const [given, setGiven] = useState(() => ({ text: textOf(readable(vm)) }));
  const [text, setText] = useState(given.text);
  /** Also what was typed while something was under way. */
  const latest = useRef(text);
  latest.current = text;
  const give = (object: unknown): void => {
    const written = textOf(object);
    setText(written);
    setGiven({ text: written });
  };
  const [words, setWords] = useState<{ readonly problem?: string; readonly done?: string }>({});
  const may = useMay({ verb: 'update', group: 'kubevirt.io', resource: 'virtualmachines', namespace });
  const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`;
  const onNewest = (): unknown => merged(readable(begun), load(text), readable(vm));
  const save = async (query: string, done: string): Promise<VirtualMachine | undefined> => {
    try {
      // A status that changed meanwhile is nobody's change of the object.
      const body = JSON.stringify(isUnchanged(begun, vm) ? onNewest() : load(text));
      const answer = await send({ method: 'PUT', path: `${path}?fieldValidation=Strict${query}`, body });
      setWords({ done });
      return (await answer.json()) as VirtualMachine;
    } catch (error) {
      setWords({ problem: problemOf(error) });
      return undefined;
    }
  };
  const keep = async (): Promise<void> => {
    const saved = await save('', objectText.saved);
    if (saved === undefined) return;
    setBegun(saved);
    give(latest.current === text ? readable(saved) : merged(load(text), load(latest.current), readable(saved)));
  };
  const takeUp = (): void => {
    try {
      give(onNewest());
      setBegun(vm);
      setWords({});
    } catch (error) {
      setWords({ problem: problemOf(error) });
    }
  };
  const isChanged = text !== textOf(readable(begun));
  return (
    <>
      <h2>{objectText.yaml}</h2>
      {words.problem === undefined ? null : <Problem>{words.problem}</Problem>}
      {words.done === undefined ? null : <p role="status">{words.done}</p>}
      {isUnchanged(begun, vm) || isOlder(vm, begun) || !isChanged ? null : (
        <div class="notice" role="status">
          {objectText.changedMeanwhile}{' '}
          <button type="button" onClick={takeUp}>
            {objectText.takeUp}
          </button>
        </div>
      )}
      <YamlEditor given={given} onText={setText} label={objectText.yamlOf(name)} />
      <div class="bar">
        <button type="button" disabled={!isChanged} onClick={() => void save('&dryRun=All', objectText.wouldTake)}>
          {objectText.check}
        </button>
        <button
          type="button"
          class="first"
          disabled={!isChanged || may !== true}
          title={may === false ? objectText.mayNotChange(namespace) : `kubectl replace -f ${name}.yaml`}
          onClick={() => void keep().catch((error: unknown) => setWords({ problem: problemOf(error) }))}
        >
          {objectText.save}
        </button>
        <span class="faint">
          {commonText.inTerminal} <Command text={`kubectl edit vm ${name} -n ${namespace}`} />
        </span>
      </div>
    </>
  );
}

/** What was saved is here before the watch tells of it: until then the newest that the page knows is an older one. */
function isOlder(one: VirtualMachine, other: VirtualMachine): boolean {
  return (one.metadata?.generation ?? 0) < (other.metadata?.generation ?? 0);
}

function problemOf(error: unknown): string {
  if (error instanceof Refusal && error.code === 409)
    return objectText.conflict(error.message);
  if (error instanceof Refusal && error.fields.length > 0)
    return error.fields.map(({ field, message }) => `${field}: ${message}`).join(' · ');
  return error instanceof Error ? error.message : String(error);
}
