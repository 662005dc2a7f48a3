/** `pods/binding`: the scheduler's decision. Sets the node and the PodScheduled condition, once. */
import { rfc3339 } from '@podvisor/base';
import type { Attributes } from '../../admission/attributes.ts';
import { type VerbContext, warn } from '../../core.ts';
import { library } from '../../registry/library.ts';
import { arrayAt, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import { badRequest, conflict, ReasonlessError } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { decodeBody, targetOf } from '../decode-body.ts';
import { optionsObject } from '../create.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { updateObject } from '../update.ts';

/** `bindings`: the old way to bind, with the Pod named inside. */
export async function bindNamed(context: VerbContext): Promise<Answer> {
  const bytes = await context.readBytes();
  const pods = context.core.registry.find('', 'v1', 'pods');
  if (pods === undefined) throw new Error('Pods are not served');
  const same: VerbContext = {
    ...context,
    readBytes: () => Promise.resolve(bytes),
    readBody: () => Promise.resolve(bytes.toString('utf8')),
  };
  const { metadata } = await decodeBody(same, targetOf(context.definition), 'Ignore');
  const info = { ...context.info, resource: 'pods', name: metadata.name ?? '', subresource: 'binding' };
  return bind({ ...same, definition: pods, info });
}

export async function bind(context: VerbContext): Promise<Answer> {
  const { info, definition, core } = context;
  const options = writeOptions(context, 'CreateOptions');
  const target = { group: '', version: 'v1', kind: 'Binding', schema: library.struct('Binding'), definition };
  const binding = await decodeBody(context, target, options.fieldValidation);
  const node = stringAt(binding, 'target', 'name');
  const name = binding.metadata.name ?? '';
  if (name !== '' && name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  const kind = stringAt(binding, 'target', 'kind');
  if (kind !== '' && kind !== 'Node')
    throw new ReasonlessError(
      500,
      `target.kind: Unsupported value: "${kind}": supported values: "Node", "<empty>"`,
    );
  if (node === '') throw new ReasonlessError(500, 'target.name: Required value');
  await admitBinding(context, options, binding);
  await updateObject({ ...context, info: { ...info, verb: 'update', subresource: 'binding' } }, options, {
    kind: 'UpdateOptions',
    isAdmitted: true,
    change: (pod) => ({
      object: bound(context, pod, binding, node, rfc3339(core.clock.now())),
      tracked: true,
    }),
  });
  return {
    kind: 'other',
    code: 201,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  };
}

/** Whoever wants to judge where Pods go is asked about the Binding, not about an update of the Pod. */
async function admitBinding(context: VerbContext, options: WriteOptions, binding: KubeObject): Promise<void> {
  const { core, definition, info } = context;
  const attributes: Attributes = {
    operation: 'CREATE',
    definition,
    subresource: 'binding',
    namespace: info.namespace,
    name: info.name,
    object: { ...binding, apiVersion: 'v1', kind: 'Binding' },
    oldObject: undefined,
    user: context.user,
    dryRun: options.dryRun,
    options: optionsObject('CreateOptions', options),
    warn: (text) => warn(context, text),
  };
  await core.admission.mutate(attributes);
  await core.admission.validate(attributes);
}

function bound(
  { definition, info }: VerbContext,
  pod: KubeObject,
  binding: KubeObject,
  node: string,
  now: string,
): KubeObject {
  const uid = binding.metadata.uid ?? '';
  const pods = { group: '', plural: 'pods/binding' };
  if (uid !== '' && uid !== pod.metadata.uid)
    throw conflict(
      { group: '', plural: 'pods' },
      info.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`,
    );
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(pods, info.name, `pod ${info.name} is being deleted, cannot be assigned to a host`);
  const current = stringAt(pod, 'spec', 'nodeName');
  if (current !== '')
    throw conflict(pods, info.name, `pod ${info.name} is already assigned to node "${current}"`);
  const conditions = arrayAt(pod, 'status', 'conditions').filter(
    (condition) => stringAt(condition, 'type') !== 'PodScheduled',
  );
  void definition;
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  return {
    ...pod,
    metadata: Object.keys(annotations).length === 0 ? { ...pod.metadata } : { ...pod.metadata, annotations },
    spec: { ...objectAt(pod, 'spec'), nodeName: node },
    status: {
      ...objectAt(pod, 'status'),
      conditions: [
        ...conditions,
        { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now },
      ],
    },
  };
}
